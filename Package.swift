// swift-tools-version: 6.2
import PackageDescription

// One instruction-set level for the whole binary, never mixed: MAREY_CPU=base|v3|v4 (default v3 on x86-64). With base, and on
// other processors, there are no flags that would keep other packages from depending on this one.
#if arch(x86_64)
    let level = ["base": 1, "v3": 3, "v4": 4][Context.environment["MAREY_CPU"] ?? "v3"] ?? 3
#else
    let level = 0
#endif

// A release makes small functions of one room part of those of another, and generic ones for their types there: a cohort takes
// a twelfth less.
let speed: [SwiftSetting] =
    level < 3
    ? []
    : [
        .unsafeFlags(["-Xcc", "-march=x86-64-v\(level)"]),
        .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
    ]

let swift: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + speed

// MAREY_STANDALONE=1: Swift's own libraries become part of the program, which starts faster and runs where there is no
// Swift. What Foundation's parts ask of one another is named here: only what a program's own objects ask for is found.
// What they ask of libcurl is in CLate.
let parts = [
    "CoreFoundation", "_CFXMLInterface", "_CFURLSessionInterface", "_FoundationCShims", "_FoundationCollections",
]
let linking: [LinkerSetting] =
    Context.environment["MAREY_STANDALONE"] == "1"
    ? (parts + ["_FoundationICU", "xml2"]).map { .linkedLibrary($0) } + [
        .unsafeFlags(["-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"])
    ] : []

/// A room: a target under Sources/ that may import only what is listed here.
func room(_ name: String, imports: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: imports, swiftSettings: swift)
}

/// The tests of a room, under Tests/<Room>Tests.
func tests(_ name: String, imports: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + imports, swiftSettings: swift)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let flyingFox: [Target.Dependency] = [
    .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
]
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "Marey",
    products: [
        .executable(name: "marey", targets: ["marey"]),
        .library(name: "Marey", targets: ["Signals", "Kernels", "Formats", "Cardiac", "Brain", "Quality", "Pipeline"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ]
        + (Context.environment["MAREY_DOCS"] == nil
            ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]),
    targets: [
        .systemLibrary(name: "CVectors"),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CLate"),
        .target(name: "CProcessor", cSettings: [.define("MAREY_LEVEL", to: "\(level)")]),

        room("Signals"),
        room("Kernels", imports: ["CLate", "CVectors"]),
        room("Formats", imports: ["Signals", "CArchive", "CVectors", "CZlib"]),
        room("Simulation", imports: ["Signals", "Kernels"]),
        room("Cardiac", imports: ["Signals", "Kernels", "CVectors"]),
        room("Electrodermal", imports: ["Signals", "Kernels"]),
        room("Brain", imports: ["Signals", "Kernels", "CVectors"]),
        room("Decoding", imports: ["Signals", "Kernels", "Brain"]),
        room("GroupStatistics", imports: ["Kernels"]),
        room("Motion", imports: ["Signals", "Kernels"]),
        room("Electrochemistry", imports: ["Signals", "Kernels"]),
        room("Quality", imports: ["Signals", "Kernels", "Cardiac", "Brain", "CVectors"]),
        room(
            "Pipeline",
            imports: [
                "Signals", "Kernels", "Formats", "Cardiac", "Electrodermal", "Motion", "Electrochemistry", "Brain",
                "Decoding", "Quality", crypto, yams,
            ]),
        room("Study", imports: ["Signals", "Formats", grdb]),
        room("Upload", imports: ["Signals", "Formats", "Pipeline", "Study"]),
        room("DBus", imports: ["CSystemd"]),
        room("Devices", imports: ["Signals", "Kernels", "Formats", "Simulation", "DBus"]),
        room("Recorder", imports: ["Signals", "Formats", "Devices"]),
        room(
            "Acquisition",
            imports: [
                "Signals", "Formats", "Cardiac", "Electrodermal", "Motion", "Brain", "Quality", "Pipeline", "Devices",
                "Recorder",
            ]),
        room(
            "Reports",
            imports: [
                "Signals", "Kernels", "Cardiac", "Electrodermal", "Motion", "Electrochemistry", "Brain", "Quality",
                "GroupStatistics", "Decoding", "Pipeline",
            ]),
        room(
            "Cohort",
            imports: [
                "CLate", "Signals", "Kernels", "Formats", "Cardiac", "Quality", "GroupStatistics", "Decoding",
                "Pipeline", "Study", "Reports", "Simulation", yams,
            ]),
        room(
            "Sessions",
            imports: [
                "Signals", "Formats", "Decoding", "Pipeline", "Study", "Upload", "Devices", "Recorder", "Acquisition",
                "Reports", "Cohort",
            ]),
        room(
            "Service",
            imports: [
                "Signals", "Cardiac", "Quality", "Decoding", "Pipeline", "Study", "Upload", "Devices", "Recorder",
                "Acquisition", "Cohort", "Sessions", crypto,
            ] + flyingFox),
        .executableTarget(
            name: "marey",
            dependencies: [
                "CProcessor", "Signals", "Kernels", "Formats", "Cardiac", "Electrodermal", "Motion", "Brain",
                "Decoding", "Quality", "Simulation", "Study", "Upload", "Pipeline", "Devices", "Recorder",
                "Acquisition", "Reports", "Cohort", "Sessions", "Service", argumentParser, yams,
            ],
            swiftSettings: swift, linkerSettings: linking),

        .executableTarget(
            name: "brain-benchmark", dependencies: ["Signals", "Kernels", "Brain"], path: "Benchmarks/Brain",
            swiftSettings: swift),
        .executableTarget(
            name: "cardiac-benchmark", dependencies: ["Signals", "Cardiac"], path: "Benchmarks/Cardiac",
            swiftSettings: swift),
        .executableTarget(
            name: "eda-benchmark", dependencies: ["Signals", "Kernels", "Electrodermal"],
            path: "Benchmarks/Electrodermal", swiftSettings: swift),
        .executableTarget(
            name: "decoding-benchmark", dependencies: ["Kernels", "Brain", "Decoding"], path: "Benchmarks/Decoding",
            swiftSettings: swift),

        .target(name: "TestSupport", dependencies: ["Signals"], path: "Tests/TestSupport", swiftSettings: swift),
        .target(
            name: "DeviceTestSupport", dependencies: ["Signals", "Devices"], path: "Tests/DeviceTestSupport",
            swiftSettings: swift),
        tests("Signals"),
        tests("Kernels"),
        tests("Formats", imports: ["Signals"]),
        tests("Simulation", imports: ["Signals"]),
        tests("Cardiac", imports: ["Signals", "Kernels", "Formats", "Simulation"]),
        tests("Electrodermal", imports: ["Signals", "Kernels", "Formats", "Simulation"]),
        tests("Brain", imports: ["Signals", "Kernels", "Formats", "Simulation"]),
        tests("Decoding", imports: ["Signals", "Kernels", "Brain"]),
        tests("Motion", imports: ["Signals", "Kernels", "Formats", "Simulation"]),
        tests("Electrochemistry", imports: ["Signals", "Kernels", "Formats"]),
        tests("Quality", imports: ["Signals", "Kernels", "Cardiac", "Brain", "Formats", "Simulation"]),
        tests("Study", imports: ["Signals"]),
        tests("Upload", imports: ["Signals", "Formats", "Pipeline", "Study", "Cohort"]),
        tests("Devices", imports: ["Signals", "Formats", "Simulation", "DBus", "DeviceTestSupport"]),
        tests("Recorder", imports: ["Signals", "Formats", "Devices", "Simulation"]),
        tests(
            "Acquisition",
            imports: ["Signals", "Formats", "Pipeline", "Devices", "Recorder", "Simulation", "DeviceTestSupport"]),
        tests(
            "Reports",
            imports: [
                "Signals", "Kernels", "Electrochemistry", "Electrodermal", "Brain", "Quality", "GroupStatistics",
                "Pipeline", "Simulation",
            ]),
        tests("Cohort", imports: ["Signals", "Formats", "Cardiac", "Pipeline", "Study", "Simulation"]),
        tests(
            "Sessions",
            imports: [
                "Signals", "Formats", "Decoding", "Pipeline", "Study", "Devices", "Recorder", "Acquisition", "Cohort",
                "Simulation", "DeviceTestSupport",
            ]),
        tests(
            "Service",
            imports: ["Signals", "Formats", "Study", "Devices", "Decoding", "Pipeline", "Sessions", "Simulation"]),
        tests(
            "Pipeline",
            imports: [
                "Signals", "Formats", "Cardiac", "Electrodermal", "Motion", "Electrochemistry", "Brain", "Decoding",
                "Quality", "Simulation",
            ]),
        .testTarget(
            name: "CommandTests", dependencies: ["marey", "TestSupport", "Signals", "Formats", "Devices"],
            swiftSettings: swift),
    ]
)

// MAREY_TESTS=Room,Room: only the tests of these rooms and what they need, for builds that are long.
if let rooms = Context.environment["MAREY_TESTS"] {
    func needs(of target: Target) -> [String] {
        target.dependencies.compactMap {
            switch $0 {
            case .byNameItem(let name, _), .targetItem(let name, _): name
            default: nil
            }
        }
    }
    var needed = Set(rooms.split(separator: ",").map { "\($0)Tests" })
    var count = 0
    while count != needed.count {
        count = needed.count
        for target in package.targets where needed.contains(target.name) { needed.formUnion(needs(of: target)) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
