import Cardiac
import Formats
public import Signals

/// A few seconds of a scored channel around missed or extra beats.
public struct ValidationStrip: Sendable {
    /// The channel's place among `BeatValidation.channels`.
    public var channel: Int
    /// The stretch, in seconds from the recording's start.
    public var span: Range<Seconds>
    /// The samples; NaN where there are none, empty where nothing was recorded.
    public var samples: [Float]
    /// Reference beats that were not detected, in seconds from the recording's start.
    public var missed: [Seconds]
    /// Detected beats without a reference beat, in seconds from the recording's start.
    public var extra: [Seconds]

    /// How long a strip is, in seconds.
    public static let length: Seconds = 10
}

extension BeatValidation {
    /// The strips with most missed and extra beats at the first tolerance: of every channel that has errors its worst
    /// one, the worst channels first, then of each its second and so on until there are `count`; ordered by channel as
    /// `scores(by: .record, worstFirst: true)` is, and by time within a channel.
    /// - Throws: what reading the samples throws.
    public func worstStrips(_ count: Int) throws -> [ValidationStrip] {
        let order = channels.indices.sorted { (errors(of: $1), $0) < (errors(of: $0), $1) }
        let windows = order.map { (channel: $0, spans: worstSpans(of: channels[$0], atMost: count)) }
        var chosen: [Int: [Range<Seconds>]] = [:]
        var left = count
        for round in 0..<(windows.map(\.spans.count).max() ?? 0) {
            for one in windows where round < one.spans.count && left > 0 {
                chosen[one.channel, default: []].append(one.spans[round])
                left -= 1
            }
        }
        let worst = channels.indices.sorted { (f1(of: $0), $0) < (f1(of: $1), $1) }
        return try worst.flatMap { place in
            try strips(of: place, (chosen[place] ?? []).sorted { $0.lowerBound < $1.lowerBound })
        }
    }

    private func errors(of place: Int) -> Int {
        channels[place].comparisons.first.map { $0.falsePositives + $0.falseNegatives } ?? 0
    }

    private func f1(of place: Int) -> Double { channels[place].comparisons.first?.f1 ?? 0 }

    /// Stretches that hold most errors, most first, none overlapping another.
    private func worstSpans(of channel: ValidatedChannel, atMost count: Int) -> [Range<Seconds>] {
        guard let comparison = channel.comparisons.first else { return [] }
        var errors = (comparison.missed + comparison.extra).sorted()
        var spans: [Range<Seconds>] = []
        while !errors.isEmpty, spans.count < count {
            let (first, end) = Self.densest(errors, within: ValidationStrip.length - 2)
            let middle = (errors[first] + errors[end - 1]) / 2
            let latest = channel.signalEnd - ValidationStrip.length
            let start = max(0, min(middle - ValidationStrip.length / 2, latest))
            let span = start..<start + ValidationStrip.length
            spans.append(span)
            // What is drawn already, and what could only be drawn with some of it.
            let reach = ValidationStrip.length / 2
            errors.removeAll { (span.lowerBound - reach..<span.upperBound + reach).contains($0) }
        }
        return spans
    }

    /// The first of the longest runs of times that lie within `length`.
    private static func densest(_ times: [Seconds], within length: Seconds) -> (first: Int, end: Int) {
        var best = (first: 0, end: 1)
        var first = 0
        for end in times.indices {
            while times[end] - times[first] > length { first += 1 }
            if end + 1 - first > best.end - best.first { best = (first, end + 1) }
        }
        return best
    }

    private func strips(of place: Int, _ spans: [Range<Seconds>]) throws -> [ValidationStrip] {
        guard !spans.isEmpty, let comparison = channels[place].comparisons.first else { return [] }
        let channel = channels[place]
        let taken = try SampleExtraction.strips(spans, of: channel.source, from: RecordingFile.open(channel.url))
        return zip(spans, taken).map { span, strip in
            ValidationStrip(
                channel: place, span: span, samples: strip.samples, missed: comparison.missed.filter(span.contains),
                extra: comparison.extra.filter(span.contains))
        }
    }
}
