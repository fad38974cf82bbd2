public import Signals

/// Makes a person's edits to beats as they come by.
///
/// Beats near an edit wait until it has been made. A break before a deleted beat stays before the next one; one before
/// the beat that follows an added one moves before the added one, unless a run begins between the two.
public struct BeatEditStage: Stage {
    private let edits: [BeatEdit]
    private var made = 0
    private var held: [Beat] = []
    private var last: Beat?
    private var isBroken = false
    private var runs: [SegmentStart] = []

    /// What became of the edits that have been dealt with, in their order.
    public private(set) var results: [BeatEditResult] = []

    /// A stage that makes these edits, in any order.
    public init(_ edits: [BeatEdit]) {
        self.edits = edits.sorted { ($0.range.lowerBound, $0.line) < ($1.range.lowerBound, $1.line) }
    }

    /// The longest time that an edit reaches.
    public var lookAhead: Seconds { BeatEdit.farthest + 2 * BeatEdit.tolerance }

    /// Beats before this moment have been given out, as far as they came; no edit that is left touches them.
    public var settledUntil: Seconds { made < edits.count ? edits[made].range.lowerBound : .infinity }

    /// A run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Beat]) {
        runs.append(segment)
        if runs.count > 64 { runs.removeFirst() }
        advance(to: segment.onset, into: &outputs)
    }

    /// The next beats, in order of time.
    public mutating func push(_ beats: Span<Beat>, into outputs: inout [Beat]) {
        for index in beats.indices {
            var beat = beats[index]
            if isBroken { beat.followsBreak = true }
            isBroken = false
            held.append(beat)
            advance(to: beat.onset, into: &outputs)
        }
    }

    /// All beats before `time` have come.
    public mutating func advance(to time: Seconds, into outputs: inout [Beat]) {
        while made < edits.count, edits[made].range.upperBound < time { makeNext() }
        release(before: settledUntil, into: &outputs)
    }

    /// Makes the edits that are left and starts anew.
    public mutating func finish(into outputs: inout [Beat]) {
        while made < edits.count { makeNext() }
        release(before: .infinity, into: &outputs)
        (made, last, isBroken, runs) = (0, nil, false, [])
    }

    private mutating func release(before limit: Seconds, into outputs: inout [Beat]) {
        let count = held.firstIndex { $0.onset >= limit } ?? held.count
        guard count > 0 else { return }
        outputs += held[..<count]
        last = held[count - 1]
        held.removeFirst(count)
    }

    private mutating func makeNext() {
        let edit = edits[made]
        made += 1
        var result = BeatEditResult(edit: edit)
        do throws(BeatEditFailure) { try make(edit, &result) } catch { result.failure = error }
        results.append(result)
    }

    private mutating func make(_ edit: BeatEdit, _ result: inout BeatEditResult) throws(BeatEditFailure) {
        switch edit.action {
        case .add:
            let place = try insert(Beat(onset: edit.onset, sample: 0, kind: edit.kind))
            result.new = interval(endingAt: place)
        case .delete: result.old = try remove(edit.onset).interval
        case .move:
            let (beat, old) = try remove(edit.onset)
            var moved = beat
            moved.onset = Beat.onGrid(edit.target ?? edit.onset)
            do throws(BeatEditFailure) {
                let place = try insert(moved)
                (result.old, result.new) = (old, interval(endingAt: place))
            } catch {
                _ = try insert(beat)
                throw error
            }
        }
    }

    /// Length of the interval that ends at the beat at `place` of those held; nil after a break.
    private func interval(endingAt place: Int) -> Seconds? {
        guard !held[place].followsBreak, let before = place > 0 ? held[place - 1] : last else { return nil }
        return Beat.onGrid(held[place].onset - before.onset)
    }

    private mutating func remove(_ onset: Seconds) throws(BeatEditFailure) -> (beat: Beat, interval: Seconds?) {
        let distance = { (beat: Beat) in abs(beat.onset - onset) }
        let place = held.indices.min { distance(held[$0]) < distance(held[$1]) }
        guard let place, distance(held[place]) <= BeatEdit.tolerance else {
            // The nearest may have been given out already.
            let near = [last, place.map { held[$0] }].compactMap { $0 }
            let nearest = near.min { distance($0) < distance($1) }
            throw .noBeat(nearest: nearest?.onset)
        }
        let interval = interval(endingAt: place)
        let beat = held.remove(at: place)
        if beat.followsBreak {
            if place < held.count { held[place].followsBreak = true } else { isBroken = true }
        }
        return (beat, interval)
    }

    /// Puts a beat among those held.
    /// - Returns: its place.
    private mutating func insert(_ beat: Beat) throws(BeatEditFailure) -> Int {
        let place = held.firstIndex { $0.onset > beat.onset } ?? held.count
        for near in [place - 1, place] where held.indices.contains(near) {
            guard abs(held[near].onset - beat.onset) > BeatEdit.tolerance else { throw .occupied(held[near].onset) }
        }
        guard let run = runs.last(where: { $0.onset <= beat.onset }) else { throw .outside }
        var beat = beat
        let sample = Double(run.sample) + ((beat.onset - run.onset) * run.sampleRate).rounded()
        guard let sample = Int(exactly: sample) else { throw .outside }
        beat.sample = sample
        beat.followsBreak = false
        if place < held.count, held[place].followsBreak,
            !runs.contains(where: { beat.onset < $0.onset && $0.onset <= held[place].onset })
        {
            beat.followsBreak = true
            held[place].followsBreak = false
        } else if isBroken, place == held.count {
            (beat.followsBreak, isBroken) = (true, false)
        } else if runs.contains(where: {
            $0.onset <= beat.onset && $0.onset > (place > 0 ? held[place - 1] : last)?.onset ?? -.infinity
        }) {
            beat.followsBreak = true
        }
        held.insert(beat, at: place)
        return place
    }
}
