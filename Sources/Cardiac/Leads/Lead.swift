import Signals

/// One lead of several: its detector, and what that has told and nobody has used up yet.
struct Lead {
    /// A beat the lead is for.
    struct OwnBeat {
        var beat: Beat
        /// Where the strength has its top.
        var top: Seconds
        /// Whether a gap may have cut its complex, so that its onset is not to be relied on.
        var isCut: Bool
    }

    /// A stretch in which no beat could have been seen, ends included; one without length separates two runs.
    private struct Blindness {
        var start: Seconds
        var end: Seconds
    }

    /// From when on beats stood so many octaves above the background.
    private struct Contrast {
        var start: Seconds
        var octaves: Double
    }

    /// Tops that may be beats, and beats the lead is for, in order of time.
    private(set) var tops = Backlog<LeadAccount.Top>()
    private(set) var beats = Backlog<OwnBeat>()
    /// Up to where all tops are known.
    private(set) var weighedUntil = -Seconds.infinity
    /// Samples per second.
    private(set) var sampleRate: Double
    private var detector: ECGBeatDetector
    private var segment: SegmentStart?
    /// Samples of the segment so far.
    private var count = 0
    private var blindnesses = Backlog<Blindness>()
    private var contrasts = Backlog<Contrast>()
    private var found: [Beat] = []

    init(sampleRate: Double, parameters: ECGBeatDetector.Parameters) {
        self.sampleRate = sampleRate
        detector = ECGBeatDetector(sampleRate: sampleRate, parameters: parameters)
        detector.run.account = LeadAccount()
    }

    var detectorLookAhead: Seconds { detector.lookAhead }

    mutating func begin(_ segment: SegmentStart) {
        detector.begin(segment, into: &found)
        takeAccount()
        sampleRate = segment.sampleRate
        self.segment = segment
        count = 0
        addBlindness(until: segment.onset)
    }

    mutating func push(_ chunk: Span<Float>) {
        detector.push(chunk, into: &found)
        takeAccount()
        count += chunk.count
        if let segment, !detector.run.isOpen { addBlindness(until: segment.onset(ofOffset: count)) }
    }

    mutating func finish() {
        detector.finish(into: &found)
        takeAccount()
        if let segment { addBlindness(until: segment.onset(ofOffset: count)) }
    }

    /// Up to where all tops are known, and the beats except those within `lag` seconds before.
    func known(lag: Seconds) -> Seconds {
        guard let settled = detector.run.account?.settledUntil, detector.run.isOpen else { return weighedUntil }
        return min(weighedUntil, settled + lag)
    }

    private mutating func takeAccount() {
        // Taken out and put back, so that its memory has one owner and serves again.
        guard var account = detector.run.account.take() else { return }
        for stretch in account.stretches {
            if stretch.start > weighedUntil { addBlindness(until: stretch.start) }
            if stretch.isBlind { addBlindness(until: stretch.end) }
            weighedUntil = max(weighedUntil, stretch.end)
            contrasts.append(Contrast(start: stretch.start, octaves: stretch.contrast))
        }
        for top in account.tops { tops.append(top) }
        for (index, beat) in found.enumerated() {
            beats.append(OwnBeat(beat: beat, top: account.beatTops[index], isCut: account.beatCuts[index]))
        }
        found.removeAll(keepingCapacity: true)
        account.tops.removeAll(keepingCapacity: true)
        account.stretches.removeAll(keepingCapacity: true)
        account.beatTops.removeAll(keepingCapacity: true)
        account.beatCuts.removeAll(keepingCapacity: true)
        detector.run.account = account
    }

    private mutating func addBlindness(until end: Seconds) {
        let start = weighedUntil
        weighedUntil = max(weighedUntil, end)
        if let last = blindnesses.last, last.end >= start {
            blindnesses[blindnesses.end - 1].end = weighedUntil
        } else {
            blindnesses.append(Blindness(start: start, end: weighedUntil))
        }
    }
}

extension Lead {
    /// Whether a beat at `time` would have been seen, with `margin` seconds to either side.
    func sees(_ time: Seconds, margin: Seconds) -> Bool {
        guard time <= weighedUntil else { return false }
        let number = blindnesses.firstNumber { $0.end > time - margin }
        return number == blindnesses.end || blindnesses[number].start >= time + margin
    }

    /// Whether nothing was seen from `start` to `end`.
    func isBlind(from start: Seconds, to end: Seconds) -> Bool {
        if start >= weighedUntil { return true }
        let number = blindnesses.firstNumber { $0.end >= min(end, weighedUntil) }
        return number < blindnesses.end && blindnesses[number].start <= start
    }

    /// The earliest time from `time` on at which something was seen; infinity where nothing is known of any.
    func firstSeen(from time: Seconds) -> Seconds {
        guard time < weighedUntil else { return .infinity }
        let number = blindnesses.firstNumber { $0.end > time }
        guard number < blindnesses.end, blindnesses[number].start <= time else { return time }
        let end = blindnesses[number].end
        return end < weighedUntil ? end : .infinity
    }

    /// Whether the lead was blind at some moment after `start`, before or at `end`.
    func hasBreak(after start: Seconds, until end: Seconds) -> Bool {
        if weighedUntil < end { return true }
        let number = blindnesses.firstNumber { $0.end > start }
        return number < blindnesses.end && blindnesses[number].start <= end
    }

    /// How many octaves beats stood above the background at `time`; 0 where nothing is known.
    func contrast(at time: Seconds) -> Double {
        let number = contrasts.firstNumber { $0.start > time }
        return number > contrasts.first ? contrasts[number - 1].octaves : 0
    }

    /// The cycle of the flutter that the lead sees about `time`, in seconds, from tops none of which is after `limit`;
    /// 0 where it sees none.
    func flutterCycle(at time: Seconds, reach: Seconds, until limit: Seconds) -> Float {
        var number = tops.firstNumber { $0.time >= time - Self.longestCycle }
        while number < tops.end, tops[number].time <= time + reach, tops[number].time <= limit {
            if tops[number].cycle > 0 { return tops[number].cycle }
            number += 1
        }
        return 0
    }

    /// Seconds between two waves of flutter at most.
    private static var longestCycle: Seconds { 0.43 }

    /// The top with the most for it within `reach` seconds of `time`, none after `limit`.
    func top(near time: Seconds, reach: Seconds, until limit: Seconds) -> LeadAccount.Top? {
        var number = tops.firstNumber { $0.time >= time - reach }
        var best: LeadAccount.Top?
        while number < tops.end {
            let top = tops[number]
            guard top.time <= time + reach, top.time <= limit else { break }
            if top.score > best?.score ?? -.infinity { best = top }
            number += 1
        }
        return best
    }

    /// The beat the lead is for whose top is nearest to `time`, within `reach` seconds.
    func beat(near time: Seconds, reach: Seconds) -> Beat? { ownBeat(near: time, reach: reach)?.beat }

    /// The same, with what the lead knows of it.
    func ownBeat(near time: Seconds, reach: Seconds) -> OwnBeat? {
        var number = beats.firstNumber { $0.top >= time - reach }
        var best: OwnBeat?
        while number < beats.end, beats[number].top <= time + reach {
            let beat = beats[number]
            if best.map({ abs(beat.top - time) < abs($0.top - time) }) ?? true { best = beat }
            number += 1
        }
        return best
    }

    /// Forgets what lies before `time`, but for the last blindness that ended before.
    mutating func forget(before time: Seconds) {
        tops.drop { $0.time < time }
        beats.drop { $0.top < time }
        blindnesses.drop(before: blindnesses.firstNumber { $0.end >= time } - 1)
        contrasts.drop(before: contrasts.firstNumber { $0.start > time } - 1)
    }
}
