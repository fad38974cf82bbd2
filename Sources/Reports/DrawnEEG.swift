import Brain
import Pipeline
import Quality
import Signals

/// The stretches of an EEG that a report draws: where the eyes did most in a good window, and the worst windows.
struct DrawnEEG {
    private let source: BrainSource
    private let windows: [(title: String, window: QualityWindow)]

    /// The most seconds of a stretch.
    private static let longest = 10.0
    /// Seconds to either side that the cleaning needs.
    private static let margin = 5.0

    /// Chooses what is to be drawn of `result`.
    init(_ result: BrainResult) {
        source = result.source
        windows = Self.chosen(result)
    }

    /// What is to be read for it.
    var request: SampleExtraction.Request {
        SampleExtraction.Request(
            stream: source.stream, channels: source.places, sampleRate: source.sampleRate,
            spans: windows.map {
                $0.window.onset - Self.margin..<$0.window.onset + min(Self.longest, $0.window.duration) + Self.margin
            })
    }

    /// What was asked for, cleaned.
    func traces(_ taken: [[SampleExtraction.Strip]], cleaning: EEGCleaningParameters) throws -> [EEGTraces] {
        var plain = cleaning
        plain.removesBursts = false
        return try zip(windows, taken).compactMap { choice, strip in
            guard let count = strip.first?.samples.count, count > 0 else { return nil }
            var cleaner = try EEGCleaner(channels: source.channels, sampleRate: source.sampleRate, parameters: plain)
            let first = Int((Self.margin * source.sampleRate).rounded())
            let inner = first..<max(first, count - first)
            let channels = Self.cleaned(strip.map(\.samples), &cleaner, rate: source.sampleRate).map {
                Array($0[inner])
            }
            return EEGTraces(
                title: choice.title, onset: choice.window.onset, sampleRate: source.sampleRate, channels: channels,
                quality: choice.window.quality, reasons: choice.window.reasons.map(\.rawValue).sorted())
        }
    }

    private static func cleaned(_ rows: [[Float]], _ cleaner: inout EEGCleaner, rate: Double) -> [[Float]] {
        var blocks: [SampleBlock] = []
        cleaner.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &blocks)
        cleaner.push(SampleBlock(channelCount: rows.count, samples: rows.flatMap { $0 }), into: &blocks)
        cleaner.finish(into: &blocks)
        return (0..<(blocks.first?.channelCount ?? 0)).map { channel in blocks.flatMap { $0.channel(channel) } }
    }

    private static func chosen(_ result: BrainResult) -> [(title: String, window: QualityWindow)] {
        // Of days there are many windows: none is copied.
        let windows = result.quality.lazy.filter { $0.coverage > 0 }
        let onsets = result.eyes.map(\.onset).sorted()
        func events(_ window: QualityWindow) -> Int {
            place(of: window.onset + window.duration, in: onsets) - place(of: window.onset, in: onsets)
        }
        var chosen: [(title: String, window: QualityWindow)] = []
        // Of several with as many events the first.
        var best: (window: QualityWindow, events: Int)?
        for window in windows where window.isGood && window.coverage >= 0.95 {
            let events = events(window)
            if best.map({ (events, -window.onset) > ($0.events, -$0.window.onset) }) ?? true { best = (window, events) }
        }
        if let best {
            let title = onsets.isEmpty ? "a good window" : "the good window with most eye movements"
            chosen.append((title, best.window))
        }
        while chosen.count < 3 {
            let others = windows.filter { window in
                !window.isGood && !chosen.contains { abs($0.window.onset - window.onset) < window.duration }
            }
            guard let worst = others.min(by: { ($0.quality, $0.onset) < ($1.quality, $1.onset) }) else { break }
            chosen.append(("one of the worst windows", worst))
        }
        return chosen
    }

    /// How many of these times, which are in order, are before `time`.
    private static func place(of time: Seconds, in times: [Seconds]) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
