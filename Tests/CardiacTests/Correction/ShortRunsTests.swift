import Cardiac
import Signals
import TestSupport
import Testing

/// Intervals that stand alone between gaps are judged by those around.
@Suite struct ShortRunsTests {
    /// Beats 0.65 s apart, give or take 7 ms, of which the intervals at `gaps` are not known.
    private static func series(_ changes: [Int: Double] = [:], gaps: Set<Int>, count: Int = 120) -> [IBI] {
        var source = SplitMix64(seed: 11)
        var (time, isBroken) = (0.0, true)
        return (0..<count).compactMap { place -> IBI? in
            let duration = changes[place] ?? 0.65 + Double.random(in: -0.007...0.007, using: &source)
            time += duration
            if gaps.contains(place) {
                isBroken = true
                return nil
            }
            defer { isBroken = false }
            return IBI(onset: time, duration: duration, isContiguous: !isBroken)
        }
    }

    private static let rules: [CorrectionMethod] = [.lipponenTarvainen, .threshold, .quotient]

    @Test(arguments: rules, [1.289, 0.3, 0.97])
    func oneThatIsUnlikeThoseAroundIsLeftOutAndTold(method: CorrectionMethod, duration: Double) throws {
        var parameters = CorrectionParameters()
        parameters.method = method
        let series = Self.series([60: duration], gaps: [59, 61])
        let (kept, rows) = try Correction.correct(series, parameters: parameters)
        #expect(kept.count == series.count - 1 && kept.allSatisfy { abs($0.duration - 0.65) < 0.02 })
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row.reason == .apart && row.old == duration && row.new == nil)
        #expect(row.kind == (duration > 1 ? .missed : .longShort))
        #expect(Correction.replay(rows, on: series) == kept)
    }

    @Test func severalOfTwiceTheLengthAreLeftOutTogether() throws {
        let series = Self.series([60: 1.296, 61: 1.333, 62: 1.32, 63: 1.302], gaps: [59, 64])
        let (kept, rows) = try Correction.correct(series)
        #expect(rows.map(\.reason) == Array(repeating: .apart, count: 4))
        #expect(kept.allSatisfy { $0.duration < 0.7 } && Correction.replay(rows, on: series) == kept)
    }

    @Test(arguments: [0.75, 0.55, 0.66])
    func oneThatBreathingExplainsStays(duration: Double) throws {
        #expect(try Correction.correct(Self.series([60: duration], gaps: [59, 61])).rows.isEmpty)
    }

    @Test func inAnIrregularRhythmItMayDifferAsTheOthersDo() throws {
        var source = SplitMix64(seed: 3)
        let lengths = (0..<120).map { ($0, Double.random(in: 0.45...1.1, using: &source)) }
        var changes = Dictionary(uniqueKeysWithValues: lengths)
        changes[60] = 1.05
        let rows = try Correction.correct(Self.series(changes, gaps: [59, 61])).rows
        #expect(!rows.contains { $0.reason == .apart })
    }

    @Test func whereNothingIsNearNothingIsSaid() throws {
        // Minutes without a beat on either side, and too few intervals before.
        let far = Self.series([59: 90, 60: 1.3, 61: 90], gaps: [59, 61])
        #expect(!(try Correction.correct(far).rows.contains { $0.reason == .apart }))
        let few = Self.series([3: 1.3], gaps: [2, 4], count: 6)
        #expect(!(try Correction.correct(few).rows.contains { $0.reason == .apart }))
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func chunksChangeNothing(size: Int) throws {
        let gaps = Set(stride(from: 3, to: 9_000, by: 7)).union(stride(from: 4, to: 9_000, by: 13))
        let changes = Dictionary(uniqueKeysWithValues: stride(from: 20, to: 9_000, by: 31).map { ($0, 1.3) })
        let series = Self.series(changes, gaps: gaps, count: 9_000)
        let whole = try Correction.correct(series)
        #expect(whole.rows.contains { $0.reason == .apart })
        var stage = try CorrectionStage()
        var outputs: [CorrectionOutput] = []
        for start in stride(from: 0, to: series.count, by: size) {
            stage.push(Array(series[start..<min(start + size, series.count)]).span, into: &outputs)
        }
        stage.finish(into: &outputs)
        let rows = outputs.compactMap { if case .row(let row) = $0 { row } else { nil } }
        let kept = outputs.compactMap { if case .interval(let interval) = $0 { interval } else { nil } }
        #expect(rows == whole.rows && kept == whole.intervals)
    }
}
