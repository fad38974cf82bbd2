import Cardiac
import Signals

/// Holes in a run of samples that are so short that the run goes on, as it does over samples that a file marks as missing.
struct BridgedHoles {
    /// How long a hole may be, in seconds; none of more than 1 s is bridged.
    var longest: Seconds = 0
    /// Where samples went on, and by how much their numbers in the run are above those that the recording counts by.
    private var resumed: [(onset: Seconds, ahead: Int)] = []
    /// How far from a whole number of samples a hole may be, so that the run's times stay right.
    private static let tolerance = 0.2

    /// How many samples were lost before `start`; nil where it begins a run of its own: another rate, another grid, or a
    /// hole that is too long, or whose length is not known.
    func lost(between end: Seconds, and start: SegmentStart, in run: SegmentStart) -> Int? {
        let lost = (start.onset - end) * run.sampleRate
        guard start.gap?.reason != .unknownLength, start.sampleRate == run.sampleRate, lost > 0.5,
            lost <= min(longest, 1) * run.sampleRate + Self.tolerance, abs(lost - lost.rounded()) <= Self.tolerance
        else { return nil }
        return Int(lost.rounded())
    }

    /// Samples go on with `start`, whose number in the run is `number`.
    mutating func note(_ start: SegmentStart, countedAs number: Int) {
        guard number != start.sample || !resumed.isEmpty else { return }
        resumed.append((start.onset, number - start.sample))
    }

    /// A run begins.
    mutating func removeAll() { resumed.removeAll() }

    /// Gives beats, in order of time, the numbers that the recording counts by.
    mutating func renumber(_ beats: inout [Beat]) {
        guard !resumed.isEmpty else { return }
        var place = 0
        for index in beats.indices {
            while place + 1 < resumed.count, resumed[place + 1].onset <= beats[index].onset { place += 1 }
            if resumed[place].onset <= beats[index].onset { beats[index].sample -= resumed[place].ahead }
        }
        resumed.removeFirst(place)
    }
}

/// A run of samples, and how far it has come: holes that are too short to matter do not end it.
struct ContinuedRun {
    private var holes = BridgedHoles()
    private var start: SegmentStart?
    private var frames = 0

    init() { holes.longest = 1 }

    /// Samples begin, or go on.
    /// - Returns: how many are missing before them; nil where a run of its own begins.
    mutating func begin(_ next: SegmentStart) -> Int? {
        if let start, frames > 0, let lost = holes.lost(between: start.onset(ofOffset: frames), and: next, in: start) {
            return lost
        }
        (start, frames) = (next, 0)
        return nil
    }

    mutating func take(_ count: Int) { frames += count }
}
