import Cardiac
import Quality
import Signals
import Simulation

/// The windows of one run of samples, with the beats of the suite's own detector.
func judge(
    _ samples: [Float], _ modality: SignalAssessor.Modality, rate: Double, onset: Seconds = 0,
    parameters: QualityParameters = QualityParameters()
) -> [QualityWindow] {
    let start = SegmentStart(onset: onset, sample: 0, sampleRate: rate)
    return judge([(start, samples)], modality, rate: rate, parameters: parameters).windows
}

/// The windows and beats of several runs.
func judge(
    _ runs: [(start: SegmentStart, samples: [Float])], _ modality: SignalAssessor.Modality, rate: Double,
    parameters: QualityParameters = QualityParameters()
) -> (windows: [QualityWindow], beats: [Beat]) {
    func run<D: BeatDetector>(_ detector: D) -> ([QualityWindow], [Beat]) {
        var stage = AssessedBeats(detector, modality, sampleRate: rate, parameters: parameters)
        var beats: [Beat] = []
        var windows: [QualityWindow] = []
        for (start, samples) in runs {
            stage.begin(start, beats: &beats, windows: &windows)
            stage.push(samples.span, beats: &beats, windows: &windows)
        }
        stage.finish(beats: &beats, windows: &windows)
        return (windows, beats)
    }
    return modality == .ecg ? run(ECGBeatDetector(sampleRate: rate)) : run(BVPBeatDetector(sampleRate: rate))
}

/// The windows of one stream of a simulated recording.
func judge(_ parameters: SimulationParameters, _ modality: SignalAssessor.Modality) -> [QualityWindow] {
    let recording = SimulatedSession(parameters).recording()
    guard let stream = recording.streams.first(where: { $0.header.kind.rawValue == modality.rawValue }) else {
        return []
    }
    let runs = stream.segments.map { (start: $0.start, samples: $0.block.channel(0)) }
    return judge(runs, modality, rate: stream.header.sampleRate).windows
}

extension [QualityWindow] {
    /// Share of the windows that may not be used, and that give one of these reasons.
    func flagged(_ reasons: Set<QualityReason> = Set(QualityReason.allCases)) -> Double {
        guard !isEmpty else { return 0 }
        return Double(count { !$0.isGood && !reasons.isDisjoint(with: $0.reasons) }) / Double(count)
    }
}
