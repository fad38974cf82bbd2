import Brain
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private let rate = 128.0

/// A chin's electromyogram: noise of this root mean square, in µV, second by second, with hum.
private func chin(_ sizes: [Double], hum: Double = 0, seed: UInt64) -> SampleBlock {
    var random = RandomSource(seed: seed, "chin")
    let samples = sizes.enumerated().flatMap { second, size in
        (0..<Int(rate)).map { frame in
            let time = Double(second) + Double(frame) / rate
            return Float(size * random.gaussian() + hum * Elementary.sine(turns: 50 * time))
        }
    }
    return SampleBlock(channelCount: 1, samples: samples)
}

@Test(
    "What a channel beside an EEG is for is read from its label",
    arguments: [
        ("EMG submental", .chin), ("Chin1-Chin2", .chin), ("CHIN EMG", .chin), ("EMG", .muscle), ("EMG1-EMG2", .muscle),
        ("EMG LAT", .limb), ("LEG/R", .limb), ("EMG tibialis", .limb), ("RAT 3 EEG", nil), ("EOG horizontal", .eye),
        ("HEOG", .eye),
        ("EOG L-M2", .eye), ("LOC-A2", .eye), ("ROC", .eye), ("ECG II", .heart), ("Fpz", nil), ("EEG C3-M2", nil),
        ("EEG Fpz-Cz", nil), ("TP9", nil), ("A1", nil), ("RAW_AF7", nil), ("E12", nil),
    ] as [(String, BodyElectrode?)])
func bodyElectrodesAreKnown(label: String, electrode: BodyElectrode?) {
    #expect(BodyElectrode(label: label) == electrode)
}

@Test(
    "E1 and E2 are eyes in a sleep laboratory, and electrodes of a net",
    arguments: [
        (["C3", "E1", "E2"], [nil, .eye, .eye]), (["C4-M1", "E1-M2", "E2-M2"], [nil, .eye, .eye]),
        (["E1", "E2", "Chin1"], [.eye, .eye, .chin]), (["E1", "E2", "E3"], [nil, nil, nil]),
        (["E1", "E2"], [nil, nil]),
        (["Cz", "E1", "E128"], [nil, nil, nil]),
    ] as [([String], [BodyElectrode?])])
func eyesAreKnownByTheirNeighbours(labels: [String], electrodes: [BodyElectrode?]) {
    #expect(BodyElectrode.all(of: labels, among: labels) == electrodes)
}

@Test("The tone is the power above 10 Hz without hum and twitches, and missing where the signal is")
func toneIsMeasured() {
    var sizes = Array(repeating: 2.0, count: 60) + Array(repeating: 20.0, count: 60)
    sizes[10] = 200
    let quiet = run(MuscleTones(sampleRate: rate), chin(sizes, seed: 1), sampleRate: rate)
    let humming = run(MuscleTones(sampleRate: rate), chin(sizes, hum: 30, seed: 1), sampleRate: rate)
    #expect(quiet.map(\.onset) == [0, 30, 60, 90])
    for (one, other) in zip(quiet, humming) {
        #expect(abs((one.level ?? 0) - (other.level ?? 9)) < 0.1)
    }
    let levels = quiet.compactMap(\.level)
    #expect(levels.count == 4)
    // A hundred times the power is two powers of ten.
    #expect(abs(levels[2] - levels[0] - 2) < 0.1)
    #expect(abs(levels[1] - levels[0]) < 0.1)
    var torn = chin(sizes, seed: 1)
    for frame in 3_840..<7_000 { torn.samples[frame] = .nan }
    #expect(run(MuscleTones(sampleRate: rate), torn, sampleRate: rate)[1].level == nil)
}

@Test("The tone does not depend on how the recording was cut")
func toneIsChunkInvariant() {
    let signal = chin((0..<200).map { 2 + Double($0 % 7) }, seed: 2)
    let all = Array(0..<signal.frameCount)
    let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: rate) }
    let tones = assertChunkInvariant(
        CutBlocks(inner: MuscleTones(sampleRate: rate), signal: signal),
        [(start(0.3), Array(all[..<12_000])), (start(130), Array(all[12_000...]))], cuts: 3, sampleBySample: false)
    #expect(tones.contains { $0.level != nil } && tones.contains { $0.level == nil })
}

@Test("Channels of the eyes and of muscles do not count as EEG")
func eyesAreNoEEG() {
    var random = RandomSource(seed: 3)
    let brain = (0..<120).map { _ in (0..<200).map { _ in Float(10 * random.gaussian()) } }
    func epochs(_ others: Int) -> [Epoch] {
        brain.enumerated().map { index, samples in
            let eyes = (0..<200).map { Float(80 * Elementary.sine(turns: Double($0) / 100)) + samples[$0] / 2 }
            return Epoch(
                onset: Double(index), duration: 2, sampleRate: 100,
                samples: samples + (0..<others).flatMap { _ in eyes },
                channels: Array(repeating: Epoch.ChannelState(coverage: 1, reasons: []), count: 1 + others))
        }
    }
    func measures(_ stage: SleepMeasures, _ epochs: [Epoch]) -> [SleepMeasure] {
        var stage = stage
        return stage.run(epochs, from: SegmentStart(onset: 0, sample: 0, sampleRate: 100))
    }
    let alone = measures(SleepMeasures(channels: 1), epochs(0))
    #expect(alone == measures(SleepMeasures(labels: ["Fpz"]), epochs(0)))
    #expect(alone == measures(SleepMeasures(labels: ["Fpz", "EOG left", "Chin"]), epochs(2)))
    #expect(alone != measures(SleepMeasures(channels: 3), epochs(2)))
    #expect(measures(SleepMeasures(labels: ["EOG"]), epochs(0)).allSatisfy { $0.reason == .badSignal })
}

/// Measures as a night gives them: wake, light and deep sleep, and REM sleep that the EEG leaves at `rem`.
private func night(rem: Double) -> (measures: [SleepMeasure], kinds: [SleepStretch.Kind?]) {
    var random = RandomSource(seed: 4)
    let kinds: [(SleepStretch.Kind?, Int)] = [
        (nil, 60), (.light, 60), (.deep, 80), (.rem, 50), (.light, 60), (.rem, 60), (nil, 20), (.light, 60), (nil, 40),
    ]
    let list = kinds.flatMap { Array(repeating: $0.0, count: $0.1) }
    let measures = list.enumerated().map { index, kind in
        let ratio: Double =
            switch kind {
            case nil: -0.3
            case .light: -1.8
            case .deep: -2.6
            case .rem: rem
            }
        return SleepMeasure(
            onset: Double(index) * 30, fastToSlow: ratio + 0.1 * random.gaussian(),
            slope: -2 + (kind == nil ? 0 : -0.4) + 0.1 * random.gaussian())
    }
    return (measures, list)
}

private func tones(_ kinds: [SleepStretch.Kind?], scale: Double = 1) -> [MuscleTone] {
    var random = RandomSource(seed: 5)
    return kinds.enumerated().map { index, kind in
        let level: Double =
            switch kind {
            case nil: 2.2
            case .light: 1.2
            case .deep: 1.1
            case .rem: 0.3
            }
        return MuscleTone(onset: Double(index) * 30, level: scale * level + 0.1 * random.gaussian())
    }
}

@Test("REM sleep that the EEG leaves near wake is told by the chin's tone", arguments: [-1.0, -0.8, -0.6])
func toneTellsREMSleep(rem: Double) {
    let (measures, kinds) = night(rem: rem)
    func right(_ epochs: [SleepEpoch], _ isMeant: (SleepStretch.Kind?) -> Bool) -> Double {
        let meant = zip(epochs, kinds).filter { isMeant($0.1) }
        return Double(meant.count { ($0.0.asleep == 1) == ($0.1 != nil) }) / Double(meant.count)
    }
    let (without, with) = (EEGSleep.epochs(measures), EEGSleep.epochs(measures, tones: tones(kinds)))
    #expect(right(with) { $0 == .rem } >= 0.95, "without: \(right(without) { $0 == .rem })")
    #expect(right(with) { _ in true } >= right(without) { _ in true })
    #expect(right(with) { $0 == nil } >= 0.95)
}

@Test("A chin that tells nothing changes nothing")
func toneWithoutContrastIsNotHeard() {
    let (measures, kinds) = night(rem: -0.8)
    let without = EEGSleep.epochs(measures)
    #expect(EEGSleep.epochs(measures, tones: tones(kinds, scale: 0.1)) == without)
    #expect(
        EEGSleep.epochs(measures, tones: kinds.indices.map { MuscleTone(onset: Double($0) * 30, level: nil) })
            == without)
    // Tones cannot make sleep where the EEG holds none that is certain.
    let wake = (0..<200).map { SleepMeasure(onset: Double($0) * 30, fastToSlow: -0.3, slope: -2) }
    #expect(!EEGSleep.epochs(wake, tones: tones(kinds)).contains { $0.asleep == 1 })
}
