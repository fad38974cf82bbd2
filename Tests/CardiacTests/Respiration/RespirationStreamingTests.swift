import Cardiac
import Signals
import Simulation
import TestSupport
import Testing

@Suite struct RespirationStreamingTests {
    @Test func `windows of beats do not depend on how the beats come`() throws {
        var second = RespirationSamples.measures(breaths: 20, noise: 1, from: 150, for: 130)
        second[20].value = .nan
        let segments = [
            (RespirationSamples.start(1), RespirationSamples.measures(breaths: 12, noise: 0.5, for: 100)),
            (RespirationSamples.start(1, onset: 150), second), (RespirationSamples.start(1, onset: 290), []),
            (RespirationSamples.start(1, onset: 300), [BeatMeasure(onset: 301, value: 1)]),
        ]
        let stage = try ModulationRespirationStage(.ecgAmplitude)
        let windows = assertChunkInvariant(stage, segments)
        #expect(windows.count == 25 && windows.contains { $0.rate != nil } && windows.contains { $0.rate == nil })
        let rsa = try RSARespirationStage()
        let intervals = segments.map { segment in
            (
                segment.0,
                segment.1.map { NN(onset: $0.onset, duration: 0.08 * $0.value, isContiguous: !$0.followsBreak) }
            )
        }
        #expect(assertChunkInvariant(rsa, intervals).count == 25)
        let bvp = try BVPRespirationStage()
        let pulses = segments.map { segment in
            (
                segment.0,
                segment.1.map {
                    PulseModulation(
                        onset: $0.onset, amplitude: $0.value, baseline: -$0.value, interval: 0.8,
                        followsBreak: $0.followsBreak)
                }
            )
        }
        #expect(assertChunkInvariant(bvp, pulses, identical: ==).count == 100)
    }

    @Test(arguments: [117.3, 250])
    func `heights of QRS complexes do not depend on how the samples come`(rate: Double) {
        var parameters = SimulationParameters()
        parameters.duration = 40
        parameters.ecg?.sampleRate = rate
        parameters.ecgNoise = [NoiseLevel(.muscle, snr: 12)]
        var samples = SimulatedSession(parameters).recording().streams[0].segments[0].block.channel(0)
        for index in 3_000..<3_100 { samples[index] = .nan }
        let measures = assertChunkInvariant(
            ECGAmplitudes(sampleRate: rate),
            [
                (RespirationSamples.start(rate), samples), (RespirationSamples.start(rate, onset: 50), [1, .nan]),
                (RespirationSamples.start(rate, onset: 60), Array(samples.prefix(2_000))),
            ], cuts: 4, identical: same)
        #expect(measures.count > 40)
        #expect(measures.count { $0.value.isNaN } < 4)
    }

    @Test(arguments: [31.25, 64])
    func `modulations of pulses do not depend on how the samples come`(rate: Double) {
        var parameters = SimulationParameters()
        parameters.duration = 60
        parameters.bvp?.sampleRate = rate
        var samples = SimulatedSession(parameters).recording().streams[1].segments[0].block.channel(0)
        for index in 500..<600 { samples[index] = .nan }
        let modulations = assertChunkInvariant(
            PulseModulations(sampleRate: rate),
            [
                (RespirationSamples.start(rate), samples), (RespirationSamples.start(rate, onset: 70), []),
                (RespirationSamples.start(rate, onset: 80), Array(samples.prefix(400))),
            ], cuts: 4
        ) { "\($0)" == "\($1)" }
        #expect(modulations.count > 50)
        #expect(modulations.count { !$0.amplitude.isNaN } > 50)
    }

    @Test(arguments: [7.3, 25, 64])
    func `breaths and their windows do not depend on how the samples come`(rate: Double) throws {
        let onsets = RespirationSamples.onsets(breaths: 14, for: 150)
        let samples = RespirationSamples.belt(onsets: onsets, rate: rate, duration: 150, noise: 0.3, drift: 1)
        var broken = samples
        for index in Int(60 * rate)..<Int(63 * rate) { broken[index] = .nan }
        let segments = [
            (RespirationSamples.start(rate), samples), (RespirationSamples.start(rate, onset: 170), [1, 2, .nan]),
            (RespirationSamples.start(rate, onset: 180), broken), (RespirationSamples.start(rate, onset: 400), []),
            (RespirationSamples.start(rate, onset: 500), samples),
        ]
        let breaths = assertChunkInvariant(BreathDetector(sampleRate: rate), segments, cuts: 4)
        #expect(breaths.count > 80)
        #expect(zip(breaths, breaths.dropFirst()).allSatisfy { $0.peak < $1.onset })
        let stage = try BeltRespirationStage(sampleRate: rate)
        let windows = assertChunkInvariant(stage, segments, cuts: 4)
        #expect(windows.map(\.onset) == (0...59).prefix(windows.count).map { Double($0) * 10 })
        #expect(windows.count == 60 || windows.count == 59)
        #expect(windows.contains { $0.coverage == 0 } && windows.contains { $0.coverage == 1 })
    }

    private func same(_ left: BeatMeasure, _ right: BeatMeasure) -> Bool {
        left.onset == right.onset && left.followsBreak == right.followsBreak
            && left.value.bitPattern == right.value.bitPattern
    }
}
