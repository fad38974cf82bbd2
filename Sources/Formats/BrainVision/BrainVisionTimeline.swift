import Signals

/// When the frames of a BrainVision recording were sampled, told from its markers of new segments.
struct BrainVisionTimeline {
    private(set) var runs: [FrameRecording.Run] = []
    private(set) var start: Timestamp?
    private(set) var notes: [String] = []
    private let sampleRate: Double

    init(_ marks: [BrainVisionMarkers.Mark], frameCount: Int, sampleRate: Double) {
        self.sampleRate = sampleRate
        var begins: [(frame: Int, date: Timestamp?)] = []
        for mark in marks where mark.isNewSegment && mark.frame < frameCount {
            if begins.last?.frame == mark.frame { continue }
            begins.append((mark.frame, mark.date))
        }
        if begins.first?.frame != 0 { begins.insert((0, nil), at: 0) }
        guard frameCount > 0 else {
            start = begins[0].date
            return
        }
        // The clock at frame 0, from the first date there is.
        if let dated = begins.first(where: { $0.date != nil }), let date = dated.date {
            start = Plausible.moment(date.secondsSince1970 - Double(dated.frame) / sampleRate)
        }
        for (index, begin) in begins.enumerated() {
            let end = index + 1 < begins.count ? begins[index + 1].frame : frameCount
            add(begin.frame..<end, date: begin.date)
        }
    }

    /// Seconds from the start to just after the last sample.
    var end: Seconds? { runs.last.map { $0.start.onset(ofOffset: $0.frames.count) } }

    private mutating func add(_ frames: Range<Int>, date: Timestamp?) {
        guard let before = end else {
            let begin = SegmentStart(onset: 0, sample: frames.lowerBound, sampleRate: sampleRate)
            runs.append(FrameRecording.Run(frames: frames, start: begin))
            return
        }
        var onset = before
        if let date, let start {
            let told = date - start
            // Dates are rounded to the recorder's clock; one that lies before the last sample is no use.
            if told >= before - 0.5 / sampleRate {
                onset = max(told, before)
            } else {
                notes.append("the segment at data point \(frames.lowerBound + 1) is dated before the end of the last")
            }
        } else {
            notes.append("the pause before data point \(frames.lowerBound + 1) is of unknown length")
        }
        let gap = Gap(onset: before, duration: onset - before, reason: .fileGap)
        let begin = SegmentStart(onset: onset, sample: frames.lowerBound, sampleRate: sampleRate, gap: gap)
        runs.append(FrameRecording.Run(frames: frames, start: begin))
    }

    /// The markers that begin no segment, in order of time; those at times that cannot be are left out.
    func markers(_ marks: [BrainVisionMarkers.Mark], kinds: [StreamKind]) -> [Marker] {
        var run = 0
        return marks.compactMap { mark in
            guard !mark.isNewSegment else { return nil }
            while run + 1 < runs.count, runs[run + 1].frames.lowerBound <= mark.frame { run += 1 }
            let onset =
                run < runs.count
                ? runs[run].start.onset(ofOffset: mark.frame - runs[run].frames.lowerBound)
                : Double(mark.frame) / sampleRate
            let stream = mark.channel.flatMap { kinds.indices.contains($0) ? kinds[$0].rawValue : nil }
            // One data point is a moment.
            let duration = mark.size > 1 ? Double(mark.size) / sampleRate : 0
            guard onset.isPlaceable, duration.isPlaceable else { return nil }
            return Marker(onset: onset, duration: duration, label: mark.label, stream: stream)
        }
    }
}
