import Cardiac
import Signals

/// Tells the respiration rate of one source of heart beats, by every method that its kind allows and by these together.
struct RespirationWatch {
    private var qrs: MeasuredModulation<BeatAmplitudeStage, ModulationRespirationStage>?
    private var pulses: MeasuredModulation<PulseModulationStage, BVPRespirationStage>?
    private var sinusArrhythmia: RSARespirationStage?
    private let parameters: RespirationParameters
    /// Windows of sinus arrhythmia and of amplitude, of which neither is ahead of its partner for long.
    private var ofIntervals: [RespirationWindow] = []
    private var ofAmplitude: [RespirationWindow] = []
    private var isFirst = true
    private var outputs: [RespirationWindow] = []

    /// - Throws: the first parameter that has no meaning.
    init(_ source: CardiacSource, _ parameters: RespirationParameters) throws(InvalidParameter) {
        self.parameters = parameters
        switch source.kind {
        case .ecg:
            qrs = MeasuredModulation(
                BeatAmplitudeStage(sampleRate: source.sampleRate),
                try ModulationRespirationStage(.ecgAmplitude, parameters: parameters))
            sinusArrhythmia = try RSARespirationStage(parameters)
        case .bvp:
            pulses = MeasuredModulation(
                PulseModulationStage(sampleRate: source.sampleRate), try BVPRespirationStage(parameters))
        case .ibi: sinusArrhythmia = try RSARespirationStage(parameters)
        }
    }

    /// Beats, and in a BVP the pulses they stand for, that were found in the samples that are pushed next, or before.
    mutating func expect(_ beats: [Beat], _ found: [Pulse]) {
        qrs?.measuring.expect(beats.span)
        pulses?.measuring.expect(found.span)
    }

    /// A run begins; the beats of the one before have been told.
    mutating func begin(_ segment: SegmentStart) {
        qrs?.begin(segment, into: &ofAmplitude)
        pulses?.begin(segment, into: &outputs)
        pair()
    }

    /// The next samples of the run.
    mutating func push(_ samples: Span<Float>) {
        qrs?.push(samples, into: &ofAmplitude)
        pulses?.push(samples, into: &outputs)
        pair()
    }

    /// The next interval after correction.
    mutating func take(_ interval: NN) {
        sinusArrhythmia?.push(CollectionOfOne(interval).span, into: &ofIntervals)
        pair()
    }

    /// Nothing more comes.
    mutating func finish() {
        qrs?.finish(into: &ofAmplitude)
        pulses?.finish(into: &outputs)
        sinusArrhythmia?.finish(into: &ofIntervals)
        // Over a short recording the two have a window each, from the first to the last of what they measure.
        if isFirst, ofIntervals.count == 1, ofAmplitude.count == 1 { fuse() }
        pair()
        outputs += ofIntervals + ofAmplitude
        (ofIntervals, ofAmplitude, isFirst) = ([], [], true)
    }

    /// Hands over the windows that became known since the last time.
    mutating func hand(to windows: inout [RespirationWindow]) {
        windows += outputs
        outputs.removeAll(keepingCapacity: true)
    }

    /// Fuses the windows that both methods have; what one of them has alone, such as a gap that is one window, goes by
    /// itself.
    private mutating func pair() {
        guard qrs != nil else {
            outputs += ofIntervals
            ofIntervals.removeAll(keepingCapacity: true)
            return
        }
        while let interval = ofIntervals.first, let amplitude = ofAmplitude.first {
            if (interval.onset, interval.duration) == (amplitude.onset, amplitude.duration) {
                fuse()
            } else if (interval.onset, interval.duration) < (amplitude.onset, amplitude.duration) {
                outputs.append(ofIntervals.removeFirst())
            } else {
                outputs.append(ofAmplitude.removeFirst())
            }
        }
    }

    private mutating func fuse() {
        let estimates = [ofIntervals.removeFirst(), ofAmplitude.removeFirst()]
        outputs += estimates
        if let fused = RespirationFusion.fuse(estimates, parameters: parameters) { outputs.append(fused) }
        isFirst = false
    }
}
