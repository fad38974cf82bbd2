import Cardiac
import Pipeline
import Quality
import Signals

/// The segments of signal that a report draws of a source: beats laid over one another, the worst windows, and a typical one.
struct DrawnSignal {
    private let result: CardiacResult
    /// Beats of the overlay.
    private let beats: [Beat]
    /// The worst windows, worst first.
    private let windows: [QualityWindow]
    /// A clean window in the middle of the recording; nil where no window is clean.
    private let typical: QualityWindow?
    /// Seconds of the overlay before a beat and after it.
    private let before: Seconds
    private let after: Seconds

    /// The most beats in an overlay.
    private static let mostBeats = 150
    /// The most windows that are drawn.
    private static let mostStrips = 4

    /// Chooses what is to be drawn of `result`: nothing where the recording holds only intervals.
    init(_ result: CardiacResult) {
        self.result = result
        // Around an R peak lie P and T waves; a pulse rises before its peak and falls long after it.
        (before, after) = result.source.kind == .ecg ? (0.3, 0.5) : (0.4, 0.6)
        let isSignal = result.source.kind != .ibi
        beats = isSignal ? Self.spread(result.beats.filter { $0.confidence >= 0.5 }, Self.mostBeats) : []
        windows = isSignal ? Self.worst(result.quality, Self.mostStrips) : []
        typical = isSignal ? Self.typical(result.quality) : nil
    }

    /// What is to be read for it.
    var request: SampleExtraction.Request {
        SampleExtraction.Request(
            result.source,
            spans: beats.map { $0.onset - before..<$0.onset + after }
                + (windows + [typical].compactMap(\.self)).map { $0.onset..<$0.onset + $0.duration })
    }

    /// The beats; nil where there are none.
    /// - Parameter taken: what was asked for.
    func overlay(_ taken: [[SampleExtraction.Strip]]) -> BeatOverlay? {
        let waveforms = taken.prefix(beats.count).map { $0[0].samples }.filter { !$0.isEmpty }
        guard !waveforms.isEmpty else { return nil }
        return BeatOverlay(
            waveforms: waveforms, alignment: Int((before * result.source.sampleRate).rounded()),
            sampleRate: result.source.sampleRate, unit: result.source.label.unit, beatCount: result.beats.count)
    }

    /// The worst windows, worst first.
    /// - Parameter taken: what was asked for.
    func strips(_ taken: [[SampleExtraction.Strip]]) -> [SignalStrip] {
        zip(windows, taken.dropFirst(beats.count)).map { strip($0, $1) }
    }

    /// A clean window with its beats; nil where no window is clean.
    /// - Parameter taken: what was asked for.
    func typicalStrip(_ taken: [[SampleExtraction.Strip]]) -> SignalStrip? {
        guard let typical, let last = taken.last else { return nil }
        return strip(typical, last)
    }

    private func strip(_ window: QualityWindow, _ taken: [SampleExtraction.Strip]) -> SignalStrip {
        let span = window.onset..<window.onset + window.duration
        return SignalStrip(
            stream: result.source.name, onset: taken[0].onset, samples: taken[0].samples,
            sampleRate: taken[0].sampleRate, unit: result.source.label.unit,
            beats: result.beats.lazy.map(\.onset).filter(span.contains), quality: window.quality,
            coverage: window.coverage, reasons: window.reasons.map(\.rawValue).sorted())
    }

    /// At most `most` beats, spread evenly over the recording.
    private static func spread(_ beats: [Beat], _ most: Int) -> [Beat] {
        guard beats.count > most else { return beats }
        return (0..<most).map { beats[$0 * beats.count / most] }
    }

    /// The clean window nearest to the middle of the recording.
    private static func typical(_ windows: [QualityWindow]) -> QualityWindow? {
        guard let first = windows.first, let last = windows.last else { return nil }
        let middle = (first.onset + last.onset) / 2
        return windows.filter { $0.coverage >= 1 && $0.quality >= LaneFigure.clean && $0.reasons.isEmpty }
            .min { abs($0.onset - middle) < abs($1.onset - middle) }
    }

    /// The windows of lowest quality that hold any signal and do not overlap, of those that are not clean.
    private static func worst(_ windows: [QualityWindow], _ most: Int) -> [QualityWindow] {
        var chosen: [QualityWindow] = []
        let ordered = windows.filter { window in
            window.coverage > 0 && (window.quality < LaneFigure.clean || !window.reasons.isEmpty)
        }.sorted { ($0.quality, $0.onset) < ($1.quality, $1.onset) }
        for window in ordered where chosen.count < most {
            let overlaps = chosen.contains { abs($0.onset - window.onset) < $0.duration }
            if !overlaps { chosen.append(window) }
        }
        return chosen
    }
}
