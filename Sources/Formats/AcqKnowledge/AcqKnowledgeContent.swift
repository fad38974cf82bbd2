import Signals

/// How the channels and marks of an AcqKnowledge file make up a recording.
struct AcqKnowledgeContent {
    /// Channels of one kind and rate.
    struct Stream {
        var header: StreamHeader
        /// Places of its channels in the file.
        var channels: [Int]
        var divider: Int
        /// The runs between pauses.
        var parts: [SegmentStart] = []

        /// How many of its samples come before a tick.
        func samples(before tick: Int) -> Int { min(header.frameCount ?? 0, (tick + divider - 1) / divider) }
    }

    private(set) var streams: [Stream] = []
    private(set) var markers: [(tick: Int, marker: Marker)] = []
    private(set) var notes: [String] = []
    let start: Timestamp?
    let duration: Seconds

    /// Where a segment begins, and by how much everything from there on is later than its samples say.
    private struct Segment {
        var tick: Int
        var delay: Seconds
        var isDelayTold = true
    }

    init(_ described: AcqKnowledgeHeader, marks: [AcqKnowledgeMarkers.Mark]) {
        let marks = marks.filter { $0.tick >= 0 }.sorted { $0.tick < $1.tick }
        let begins = marks.filter { $0.beginsSegment && $0.tick < described.tickCount }
        start = begins.first.flatMap { $0.tick == 0 ? $0.made : nil }
            .map { Timestamp(secondsSince1970: Double($0) / 1_000) }
        // As long as a sample of the slowest channel, so that it is a gap in each, in other formats too.
        let shortest = Double(described.channels.filter { $0.count > 0 }.map(\.divider).max() ?? 1) / described.tickRate
        let segments = Self.segments(begins, described.tickRate, shortest: shortest)
        duration = Double(described.tickCount) / described.tickRate + (segments.last?.delay ?? 0)
        addStreams(described)
        for place in streams.indices {
            streams[place].parts = Self.parts(segments, streams[place], described.tickRate)
        }
        for mark in marks {
            let delay = segments.last { $0.tick <= mark.tick }?.delay ?? 0
            let onset = Double(mark.tick) / described.tickRate + delay
            markers.append((mark.tick, Marker(onset: onset, label: mark.label.isEmpty ? "n/a" : mark.label)))
        }
        let unknown = segments.count { !$0.isDelayTold }
        if unknown > 0 {
            notes.append(
                "the recording was paused at \(unknown) \(unknown == 1 ? "place" : "places"), for how long is not told: "
                    + "gaps of \(NumberFormatting.text(shortest)) s stand there")
        }
    }

    private static func segments(
        _ begins: [AcqKnowledgeMarkers.Mark], _ tickRate: Double, shortest: Seconds
    ) -> [Segment] {
        var segments = [Segment(tick: 0, delay: 0)]
        var before = begins.first.flatMap { $0.tick == 0 ? $0 : nil }
        for mark in begins where mark.tick > segments[segments.count - 1].tick {
            var pause: Seconds?
            if let from = before?.made, let to = mark.made {
                let recorded = Double(mark.tick - (before?.tick ?? 0)) / tickRate
                let passed = Double(to - from) / 1_000
                // A clock that was set, or marks that were made anew, tell nothing.
                if passed > recorded, passed - recorded < 366 * 86_400 { pause = passed - recorded }
            }
            let delay = segments[segments.count - 1].delay + (pause ?? shortest)
            segments.append(Segment(tick: mark.tick, delay: delay, isDelayTold: pause != nil))
            before = mark
        }
        return segments
    }

    private static func parts(_ segments: [Segment], _ stream: Stream, _ tickRate: Double) -> [SegmentStart] {
        let rate = tickRate / Double(stream.divider)
        var parts: [(start: SegmentStart, delay: Seconds)] = []
        for segment in segments {
            let sample = (segment.tick + stream.divider - 1) / stream.divider
            guard sample < stream.header.frameCount ?? 0 else { break }
            // A slow channel may have no sample between two pauses, which are one for it.
            var isTold = segment.isDelayTold
            if let same = parts.last, same.start.sample == sample {
                parts.removeLast()
                isTold = isTold && same.start.gap?.reason != .unknownLength
            }
            let time = Double(sample) / rate
            let gap = parts.last.map {
                Gap(
                    onset: time + $0.delay, duration: segment.delay - $0.delay,
                    reason: isTold ? .fileGap : .unknownLength)
            }
            let start = SegmentStart(onset: time + segment.delay, sample: sample, sampleRate: rate, gap: gap)
            parts.append((start, segment.delay))
        }
        return parts.map(\.start)
    }

    private mutating func addStreams(_ described: AcqKnowledgeHeader) {
        let kinds = described.channels.map { AcqKnowledgeLabel.kind(Channel(label: $0.label, unit: $0.unit)) }
        let recorded = Set(zip(kinds, described.channels).filter { !$1.isComputed }.map(\.0))
        for (place, channel) in described.channels.enumerated() where channel.count > 0 {
            let isCopy = channel.isComputed && recorded.contains(kinds[place]) && kinds[place] != .other
            let kind = isCopy ? StreamKind.other : kinds[place]
            if isCopy {
                notes.append(
                    "channel \"\(channel.label)\" was computed, beside a recorded one of its kind: it is other")
            }
            let labelled = Channel(
                label: channel.label.isEmpty ? "\(channel.number)" : channel.label,
                unit: SignalKind.meant(channel.unit, by: kinds[place]))
            let found = streams.firstIndex {
                $0.header.kind == kind && $0.divider == channel.divider
                    && abs(($0.header.frameCount ?? 0) - channel.count) <= 1
            }
            if let found {
                streams[found].header.channels.append(labelled)
                streams[found].channels.append(place)
                streams[found].header.frameCount = min(streams[found].header.frameCount ?? 0, channel.count)
            } else {
                let earlier = streams.count { $0.header.kind == kind }
                streams.append(
                    Stream(
                        header: StreamHeader(
                            name: kind.rawValue + (earlier > 0 ? "\(earlier + 1)" : ""), kind: kind,
                            channels: [labelled], sampleRate: described.tickRate / Double(channel.divider),
                            frameCount: channel.count),
                        channels: [place], divider: channel.divider))
            }
        }
    }
}
