import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What pyxdf reads in a file, written by `Tests/Oracles/formats_xdf.py`.
struct XDFOracle: Decodable {
    struct Stream: Decodable {
        var name: String
        var type: String
        var rate: Double
        var count: Int
        var step: Int
        var stamps: [Double]
        var last: Double
        var values: [[Double?]]?
        var texts: [String]?
        var segments: Int
        var largestStep: Double
        var smallestStep: Double
    }

    struct Case: Decodable {
        var file: String
        var streams: [Stream]

        /// The file, in the folder of the results or below MAREY_DATA; nil when it is not there.
        var url: URL? {
            let own = OracleData.url("formats_xdf/" + file)
            if FileManager.default.fileExists(atPath: own.path) { return own }
            return RealData.has(file) ? RealData.url(file) : nil
        }
    }

    var python: String
    var script: String
    var cases: [Case]

    static func load() throws -> XDFOracle {
        try JSONDecoder().decode(XDFOracle.self, from: Data(contentsOf: OracleData.url("formats_xdf/cases.json")))
    }

    /// What pyxdf reads in each of `files`.
    func read(_ files: [URL]) throws -> [[Stream]] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script, "--read"] + files.map(\.path)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([[Stream]].self, from: text)
    }
}

/// A stream of a recording as other readers see it: times on the recorder's clock.
struct FlatStream {
    var stamps: [Double] = []
    var rows: [[Double]] = []

    init(_ stream: Signals.Stream, origin: Double) {
        for segment in stream.segments {
            let channels = (0..<segment.block.channelCount).map { segment.block.channel($0) }
            for frame in 0..<segment.block.frameCount {
                stamps.append(origin + segment.start.onset(ofOffset: frame))
                rows.append(channels.map { Double($0[frame]) })
            }
        }
        for value in stream.values {
            stamps.append(origin + value.onset)
            rows.append(value.values)
        }
    }
}

/// Demands that `recording` is what pyxdf read: streams, times, values, markers.
func expectSame(
    _ recording: Recording, origin: Double, _ streams: [XDFOracle.Stream], within tolerance: Double,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for (place, expected) in streams.filter({ $0.texts == nil }).enumerated() {
        let own = FlatStream(recording.streams[place], origin: origin)
        #expect(own.stamps.count == expected.count, "\(expected.name): frames", sourceLocation: sourceLocation)
        guard own.stamps.count == expected.count else { continue }
        var worst = 0.0
        for (index, stamp) in expected.stamps.enumerated() {
            worst = max(worst, abs(own.stamps[index * expected.step] - stamp))
            let row = own.rows[index * expected.step]
            for (value, other) in zip(row, expected.values?[index] ?? []) {
                guard let other else {
                    #expect(value.isNaN, sourceLocation: sourceLocation)
                    continue
                }
                #expect(
                    abs(value - other) <= 1e-7 * abs(other), "\(expected.name)[\(index * expected.step)]",
                    sourceLocation: sourceLocation)
            }
        }
        #expect(worst <= tolerance, "\(expected.name): times differ by \(worst) s", sourceLocation: sourceLocation)
    }
    for expected in streams where expected.texts != nil {
        let own = recording.markers.filter { $0.stream == expected.name }
        #expect(own.map(\.label) == expected.texts, "\(expected.name)", sourceLocation: sourceLocation)
        for (index, stamp) in expected.stamps.enumerated() where index * expected.step < own.count {
            #expect(
                abs(own[index * expected.step].onset + origin - stamp) <= tolerance, "\(expected.name)",
                sourceLocation: sourceLocation)
        }
    }
}
