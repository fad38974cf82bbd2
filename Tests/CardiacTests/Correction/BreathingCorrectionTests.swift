import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite("Correction of regular breathing")
struct BreathingCorrectionTests {
    /// Intervals of a heart at `rate` per minute that breathing of `frequency` Hz moves by `depth` s, for 330 s.
    private func intervals(
        rate: Double, depth: Double, frequency: Double, jitter: Double, phase: Double = 0, seed: UInt64 = 1
    ) -> [IBI] {
        var generator = SplitMix64(seed: seed)
        var (time, beats): (Double, [Double]) = (0.4, [])
        while time < 330 {
            beats.append(Beat.onGrid(time))
            time += 60 / rate + depth * sin(2 * .pi * frequency * time + phase)
            time += jitter * SimulatedRhythm.normal(&generator)
        }
        return zip(beats.dropFirst(), beats).enumerated().map { place, pair in
            IBI(onset: pair.0, duration: Beat.onGrid(pair.0 - pair.1), isContiguous: place > 0)
        }
    }

    /// By which share correction changes the worse of RMSSD and, where it breathes within HF, HF power.
    private func loss(_ series: [IBI], breathing frequency: Double) throws -> Double {
        var parameters = HRVParameters()
        parameters.window = nil
        parameters.indexes = (0.15..<0.4).contains(frequency) ? ["rmssd", "hf"] : ["rmssd"]
        let before = try #require(try HRV.windows(of: series, parameters: parameters).first)
        let nn = try Correction.correct(series).intervals
        let after = try #require(try HRV.windows(of: nn, parameters: parameters).first)
        return zip(before.values, after.values).map { abs(($1 ?? 0) / ($0 ?? .nan) - 1) }.max() ?? 1
    }

    @Test(
        "of a breath that lasts two and a half to four beats nothing is lost", arguments: [2.5, 2.75, 3, 3.05, 3.5, 4])
    func fewBeatsToABreath(beats: Double) throws {
        for rate in stride(from: 40.0, through: 65, by: 5) {
            for depth in [0.02, 0.04, 0.06] {
                for (seed, jitter) in [0, 0.002, 0.005].enumerated() {
                    let frequency = rate / 60 / beats
                    for phase in [0, 1.6] {
                        let series = intervals(
                            rate: rate, depth: depth, frequency: frequency, jitter: jitter, phase: phase,
                            seed: UInt64(seed + 1))
                        let loss = try loss(series, breathing: frequency)
                        #expect(loss < 0.02, "\(rate) bpm, \(depth) s, jitter \(jitter) s, phase \(phase)")
                    }
                }
            }
        }
    }

    @Test("an early, late, missed or extra beat in it is still found", arguments: [3.02, 3.3, 4])
    func faults(beats: Double) throws {
        let clean = intervals(rate: 50, depth: 0.04, frequency: 50.0 / 60 / beats, jitter: 0.003)
        var onsets = clean.map(\.onset)
        let faults = [onsets[40], onsets[80], onsets[120], onsets[160]]
        onsets[40] -= 0.3
        onsets[80] += 0.3
        onsets.insert(onsets[160] + 0.5, at: 161)
        onsets.remove(at: 120)
        let series = zip(onsets.dropFirst(), onsets).enumerated().map { place, pair in
            IBI(onset: pair.0, duration: Beat.onGrid(pair.0 - pair.1), isContiguous: place > 0)
        }
        let rows = try Correction.correct(series).rows
        for fault in faults { #expect(rows.contains { abs($0.onset - fault) < 1.6 }) }
        #expect(rows.allSatisfy { row in faults.contains { abs($0 - row.onset) < 2 } })
    }
}
