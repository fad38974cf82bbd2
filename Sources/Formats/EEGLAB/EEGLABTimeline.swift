import Foundation
import Signals

/// When the frames of an EEGLAB data set were sampled: a new run begins where samples were cut out, and with every epoch. A
/// cut whose length is not known is told as one of a sample and a half, across which nothing is measured in any format: a hole
/// of a few whole samples would be taken for samples that were lost, over which beats are looked for.
struct EEGLABTimeline {
    private(set) var runs: [FrameRecording.Run] = []
    private(set) var notes: [String] = []
    /// Seconds that were cut off before the first frame, as far as that is told.
    let cutOff: Seconds
    /// Seconds from the first frame to just after the last.
    private(set) var end: Seconds = 0
    private let sampleRate: Double
    /// Samples.
    private static let unknown = 1.5
    /// Seconds; what is said to be missing beyond is not believed.
    private static let longest = 1e10

    init(_ set: EEGLABSet, cuts: [EEGLABEvents.Cut]) {
        sampleRate = set.sampleRate
        let first = cuts.prefix { $0.frame == 0 }.compactMap(\.missing).reduce(0, +)
        cutOff = set.epochCount == 1 ? first / set.sampleRate : 0
        var (unknown, count) = (0, 0)
        var delay: Seconds = 0
        for part in Self.parts(set, cuts) {
            let before = end
            var reason = Gap.Reason.unknownLength
            if let missing = part.missing, delay + missing < Self.longest {
                reason = .fileGap
                count += part.isEpoch ? 0 : 1
                delay += missing
            } else if !runs.isEmpty {
                if !part.isEpoch { (unknown, count) = (unknown + 1, count + 1) }
                delay += Self.unknown / sampleRate
            }
            let onset = Double(part.frames.lowerBound) / sampleRate + delay
            let gap = runs.isEmpty ? nil : Gap(onset: before, duration: onset - before, reason: reason)
            let start = SegmentStart(onset: onset, sample: part.frames.lowerBound, sampleRate: sampleRate, gap: gap)
            runs.append(FrameRecording.Run(frames: part.frames, start: start))
            end = start.onset(ofOffset: part.frames.count)
        }
        addNotes(set, cuts: count, unknown: unknown)
    }

    /// Frames without a gap, and how many seconds are missing before them; nil where that is not known, or they are the first.
    private typealias Part = (frames: Range<Int>, missing: Seconds?, isEpoch: Bool)

    private static func parts(_ set: EEGLABSet, _ cuts: [EEGLABEvents.Cut]) -> [Part] {
        var parts: [Part] = []
        var next = 0
        for epoch in 0..<set.epochCount {
            let last = (epoch + 1) * set.framesPerEpoch
            var begin = epoch * set.framesPerEpoch
            var (missing, isEpoch): (Seconds?, Bool) = (nil, epoch > 0)
            while next < cuts.count, cuts[next].frame < last {
                let frame = cuts[next].frame
                var (frames, isKnown) = (0.0, true)
                while next < cuts.count, cuts[next].frame == frame {
                    if let more = cuts[next].missing { frames += more } else { isKnown = false }
                    next += 1
                }
                // Where an epoch begins its distance to the one before is not known anyway.
                guard frame > begin else { continue }
                parts.append((begin..<frame, missing, isEpoch))
                (begin, isEpoch) = (frame, false)
                let seconds = frames / set.sampleRate
                missing = isKnown && seconds < 366 * 86_400 ? seconds : nil
            }
            parts.append((begin..<last, missing, isEpoch))
        }
        return parts
    }

    private mutating func addNotes(_ set: EEGLABSet, cuts: Int, unknown: Int) {
        let shortest = NumberFormatting.text(Self.unknown / sampleRate)
        if set.epochCount > 1 {
            notes.append(
                "the set consists of \(set.epochCount) epochs of "
                    + "\(NumberFormatting.text(Double(set.framesPerEpoch) / sampleRate)) s, how far apart is not told: gaps of "
                    + "\(shortest) s stand between them")
        }
        guard cuts > 0 else { return }
        var note = "samples were cut out at \(cuts) \(cuts == 1 ? "place" : "places") before the set was saved"
        if unknown > 0 {
            note += unknown == cuts ? ", how many is not told" : ", at \(unknown) of these how many is not told"
            note += ": \(unknown == 1 ? "a gap" : "gaps") of \(shortest) s \(unknown == 1 ? "stands" : "stand") there"
        }
        notes.append(note)
    }

    /// The events at their times, in order; those at times that cannot be are left out.
    func markers(_ events: [EEGLABEvents.Event]) -> [Marker] {
        let sorted = events.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
        var run = 0
        return sorted.compactMap { _, event in
            while run + 1 < runs.count, Double(runs[run + 1].frames.lowerBound) <= event.frame { run += 1 }
            guard run < runs.count else { return nil }
            let onset = runs[run].start.onset + (event.frame - Double(runs[run].frames.lowerBound)) / sampleRate
            let duration = event.duration / sampleRate
            guard onset.isPlaceable, duration.isPlaceable else { return nil }
            return Marker(onset: onset, duration: duration, label: event.label)
        }
    }
}
