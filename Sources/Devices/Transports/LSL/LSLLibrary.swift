public import Foundation

/// The Lab Streaming Layer library, opened at run time: nothing of Marey needs it but the streams of LSL.
///
/// Functions and constants are those of the C interface of liblsl 1.13 and later (`lsl_c.h`).
public final class LSLLibrary: Sendable {
    /// The file that was opened.
    public let path: String
    /// Its version, such as 118 for 1.18.
    public let version: Int
    let calls: LSLCalls

    /// Opens the library: the file the environment variable `MAREY_LIBLSL` names, else the system's, else that of a
    /// Python package `pylsl`.
    /// - Throws: `LinkError.unavailable` saying what to install.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(LinkError) {
        let candidates = Self.candidates(environment)
        for candidate in candidates {
            guard let handle = dlopen(candidate, RTLD_NOW | RTLD_LOCAL) else { continue }
            guard let calls = LSLCalls(handle) else {
                dlclose(handle)
                continue
            }
            LSLLog.setUp(
                environment,
                dlsym(handle, "lsl_set_config_content").map {
                    unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self)
                },
                use: dlsym(handle, "lsl_protocol_version").map {
                    unsafeBitCast($0, to: (@convention(c) () -> Int32).self)
                })
            path = candidate
            version = Int(calls.libraryVersion())
            self.calls = calls
            return
        }
        let named = environment["MAREY_LIBLSL"].map { "MAREY_LIBLSL names \($0), which cannot be opened. " } ?? ""
        throw .unavailable(
            named
                + "Lab Streaming Layer needs liblsl 1.13 or later, which is not installed: `pip install pylsl` brings it, "
                + "or set MAREY_LIBLSL to the path of liblsl.so.")
    }

    /// Seconds of the clock of LSL on this machine, the same as `SystemClock`'s.
    public var now: Double { calls.localClock() }

    private static func candidates(_ environment: [String: String]) -> [String] {
        if let named = environment["MAREY_LIBLSL"], !named.isEmpty { return [named] }
        var found = ["liblsl.so.2", "liblsl.so"]
        found += ["/usr/local/lib/liblsl.so", "/usr/lib/liblsl.so", "/usr/lib/x86_64-linux-gnu/liblsl.so"]
        var roots = ["/usr/local/lib", "/usr/lib"]
        if let home = environment["HOME"] { roots.append(home + "/.local/lib") }
        if let virtual = environment["VIRTUAL_ENV"] { roots.insert(virtual + "/lib", at: 0) }
        if let conda = environment["CONDA_PREFIX"] { roots.insert(conda + "/lib", at: 0) }
        for root in roots {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            for python in names.filter({ $0.hasPrefix("python3") }).sorted() {
                for packages in ["site-packages", "dist-packages"] {
                    let file = "\(root)/\(python)/\(packages)/pylsl/lib/liblsl.so"
                    if FileManager.default.fileExists(atPath: file) { found.append(file) }
                }
            }
        }
        return found
    }
}

/// The functions of the library that are used.
struct LSLCalls: @unchecked Sendable {
    typealias Handle = OpaquePointer
    typealias Text = UnsafePointer<CChar>

    let libraryVersion: @convention(c) () -> Int32
    let localClock: @convention(c) () -> Double
    let createInfo: @convention(c) (Text, Text, Int32, Double, Int32, Text) -> Handle?
    let destroyInfo: @convention(c) (Handle) -> Void
    let name: @convention(c) (Handle) -> Text?
    let type: @convention(c) (Handle) -> Text?
    let sourceID: @convention(c) (Handle) -> Text?
    let hostname: @convention(c) (Handle) -> Text?
    let uid: @convention(c) (Handle) -> Text?
    let channelCount: @convention(c) (Handle) -> Int32
    let rate: @convention(c) (Handle) -> Double
    let format: @convention(c) (Handle) -> Int32
    let description: @convention(c) (Handle) -> Handle?
    let child: @convention(c) (Handle, Text) -> Handle?
    let nextSibling: @convention(c) (Handle, Text) -> Handle?
    let isEmpty: @convention(c) (Handle) -> Int32
    let childValue: @convention(c) (Handle, Text) -> Text?
    let appendChild: @convention(c) (Handle, Text) -> Handle?
    let appendValue: @convention(c) (Handle, Text, Text) -> Handle?
    let resolveAll: @convention(c) (UnsafeMutablePointer<Handle?>, UInt32, Double) -> Int32
    let resolveByPredicate: @convention(c) (UnsafeMutablePointer<Handle?>, UInt32, Text, Int32, Double) -> Int32
    let xml: @convention(c) (Handle) -> UnsafeMutablePointer<CChar>?
    let outletInfo: @convention(c) (Handle) -> Handle?
    let createOutlet: @convention(c) (Handle, Int32, Int32) -> Handle?
    let destroyOutlet: @convention(c) (Handle) -> Void
    let hasConsumers: @convention(c) (Handle) -> Int32
    let waitForConsumers: @convention(c) (Handle, Double) -> Int32
    let pushChunk: @convention(c) (Handle, UnsafePointer<Float>, UInt, UnsafePointer<Double>, Int32) -> Int32
    let pushDoubles: @convention(c) (Handle, UnsafePointer<Double>, UInt, UnsafePointer<Double>, Int32) -> Int32
    let pushText: @convention(c) (Handle, UnsafeMutablePointer<UnsafePointer<CChar>?>, Double, Int32) -> Int32
    let createInlet: @convention(c) (Handle, Int32, Int32, Int32) -> Handle?
    let destroyInlet: @convention(c) (Handle) -> Void
    let openStream: @convention(c) (Handle, Double, UnsafeMutablePointer<Int32>) -> Void
    let fullInfo: @convention(c) (Handle, Double, UnsafeMutablePointer<Int32>) -> Handle?
    let timeCorrection: @convention(c) (Handle, Double, UnsafeMutablePointer<Int32>) -> Double
    let pullChunk:
        @convention(c) (
            Handle, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>, UInt, UInt, Double,
            UnsafeMutablePointer<Int32>
        ) -> UInt
    let pullIntegers:
        @convention(c) (
            Handle, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Double>, UInt, UInt, Double,
            UnsafeMutablePointer<Int32>
        ) -> UInt
    let pullText:
        @convention(c) (
            Handle, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, Int32, Double, UnsafeMutablePointer<Int32>
        ) -> Double
    let destroyString: @convention(c) (UnsafeMutablePointer<CChar>) -> Void

    /// Finds the functions; nil when one is missing.
    init?(_ library: UnsafeMutableRawPointer) {
        func find<Function>(_ name: String, as: Function.Type) -> Function? {
            dlsym(library, "lsl_" + name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard let libraryVersion = find("library_version", as: (@convention(c) () -> Int32).self),
            let localClock = find("local_clock", as: (@convention(c) () -> Double).self),
            let createInfo = find(
                "create_streaminfo", as: (@convention(c) (Text, Text, Int32, Double, Int32, Text) -> Handle?).self),
            let destroyInfo = find("destroy_streaminfo", as: (@convention(c) (Handle) -> Void).self),
            let name = find("get_name", as: (@convention(c) (Handle) -> Text?).self),
            let type = find("get_type", as: (@convention(c) (Handle) -> Text?).self),
            let sourceID = find("get_source_id", as: (@convention(c) (Handle) -> Text?).self),
            let hostname = find("get_hostname", as: (@convention(c) (Handle) -> Text?).self),
            let uid = find("get_uid", as: (@convention(c) (Handle) -> Text?).self),
            let channelCount = find("get_channel_count", as: (@convention(c) (Handle) -> Int32).self),
            let rate = find("get_nominal_srate", as: (@convention(c) (Handle) -> Double).self),
            let format = find("get_channel_format", as: (@convention(c) (Handle) -> Int32).self),
            let description = find("get_desc", as: (@convention(c) (Handle) -> Handle?).self),
            let child = find("child", as: (@convention(c) (Handle, Text) -> Handle?).self),
            let nextSibling = find("next_sibling_n", as: (@convention(c) (Handle, Text) -> Handle?).self),
            let isEmpty = find("empty", as: (@convention(c) (Handle) -> Int32).self),
            let childValue = find("child_value_n", as: (@convention(c) (Handle, Text) -> Text?).self),
            let appendChild = find("append_child", as: (@convention(c) (Handle, Text) -> Handle?).self),
            let appendValue = find("append_child_value", as: (@convention(c) (Handle, Text, Text) -> Handle?).self)
        else { return nil }
        guard
            let resolveAll = find(
                "resolve_all", as: (@convention(c) (UnsafeMutablePointer<Handle?>, UInt32, Double) -> Int32).self),
            let resolveByPredicate = find(
                "resolve_bypred",
                as: (@convention(c) (UnsafeMutablePointer<Handle?>, UInt32, Text, Int32, Double) -> Int32).self),
            let xml = find("get_xml", as: (@convention(c) (Handle) -> UnsafeMutablePointer<CChar>?).self),
            let outletInfo = find("get_info", as: (@convention(c) (Handle) -> Handle?).self),
            let createOutlet = find("create_outlet", as: (@convention(c) (Handle, Int32, Int32) -> Handle?).self),
            let destroyOutlet = find("destroy_outlet", as: (@convention(c) (Handle) -> Void).self),
            let hasConsumers = find("have_consumers", as: (@convention(c) (Handle) -> Int32).self),
            let waitForConsumers = find("wait_for_consumers", as: (@convention(c) (Handle, Double) -> Int32).self),
            let pushChunk = find(
                "push_chunk_ftnp",
                as: (@convention(c) (Handle, UnsafePointer<Float>, UInt, UnsafePointer<Double>, Int32) -> Int32).self),
            let pushDoubles = find(
                "push_chunk_dtnp",
                as: (@convention(c) (Handle, UnsafePointer<Double>, UInt, UnsafePointer<Double>, Int32) -> Int32).self),
            let pushText = find(
                "push_sample_strtp",
                as: (@convention(c) (Handle, UnsafeMutablePointer<UnsafePointer<CChar>?>, Double, Int32) -> Int32).self),
            let createInlet = find("create_inlet", as: (@convention(c) (Handle, Int32, Int32, Int32) -> Handle?).self),
            let destroyInlet = find("destroy_inlet", as: (@convention(c) (Handle) -> Void).self),
            let openStream = find(
                "open_stream", as: (@convention(c) (Handle, Double, UnsafeMutablePointer<Int32>) -> Void).self),
            let fullInfo = find(
                "get_fullinfo", as: (@convention(c) (Handle, Double, UnsafeMutablePointer<Int32>) -> Handle?).self),
            let timeCorrection = find(
                "time_correction", as: (@convention(c) (Handle, Double, UnsafeMutablePointer<Int32>) -> Double).self),
            let pullChunk = find(
                "pull_chunk_d",
                as: (@convention(c) (
                    Handle, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>, UInt, UInt, Double,
                    UnsafeMutablePointer<Int32>
                ) -> UInt).self),
            let pullIntegers = find(
                "pull_chunk_l",
                as: (@convention(c) (
                    Handle, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Double>, UInt, UInt, Double,
                    UnsafeMutablePointer<Int32>
                ) -> UInt).self),
            let pullText = find(
                "pull_sample_str",
                as: (@convention(c) (
                    Handle, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, Int32, Double,
                    UnsafeMutablePointer<Int32>
                ) -> Double).self),
            let destroyString = find("destroy_string", as: (@convention(c) (UnsafeMutablePointer<CChar>) -> Void).self)
        else { return nil }
        (self.libraryVersion, self.localClock) = (libraryVersion, localClock)
        (self.createInfo, self.destroyInfo, self.name, self.type) = (createInfo, destroyInfo, name, type)
        (self.sourceID, self.hostname, self.uid, self.channelCount) = (sourceID, hostname, uid, channelCount)
        (self.rate, self.format, self.description, self.child) = (rate, format, description, child)
        (self.nextSibling, self.isEmpty, self.childValue) = (nextSibling, isEmpty, childValue)
        (self.appendChild, self.appendValue) = (appendChild, appendValue)
        (self.resolveAll, self.resolveByPredicate) = (resolveAll, resolveByPredicate)
        (self.xml, self.outletInfo, self.pullIntegers) = (xml, outletInfo, pullIntegers)
        (self.createOutlet, self.destroyOutlet) = (createOutlet, destroyOutlet)
        (self.hasConsumers, self.waitForConsumers) = (hasConsumers, waitForConsumers)
        (self.pushChunk, self.pushDoubles, self.pushText) = (pushChunk, pushDoubles, pushText)
        (self.createInlet, self.destroyInlet, self.openStream) = (createInlet, destroyInlet, openStream)
        (self.fullInfo, self.timeCorrection) = (fullInfo, timeCorrection)
        (self.pullChunk, self.pullText, self.destroyString) = (pullChunk, pullText, destroyString)
    }
}
