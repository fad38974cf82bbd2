public import Signals

/// Reads the height of the QRS complex of given beats from the samples of an ECG lead.
///
/// The height is the largest sample less the smallest within 60 ms of the beat, both taken between samples by a
/// parabola; polarity is free. Breathing turns the heart's axis and moves the electrodes away, and with them this height
/// (Moody et al. 1985, Comput Cardiol 12:113-116).
///
/// Say which beats there are (`expect`) before pushing the chunk that the detector found them with, and before `begin`
/// and `finish` when they came with those: a beat may be told up to 5 s of signal late, or early. Then what comes out
/// does not depend on the chunks.
public struct BeatAmplitudeStage: Stage {
    /// Half of the stretch that is read, in seconds.
    private static let reach: Seconds = 0.06
    private var samples: AwaitedSamples<Beat>

    /// A stage for an ECG of `sampleRate` Hz.
    public init(sampleRate: Double) {
        samples = AwaitedSamples(sampleRate: sampleRate)
    }

    /// 60 ms after the beat.
    public var lookAhead: Seconds { Self.reach }

    /// Tells of beats in order of time.
    public mutating func expect(_ beats: Span<Beat>) {
        for index in beats.indices {
            let onset = beats[index].onset
            samples.ask(beats[index], from: onset - Self.reach, to: onset + Self.reach)
        }
    }

    /// A run begins; the beats told so far belong to the one before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [BeatMeasure]) {
        samples.begin(segment) { beat, samples, _ in outputs.append(Self.measure(beat, samples)) }
    }

    /// The next samples; NaN stands for a missing one.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [BeatMeasure]) {
        samples.push(chunk) { beat, samples, _ in outputs.append(Self.measure(beat, samples)) }
    }

    /// Answers for the beats that are left.
    public mutating func finish(into outputs: inout [BeatMeasure]) {
        samples.finish { beat, samples, _ in outputs.append(Self.measure(beat, samples)) }
    }

    private static func measure(_ beat: Beat, _ samples: ArraySlice<Float>) -> BeatMeasure {
        var measure = BeatMeasure(onset: beat.onset, value: .nan, followsBreak: beat.followsBreak)
        guard samples.count > 2, samples.allSatisfy({ abs($0) < 1e30 }) else { return measure }
        var (low, high) = (samples.startIndex, samples.startIndex)
        for index in samples.indices {
            if samples[index] < samples[low] { low = index }
            if samples[index] > samples[high] { high = index }
        }
        measure.value = vertex(samples, at: high) - vertex(samples, at: low)
        return measure
    }
}
