import Foundation
import Signals
import TestSupport
import Testing

/// What pyedflib and edfio read in a file, written by `Tests/Oracles/formats_edf.py`.
struct EDFOracle: Decodable {
    struct Signal: Decodable {
        var label: String
        var rate: Double
        var dimension: String
        var count: Int
        var step: Int
        var samples: [Double]
        var sum: Double
    }

    struct Annotation: Decodable {
        var onset: Double
        var duration: Double
        var text: String

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            onset = try list.decode(Double.self)
            duration = try list.decode(Double.self)
            text = try list.decode(String.self)
        }
    }

    struct Content: Decodable {
        var signals: [Signal]
        var annotations: [Annotation]
    }

    struct Case: Decodable {
        var file: String
        var start: Double?
        var signals: [Signal]
        var annotations: [Annotation]

        var content: Content { Content(signals: signals, annotations: annotations) }

        /// The file, in the folder of the results or below MAREY_DATA; nil when it is not there.
        var url: URL? {
            let own = OracleData.url("formats_edf/" + file)
            if FileManager.default.fileExists(atPath: own.path) { return own }
            return RealData.has(file) ? RealData.url(file) : nil
        }
    }

    var python: String
    var script: String
    var cases: [Case]

    static func load() throws -> EDFOracle {
        try JSONDecoder().decode(EDFOracle.self, from: Data(contentsOf: OracleData.url("formats_edf/cases.json")))
    }

    /// A recording as MNE opens it.
    struct MNERecording: Decodable {
        var channels: Int
        var duration: Double
    }

    /// What MNE reads in `file`.
    func mne(_ file: URL) throws -> MNERecording {
        try JSONDecoder().decode(MNERecording.self, from: output("--mne", file))
    }

    /// What the libraries read in `file`.
    func read(_ file: URL) throws -> (edfio: Content, pyedflib: Content) {
        struct Both: Decodable {
            var edfio: Content
            var pyedflib: Content
        }
        let both = try JSONDecoder().decode(Both.self, from: output("--read", file))
        return (both.edfio, both.pyedflib)
    }

    private func output(_ question: String, _ file: URL) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script, question, file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return text
    }
}

/// Demands that `recording` is what a reference library read: labels, rates, samples, annotations.
/// - Parameter steps: for each signal of the file, how much a sample may differ.
func expectSame(
    _ recording: Recording, _ content: EDFOracle.Content, tolerance: (EDFOracle.Signal) -> Double,
    ignoring prefix: String = "\u{0}", sourceLocation: SourceLocation = #_sourceLocation
) {
    let channels = recording.streams.flatMap { stream in
        stream.header.channels.indices.map { (stream: stream, channel: $0) }
    }
    #expect(channels.count == content.signals.count, sourceLocation: sourceLocation)
    var unused = channels
    for signal in content.signals {
        guard
            let index = unused.firstIndex(where: {
                $0.stream.header.channels[$0.channel].label == signal.label
                    && abs($0.stream.header.sampleRate - signal.rate) < 1e-6 * signal.rate
            })
        else {
            Issue.record("no channel '\(signal.label)' of \(signal.rate) Hz", sourceLocation: sourceLocation)
            continue
        }
        let (stream, channel) = unused.remove(at: index)
        let samples = stream.segments.flatMap { $0.block.channel(channel) }
        #expect(samples.count == signal.count, "\(signal.label)", sourceLocation: sourceLocation)
        let allowed = tolerance(signal)
        for (place, value) in signal.samples.enumerated() where place * signal.step < samples.count {
            let own = Double(samples[place * signal.step])
            if abs(own - value) > allowed {
                Issue.record(
                    "\(signal.label)[\(place * signal.step)]: \(own), expected \(value)", sourceLocation: sourceLocation
                )
                break
            }
        }
        let sum = samples.reduce(0) { $0 + Double($1) }
        #expect(
            abs(sum - signal.sum) <= allowed * Double(samples.count) + 1e-9 * abs(signal.sum), "sum of \(signal.label)",
            sourceLocation: sourceLocation)
    }
    let annotations = content.annotations.filter { !$0.text.hasPrefix(prefix) }.sorted { $0.onset < $1.onset }
    // The libraries leave it to their callers to find events in trigger channels.
    let markers = recording.markers.filter { $0.stream != "marker" }
    #expect(markers.count == annotations.count, sourceLocation: sourceLocation)
    for (own, other) in zip(markers, annotations) {
        #expect(abs(own.onset - other.onset) < 2e-7, sourceLocation: sourceLocation)
        #expect(abs(own.duration - other.duration) < 2e-7, sourceLocation: sourceLocation)
        #expect(own.label == other.text, sourceLocation: sourceLocation)
    }
}
