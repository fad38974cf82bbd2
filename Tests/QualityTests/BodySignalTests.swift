import Formats
import Foundation
import Kernels
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Skin conductance, skin temperature and acceleration: noise is never good, faults are called by their names.
@Suite struct BodySignalTests {
    static func start(_ onset: Double = 0, rate: Double) -> SegmentStart {
        SegmentStart(onset: onset, sample: 0, sampleRate: rate)
    }

    static func judge(_ samples: [Float], _ modality: BodySignalAssessor.Modality, rate: Double) -> [QualityWindow] {
        var assessor = BodySignalAssessor(modality)
        return assessor.run(samples, from: start(rate: rate))
    }

    static func judge(_ samples: [SIMD3<Float>], rate: Double) -> [QualityWindow] {
        var assessor = AccelerationAssessor()
        return assessor.run(samples, from: start(rate: rate))
    }

    /// A level with responses, 1 every 15 s.
    static func conductance(_ seconds: Int, rate: Double = 4, seed: UInt64 = 1) -> [Float] {
        var random = RandomSource(seed: seed, "skin")
        var values = (0..<Int(Double(seconds) * rate)).map { k in
            3 + 0.5 * sin(Double(k) / rate / 300) + 0.002 * random.gaussian()
        }
        var time = 3.0
        while time < Double(seconds) {
            let amplitude = 0.1 * exp(random.gaussian())
            for k in Int(time * rate) + 1..<max(Int(time * rate) + 1, min(values.count, Int((time + 30) * rate))) {
                let age = Double(k) / rate - time
                values[k] += amplitude * 2.71 * (exp(-age / 2) - exp(-age / 0.7))
            }
            time += 2 + random.exponential(mean: 13)
        }
        return values.map { Float($0) }
    }

    static func temperature(_ seconds: Int) -> [Float] {
        var random = RandomSource(seed: 2, "warm")
        return (0..<seconds * 4).map { k in
            Float(((32 + sin(Double(k) / 900) + 0.01 * random.gaussian()) * 50).rounded() / 50)
        }
    }

    static func acceleration(_ seconds: Int) -> [SIMD3<Float>] {
        var random = RandomSource(seed: 3, "arm")
        return (0..<seconds * 32).map { k in
            let time = Double(k) / 32
            let swing = time.truncatingRemainder(dividingBy: 60) < 20 ? 0.3 * sin(2 * .pi * 1.8 * time) : 0
            let value = SIMD3(0.6 + swing, 0.3 + 0.5 * swing, 0.74) + 0.01 * SIMD3(repeating: random.gaussian())
            return SIMD3<Float>((value * 64).rounded(.toNearestOrEven) / 64)
        }
    }

    @Test(arguments: NoiseKind.allCases, [(4.0, 0.0), (4, 5), (32, 5), (100, 5)])
    func `pure noise is no skin conductance`(kind: NoiseKind, form: (rate: Double, level: Double)) {
        var source = NoiseSource(kind, sampleRate: form.rate, seed: 4)
        let samples = source.samples(Int(600 * form.rate)).map { Float(form.level + $0) }
        #expect(Self.judge(samples, .eda, rate: form.rate).flagged() >= 0.95, "\(kind) \(form)")
    }

    /// Noise of a faster kind hides the smallest responses that count, 0.05 µS, from 0.1 µS on. Slower noise rises and falls as
    /// responses do, and is told from them where it does so more than skin can.
    static let hidingResponses: [(kind: NoiseKind, rms: Double)] = NoiseKind.allCases.map { kind in
        switch kind {
        case .brown, .steps: (kind, 0.3)
        case .baselineWander: (kind, 1)
        default: (kind, 0.1)
        }
    }

    @Test(arguments: hidingResponses, [32.0, 64, 128, 256])
    func `noise as large as responses is no skin conductance`(noise: (kind: NoiseKind, rms: Double), rate: Double) {
        for seed in UInt64(1)...2 {
            var source = NoiseSource(noise.kind, sampleRate: rate, seed: seed)
            let samples = source.samples(Int(300 * rate)).map { Float(5 + noise.rms * $0) }
            #expect(Self.judge(samples, .eda, rate: rate).flagged() >= 0.95, "\(noise) at \(rate) Hz")
        }
    }

    @Test(arguments: [50.0, 60], [32.0, 64, 128])
    func `weak mains are no skin conductance, folded down to a few hertz either`(frequency: Double, rate: Double) {
        let samples = (0..<Int(60 * rate)).map { k in
            Float(5 + 0.07 * 2.0.squareRoot() * sin(2 * .pi * frequency * Double(k) / rate + 0.3))
        }
        #expect(Self.judge(samples, .eda, rate: rate).flagged([.mains, .noise]) >= 0.95)
    }

    @Test(arguments: [50.0, 60], [250.0, 1_000])
    func `the mains are no skin conductance`(frequency: Double, rate: Double) {
        let samples = (0..<Int(60 * rate)).map { Float(5 + sin(2 * .pi * frequency * Double($0) / rate)) }
        #expect(Self.judge(samples, .eda, rate: rate).flagged([.mains]) >= 0.95)
    }

    @Test(arguments: NoiseKind.allCases, [0.2, 1])
    func `pure noise is no skin temperature`(kind: NoiseKind, degrees: Double) {
        for rate in [4.0, 32] {
            var source = NoiseSource(kind, sampleRate: rate, seed: 4)
            let samples = source.samples(Int(600 * rate)).map { Float(33 + degrees * $0) }
            #expect(Self.judge(samples, .temperature, rate: rate).flagged() >= 0.95, "\(kind) at \(rate) Hz")
        }
    }

    @Test(arguments: [0.02, 0.0625, 0.1, 0.2])
    func `a sensor that hesitates between two values is not noisy`(resolution: Double) {
        var random = RandomSource(seed: 6, "fine")
        for rate in [1.0, 4] {
            let samples = (0..<Int(600 * rate)).map { k -> Float in
                let degrees = 33 + 0.2 * sin(Double(k) / rate / 200) + 0.3 * resolution * random.gaussian()
                return Float((degrees / resolution).rounded() * resolution)
            }
            #expect(Self.judge(samples, .temperature, rate: rate).flagged() <= 0.05, "\(rate) Hz")
        }
    }

    @Test(arguments: NoiseKind.allCases)
    func `pure noise is no acceleration`(kind: NoiseKind) {
        let axes = (1...3).map { axis -> [Double] in
            var source = NoiseSource(kind, sampleRate: 32, seed: UInt64(axis))
            return source.samples(32 * 600)
        }
        let samples = axes[0].indices.map { SIMD3<Float>(Float(axes[0][$0]), Float(axes[1][$0]), Float(axes[2][$0])) }
        #expect(Self.judge(samples, rate: 32).flagged() >= 0.95, "\(kind)")
    }

    /// Left out: knocks and arm swing, which are what acceleration is measured for, and mains and steps, which shake or
    /// place a sensor for some time.
    @Test(arguments: [NoiseKind.white, .pink, .brown, .blue, .violet, .muscle, .baselineWander], [32.0, 50, 100])
    func `noise of a tenth of gravity is no acceleration`(kind: NoiseKind, rate: Double) {
        for seed in UInt64(1)...2 {
            let axes = ["x", "y", "z"].map { axis -> [Double] in
                var source = NoiseSource(kind, sampleRate: rate, seed: seed, label: axis)
                return source.samples(Int(rate * 300))
            }
            let samples = axes[0].indices.map { k in
                SIMD3(0.6, 0.28, 0.75) + 0.1 * SIMD3(Float(axes[0][k]), Float(axes[1][k]), Float(axes[2][k]))
            }
            #expect(Self.judge(samples, rate: rate).flagged() >= 0.95, "\(kind) at \(rate) Hz")
        }
    }

    /// A walker's steps with two harmonics, and an arm that swings once in two of them.
    static func walk(_ seconds: Int, steps: Double, rate: Double) -> [SIMD3<Float>] {
        var random = RandomSource(seed: 7, "gait")
        return (0..<Int(Double(seconds) * rate)).map { k -> SIMD3<Float> in
            let phase = 2 * Double.pi * steps * Double(k) / rate
            let harmonics: Double = 0.08 * sin(2 * phase + 0.4) + 0.03 * sin(3 * phase + 1)
            let body = SIMD3<Double>(0.1 * sin(phase / 2), 0, 1 + 0.25 * sin(phase) + harmonics)
            let noise = SIMD3<Double>(random.gaussian(), random.gaussian(), random.gaussian())
            return SIMD3<Float>(body + 0.01 * noise)
        }
    }

    @Test(arguments: [5, 8, 10, 12.5, 16, 25], [1.2, 1.8, 2.2, 2.8])
    func `steps are no noise however seldom they are sampled`(rate: Double, steps: Double) {
        let windows = Self.judge(Self.walk(120, steps: steps, rate: rate), rate: rate)
        #expect(windows.count > 100 && windows.flagged([.noise]) == 0, "\(windows.flagged([.noise]))")
        if rate >= 10 { #expect(windows.flagged() == 0, "\(windows.flatMap(\.reasons))") }
    }

    @Test(arguments: [10, 12.5, 15], [0.02, 0.1, 0.3])
    func `noise in all directions is no acceleration where samples come seldom`(rate: Double, size: Double) {
        var random = RandomSource(seed: 8, "shaken")
        let samples = (0..<Int(600 * rate)).map { _ -> SIMD3<Float> in
            let noise = SIMD3<Double>(random.gaussian(), random.gaussian(), random.gaussian())
            return SIMD3<Float>(SIMD3<Double>(0.6, 0.28, 0.75) + size * noise)
        }
        #expect(Self.judge(samples, rate: rate).flagged([.noise]) >= 0.95)
    }

    @Test func `flat lines are flat where samples are missing`() {
        for (kind, rate, hole) in [(.eda, 32, 160), (.eda, 4, 20), (.temperature, 4, 120)]
            as [(BodySignalAssessor.Modality, Double, Int)]
        {
            let samples = (0..<Int(600 * rate)).map { $0 % hole == hole / 2 ? Float.nan : 33 }
            let windows = Self.judge(samples, kind, rate: rate)
            #expect(windows.allSatisfy { !$0.isGood && $0.reasons.contains(.flat) }, "\(kind) at \(rate) Hz")
        }
    }

    @Test(arguments: [Float(0), 0.5, 3, 33, -4, 1e9])
    func `flat lines are flat`(level: Float) {
        for modality in BodySignalAssessor.Modality.allCases {
            let windows = Self.judge(Array(repeating: level, count: 2_400), modality, rate: 4)
            #expect(windows.count == 591 && windows.allSatisfy { !$0.isGood && $0.reasons.contains(.flat) })
        }
        let windows = Self.judge(Array(repeating: SIMD3(0, 0, level), count: 19_200), rate: 32)
        #expect(windows.count == 591 && windows.allSatisfy { !$0.isGood && $0.reasons.contains(.flat) })
    }

    @Test(arguments: [NoiseKind.white])
    func `noise once a second is no skin conductance`(kind: NoiseKind) {
        var source = NoiseSource(kind, sampleRate: 1, seed: 4)
        let samples = source.samples(1_200).map { Float(5 + 0.1 * $0) }
        #expect(Self.judge(samples, .eda, rate: 1).flagged() >= 0.95)
    }

    /// The seconds in which acceleration changes from sample to sample by more than `limit` g, as a root mean square.
    static func seconds(of motion: [SIMD3<Float>], rate: Int, movingOver limit: Float) -> [Int] {
        (0..<motion.count / rate).filter { second in
            let squares = (max(1, second * rate)..<(second + 1) * rate).map { k in
                let change = motion[k] - motion[k - 1]
                return (change * change).sum()
            }
            return squares.reduce(0, +) > limit * limit * Float(squares.count)
        }
    }

    @Test func `clean signals are good`() {
        for rate in [1, 2, 4.0, 32, 100] {
            let windows = Self.judge(Self.conductance(1_200, rate: rate), .eda, rate: rate)
            #expect(windows.flagged() <= 0.05, "\(rate) Hz")
        }
        #expect(Self.judge(Self.temperature(1_200), .temperature, rate: 4).flagged() <= 0.01)
        #expect(Self.judge(Self.acceleration(1_200), rate: 32).flagged() <= 0.01)
    }

    @Test func `faults of skin conductance are called by their names`() {
        func spoilt(_ reason: QualityReason, _ spoil: (inout [Float], Range<Int>) -> Void) {
            var samples = Self.conductance(600)
            for first in stride(from: 200, to: 2_200, by: 400) { spoil(&samples, first..<first + 100) }
            // Windows that lie within a fault, and those that touch none.
            let windows = Self.judge(samples, .eda, rate: 4)
            let within = windows.filter { Int($0.onset * 4 - 200) % 400 <= 60 && $0.onset >= 50 && $0.onset < 500 }
            #expect(within.flagged([reason]) >= 0.95, "\(reason)")
            let outside = windows.filter {
                (Int($0.onset * 4) + 200) % 400 >= 110 && (Int($0.onset * 4) + 200) % 400 < 350
            }
            #expect(outside.flagged() <= 0.05, "\(reason) outside")
        }
        var random = RandomSource(seed: 9, "fault")
        spoilt(.lowConductance) { samples, range in for k in range { samples[k] = 0.01 * Float(random.uniform()) } }
        spoilt(.flat) { samples, range in for k in range { samples[k] = samples[range.lowerBound] } }
        spoilt(.saturated) { samples, range in for k in range { samples[k] += 80 } }
        spoilt(.noise) { samples, range in for k in range { samples[k] += 0.2 * Float(random.gaussian()) } }
        spoilt(.gap) { samples, range in for k in range { samples[k] = .nan } }
        spoilt(.implausibleChange) { samples, range in
            for k in range where k % 20 == 0 { samples[k] *= 0.3 }
        }
        spoilt(.motion) { samples, range in for k in range where k % 17 == 0 { samples[k] += 0.5 } }
    }

    @Test func `acceleration at the range's end is cut off, and without gravity out of range`() {
        let clean = Self.acceleration(300)
        let clipped = clean.map { value -> SIMD3<Float> in
            (value * 6).clamped(lowerBound: SIMD3(repeating: -2), upperBound: SIMD3(repeating: 2))
        }
        #expect(Self.judge(clipped, rate: 32).flagged([.saturated]) >= 0.95)
        #expect(Self.judge(clean.map { $0 * 0.1 }, rate: 32).flagged([.outOfRange]) >= 0.95)
    }

    @Test func `windows do not depend on the cut`() {
        var samples = Self.conductance(300)
        for k in 400..<500 { samples[k] = .nan }
        for k in 700..<800 { samples[k] = 2 }
        let runs = [
            (start: Self.start(3.3, rate: 4), samples: samples),
            (start: Self.start(320, rate: 4), samples: Array(samples.prefix(300))),
            (start: Self.start(398, rate: 4), samples: Array(samples.prefix(200))),
        ]
        for modality in BodySignalAssessor.Modality.allCases {
            let windows = assertChunkInvariant(BodySignalAssessor(modality), runs, cuts: 4)
            #expect(windows.contains { $0.coverage == 0 && $0.reasons == [.gap] })
            #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.onset < $1.onset || $0.coverage == 0 })
        }
        let acceleration = Self.acceleration(120)
        assertChunkInvariant(AccelerationAssessor(), [(Self.start(rate: 32), acceleration)], cuts: 4)
    }

    @Test func `a recording shorter than a window has one window`() {
        let windows = Self.judge(Array(Self.conductance(4).prefix(14)), .eda, rate: 4)
        #expect(windows.count == 1 && windows[0].duration == 3.5 && windows[0].coverage == 1)
        #expect(Self.judge([Float](), .eda, rate: 4).isEmpty)
    }

    @Test(
        .enabled(if: RealData.has("e4_stress_predict/S05.zip"), "no recordings"),
        arguments: ["S01", "S05.zip", "S06.zip", "S15.zip", "S28.zip", "S34.zip"])
    func `worn wristbands are mostly good`(name: String) throws {
        let recording = try Recording(reading: RecordingFile.open(RealData.url("e4_stress_predict/\(name)")))
        func share(_ windows: [QualityWindow]) -> Double { windows.flagged() }
        let eda = try #require(recording.streams(of: .eda).first?.segments.first)
        let warm = try #require(recording.streams(of: .temperature).first?.segments.first)
        let arm = try #require(recording.streams(of: .acceleration).first?.segments.first)
        let axes = (0..<3).map { arm.block.channel($0) }
        let motion = axes[0].indices.map { SIMD3(axes[0][$0], axes[1][$0], axes[2][$0]) }
        let judged = [
            ("eda", Self.judge(eda.block.channel(0), .eda, rate: 4)),
            ("temperature", Self.judge(warm.block.channel(0), .temperature, rate: 4)),
            ("acceleration", Self.judge(motion, rate: 32)),
        ]
        // What moves the wrist moves its electrodes: good skin conductance is that of a wrist at rest.
        let restless = Set(Self.seconds(of: motion, rate: 32, movingOver: 0.1).map { $0 + Int(arm.start.onset) })
        let still = judged[0].1.filter { window in
            restless.isDisjoint(with: Int(window.onset)..<Int(window.onset + window.duration))
        }
        #expect(still.count > 1_500)
        #expect(share(still) <= 0.05, "\(name) at rest")
        for (kind, windows) in judged {
            let counts = Dictionary(grouping: windows.flatMap(\.reasons), by: \.rawValue).mapValues(\.count)
            print("worn wristband", name, kind, windows.flagged(), counts)
            #expect(windows.flagged() < (kind == "eda" ? 0.12 : 0.05), "\(name) \(kind) \(counts)")
        }
    }
}
