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
