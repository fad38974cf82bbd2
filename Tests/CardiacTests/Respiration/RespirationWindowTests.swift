import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct RespirationWindowTests {
    private func windows(
        _ measures: [BeatMeasure], _ method: RespirationMethod = .ecgAmplitude,
        _ parameters: RespirationParameters = RespirationParameters()
    ) throws -> [RespirationWindow] {
        var stage = try ModulationRespirationStage(method, parameters: parameters)
        return stage.run(measures, from: RespirationSamples.start(1))
    }

    @Test(arguments: [4.5, 6, 10, 15, 22, 30, 35])
    func `tells a rate from slow to fast`(breaths: Double) throws {
        let found = try windows(RespirationSamples.measures(breaths: breaths, noise: 0.3, for: 182))
        #expect(found.map(\.onset) == (0...12).map { Double($0) * 10 })
        for window in found {
            #expect(abs((window.rate ?? .nan) - breaths) < 0.5)
            #expect(window.quality > 0.5 && window.quality <= 1)
            #expect(window.coverage > 0.97 && window.coverage <= 1)
            #expect(window.missing == nil)
        }
    }

    @Test func `noise has no rate`() throws {
        var found: [RespirationWindow] = []
        for seed in 1...20 {
            let noise = RespirationSamples.measures(breaths: 15, depth: 0, noise: 1, for: 600, seed: UInt64(seed))
            found += try windows(noise)
        }
        let wrong = found.filter { $0.rate != nil }
        #expect(Double(wrong.count) < 0.05 * Double(found.count))
        #expect(found.contains { if case .noDominantPeak = $0.missing { true } else { false } })
    }

    @Test(arguments: [10.0, 25, 64, 500])
    func `a belt that shows noise alone has no rate, and one whose breath stops none until it goes on`(rate: Double)
        throws
    {
        let onsets = RespirationSamples.onsets(breaths: 15, for: 600, variation: 0.05)
        var samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 600, noise: 0.02)
        let still = Int(200 * rate)..<Int(320 * rate)
        var random = SplitMix64(seed: 5)
        for index in still { samples[index] = Float.random(in: -0.02...0.02, using: &random) }
        var stage = try BeltRespirationStage(sampleRate: rate)
        let windows = stage.run(samples, from: RespirationSamples.start(rate))
        for window in windows where window.onset >= 200 && window.onset <= 260 {
            #expect(window.rate == nil, "\(window)")
            if case .tooFewBreaths = window.missing { continue }
            Issue.record("\(window)")
        }
        for window in windows where window.onset <= 140 || window.onset >= 320 {
            #expect(abs((window.rate ?? .nan) - 15) < 1.5, "\(window)")
        }
        let noise = (0..<Int(600 * rate)).map { _ in Float.random(in: -1...1, using: &random) }
        let empty = stage.run(noise, from: RespirationSamples.start(rate))
        #expect(empty.count { $0.rate != nil } <= empty.count / 20)
    }

    @Test(arguments: [0.5, 1, 2.0])
    func `what an amplifier's filter lets through of noise is no breathing to be used`(edge: Double) throws {
        var random = SplitMix64(seed: 9)
        let rate = 25.0
        let share = 1 - exp(-2 * .pi * edge / rate)
        let slow = 1 - exp(-2 * .pi * 0.05 / rate)
        var (first, second, level) = (0.0, 0.0, 0.0)
        let samples = (0..<Int(1_200 * rate)).map { _ -> Float in
            first += share * (Double.random(in: -1...1, using: &random) - first)
            second += share * (first - second)
            level += slow * (second - level)
            return Float(second - level)
        }
        var stage = try BeltRespirationStage(sampleRate: rate)
        let windows = stage.run(samples, from: RespirationSamples.start(rate))
        #expect(windows.count > 100)
        #expect(windows.count { $0.rate != nil && $0.quality >= 0.5 } < windows.count / 7)
    }

    @Test(arguments: [60.0, 100, 200, 600], [3.0, 12.5, 25, 125])
    func `a belt that stands still has no breaths, and the next one begins where it does`(still: Double, rate: Double)
        throws
    {
        let breaths: Seconds = 200
        let again = breaths + still
        let samples = (0..<Int((breaths + again) * rate)).map { index -> Float in
            let time = Double(index) / rate
            let breathing = time < breaths ? time : max(breaths, time - still)
            return Float(-cos(breathing * .pi / 2))
        }
        var detector = BreathDetector(sampleRate: rate)
        let found = detector.run(samples, from: RespirationSamples.start(rate))
        #expect(!found.contains { $0.onset > breaths + 4 && $0.onset < again - 4 })
        let later = found.filter { $0.onset >= again - 4 }
        let next = try #require(later.first)
        #expect(next.followsBreak && abs(next.onset - again) < 0.8, "\(next)")
        #expect(later.count >= 49 && later.dropFirst().allSatisfy { !$0.followsBreak })
    }

    @Test func `rates above half the heart rate are not told as something else with quality`() throws {
        let found = try windows(RespirationSamples.measures(breaths: 25, for: 120, interval: 1.5))
        // 25/min seen 40 times a minute folds to 15/min, but uneven beats smear it.
        #expect(found.allSatisfy { $0.rate.map { $0 <= 21 } ?? true })
    }

    @Test func `a break is neither joined nor covered`() throws {
        let first = RespirationSamples.measures(breaths: 15, for: 40)
        var second = RespirationSamples.measures(breaths: 15, from: 60, for: 62)
        for index in second.indices { second[index].value += 500 }
        let found = try windows(first + second)
        #expect(found.count == 7)
        #expect(abs(found[0].coverage - 40.0 / 60) < 0.03)
        #expect(found.allSatisfy { abs(($0.rate ?? .nan) - 15) < 0.5 })
        let parameters = RespirationParameters(minimumCoverage: 0.9)
        let strict = try windows(first + second, .ecgAmplitude, parameters)
        guard case .lowCoverage(let coverage, least: 0.9) = strict[0].missing else {
            Issue.record("\(strict[0])")
            return
        }
        #expect(abs(coverage - 40.0 / 60) < 0.03)
        #expect(strict[0].rate == nil && strict.last?.rate != nil)
    }

    @Test func `missing values are left out`() throws {
        var measures = RespirationSamples.measures(breaths: 15, for: 120)
        for index in stride(from: 0, to: measures.count, by: 17) { measures[index].value = .nan }
        measures[30].value = .infinity
        let found = try windows(measures)
        #expect(found.allSatisfy { abs(($0.rate ?? .nan) - 15) < 0.3 && $0.coverage < 0.95 })
    }

    @Test func `slow waves of intervals are not taken for breathing unless asked for`() throws {
        func intervals(_ breaths: Double) -> [NN] {
            let measures = RespirationSamples.measures(breaths: breaths, depth: 0.5, for: 120)
            return measures.map { NN(onset: $0.onset, duration: 0.8 + 0.05 * ($0.value - 10), isContiguous: true) }
        }
        var stage = try RSARespirationStage()
        for window in stage.run(intervals(6), from: RespirationSamples.start(1)) {
            guard case .slowWaves(let rate) = window.missing else {
                Issue.record("\(window)")
                continue
            }
            #expect(abs(rate - 6) < 0.5)
        }
        var paced = try RSARespirationStage(RespirationParameters(lowestIntervalRate: 4))
        let found = paced.run(intervals(6), from: RespirationSamples.start(1))
        #expect(found.allSatisfy { abs(($0.rate ?? .nan) - 6) < 0.5 })
    }

    @Test func `a bigeminy is an irregular rhythm, no breathing`() throws {
        var time = 0.0
        let measures = (0..<200).map { index -> BeatMeasure in
            time += index % 2 == 0 ? 0.5 : 1.1
            return BeatMeasure(onset: time, value: index % 2 == 0 ? 3 : 1)
        }
        for window in try windows(measures) {
            guard case .irregularRhythm = window.missing else {
                Issue.record("\(window)")
                continue
            }
        }
    }

    @Test func `short, constant, unordered and absurd inputs give reasons, not rates`() throws {
        #expect(try windows([]).isEmpty)
        #expect(try windows([BeatMeasure(onset: 1, value: 1)]).isEmpty)
        let few = try windows((0..<5).map { BeatMeasure(onset: Double($0), value: Double($0)) })
        #expect(few.count == 1 && few[0].rate == nil)
        let constant = try windows((0..<200).map { BeatMeasure(onset: Double($0) * 0.8, value: 7) })
        #expect(constant.count == 11)
        #expect(constant.allSatisfy { $0.rate == nil && $0.quality == 0 && $0.missing != nil })
        let still = (0..<40).map { BeatMeasure(onset: 5, value: Double($0)) }
        #expect(try windows(still + [BeatMeasure(onset: .nan, value: 1), BeatMeasure(onset: -3, value: 1)]).isEmpty)
        // Ten years without beats.
        let far = RespirationSamples.measures(breaths: 15, from: 3e8, for: 100)
        let found = try windows(RespirationSamples.measures(breaths: 15, for: 100) + far)
        #expect(found.count < 200_000)
        #expect(abs((found.last?.rate ?? .nan) - 15) < 0.5)
    }

    @Test func `a gap of years is one row, of beats and of a belt`() throws {
        let far = RespirationSamples.measures(breaths: 15, from: 3e8, for: 100)
        let segments = [
            (RespirationSamples.start(1), RespirationSamples.measures(breaths: 15, for: 100)),
            (RespirationSamples.start(1, onset: 3e8), far),
        ]
        let belt = RespirationSamples.belt(
            onsets: RespirationSamples.onsets(breaths: 15, for: 110), rate: 25, duration: 100)
        let runs = [
            (RespirationSamples.start(25), belt), (SegmentStart(onset: 3e8, sample: 10_000, sampleRate: 25), belt),
        ]
        let ofBeats = try ModulationRespirationStage(.rsa)
        let ofBelt = try BeltRespirationStage(sampleRate: 25)
        let found = [
            assertChunkInvariant(ofBeats, segments, cuts: 3), assertChunkInvariant(ofBelt, runs, cuts: 3),
        ]
        for windows in found {
            #expect(windows.count < 30)
            #expect(windows.filter { $0.duration > 60 }.map(\.coverage) == [0])
            let gap = try #require(windows.first { $0.duration > 60 })
            #expect(gap.onset <= 110 && gap.onset + gap.duration > 3e8 - 20 && gap.onset + gap.duration <= 3e8 + 1)
            #expect(abs((windows.last?.rate ?? .nan) - 15) < 0.5)
        }
    }

    @Test(arguments: [1e12, 1e18, 1e300, -1e300, .infinity, .nan])
    func `of a run of a belt that lies at no time nothing is told`(onset: Seconds) throws {
        let belt = RespirationSamples.belt(
            onsets: RespirationSamples.onsets(breaths: 15, for: 110), rate: 25, duration: 100)
        var stage = try BeltRespirationStage(sampleRate: 25)
        var windows: [RespirationWindow] = []
        for start in [0, onset] {
            stage.begin(SegmentStart(onset: start, sample: 0, sampleRate: 25), into: &windows)
            stage.push(belt.span, into: &windows)
        }
        stage.finish(into: &windows)
        #expect(windows.map(\.onset) == [0, 10, 20, 30, 40] || windows.map(\.onset) == [0, 10, 20, 30])
    }

    @Test func `a recording shorter than a window has one row`() throws {
        let found = try windows(RespirationSamples.measures(breaths: 15, for: 40))
        #expect(found.count == 1)
        #expect(abs((found.first?.duration ?? 0) - 39.5) < 1)
        #expect(abs((found.first?.rate ?? .nan) - 15) < 0.5)
    }

    @Test func `fusion averages what agrees and names what does not`() throws {
        func window(_ rate: Double?, _ quality: Double) -> RespirationWindow {
            RespirationWindow(
                onset: 0, duration: 60, method: .rsa, coverage: 1, rate: rate, quality: quality,
                missing: rate == nil ? .noDominantPeak(quality, least: 0.4) : nil)
        }
        let agreed = try #require(RespirationFusion.fuse([window(14, 0.5), window(16, 0.5), window(15, 0.8)]))
        #expect(abs((agreed.rate ?? .nan) - 15) < 1e-9)
        #expect(agreed.quality > 0.4 && agreed.quality < 0.6)
        let torn = try #require(RespirationFusion.fuse([window(8, 0.9), window(16, 0.9), window(24, 0.9)]))
        #expect(torn.rate == nil && torn.missing == .disagreement(8, greatest: 4))
        let weak = try #require(RespirationFusion.fuse([window(nil, 0.1), window(15, 0.45)]))
        #expect(weak.rate == nil && weak.missing == .tooFewEstimates(1))
        let strong = try #require(RespirationFusion.fuse([window(nil, 0.1), window(15, 0.8)]))
        #expect(strong.rate == 15 && strong.quality < 0.8)
        #expect(RespirationFusion.fuse([]) == nil)
    }

    @Test func `a lone rate of intervals close to the slow waves is none`() throws {
        func window(_ method: RespirationMethod, _ rate: Double?, _ quality: Double) -> RespirationWindow {
            RespirationWindow(
                onset: 0, duration: 60, method: method, coverage: 1, rate: rate, quality: quality,
                missing: rate == nil ? .noDominantPeak(quality, least: 0.42) : nil)
        }
        for method in [RespirationMethod.rsa, .bvpInterval] {
            let low = try #require(RespirationFusion.fuse([window(method, 9.1, 0.6), window(.ecgAmplitude, nil, 0.2)]))
            #expect(low.rate == nil && low.quality == 0 && low.missing == .slowWaves(9.1))
            let high = try #require(RespirationFusion.fuse([window(method, 15, 0.6), window(.ecgAmplitude, nil, 0.2)]))
            #expect(high.rate == 15)
        }
        let confirmed = try #require(
            RespirationFusion.fuse([window(.rsa, 9.1, 0.6), window(.ecgAmplitude, 9.3, 0.5)]))
        #expect(abs((confirmed.rate ?? .nan) - 9.2) < 0.1)
        let other = try #require(RespirationFusion.fuse([window(.rsa, nil, 0.2), window(.ecgAmplitude, 9.1, 0.6)]))
        #expect(other.rate == 9.1)
        let paced = try #require(
            RespirationFusion.fuse(
                [window(.rsa, 6, 0.6), window(.ecgAmplitude, nil, 0.2)],
                parameters: RespirationParameters(lowestIntervalRate: 4)))
        #expect(paced.rate == 6)
    }

    private func window(
        _ method: RespirationMethod, _ rate: Double?, _ quality: Double, slow: Double? = nil
    ) -> RespirationWindow {
        RespirationWindow(
            onset: 0, duration: 60, method: method, coverage: 1, rate: rate, quality: quality,
            missing: slow.map { .slowWaves($0) } ?? (rate == nil ? .noDominantPeak(quality, least: 0.42) : nil))
    }

    private func fused(_ windows: RespirationWindow...) throws -> RespirationWindow {
        try #require(RespirationFusion.fuse(windows, as: .bvpFusion))
    }

    @Test(arguments: stride(from: 5.0, through: 30, by: 2.5).map { $0 }, [0.5, 0.7, 0.99])
    func `the height of pulses alone is never the fused rate`(rate: Double, quality: Double) throws {
        let alone = try fused(
            window(.bvpAmplitude, rate, quality), window(.bvpBaseline, nil, 0.3), window(.bvpInterval, nil, 0.3))
        #expect(alone.rate == nil && alone.missing == .tooFewEstimates(1))
        let confirmed = try fused(
            window(.bvpAmplitude, rate + 8, quality), window(.bvpBaseline, rate + 8.2, 0.5),
            window(.bvpInterval, nil, 0.3))
        #expect(abs((confirmed.rate ?? .nan) - rate - 8.1) < 0.2)
    }

    @Test func `two rates that agree outvote the third`() throws {
        let voted = try fused(
            window(.bvpAmplitude, 25, 0.6), window(.bvpBaseline, 15, 0.6), window(.bvpInterval, 15.5, 0.6))
        #expect(abs((voted.rate ?? .nan) - 15.25) < 0.01 && voted.quality < 0.5)
    }

    @Test(arguments: [4.5, 6, 7.2, 8.8, 9.4])
    func `height and level of pulses that swing slowly together are not taken for breathing`(rate: Double) throws {
        for height in [window(.bvpAmplitude, rate, 0.7), window(.bvpAmplitude, nil, 0.7, slow: rate + 0.5)] {
            let slow = try fused(height, window(.bvpBaseline, rate + 0.3, 0.6), window(.bvpInterval, nil, 0.3))
            #expect(slow.rate == nil)
            if case .slowWaves = slow.missing {} else { Issue.record("\(String(describing: slow.missing))") }
            let breathing = try fused(height, window(.bvpBaseline, rate + 0.3, 0.9), window(.bvpInterval, nil, 0.3))
            #expect(breathing.rate != nil)
        }
        let level = try fused(
            window(.bvpAmplitude, nil, 0.3), window(.bvpBaseline, rate, 0.6), window(.bvpInterval, nil, 0.3))
        #expect(level.rate == rate)
    }

    @Test func `parameters without a meaning are named`() {
        #expect(throws: InvalidParameter.self) { try RSARespirationStage(RespirationParameters(window: 5)) }
        #expect(throws: InvalidParameter.self) { try RSARespirationStage(RespirationParameters(step: .nan)) }
        #expect(throws: InvalidParameter.self) {
            try BVPRespirationStage(RespirationParameters(lowestRate: 30, highestRate: 20))
        }
    }

    @Test func `the table has a cell for every column, and a reason where the rate is missing`() throws {
        let found = try windows(RespirationSamples.measures(breaths: 15, depth: 0, noise: 1, for: 100))
        let table = Respiration.table(found)
        #expect(table.columns.map(\.name).prefix(5) == ["onset", "duration", "method", "coverage", "respirationRate"])
        #expect(table.rows.count == found.count)
        for (row, window) in zip(table.rows, found) where window.rate == nil {
            #expect(row[4] == .missing)
            #expect(row[6] != .missing)
        }
    }
}
