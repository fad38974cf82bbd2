import Cardiac
import Signals
import TestSupport
import Testing

/// The intervals and windows of conditions, whatever their onsets, lengths and the gaps of the recording.
struct ConditionIntervalTests {
    /// Intervals of a heart with gaps, some of which correction estimated, and parts of conditions anywhere in them.
    private static func design(_ seed: UInt64) -> (intervals: [NN], parts: [String: [Range<Seconds>]]) {
        var random = SplitMix64(seed: seed)
        var intervals: [NN] = []
        var (time, isContiguous) = (Double.random(in: 0...3, using: &random), false)
        while time < 700 {
            if Double.random(in: 0...1, using: &random) < 0.01 {
                time += Double.random(in: 1...60, using: &random)
                isContiguous = false
            }
            let duration = (Double.random(in: 0.5...1.2, using: &random) * 10_000).rounded() / 10_000
            time = ((time + duration) * 10_000).rounded() / 10_000
            let isEstimate = Double.random(in: 0...1, using: &random) < 0.03
            intervals.append(
                NN(
                    onset: time, duration: duration, isContiguous: isContiguous,
                    status: isEstimate ? .interpolated : .kept))
            isContiguous = true
        }
        var parts: [String: [Range<Seconds>]] = [:]
        var edge = 0.0
        while true {
            let begin = edge + Double.random(in: 0...80, using: &random)
            let end = begin + Double.random(in: 10...160, using: &random)
            guard end < 720 else { break }
            parts[["a", "b", "c"].randomElement(using: &random) ?? "a", default: []].append(begin..<end)
            edge = end
        }
        return (intervals, parts)
    }

    @Test("no accepted interval within a condition is lost or counted twice", arguments: 1...40 as ClosedRange<UInt64>)
    func everyIntervalCountsOnce(seed: UInt64) throws {
        let (intervals, parts) = Self.design(seed)
        var counts: [Seconds: Int] = [:]
        for (_, own) in parts {
            let accepted = AcceptedIntervals(intervals, within: own)
            for interval in accepted.intervals { counts[interval.onset, default: 0] += 1 }
            let inside = intervals.filter { interval in
                own.contains { $0.lowerBound <= interval.onset - interval.duration && interval.onset <= $0.upperBound }
            }
            #expect(accepted.intervals.count == inside.count)
            let measured = inside.filter { $0.status != .interpolated }
            #expect(abs(accepted.seconds - measured.reduce(0) { $0 + $1.duration }) < 1e-9)
            for (index, minimum, value) in accepted.values(HRVParameters()) {
                guard accepted.seconds >= minimum, measured.count > 3 else {
                    #expect(value == nil, "\(index.name)")
                    continue
                }
                let expected: Double
                switch index.name {
                case "meanNN": expected = 1000 * measured.reduce(0) { $0 + $1.duration } / Double(measured.count)
                case "meanHR": expected = measured.reduce(0) { $0 + 60 / $1.duration } / Double(measured.count)
                default: expected = Self.rmssd(intervals, within: own)
                }
                #expect(abs((value ?? .nan) - expected) < 1e-9 * expected, "\(index.name)")
            }
        }
        #expect(counts.values.allSatisfy { $0 == 1 })
    }

    /// RMSSD of pairs of measured intervals that lie in one part.
    private static func rmssd(_ intervals: [NN], within parts: [Range<Seconds>]) -> Double {
        let squares = zip(intervals, intervals.dropFirst()).compactMap { one, next -> Double? in
            guard next.isContiguous, one.status != .interpolated, next.status != .interpolated,
                parts.contains(where: {
                    $0.lowerBound <= one.onset - one.duration && next.onset <= $0.upperBound
                })
            else { return nil }
            return 1e6 * (next.duration - one.duration) * (next.duration - one.duration)
        }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    @Test(
        "windows of a condition are those of a recording that begins with it", arguments: 1...20 as ClosedRange<UInt64>)
    func windowsBeginWithTheCondition(seed: UInt64) throws {
        let (intervals, parts) = Self.design(seed)
        var parameters = HRVParameters()
        (parameters.window, parameters.step, parameters.domains) = (60, 20, [.time])
        for part in parts.values.joined() {
            let inside = AcceptedIntervals.intervals(intervals, within: part)
            var stage = try HRVStage(parameters, within: part)
            var windows: [HRVWindow] = []
            stage.push(inside.span, into: &windows)
            stage.finish(into: &windows)
            let length = part.upperBound - part.lowerBound
            let count = length + 0.1 < 60 ? 1 : Int((length + 0.1 - 60) / 20) + 1
            #expect(windows.count == count, "\(part)")
            for (number, window) in windows.enumerated() {
                #expect(window.onset + window.duration <= part.upperBound + 0.1 + 1e-6)
                guard length >= 60 else { continue }
                #expect(abs(window.onset - part.lowerBound - 20 * Double(number)) < 1e-6)
                let own = inside.filter {
                    $0.onset - $0.duration >= window.onset - 1e-6 && $0.onset <= window.onset + 60 + 1e-6
                }
                #expect(
                    window.nBeats >= own.count && abs(window.coverage - own.reduce(0) { $0 + $1.duration } / 60) < 1e-6)
            }
        }
    }
}
