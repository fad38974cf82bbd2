import Cardiac
import Signals
import TestSupport
import Testing

/// Edits at moments that no recording has.
struct FarBeatEditTests {
    @Test(arguments: [1e17, 1e18, 1e19, 1e300, -1e19])
    func `a beat that is added where no sample can be is outside, and others are left alone`(onset: Seconds) {
        let beats = [1.0, 2, 3].map { Beat(onset: $0, sample: Int($0 * 100)) }
        var stage = BeatEditStage([BeatEdit(.add, onset: onset)])
        let outputs = stage.run(beats, from: SegmentStart(onset: 0, sample: 0, sampleRate: 100))
        #expect(stage.results.map(\.failure) == [.outside])
        #expect(outputs.map(\.onset) == [1, 2, 3])
    }
}
