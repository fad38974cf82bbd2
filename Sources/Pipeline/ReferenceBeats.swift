import Formats
import Foundation
import Signals

/// The beats that somebody who knows says are in a recording.
struct ReferenceBeats {
    /// Their times, in seconds from the recording's start.
    var onsets: [Seconds] = []
    /// Stretches of ventricular flutter or fibrillation.
    var flutter: [Range<Seconds>] = []

    /// Reads what lies beside a recording: WFDB annotations, or the truth of a simulated recording.
    /// - Throws: `FormatError` when neither is there or it cannot be read.
    init(beside recording: URL, annotator: String, source: CardiacSource) throws {
        let stem = recording.deletingPathExtension()
        let annotations = stem.appendingPathExtension(annotator)
        let truth = stem.deletingLastPathComponent().appendingPathComponent(stem.lastPathComponent + "_truth.tsv")
        if FileManager.default.fileExists(atPath: annotations.path) {
            try readAnnotations(annotations, sampleRate: source.sampleRate)
        } else if FileManager.default.fileExists(atPath: truth.path) {
            try readTruth(truth, stream: source.name)
        } else {
            throw FormatError(
                recording, "has no reference beats beside it",
                advice: "expected \(annotations.lastPathComponent) or \(truth.lastPathComponent)")
        }
    }

    private mutating func readAnnotations(_ url: URL, sampleRate: Double) throws {
        let annotations = try WFDBAnnotations.read(url)
        let rate = (try? annotations.sampleRate(beside: url)) ?? sampleRate
        var flutterStart: Seconds?
        for annotation in annotations.list {
            let onset = Double(annotation.sample) / rate
            if annotation.isBeat { onsets.append(onset) }
            if annotation.symbol == "[" { flutterStart = flutterStart ?? onset }
            if annotation.symbol == "]", let start = flutterStart {
                flutter.append(start..<onset)
                flutterStart = nil
            }
        }
        if let flutterStart { flutter.append(flutterStart..<(.infinity)) }
    }

    private mutating func readTruth(_ url: URL, stream: String) throws {
        let table = try TextTable(reading: url)
        let times = try table.numbers("onset")
        let visible = try table.integers("visible")
        let streams = try table.texts("stream")
        // One stream may be named otherwise by the format it went through; then its kind tells.
        let names = Set(streams.compactMap { $0 })
        let wanted = names.contains(stream) ? stream : names.first { stream.lowercased().contains($0) } ?? stream
        for (index, time) in times.enumerated() where streams[index] == wanted && visible[index] == 1 {
            onsets.append(time)
        }
    }
}
