import Cardiac
import Pipeline
import Quality
import Signals

/// The stretches of signal that a report draws: beats laid over one another, and the worst windows.
struct DrawnSignal {
    /// The beats; nil where there are none or the recording holds only intervals.
    var overlay: BeatOverlay?
    /// The worst windows, worst first.
    var strips: [SignalStrip] = []

    /// The most beats in an overlay.
    private static let mostBeats = 150
    /// The most windows that are drawn.
    private static let mostStrips = 4

    /// Reads what is to be drawn of `result`.
    init(_ result: CardiacResult, reading reopen: () throws -> any RecordingReader) throws {
        guard result.source.kind != .ibi else { return }
        // Around an R peak lie P and T waves; a pulse rises before its peak and falls long after it.
        let before = result.source.kind == .ecg ? 0.3 : 0.4
        let after = result.source.kind == .ecg ? 0.5 : 0.6
        let beats = Self.spread(result.beats.filter { $0.confidence >= 0.5 }, Self.mostBeats)
        let windows = Self.worst(result.quality, Self.mostStrips)
        let spans =
            beats.map { $0.onset - before..<$0.onset + after }
            + windows.map { $0.onset..<$0.onset + $0.duration }
        guard !spans.isEmpty else { return }
        let taken = try SampleExtraction.strips(spans, of: result.source, from: reopen())
        let waveforms = taken.prefix(beats.count).map(\.samples).filter { !$0.isEmpty }
        if !waveforms.isEmpty {
            overlay = BeatOverlay(
                waveforms: waveforms, alignment: Int((before * result.source.sampleRate).rounded()),
                sampleRate: result.source.sampleRate, unit: result.source.label.unit, beatCount: result.beats.count)
        }
        let onsets = result.beats.map(\.onset)
        strips = zip(windows, taken.dropFirst(beats.count)).map { window, strip in
            SignalStrip(
                stream: result.source.name, onset: strip.onset, samples: strip.samples, sampleRate: strip.sampleRate,
                unit: result.source.label.unit,
                beats: onsets.filter { (window.onset..<window.onset + window.duration).contains($0) },
                quality: window.quality, coverage: window.coverage, reasons: window.reasons.map(\.rawValue).sorted())
        }
    }

    /// At most `most` beats, spread evenly over the recording.
    private static func spread(_ beats: [Beat], _ most: Int) -> [Beat] {
        guard beats.count > most else { return beats }
        return (0..<most).map { beats[$0 * beats.count / most] }
    }

    /// The windows of lowest quality that hold any signal and do not overlap.
    private static func worst(_ windows: [QualityWindow], _ most: Int) -> [QualityWindow] {
        var chosen: [QualityWindow] = []
        let ordered = windows.filter { $0.coverage > 0 }.sorted { ($0.quality, $0.onset) < ($1.quality, $1.onset) }
        for window in ordered where chosen.count < most {
            let overlaps = chosen.contains { abs($0.onset - window.onset) < $0.duration }
            if !overlaps { chosen.append(window) }
        }
        return chosen
    }
}
