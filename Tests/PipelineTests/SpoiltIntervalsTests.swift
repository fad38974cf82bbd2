import Cardiac
import Pipeline
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Short bursts of noise and filled dropouts leave no interval, though the windows that hold them may be good.
struct SpoiltIntervalsTests {
    private static let rate = 250.0

    private static let ecg: [Float] = {
        var parameters = SimulationParameters()
        parameters.duration = 300
        parameters.ecgNoise = [NoiseLevel(.pink, snr: 24)]
        let stream = SimulatedSession(parameters).recording().streams.first { $0.header.kind == .ecg }
        return stream?.segments.first?.block.channel(0) ?? []
    }()

    private func result(
        _ samples: [Float], chunk: Int = 5_000, tolerating reasons: [QualityReason] = []
    ) throws -> CardiacResult {
        try CardiacResults.ofECG(samples, rate: Self.rate, chunk: chunk, tolerating: reasons)
    }

    /// The samples of `seconds`, each made anew from the one before and its place there.
    private static func changed(
        _ seconds: [Range<Seconds>], _ change: (_ samples: [Float], _ range: Range<Int>, _ place: Int) -> Float
    ) -> [Float] {
        var samples = ecg
        for stretch in seconds {
            let range = Int(stretch.lowerBound * rate)..<Int(stretch.upperBound * rate)
            for place in range { samples[place] = change(samples, range, place) }
        }
        return samples
    }

    private static let bursts: [Range<Seconds>] = stride(from: 20.0, to: 290, by: 20).map { $0..<$0 + 1.5 }

    /// As large as the beats, below 20 Hz.
    private static let drowned: [Float] = {
        var random = SplitMix64(seed: 31)
        let size = (ecg.max() ?? 1) - (ecg.min() ?? 0)
        let points = (0...ecg.count / 6 + 1).map { _ in
            size * (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0...1, using: &random) }
        }
        return changed(bursts) { _, _, place in
            let share = Float(place % 6) / 6
            return points[place / 6] * (1 - share) + points[place / 6 + 1] * share
        }
    }()

    private func within(_ intervals: [NN], _ stretches: [Range<Seconds>], margin: Seconds) -> [NN] {
        intervals.filter { interval in
            stretches.contains {
                interval.onset > $0.lowerBound + margin
                    && interval.onset - interval.duration < $0.upperBound - margin
            }
        }
    }

    @Test func shortBurstsOfNoiseLeaveNoInterval() throws {
        let (clean, spoilt) = (try result(Self.ecg), try result(Self.drowned))
        #expect(clean.droppedIntervals * 100 <= clean.intervals.count)
        #expect(within(spoilt.nn, Self.bursts, margin: 0.3).isEmpty)
        #expect(spoilt.nn.count > clean.nn.count * 3 / 4)
        #expect(spoilt.droppedRemark?.contains(", most often for ") == true)
        #expect(try result(Self.drowned, tolerating: [.noise]).droppedIntervals < spoilt.droppedIntervals)
    }

    @Test(arguments: [31, 1_000, 75_000]) func piecesDoNotChangeWhatIsDropped(chunk: Int) throws {
        let (whole, pieces) = (try result(Self.drowned), try result(Self.drowned, chunk: chunk))
        #expect(pieces.nn == whole.nn && pieces.beats == whole.beats && pieces.windows == whole.windows)
        #expect(pieces.droppedRemark == whole.droppedRemark)
    }

    private static let dropouts: [Range<Seconds>] = [30..<31.5, 60..<63.5, 90..<94.5, 130..<136]

    /// Filled with a straight line, with zeros or with the last value.
    @Test(arguments: [0, 1, 2]) func filledDropoutsAreNeitherIntervalsNorAsystole(fill: Int) throws {
        let filled = Self.changed(Self.dropouts) { samples, range, place in
            let (from, to) = (samples[range.lowerBound - 1], samples[range.upperBound])
            let line = from + (to - from) * Float(place - range.lowerBound + 1) / Float(range.count + 1)
            return fill == 0 ? line : fill == 1 ? 0 : samples[place - 1]
        }
        let result = try result(filled)
        #expect(within(result.nn, Self.dropouts, margin: 0.1).isEmpty)
        #expect(!result.rhythm.contains { $0.kind == .asystole })
        #expect(result.rhythm.contains { $0.kind == .unreadable })
    }
}
