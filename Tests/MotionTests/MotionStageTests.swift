import Foundation
import Kernels
import Motion
import Signals
import TestSupport
import Testing

@Suite struct MotionStageTests {
    static func start(_ onset: Double = 0, rate: Double = 32) -> SegmentStart {
        SegmentStart(onset: onset, sample: 0, sampleRate: rate)
    }

    /// Gravity along one direction, stretched and shrunk by a walker's steps.
    static func walk(_ seconds: Int, steps: Double, height: Double = 0.25, rate: Double = 32) -> [SIMD3<Float>] {
        var random = RandomSource(seed: 5, "walk")
        return (0..<Int(Double(seconds) * rate)).map { k in
            let time = Double(k) / rate
            let swing = height * sin(2 * .pi * steps * time) + 0.3 * height * sin(4 * .pi * steps * time + 1)
            let noise = SIMD3(random.gaussian(), random.gaussian(), random.gaussian()) * 0.01
            return SIMD3<Float>(SIMD3(0.6, 0, 0.8) * (1 + swing) + noise)
        }
    }

    static func epochs(_ samples: [SIMD3<Float>], onset: Double = 0, rate: Double = 32) throws -> [MotionEpoch] {
        var stage = try MotionStage()
        return stage.run(samples, from: start(onset, rate: rate))
    }

    @Test(arguments: [1.2, 1.8, 2.5], [25.0, 32, 100])
    func `steps are counted`(steps: Double, rate: Double) throws {
        let epochs = try Self.epochs(Self.walk(120, steps: steps, rate: rate), rate: rate)
        let counted = epochs.reduce(0) { $0 + ($1.steps ?? 0) }
        #expect(abs(Double(counted) - 120 * steps) <= 0.03 * 120 * steps + 2, "\(counted)")
    }

    /// A wave for each step, as long as this; rest before and after.
    static func paces(_ intervals: [Double], rate: Double) -> [SIMD3<Float>] {
        var ends = [10.0]
        for interval in intervals { ends.append(ends[ends.count - 1] + interval) }
        return (0..<Int((ends[ends.count - 1] + 10) * rate)).map { k -> SIMD3<Float> in
            let time = Double(k) / rate
            guard let next = ends.firstIndex(where: { $0 > time }), next > 0 else { return SIMD3(0, 0, 1) }
            let phase = (time - ends[next - 1]) / intervals[next - 1]
            return SIMD3(0, 0, Float(1 + 0.3 * sin(2 * .pi * phase)))
        }
    }

    @Test(arguments: [[1.0, 0.55], [0.5, 1.1], [0.55, 0.55]], [25.0, 50])
    func `a step is counted once when the cadence changes`(cadences: [Double], rate: Double) throws {
        let intervals = (0..<20).flatMap { Array(repeating: cadences[$0 % 2], count: 8) }
        let epochs = try Self.epochs(Self.paces(intervals, rate: rate), rate: rate)
        let counted = epochs.reduce(0) { $0 + ($1.steps ?? 0) }
        #expect(abs(counted - intervals.count) <= 2, "\(counted)")
    }

    @Test(arguments: [(4.0, false), (8, false), (9.9, false), (10, true), (32, true)])
    func `where samples come too seldom for steps, their number is not available`(rate: Double, isTold: Bool) throws {
        let epochs = try Self.epochs(Self.walk(60, steps: 1.6, rate: rate), rate: rate)
        #expect(!epochs.isEmpty && epochs.allSatisfy { ($0.steps != nil) == isTold })
        let table = MotionEpoch.table(epochs)
        let place = try #require(table.columns.firstIndex { $0.name == "steps" })
        #expect(table.rows.allSatisfy { ($0[place] == .missing) != isTold })
        #expect(table.columns[place].leastData == "10 samples per second")
    }

    @Test(arguments: [(0.013, "13 mg"), (0.05, "50 mg"), (0.0125, "12.5 mg")])
    func `the table says below what an axis is still`(stillness: Double, words: String) throws {
        var parameters = MotionParameters()
        parameters.stillness = stillness
        var stage = try MotionStage(parameters: parameters)
        let table = MotionEpoch.table(stage.run(Self.walk(20, steps: 1, height: 0), from: Self.start()))
        let column = try #require(table.columns.first { $0.name == "still" })
        #expect(column.definition.contains("below \(words),") && !table.rows.isEmpty)
    }

    @Test func `rest and single jerks are no steps, and rest is still`() throws {
        var samples = Self.walk(120, steps: 1, height: 0)
        for second in [20, 21, 47, 80] { for k in 0..<8 { samples[second * 32 + k] *= 1.6 } }
        let epochs = try Self.epochs(samples)
        #expect(epochs.reduce(0) { $0 + ($1.steps ?? 0) } == 0)
        #expect(epochs.count { $0.isStill } >= 20 && !epochs[4].isStill)
    }

    @Test func `ENMO, MAD and gravity are what their papers say`() throws {
        // Magnitude 1.5 and 1 g in turn: both 0.25.
        let samples = (0..<3_200).map { k in SIMD3<Float>(0, 0, k % 2 == 0 ? 1.5 : 1) }
        let epochs = try Self.epochs(samples)
        #expect(epochs.count == 20)
        for epoch in epochs {
            #expect(abs(epoch.enmo - 0.25) < 1e-6 && abs(epoch.mad - 0.25) < 1e-6)
            #expect(abs(epoch.gravity.z - 1.25) < 0.02 && abs(epoch.angle(ofAxis: 2) - 90) < 1e-6)
            #expect(epoch.coverage == 1 && epoch.duration == 5)
        }
    }

    @Test func `turning an arm turns gravity`() throws {
        let samples = (0..<1_920).map { $0 < 960 ? SIMD3<Float>(1, 0, 0) : SIMD3<Float>(0, 0.7071, 0.7071) }
        let epochs = try Self.epochs(samples)
        #expect(abs(epochs[3].angle(ofAxis: 0) - 90) < 0.1 && abs(epochs[9].angle(ofAxis: 1) - 45) < 0.1)
        #expect((epochs.compactMap { $0.turn }.max() ?? 0) > 40 && (epochs[9].turn ?? 1) < 0.01)
    }

    @Test func `epochs do not depend on the cut, and none spans a gap`() throws {
        var samples = Self.walk(40, steps: 1.8)
        for k in 300..<500 { samples[k].y = .nan }
        let stage = try MotionStage()
        let epochs = assertChunkInvariant(
            stage, [(Self.start(2), samples), (Self.start(51.3), Array(samples.prefix(700)))], cuts: 4)
        #expect(epochs.allSatisfy { $0.onset.truncatingRemainder(dividingBy: 5) == 0 && $0.coverage <= 1 })
        #expect(epochs.contains { $0.coverage < 0.5 })
        #expect(try Self.epochs([]).isEmpty)
    }

    @Test func `temperature has mean, slope and whether it was worn`() throws {
        var stage = try TemperatureStage()
        let samples = (0..<1_440).map { k -> Float in
            let minutes = Double(k) / 240
            return Float(minutes < 3 ? 33 + 0.2 * minutes : max(21, 33.6 - 8 * (minutes - 3)))
        }
        let windows = stage.run(samples, from: Self.start(rate: 4))
        #expect(windows.count == 6)
        #expect(abs((windows[1].slope ?? 0) - 0.2) < 1e-3 && abs(windows[1].mean - 33.3) < 0.01 && windows[1].isWorn)
        #expect((windows[3].slope ?? 0) < -7.5 && !windows[3].isWorn && !windows[5].isWorn)
        var gappy = samples
        for k in 240..<420 { gappy[k] = .nan }
        let fresh = try TemperatureStage()
        let found = assertChunkInvariant(
            fresh, [(Self.start(rate: 4), gappy), (Self.start(500, rate: 4), samples)], cuts: 3)
        #expect(found[1].slope == nil && found[1].coverage == 0.25)
    }

    /// Whether each minute was worn, where the temperature is this at every time.
    static func worn(minutes: Int = 25, rate: Double = 4, _ degrees: (Seconds) -> Double) throws -> [Bool] {
        var stage = try TemperatureStage()
        let samples = (0..<Int(Double(minutes) * 60 * rate)).map { Float(degrees(Double($0) / rate)) }
        return stage.run(samples, from: start(rate: rate)).map(\.isWorn)
    }

    /// Skin, and from 300 s to 1200 s a sensor that cools towards a room's temperature with a time constant.
    static func removed(_ time: Seconds, room: Double, constant: Seconds) -> Double {
        let skin = 33 + 0.1 * sin(time / 50)
        return (300..<1_200).contains(time) ? room + (skin - room) * exp(-(time - 300) / constant) : skin
    }

    @Test(arguments: [(22.0, 20.0), (22, 90), (22, 180), (22, 300), (26, 20), (26, 90)], [0.2, 4, 32])
    func `a sensor that came off is not worn until it warms again`(
        cooling: (room: Double, constant: Double), rate: Double
    ) throws {
        let worn = try Self.worn(rate: rate) { Self.removed($0, room: cooling.room, constant: cooling.constant) }
        let expected = (0..<25).map { (k: Int) -> Bool in k < 5 || k >= 20 }
        #expect(worn == expected)
    }

    @Test(arguments: [(1.0, 120.0), (2, 180), (3, 300), (4, 600)])
    func `a sensor on skin that cools is worn`(degrees: Double, time: Seconds) throws {
        let worn = try Self.worn { 33 - degrees * (1 - cos(.pi * min(max($0 - 300, 0) / time, 1))) / 2 }
        #expect(worn == Array(repeating: true, count: 25))
    }

    @Test func `that a sensor came off is forgotten after an hour, and over a gap of a minute`() throws {
        let cooling = { (time: Seconds) in 26 + 7 * exp(-max(0, time - 300) / 20) }
        let expected = (0..<90).map { (k: Int) -> Bool in k < 5 || k > 64 }
        #expect(try Self.worn(minutes: 90, cooling) == expected)
        var samples = (0..<2_400).map { Float(cooling(Double($0) / 4)) }
        for k in 1_600..<1_700 { samples[k] = .nan }
        let stage = try TemperatureStage()
        let runs = [
            (start: Self.start(rate: 4), samples: samples),
            (start: Self.start(660, rate: 4), samples: Array(samples.suffix(720))),
        ]
        let windows = assertChunkInvariant(stage, runs, cuts: 4)
        let untilGap = (0..<10).map { (k: Int) -> Bool in k < 5 }
        #expect(windows.map(\.isWorn) == untilGap + [true, true, true])
    }

    @Test(
        arguments: [
            (3, 4, true), (20, 4.01, true), (59, 4, true), (60, 4, false), (3, 8, false), (-10, 4, false),
        ] as [(Double, Double, Bool)])
    func `that a sensor came off is remembered over a gap of less than a minute`(
        gap: Seconds, rate: Double, isKept: Bool
    ) throws {
        func samples(from onset: Seconds, to end: Seconds, rate: Double) -> [Float] {
            (0..<Int((end - onset) * rate)).map { k -> Float in
                Float(Self.removed(onset + Double(k) / rate, room: 26, constant: 40))
            }
        }
        let runs = [
            (start: Self.start(rate: 4), samples: samples(from: 0, to: 400, rate: 4)),
            (start: Self.start(400 + gap, rate: rate), samples: samples(from: 400 + gap, to: 1_200, rate: rate)),
        ]
        let stage = try TemperatureStage()
        let windows = assertChunkInvariant(stage, runs, cuts: 4)
        let after = windows.filter { $0.onset >= 420 }
        let expected = Array(repeating: !isKept, count: after.count)
        #expect(after.count == 13 && after.map(\.isWorn) == expected)
    }

    @Test func `windows of temperature lie where their samples do, however seldom these come`() throws {
        var stage = try TemperatureStage()
        let windows = stage.run((0..<50).map { 33 + 0.01 * Float($0) }, from: Self.start(rate: 0.01))
        let onsets = (0..<50).map { (k: Int) -> Seconds in Seconds(k * 100 / 60 * 60) }
        #expect(windows.map(\.onset) == onsets)
        #expect(windows.allSatisfy { $0.coverage == 1 && $0.isWorn })
    }

    @Test func `a battery's end is foreseen, and charging has none`() {
        var stage = BatteryStage()
        let falling = (0..<60).map { TimedValue(onset: Double($0) * 60, values: [90 - Double($0) * 0.2]) }
        let estimates = stage.run(falling, from: Self.start())
        #expect(estimates[5].slope == nil && estimates[5].remaining == nil)
        #expect(abs((estimates[59].slope ?? 0) + 12) < 1e-6)
        #expect(abs((estimates[59].remaining ?? 0) - estimates[59].charge / 12 * 3_600) < 1)
        var charging = BatteryStage()
        let rising = (0..<60).map { TimedValue(onset: Double($0) * 60, values: [20 + Double($0) * 0.2]) }
        #expect(charging.run(rising, from: Self.start()).allSatisfy { $0.remaining == nil })
        let odd: [[Double]] = [[], [.nan], [300]]
        var strange = BatteryStage()
        #expect(strange.run(odd.map { TimedValue(onset: 5, values: $0) }, from: Self.start()).isEmpty)
    }

    @Test func `a battery's estimates do not depend on the cut`() {
        var random = SplitMix64(seed: 7)
        func values(_ range: Range<Int>) -> [TimedValue] {
            range.map { k in
                // Several a second now and then, some of no charge, and every fifth back in time.
                let onset = 20 * Double(k) + (k % 5 == 0 ? -25 : k % 7 == 0 ? -19.5 : 0)
                let charge = k % 11 == 0 ? [] : k % 13 == 0 ? [.nan] : [95 - 0.01 * Double(k)]
                return TimedValue(onset: onset, values: charge.map { $0 + Double.random(in: 0...0.1, using: &random) })
            }
        }
        let found = assertChunkInvariant(
            BatteryStage(), [(Self.start(), values(0..<400)), (Self.start(9_000), values(450..<700))])
        #expect(found.count > 450 && found.contains { $0.slope == nil } && found.contains { $0.remaining != nil })
    }

    @Test(arguments: [-1.0, 0, .nan]) func `lengths without meaning are refused`(length: Double) {
        var parameters = MotionParameters()
        parameters.epoch = length
        #expect(throws: MotionError.self) { try MotionStage(parameters: parameters) }
    }
}
