import Cardiac
import Signals
import TestSupport
import Testing

@Suite("Beat edits")
struct BeatEditTests {
    private static let start = SegmentStart(onset: 0, sample: 0, sampleRate: 100)

    private static func beats(_ onsets: [Seconds], breaksBefore: Set<Int> = [0]) -> [Beat] {
        onsets.enumerated().map { place, onset in
            Beat(onset: onset, sample: Int(onset * 100), followsBreak: breaksBefore.contains(place))
        }
    }

    private func edited(_ beats: [Beat], _ edits: BeatEdit...) -> (beats: [Beat], results: [BeatEditResult]) {
        var stage = BeatEditStage(edits)
        let outputs = stage.run(beats, from: Self.start)
        return (outputs, stage.results)
    }

    @Test("a beat is added, moved and deleted, and the audit has the intervals before and after")
    func edits() {
        let (beats, results) = edited(
            Self.beats([1, 2, 3, 5, 6, 7.3, 8, 8.4, 9]), BeatEdit(.add, onset: 4.01, kind: .ventricular),
            BeatEdit(.move, onset: 7.29, target: 7), BeatEdit(.delete, onset: 8.4))
        #expect(beats.map(\.onset) == [1, 2, 3, 4.01, 5, 6, 7, 8, 9])
        #expect(beats[3].kind == .ventricular && beats[3].sample == 401 && beats[3].confidence == 1)
        #expect(beats[6].sample == 700)
        #expect(results.allSatisfy { $0.failure == nil })
        #expect(results.map(\.old) == [nil, 1.3, 0.4])
        #expect(results.map(\.new) == [1.01, 1, nil])
        #expect(beats.map(\.followsBreak) == [true] + Array(repeating: false, count: 8))
    }

    @Test("an edit that fits no beat, or doubles one, is told and changes nothing")
    func failures() {
        let original = Self.beats([1, 2, 3, 4])
        let (beats, results) = edited(
            original, BeatEdit(.delete, onset: 2.06), BeatEdit(.add, onset: 3.04),
            BeatEdit(.move, onset: 1, target: 2.01),
            BeatEdit(.add, onset: -5))
        #expect(beats.map(\.onset) == original.map(\.onset))
        #expect(beats.map(\.followsBreak) == original.map(\.followsBreak))
        let failures = Set(results.compactMap(\.failure))
        #expect(failures == [.noBeat(nearest: 2), .occupied(3), .occupied(2), .outside])
        #expect(failures.allSatisfy { !"\($0)".isEmpty })
    }

    @Test("the nearest beat is named even where it has been given out")
    func nearestOfAll() {
        let (_, results) = edited(Self.beats([1, 2, 3, 4]), BeatEdit(.delete, onset: 2.1))
        #expect(results.map(\.failure) == [.noBeat(nearest: 2)])
    }

    @Test("a break stays where it was")
    func breaks() {
        let series = Self.beats([1, 2, 10, 11, 20, 21], breaksBefore: [0, 2, 4])
        let (deleted, _) = edited(series, BeatEdit(.delete, onset: 1), BeatEdit(.delete, onset: 10))
        #expect(deleted.map(\.followsBreak) == [true, true, true, false])
        let (added, _) = edited(series, BeatEdit(.add, onset: 9), BeatEdit(.add, onset: 19))
        #expect(added.map(\.onset) == [1, 2, 9, 10, 11, 19, 20, 21])
        #expect(added.map(\.followsBreak) == [true, false, true, false, false, true, false, false])
    }

    @Test("an added beat never bridges a gap between runs")
    func runs() {
        var stage = BeatEditStage([BeatEdit(.add, onset: 2.9), BeatEdit(.add, onset: 10.2)])
        var outputs: [Beat] = []
        stage.begin(Self.start, into: &outputs)
        stage.push(Self.beats([1, 2]).span, into: &outputs)
        stage.begin(SegmentStart(onset: 10, sample: 1_000, sampleRate: 100), into: &outputs)
        stage.push(Self.beats([11, 12]).span, into: &outputs)
        stage.finish(into: &outputs)
        #expect(outputs.map(\.onset) == [1, 2, 2.9, 10.2, 11, 12])
        #expect(outputs.map(\.followsBreak) == [true, false, false, true, false, false])
        #expect(outputs[3].sample == 1_020)
    }

    @Test("cutting the input makes no difference")
    func chunks() {
        let rhythm = SimulatedRhythm(count: 400).beats
        let edits = stride(from: 10, to: 390, by: 7).map { place in
            switch place % 3 {
            case 0: BeatEdit(.delete, onset: rhythm[place])
            case 1: BeatEdit(.move, onset: rhythm[place], target: rhythm[place] + 0.2)
            default: BeatEdit(.add, onset: rhythm[place] + 0.4)
            }
        }
        assertChunkInvariant(BeatEditStage(edits), [(Self.start, Self.beats(rhythm)), (Self.start, [])])
        let (beats, results) = { () -> ([Beat], [BeatEditResult]) in
            var stage = BeatEditStage(edits)
            return (stage.run(Self.beats(rhythm), from: Self.start), stage.results)
        }()
        #expect(results.count == edits.count && results.allSatisfy { $0.failure == nil })
        #expect(beats.map(\.onset) == beats.map(\.onset).sorted())
    }
}
