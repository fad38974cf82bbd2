import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// Belts whose value stands still, since it is not measured or since breathing pauses.
@Suite struct StillBeltTests {
    enum Filling: String, CaseIterable {
        case zeros, held, missing
    }

    /// A belt in the numbers of a converter, resting at 500 with breaths of 200.
    private func belt(breaths: Double, rate: Double, duration: Seconds = 240, noise: Double = 0.02) -> [Float] {
        let onsets = RespirationSamples.onsets(breaths: breaths, for: duration, variation: 0)
        return RespirationSamples.belt(onsets: onsets, rate: rate, duration: duration, noise: noise)
            .map { 600 + 100 * $0 }
    }

    /// Fills `length` seconds from each of `starts` on.
    private func fill(
        _ samples: inout [Float], _ filling: Filling, from starts: [Seconds], for length: Seconds, rate: Double
    ) {
        for start in starts {
            let first = Int(start * rate)
            let value: Float
            switch filling {
            case .zeros: value = 0
            case .held: value = samples[first - 1]
            case .missing: value = .nan
            }
            for index in first..<first + Int(length * rate) { samples[index] = value }
        }
    }

    private func windows(_ samples: [Float], rate: Double) throws -> [RespirationWindow] {
        var stage = try BeltRespirationStage(sampleRate: rate)
        return stage.run(samples, from: RespirationSamples.start(rate))
    }

    @Test(arguments: [10.0, 25, 100], [2.0, 5, 10, 20])
    func `zeros and held values are as good as missing`(rate: Double, length: Seconds) throws {
        for breaths in [6.0, 12, 20] {
            let whole = belt(breaths: breaths, rate: rate)
            // Where the signal rises or falls: at its turning points a held value is no other than a pause.
            let starts = [32.0, 78, 121, 167].map { start in
                let period = 60 / breaths
                return ((start / period).rounded(.down) + 0.25) * period
            }
            var gaps = whole
            fill(&gaps, .missing, from: starts, for: length, rate: rate)
            let expected = try windows(gaps, rate: rate)
            for filling in [Filling.zeros, .held] {
                var filled = whole
                fill(&filled, filling, from: starts, for: length, rate: rate)
                let found = try windows(filled, rate: rate)
                #expect(found.count == expected.count)
                for (window, gap) in zip(found, expected) {
                    // The value that is held is the last one that was measured.
                    #expect(abs(window.coverage - gap.coverage) < 0.02, "\(filling) at \(breaths)/min")
                    guard let rate = window.rate else { continue }
                    #expect(abs(rate - breaths) < 0.03 * breaths, "\(filling) at \(breaths)/min")
                }
            }
        }
    }

    @Test(arguments: [0.3, 0.6, 0.9])
    func `short stretches of zeros are bridged as missing samples are`(length: Seconds) throws {
        for breaths in [6.0, 12, 20] {
            var (zeros, gaps) = (belt(breaths: breaths, rate: 25), belt(breaths: breaths, rate: 25))
            let starts = stride(from: 12.3, to: 230, by: 9.7).map { $0 }
            fill(&zeros, .zeros, from: starts, for: length, rate: 25)
            fill(&gaps, .missing, from: starts, for: length, rate: 25)
            #expect(try windows(zeros, rate: 25) == windows(gaps, rate: 25))
        }
    }

    /// Coarse steps, pauses of up to 4 s at one value, and breaths that are cut off at the end of the range.
    @Test(arguments: [10.0, 25, 100], [20.0, 10, 1])
    func `pauses, coarse steps and clipped breaths stay`(rate: Double, step: Double) throws {
        for (breaths, top) in [(6.0, 700.0), (12, 700), (20, 700), (12, 650), (6, 650)] {
            let period = 60 / breaths
            let samples = (0..<Int(180 * rate)).map { index in
                // In the middle of an expiration the recording begins.
                let phase = ((Double(index) / rate + 0.35 * period) / period).truncatingRemainder(dividingBy: 1)
                let wave = phase < 0.3 ? (1 - cos(.pi * phase / 0.3)) / 2 : exp(-(phase - 0.3) / 0.07)
                return Float((min(top, 500 + 200 * wave) / step).rounded() * step)
            }
            for window in try windows(samples, rate: rate) {
                #expect(window.coverage > 0.9999, "\(breaths)/min, \(top)")
                #expect(abs((window.rate ?? .nan) - breaths) < 0.03 * breaths, "\(breaths)/min, \(top)")
            }
        }
    }

    @Test(arguments: [6.0, 12])
    func `a gap moves no breath beside it, however long the pauses are`(breaths: Double) {
        let period = 60 / breaths
        for shift in 0..<10 {
            // A rise of 0.3 of the breath, then a fall that never quite ends before the next.
            var samples = (0..<120 * 25).map { index in
                let phase = (Double(index) / 25 / period).truncatingRemainder(dividingBy: 1)
                return Float(phase < 0.3 ? -cos(.pi * phase / 0.3) : 2 * exp(-(phase - 0.3) / 0.1) - 1)
            }
            let gap = 50 + 0.1 * Double(shift) * period
            fill(&samples, .missing, from: [gap], for: 3, rate: 25)
            var detector = BreathDetector(sampleRate: 25)
            let found = detector.run(samples, from: RespirationSamples.start(25))
            #expect(found.count { $0.followsBreak } == 2)
            for (earlier, later) in zip(found, found.dropFirst()) where !later.followsBreak {
                #expect(abs(later.onset - earlier.onset - period) < 0.03 * period, "gap from \(gap)")
            }
        }
    }

    @Test func `the reason is that the value stands still`() throws {
        var samples = belt(breaths: 12, rate: 25)
        fill(&samples, .held, from: [61.3], for: 50, rate: 25)
        let found = try windows(samples, rate: 25)
        let window = try #require(found.first { $0.onset == 60 })
        guard case .flat(let share, let coverage, least: 0.5) = window.missing else {
            Issue.record("\(window)")
            return
        }
        #expect(abs(share - 5.0 / 6) < 0.01)
        #expect(abs(coverage - 1.0 / 6) < 0.01)
        #expect(window.missing?.description.hasPrefix("flat line in 83") == true)
        // Where nothing else was recorded, and to the end.
        let still = try windows([Float](repeating: 3, count: 120 * 25), rate: 25)
        #expect(still.map(\.onset) == [0, 10, 20, 30, 40, 50, 60])
        let short = try windows([Float](repeating: 3, count: 30 * 25), rate: 25)
        #expect(short.map(\.duration) == [30])
        for window in still + short { #expect(window.missing == .flat(1, coverage: 0, least: 0.5)) }
        fill(&samples, .zeros, from: [150], for: 90, rate: 25)
        let ending = try windows(samples, rate: 25)
        #expect(ending.map(\.onset) == found.map(\.onset))
        #expect(ending.last?.missing == .flat(1, coverage: 0, least: 0.5))
    }

    @Test(arguments: [3.0, 10, 31.25])
    func `none of it depends on how the samples come`(rate: Double) throws {
        let onsets = RespirationSamples.onsets(breaths: 14, for: 260)
        var samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 260, noise: 0.05)
        for (start, length, filling) in [
            (20.0, 0.5, Filling.zeros), (40, 2, .held), (60, 5, .zeros), (66, 1, .missing), (90, 0.7, .held),
            (110, 70, .held), (184, 3, .zeros), (187, 3, .missing), (190, 3, .zeros), (255, 5, .held),
        ] {
            fill(&samples, filling, from: [start], for: length, rate: rate)
        }
        let zeros = [Float](repeating: 0, count: Int(90 * rate))
        let segments = [
            (RespirationSamples.start(rate), samples), (RespirationSamples.start(rate, onset: 260), zeros),
            (RespirationSamples.start(rate, onset: 400), samples), (RespirationSamples.start(rate, onset: 700), zeros),
        ]
        let breaths = assertChunkInvariant(BreathDetector(sampleRate: rate), segments, cuts: 4)
        #expect(breaths.count > 50)
        let stage = try BeltRespirationStage(sampleRate: rate)
        let windows = assertChunkInvariant(stage, segments, cuts: 4)
        #expect(windows.contains { if case .flat = $0.missing { true } else { false } })
        #expect(windows.contains { $0.rate != nil })
    }

    @Test(arguments: [4.0, 25])
    func `windows and breaths come no later than is told`(rate: Double) throws {
        var samples = belt(breaths: 6, rate: rate, duration: 300)
        fill(&samples, .held, from: [40.3, 90.1, 150.7, 210.2], for: 9, rate: rate)
        let told = try RespirationSamples.toldInTime(of: samples, rate: rate)
        #expect(told.windows.count > 10)
    }
}
