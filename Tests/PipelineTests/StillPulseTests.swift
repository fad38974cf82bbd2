import Cardiac
import Pipeline
import Quality
import Signals
import Simulation
import Testing

/// Dropouts that a device writes into a pulse as zeros or as its last value are no intervals, and change none beside them.
struct StillPulseTests {
    private static let rate = 64.0
    private static let starts: [Seconds] = stride(from: 20.3, to: 280, by: 23.7).map { $0 }

    private static let pulse: [Float] = {
        var parameters = SimulationParameters()
        parameters.duration = 300
        parameters.bvpNoise = [NoiseLevel(.pink, snr: 24)]
        let stream = SimulatedSession(parameters).recording().streams.first { $0.header.kind == .bvp }
        return stream?.segments.first?.block.channel(0) ?? []
    }()

    private func result(_ samples: [Float], chunk: Int = 5_000) throws -> CardiacResult {
        try CardiacResults.ofPulse(samples, rate: Self.rate, chunk: chunk)
    }

    /// - Parameter held: whether the last value is written, not zeros.
    private static func dropped(_ length: Seconds, _ held: Bool) -> [Float] {
        var samples = pulse
        for start in starts {
            let range = Int(start * rate)..<Int((start + length) * rate)
            for place in range { samples[place] = held ? pulse[range.lowerBound - 1] : 0 }
        }
        return samples
    }

    @Test(arguments: [(0.5, false), (1, false), (1, true), (2, false), (2, true)] as [(Seconds, Bool)])
    func noIntervalReachesIntoADropoutAndNoneBesideItChanges(length: Seconds, held: Bool) throws {
        let (whole, result) = (try result(Self.pulse), try result(Self.dropped(length, held)))
        var (within, wrong) = (0, 0)
        for interval in result.nn {
            let start = interval.onset - interval.duration
            if Self.starts.contains(where: { interval.onset > $0 + 0.1 && start < $0 + length - 0.1 }) { within += 1 }
            let isRight = whole.nn.contains {
                abs($0.onset - interval.onset) < 0.05 && abs($0.duration - interval.duration) <= 0.025
            }
            if !isRight { wrong += 1 }
        }
        #expect(within == 0 && wrong == 0)
        #expect(result.nn.count > whole.nn.count - Self.starts.count * (Int(length) + 3))
    }

    @Test func theWindowsSayThatTheSignalIsFlat() throws {
        let windows = try result(Self.dropped(2, false)).quality
        for start in Self.starts {
            let around = windows.filter { $0.onset <= start && $0.onset + $0.duration >= start + 2 }
            #expect(!around.isEmpty && around.allSatisfy { $0.reasons.contains(.flat) && !$0.isGood })
        }
    }

    @Test(arguments: [31, 1_000, 75_000]) func piecesDoNotChangeWhatIsFound(chunk: Int) throws {
        let samples = Self.dropped(1.3, false)
        let (whole, pieces) = (try result(samples), try result(samples, chunk: chunk))
        #expect(pieces.nn == whole.nn && pieces.beats == whole.beats && pieces.windows == whole.windows)
        #expect(pieces.quality == whole.quality)
    }
}
