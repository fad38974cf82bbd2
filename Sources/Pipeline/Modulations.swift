import Cardiac
import Signals

/// Heights of the QRS complexes of a lead, and the windows of respiration that they tell of.
struct QRSModulation {
    private var heights: BeatAmplitudeStage
    private var stage: ModulationRespirationStage
    private var measures: [BeatMeasure] = []

    init(sampleRate: Double, _ parameters: RespirationParameters) throws(InvalidParameter) {
        heights = BeatAmplitudeStage(sampleRate: sampleRate)
        stage = try ModulationRespirationStage(.ecgAmplitude, parameters: parameters)
    }

    mutating func expect(_ beats: [Beat]) { heights.expect(beats.span) }

    mutating func begin(_ segment: SegmentStart, into windows: inout [RespirationWindow]) {
        heights.begin(segment, into: &measures)
        passOn(into: &windows)
    }

    mutating func push(_ samples: Span<Float>, into windows: inout [RespirationWindow]) {
        heights.push(samples, into: &measures)
        passOn(into: &windows)
    }

    mutating func finish(into windows: inout [RespirationWindow]) {
        heights.finish(into: &measures)
        passOn(into: &windows)
        stage.finish(into: &windows)
    }

    private mutating func passOn(into windows: inout [RespirationWindow]) {
        let batch = measures
        measures.removeAll(keepingCapacity: true)
        stage.push(batch.span, into: &windows)
    }
}

/// Height, level and spacing of the pulses of a BVP, and the windows of respiration that they tell of.
struct PulseWaveModulation {
    private var modulation: PulseModulationStage
    private var stage: BVPRespirationStage
    private var measures: [PulseModulation] = []

    init(sampleRate: Double, _ parameters: RespirationParameters) throws(InvalidParameter) {
        modulation = PulseModulationStage(sampleRate: sampleRate)
        stage = try BVPRespirationStage(parameters)
    }

    mutating func expect(_ pulses: [Pulse]) { modulation.expect(pulses.span) }

    mutating func begin(_ segment: SegmentStart, into windows: inout [RespirationWindow]) {
        modulation.begin(segment, into: &measures)
        passOn(into: &windows)
    }

    mutating func push(_ samples: Span<Float>, into windows: inout [RespirationWindow]) {
        modulation.push(samples, into: &measures)
        passOn(into: &windows)
    }

    mutating func finish(into windows: inout [RespirationWindow]) {
        modulation.finish(into: &measures)
        passOn(into: &windows)
        stage.finish(into: &windows)
    }

    private mutating func passOn(into windows: inout [RespirationWindow]) {
        let batch = measures
        measures.removeAll(keepingCapacity: true)
        stage.push(batch.span, into: &windows)
    }
}
