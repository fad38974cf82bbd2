import Quality
import Signals
import Simulation
import Testing

/// Clean signals pass whatever the rhythm; faults are flagged by their reasons, where they are.
@Suite struct SimulatedFaultTests {
    static var rhythms: [HeartRhythmParameters] {
        var ectopic = HeartRhythmParameters()
        ectopic.ventricular.perHour = 400
        ectopic.supraventricular.perHour = 200
        var bigeminal = HeartRhythmParameters()
        bigeminal.episodes = [RhythmEpisode(onset: 0, duration: 600, kind: .bigeminy)]
        var fibrillating = HeartRhythmParameters()
        fibrillating.episodes = [RhythmEpisode(onset: 0, duration: 600, kind: .atrialFibrillation)]
        var slow = HeartRhythmParameters()
        slow.meanRate = 42
        var fast = HeartRhythmParameters()
        fast.meanRate = 160
        return [HeartRhythmParameters(), ectopic, bigeminal, fibrillating, slow, fast]
    }

    @Test(arguments: rhythms, SignalAssessor.Modality.allCases)
    func `clean signals pass, ectopy and fibrillation too`(
        rhythm: HeartRhythmParameters, modality: SignalAssessor.Modality
    ) {
        var parameters = SimulationParameters()
        parameters.rhythm = rhythm
        parameters.duration = 600
        parameters.ecgNoise = [NoiseLevel(.pink, snr: 24), NoiseLevel(.baselineWander, snr: 10)]
        parameters.bvpNoise = [NoiseLevel(.pink, snr: 24)]
        let windows = judge(parameters, modality)
        #expect(windows.count > 500)
        #expect(windows.flagged() <= 0.05)
    }

    /// 20 dB is what amplifiers leave where electrodes are good, 0 dB hum as large as the ECG, -14 dB five times that.
    @Test(arguments: [NoiseKind.mains50, .mains60], [(20.0, 0.0...0.05), (0, 0...0.1), (-14, 0.95...1)])
    func `hum that moves no beat is borne, more is named`(
        kind: NoiseKind, _ hum: (snr: Double, flagged: ClosedRange<Double>)
    ) {
        var parameters = SimulationParameters()
        parameters.duration = 300
        parameters.ecgNoise = [NoiseLevel(kind, snr: hum.snr), NoiseLevel(.pink, snr: 24)]
        let flagged = judge(parameters, .ecg).flagged([.mains])
        #expect(hum.flagged.contains(flagged), "\(flagged)")
    }

    @Test(arguments: [0.3, 1, -1])
    func `a pulse on a level that goes steadily one way is judged like one that stays`(pulsesPerSecond: Float) {
        var parameters = SimulationParameters()
        parameters.duration = 300
        parameters.bvpNoise = [NoiseLevel(.pink, snr: 24)]
        let recording = SimulatedSession(parameters).recording()
        guard let stream = recording.streams.first(where: { $0.header.kind == .bvp }) else {
            return #expect(Bool(false), "no pulse")
        }
        let rate = Float(stream.header.sampleRate)
        let pulse = stream.segments.flatMap { $0.block.channel(0) }
        let size = (pulse.max() ?? 1) - (pulse.min() ?? 0)
        let sloping = pulse.enumerated().map { $0.element + pulsesPerSecond * size * Float($0.offset) / rate }
        #expect(judge(sloping, .bvp, rate: Double(rate)).flagged() <= 0.02)
    }

    @Test(arguments: rhythms)
    func `a pulse that stands on its head is judged like one upright`(rhythm: HeartRhythmParameters) {
        var parameters = SimulationParameters()
        parameters.rhythm = rhythm
        parameters.duration = 300
        parameters.bvpNoise = [NoiseLevel(.pink, snr: 24)]
        parameters.faults = [Fault(.flat, stream: .bvp, onset: 150.3, duration: 20)]
        guard let stream = SimulatedSession(parameters).recording().streams.first(where: { $0.header.kind == .bvp })
        else { return #expect(Bool(false), "no pulse") }
        let flagged = [1, -1].map { (sign: Float) in
            let runs = stream.segments.map { ($0.start, $0.block.channel(0).map { sign * $0 }) }
            return judge(runs, .bvp, rate: stream.header.sampleRate).windows.flagged()
        }
        #expect(abs(flagged[1] - flagged[0]) <= 0.03)
    }

    static let reasons: [Fault.Kind: Set<QualityReason>] = [
        .gap: [.gap], .missing: [.gap], .flat: [.flat, .noBeats], .railed: [.flat, .saturated],
        .clipped: [.saturated, .lowTemplateCorrelation],
        .electrodePop: [.electrodePop, .motion, .lowTemplateCorrelation],
        .motion: [.motion, .baselineWander, .detectorsDisagree, .lowTemplateCorrelation, .noise, .electrodePop],
        .muscle: [.noise],
    ]

    /// Electrodes pop in ECG alone.
    static let cases = SignalAssessor.Modality.allCases.flatMap { modality in
        Fault.Kind.allCases.filter { modality == .ecg || $0 != .electrodePop }.map { ($0, modality) }
    }

    @Test(arguments: cases)
    func `faults are flagged with the right reason and nothing else is`(
        kind: Fault.Kind, modality: SignalAssessor.Modality
    ) {
        var parameters = SimulationParameters()
        parameters.duration = 900
        parameters.ecgNoise = [NoiseLevel(.pink, snr: 26)]
        parameters.bvpNoise = [NoiseLevel(.pink, snr: 26)]
        let faults = (0..<14).map { index in
            Fault(kind, stream: modality == .ecg ? .ecg : .bvp, onset: 40.3 + 60 * Double(index), duration: 8)
        }
        parameters.faults = faults
        let windows = judge(parameters, modality)
        func overlap(_ window: QualityWindow) -> Seconds {
            faults.map { min($0.onset + $0.duration, window.onset + window.duration) - max($0.onset, window.onset) }
                .max() ?? 0
        }
        // A pop is a moment; beats are seen again while it decays.
        let onsets = faults.map(\.onset)
        let bad = windows.filter { window in
            kind == .electrodePop
                ? onsets.contains { $0 > window.onset + 1 && $0 < window.onset + 8 } : overlap(window) >= 6
        }
        let good = windows.filter { overlap($0) <= 0 }
        #expect(bad.count > 50)
        #expect(bad.flagged(Self.reasons[kind] ?? []) >= 0.95, "\(kind) in \(modality)")
        #expect(good.flagged() <= 0.05, "\(kind) in \(modality)")
    }

    @Test(arguments: [(45.0, 360.0), (50, 250), (60, 500)])
    func `a cut-off ECG is flagged however slow the heart beats`(heartRate: Double, rate: Double) {
        var parameters = SimulationParameters()
        (parameters.duration, parameters.seed) = (600, 4)
        parameters.rhythm.meanRate = heartRate
        parameters.ecg?.sampleRate = rate
        parameters.ecgNoise = [NoiseLevel(.pink, snr: 26)]
        parameters.faults = (0..<9).map { Fault(.clipped, stream: .ecg, onset: 40.3 + 60 * Double($0), duration: 8) }
        let windows = judge(parameters, .ecg)
        func overlap(_ window: QualityWindow) -> Seconds {
            parameters.faults.map {
                min($0.onset + $0.duration, window.onset + window.duration) - max($0.onset, window.onset)
            }.max() ?? 0
        }
        #expect(windows.filter { overlap($0) >= 6 }.flagged([.saturated]) >= 0.95)
        #expect(windows.filter { overlap($0) <= 0 }.flagged() <= 0.05)
    }

    /// Without an accelerometer, arm swing looks like a pulse but for its size.
    @Test(arguments: [32.0, 64, 125], [62.0, 85])
    func `an arm that swings is no pulse`(rate: Double, heartRate: Double) {
        for seed in UInt64(1)...4 {
            var parameters = SimulationParameters()
            (parameters.ecg, parameters.duration, parameters.seed) = (nil, 900, seed)
            parameters.rhythm.meanRate = heartRate
            parameters.bvp?.sampleRate = rate
            parameters.bvpNoise = [NoiseLevel(.pink, snr: 26)]
            let onsets = (0..<14).map { 40.3 + 60 * Double($0) }
            parameters.faults = onsets.map { Fault(.motion, stream: .bvp, onset: $0, duration: 8) }
            let windows = judge(parameters, .bvp)
            func overlap(_ window: QualityWindow) -> Seconds {
                onsets.map { min($0 + 8, window.onset + window.duration) - max($0, window.onset) }.max() ?? 0
            }
            let flagged = windows.filter { overlap($0) >= 6 }.flagged(Self.reasons[.motion] ?? [])
            #expect(flagged >= 0.95, "\(flagged) with seed \(seed)")
            #expect(windows.filter { overlap($0) <= 0 }.flagged() <= 0.05)
        }
    }

    @Test func `a pulse that all but vanishes is called weak`() {
        var parameters = SimulationParameters()
        parameters.ecg = nil
        parameters.bvpNoise = [NoiseLevel(.pink, snr: 45)]
        let samples = SimulatedSession(parameters).recording().streams[0].segments[0].block.samples
        let weak = samples.enumerated().map { $0.offset < 150 * 64 ? $0.element : $0.element * 0.05 }
        let windows = judge(weak, .bvp, rate: 64)
        #expect(windows.filter { $0.onset < 135 }.flagged() <= 0.05)
        #expect(windows.filter { $0.onset >= 155 }.prefix(30).allSatisfy { $0.reasons.contains(.lowPerfusion) })
    }
}
