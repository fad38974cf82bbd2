import Cardiac
import Signals
import Testing

@Suite("Heart rate turbulence")
struct HeartRateTurbulenceTests {
    /// Fifteen intervals at 800 ms, a premature beat with its pause, then an answer that begins with 760 and 770 ms,
    /// climbs 10 ms a beat for five beats and falls back.
    private let answer = [0.76, 0.77, 0.78, 0.79, 0.80, 0.805, 0.81, 0.805, 0.80, 0.80, 0.80, 0.80, 0.80, 0.80, 0.80]

    private func rhythm(beats: Int) -> [Double] {
        (0..<beats).flatMap { _ in Array(repeating: 0.8, count: 15) + [0.5, 1.1] + answer }
    }

    @Test("onset and slope of a known answer")
    func knownAnswer() throws {
        let turbulence = HeartRateTurbulence(of: series(rhythm(beats: 6)))
        #expect(turbulence.count == 6)
        #expect(isNear(turbulence.onset, 100 * (0.76 + 0.77 - 1.6) / 1.6))
        #expect(isNear(turbulence.slope, 10))
    }

    @Test("where beats are annotated with kinds, those of the atria and fusion beats do not count")
    func kinds() {
        var beats = series(rhythm(beats: 4))
        let premature = beats.indices.filter { beats[$0].duration == 0.5 }
        #expect(premature.count == 4)
        // Detectors call every beat normal, which tells no kinds apart.
        for place in beats.indices { beats[place].kind = .normal }
        #expect(HeartRateTurbulence(of: beats).count == 4)
        for (place, kind) in zip(premature, [BeatKind.ventricular, .supraventricular, .fusion, .normal]) {
            beats[place].kind = kind
        }
        #expect(HeartRateTurbulence(of: beats).count == 1)
    }

    @Test("intervals have the kind of the beat that ends them")
    func kindsOfIntervals() {
        var stage = IBIStage()
        let beats = [
            Beat(onset: 1, sample: 0, kind: .normal), Beat(onset: 1.5, sample: 0, kind: .ventricular),
            Beat(onset: 2.6, sample: 0, kind: .normal),
        ]
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 1)
        #expect(stage.run(beats, from: start).map(\.kind) == [.ventricular, .normal])
    }

    @Test("a beat near a break or another disturbance does not count")
    func disturbed() {
        var broken = series(rhythm(beats: 1))
        broken[20].isContiguous = false
        #expect(HeartRateTurbulence(of: broken).count == 0)
        var ectopic = rhythm(beats: 1)
        ectopic[25] = 0.5
        #expect(HeartRateTurbulence(of: series(ectopic)).count == 0)
        #expect(HeartRateTurbulence(of: series(Array(repeating: 0.8, count: 100))).onset == nil)
        #expect(HeartRateTurbulence(of: []).count == 0)
    }
}
