import Cardiac
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// Composites of narrow and wide beats with runs of wide ones, whose beats are known.
struct VentricularRunTests {
    private struct Composite {
        var samples: [Float]
        var narrow: [Double] = []
        var wide: [Double] = []
        var runs: [ClosedRange<Double>] = []
    }

    /// Sinus rhythm with runs of 3 to 30 wide beats at 120 to 220 a minute, in waves of Gaussian form with some noise.
    private static func composite(seed: UInt64, rate: Double) -> Composite {
        var random = SplitMix64(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let sinus = 60 / draw(58...88)
        let (height, width) = (draw(0.9...1.8), draw(0.026...0.042))
        let polarity = Bool.random(using: &random) ? 1.0 : -1
        var made = Composite(samples: [])
        var waves: [(time: Double, height: Double, width: Double)] = []
        var time = 1.0
        func addNarrow() {
            for (lag, size, width) in [
                (-0.16, 0.12, 0.025), (-0.03, -0.12, 0.008), (0, 1, 0.011), (0.03, -0.2, 0.01),
                (0.27, 0.25, 0.05),
            ] {
                waves.append((time + lag, size, width))
            }
            made.narrow.append(time)
        }
        while time < 280 {
            for _ in 0..<Int.random(in: 8...30, using: &random) {
                addNarrow()
                time += sinus * draw(0.97...1.03)
            }
            let fast = 60 / draw(120...220)
            time += min(0, max(0.9 * fast, 0.6 * sinus) - sinus)
            let first = time
            for place in 0..<Int.random(in: 3...30, using: &random) {
                if place > 0 { time += fast * draw(0.97...1.03) }
                waves.append((time, polarity * height, width))
                waves.append((time + min(0.24, 0.52 * fast), -0.3 * polarity * height, 0.05))
                made.wide.append(time)
            }
            made.runs.append(first...time)
            time += 1.2 * sinus
        }
        for _ in 0..<20 {
            addNarrow()
            time += sinus
        }
        var samples = [Double](repeating: 0, count: Int((time + 1) * rate))
        for wave in waves {
            let reach = 5 * wave.width
            for place in max(
                0, Int((wave.time - reach) * rate))...min(samples.count - 1, Int((wave.time + reach) * rate))
            {
                let distance = (Double(place) / rate - wave.time) / wave.width
                samples[place] += wave.height * exp(-distance * distance / 2)
            }
        }
        // Any amplifier, and electrodes either way round.
        let gain = draw(0.3...3) * (Bool.random(using: &random) ? 1 : -1)
        made.samples = samples.map { Float(gain * ($0 + 0.01 * draw(-1...1))) }
        return made
    }

    @Test(arguments: [125.0, 250, 500])
    func `beats of runs are found and runs are not called regular`(rate: Double) throws {
        var (wide, missed, narrow, lost, extra, found, runs, mislabelled) = (0, 0, 0, 0, 0, 0, 0, 0)
        for seed in 1...10 as ClosedRange<UInt64> {
            let made = Self.composite(seed: seed, rate: rate)
            let result = try CardiacResults.ofECG(made.samples, rate: rate, chunk: 5_000, computing: [.rhythm])
            let beats = result.beats.map(\.onset)
            func isFound(_ time: Double) -> Bool { beats.contains { abs($0 - time) <= 0.15 } }
            wide += made.wide.count
            missed += made.wide.count { !isFound($0) }
            narrow += made.narrow.count
            lost += made.narrow.count { !isFound($0) }
            found += beats.count
            let truth = made.wide + made.narrow
            extra += beats.count { beat in !truth.contains { abs($0 - beat) <= 0.15 } }
            runs += made.runs.count
            mislabelled += made.runs.count { run in
                result.rhythm.contains { segment in
                    // To within a beat on either side.
                    [.regular, .bradycardia, .asystole].contains(segment.kind)
                        && min(segment.end, run.upperBound) - max(segment.onset, run.lowerBound) >= 0.6
                }
            }
        }
        #expect(Double(missed) <= 0.06 * Double(wide), "\(missed) of \(wide)")
        #expect(Double(lost) <= 0.01 * Double(narrow), "\(lost) of \(narrow)")
        #expect(Double(mislabelled) <= 0.08 * Double(runs), "\(mislabelled) of \(runs)")
        #expect(Double(extra) <= 0.03 * Double(found), "\(extra) of \(found)")
    }
}
