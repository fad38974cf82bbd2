public import Signals

/// Reads the height of the QRS complex of given beats from the samples of an ECG lead.
///
/// The height is the largest sample less the smallest within 60 ms of the beat, both taken between samples;
/// polarity is free. Breathing turns the heart's axis and moves the electrodes away, and with them this height
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
        let reach = Self.reach + Double(Lanczos.reach) / samples.segment.sampleRate
        for index in beats.indices {
            let onset = beats[index].onset
            samples.ask(beats[index], from: onset - reach, to: onset + reach)
        }
    }

    /// A run begins; the beats told so far belong to the one before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [BeatMeasure]) {
        let run = samples.segment
        samples.begin(segment) { outputs.append(Self.measure($0, $1, $2, run)) }
    }

    /// The next samples; NaN stands for a missing one.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [BeatMeasure]) {
        let run = samples.segment
        samples.push(chunk) { outputs.append(Self.measure($0, $1, $2, run)) }
    }

    /// Answers for the beats that are left.
    public mutating func finish(into outputs: inout [BeatMeasure]) {
        let run = samples.segment
        samples.finish { outputs.append(Self.measure($0, $1, $2, run)) }
    }

    private static func measure(
        _ beat: Beat, _ samples: ArraySlice<Float>, _ start: Int, _ run: SegmentStart
    ) -> BeatMeasure {
        var measure = BeatMeasure(onset: beat.onset, value: .nan, followsBreak: beat.followsBreak)
        guard samples.count > 2, samples.allSatisfy({ abs($0) < 1e30 }) else { return measure }
        let place = (beat.onset - run.onset) * run.sampleRate - Double(start)
        let from = max(0, Int((place - reach * run.sampleRate).rounded(.up)))
        let to = min(samples.count - 1, Int((place + reach * run.sampleRate).rounded(.down)))
        guard from < to else { return measure }
        var (low, high) = (from, from)
        for index in from...to {
            if samples[index] < samples[low] { low = index }
            if samples[index] > samples[high] { high = index }
        }
        measure.value = Lanczos.extreme(samples, near: high, sign: 1) - Lanczos.extreme(samples, near: low, sign: -1)
        return measure
    }
}
