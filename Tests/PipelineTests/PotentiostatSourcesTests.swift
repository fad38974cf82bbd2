import Electrochemistry
import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// Several potentiostats in one recording, and several channels of one: none is taken for part of another.
struct PotentiostatSourcesTests {
    /// A potential held for 5 s, measured twenty times a second.
    private struct Instrument {
        var name: String
        var potential: Double
        var current: Double?
        var late: Double
    }

    private static let a = Instrument(name: "a", potential: 0.5, current: 1e-6, late: 0)
    private static let b = Instrument(name: "b", potential: 0.2, current: -7e-6, late: 0.0001)

    private static func streams(_ instrument: Instrument) -> [Signals.Stream] {
        func stream(_ label: String, _ kind: StreamKind, _ unit: String, _ value: Double) -> Signals.Stream {
            let header = StreamHeader(
                name: "\(instrument.name)-\(label)", kind: kind, channels: [Channel(label: label, unit: Unit(unit))],
                sampleRate: 0)
            let values = (0..<100).map { TimedValue(onset: instrument.late + Double($0) / 20, values: [value]) }
            return Signals.Stream(header: header, values: values)
        }
        let potential = stream("appliedPotential", .potential, "V", instrument.potential)
        return [potential] + (instrument.current.map { [stream("current", .current, "A", $0)] } ?? [])
    }

    private static func analysis(_ instruments: [Instrument], _ markers: [Marker] = []) throws -> RecordingAnalysis {
        let streams = instruments.flatMap { Self.streams($0) }
        let recording = Recording(
            header: RecordingHeader(duration: 5, streams: streams.map(\.header), format: "test"), streams: streams,
            markers: markers)
        return try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
    }

    private static func analysis(ofLog lines: [String]) throws -> RecordingAnalysis {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("log.txt")
            try Data((["e", "M0007"] + lines + ["*", ""]).joined(separator: "\n").utf8).write(to: url)
            return try RecordingAnalysis(MethodSCRIPTLog(url), parameters: Parameters(), file: "log.txt")
        }
    }

    /// The labels of the files that an analysis leaves, in order.
    private static func labels(_ analysis: RecordingAnalysis) throws -> [String] {
        try withTemporaryFolder { folder in
            let files = try ResultFolder(folder, stem: "s").write(analysis)
            let labels = files.compactMap { file in
                file.split(separator: "_").first { $0.hasPrefix("recording-") }.map { String($0.dropFirst(10)) }
            }
            return Set(labels).sorted()
        }
    }

    @Test(arguments: [false, true])
    func `two instruments are told each for itself, in whatever order they come`(isReversed: Bool) throws {
        // What the other begins meanwhile is no beginning here.
        let markers = [
            Marker(onset: 0, label: "measurement begins: CA", stream: "a"),
            Marker(onset: 2, label: "measurement begins: CA", stream: "b"),
        ]
        let analysis = try Self.analysis(isReversed ? [Self.b, Self.a] : [Self.a, Self.b], markers)
        let results = analysis.electrochemistry
        try #require(results.count == 2)
        #expect(results.map(\.source.name) == ["Potentiostat a", "Potentiostat b"])
        #expect(results.map(\.points.count) == [100, 100] && results.map(\.streams.count) == [2, 2])
        #expect(results[0].streams.isDisjoint(with: results[1].streams))
        #expect(results[0].steps.map(\.count) == [100] && results[0].steps.map(\.potential) == [0.5])
        let step = try #require(results[0].steps.first)
        #expect(step.baseline == 1e-6 && step.peak == 1e-6 && abs((step.charge ?? 0) - 4.95e-6) < 1e-12)
        #expect(results[1].steps.map(\.count) == [40, 60] && results[1].steps.allSatisfy { $0.potential == 0.2 })
        #expect(results[1].steps.allSatisfy { $0.baseline == -7e-6 && $0.peak == -7e-6 })
        #expect(try Self.labels(analysis) == ["potentiostata", "potentiostatb"])
        #expect(!analysis.notComputed.contains { $0.what.hasPrefix("stream ") })
    }

    @Test func `one instrument alone is called as ever, whatever its name`() throws {
        for instrument in [Self.a, Instrument(name: "methodscript", potential: 0.1, current: 1e-6, late: 0)] {
            let analysis = try Self.analysis(
                [instrument], [Marker(onset: 2, label: "measurement begins: CA", stream: instrument.name)])
            #expect(analysis.electrochemistry.map(\.source.name) == ["Potentiostat"])
            #expect(analysis.electrochemistry.first?.steps.map(\.count) == [40, 60])
            #expect(try Self.labels(analysis) == ["potentiostat"])
        }
    }

    @Test func `an instrument that measures potentials alone lends them to no other`() throws {
        let open = Instrument(name: "b", potential: 0.2, current: nil, late: 0.0001)
        let analysis = try Self.analysis([Self.a, open])
        #expect(analysis.electrochemistry.map(\.source.name) == ["Potentiostat"])
        #expect(analysis.electrochemistry.first?.points.count == 100)
        #expect(analysis.electrochemistry.first?.steps.map(\.potential) == [0.5])
        #expect(analysis.notComputed.contains { $0.what == "stream b-appliedPotential" })
        #expect(try Self.labels(analysis) == ["potentiostat"])
    }

    /// 200 packages, 0.05 s apart, of a current of 1 µA at channel 0 and 9 µA elsewhere.
    private static func packages(_ channel: (Int) -> Int?) -> [String] {
        (0..<200).map { k -> String in
            let place = channel(k)
            let current = (place ?? 0) == 0 ? 1_000_000 : 9_000_000
            var variables = ["eb" + number(k * 50, "m")]
            if let place { variables.append("ea" + number(place, "i")) }
            variables += ["da" + number(500, "m"), "ba" + number(current, "p")]
            return "P" + variables.joined(separator: ";")
        }
    }

    private static func number(_ value: Int, _ prefix: String) -> String {
        String(format: "%07X", value + 0x800_0000) + prefix
    }

    @Test func `channels that the packages name are told each for itself`() throws {
        let analysis = try Self.analysis(ofLog: Self.packages { $0 % 2 })
        let results = analysis.electrochemistry
        try #require(results.count == 2)
        #expect(results.map(\.source.name) == ["Potentiostat, channel 0", "Potentiostat, channel 1"])
        #expect(results.map(\.steps.count) == [1, 1] && results.map(\.points.count) == [100, 100])
        for (result, current) in zip(results, [1e-6, 9e-6]) {
            let step = try #require(result.steps.first)
            #expect(abs((step.baseline ?? 0) - current) < 1e-12 && abs((step.peak ?? 0) - current) < 1e-12)
            #expect(abs((step.charge ?? 0) - 9.9 * current) < 1e-11 && step.gap == nil)
        }
        #expect(try Self.labels(analysis) == ["potentiostatchannel0", "potentiostatchannel1"])
    }

    @Test func `packages without a channel are none of those with one`() throws {
        let results = try Self.analysis(ofLog: Self.packages { $0 % 2 == 0 ? nil : 1 }).electrochemistry
        #expect(results.map(\.source.channel) == [nil, 1] && results.map(\.points.count) == [100, 100])
    }

    @Test func `one channel alone tells nothing apart, nor does what is none`() throws {
        for channel in [0, 3, 1_000] {
            let analysis = try Self.analysis(ofLog: Self.packages { _ in channel })
            #expect(analysis.electrochemistry.map(\.points.count) == [200])
            #expect(try Self.labels(analysis) == ["potentiostat"])
        }
    }

    @Test func `of two working electrodes in a package the first is told, and of the second that it is not`() throws {
        let lines = Self.packages { _ in nil }.map { $0 + ";bb" + Self.number(4_000_000, "p") }
        let analysis = try Self.analysis(ofLog: lines)
        #expect(analysis.electrochemistry.map(\.steps.count) == [1])
        #expect(abs((analysis.electrochemistry.first?.steps.first?.baseline ?? 0) - 1e-6) < 1e-12)
        let why = analysis.notComputed.first { $0.what == "stream current2" }?.why
        #expect(why?.contains("second working electrode") == true)
    }
}
