import Kernels
public import Signals

/// The form of a simulated electroencephalogram.
public struct EEGParameters: Hashable, Codable, Sendable {
    /// The electrodes, each a channel. Blinks are large in those whose names begin with `AF` or `F`.
    public var labels = ["TP9", "AF7", "AF8", "TP10"]
    /// Samples per second.
    public var sampleRate: Double = 256
    /// Root mean square, in µV, of the 1/f background.
    public var background: Double = 8
    /// Share of the background's power that all electrodes have in common, 0…1: what one spot of the cortex sends
    /// reaches more than one of them.
    public var shared: Double = 0.5
    /// Frequency of the alpha rhythm in Hz.
    public var alphaFrequency: Double = 10
    /// Peak amplitude, in µV, of the alpha rhythm with eyes closed; a fifth of it with eyes open.
    public var alpha: Double = 20
    /// Blinks per minute while the eyes are open.
    public var blinksPerMinute: Double = 12
    /// Height of a blink in µV at a frontal electrode; a tenth of it elsewhere.
    public var blink: Double = 150
    /// Stretches with eyes closed, in seconds from the start, in order, not overlapping.
    public var eyesClosed: [Range<Seconds>] = []
    /// Stretches of sleep, in order, not overlapping; eyes are closed in them.
    public var sleep: [SleepStretch] = []

    /// Four electrodes of a headband at 256 Hz, eyes open.
    public init() {}

    /// Stretches in which nobody blinks.
    var closed: [Range<Seconds>] {
        sleep.isEmpty ? eyesClosed : (eyesClosed + sleep.map(\.range)).sorted { $0.lowerBound < $1.lowerBound }
    }
}

/// Draws a simulated EEG in successive blocks: 1/f noise, an alpha rhythm that is strong while the eyes are closed,
/// blinks, and sleep. Blinks and states are known.
public struct EEGSignal: Sendable {
    /// The form of the signal.
    public let parameters: EEGParameters
    private var noise: [NoiseSource]
    private var common: NoiseSource
    private var night: SleepRhythms?
    private var random: RandomSource
    private let phases: [Double]
    private var upcoming: Seconds
    private var drawn: [Bump] = []
    private var level = 0.0

    /// How much the participant's mind is loaded from now on, 0 at rest … 1: the alpha rhythm wanes to a fifth and a beta
    /// rhythm of 3 µV at 20 Hz waxes, within half a second.
    public var load = 0.0
    private static let beta = (frequency: 20.0, amplitude: 3.0)

    /// The EEG that belongs to `seed`.
    public init(_ parameters: EEGParameters, seed: UInt64) {
        self.parameters = parameters
        noise = parameters.labels.map {
            NoiseSource(.pink, sampleRate: parameters.sampleRate, seed: seed, label: "eeg \($0)")
        }
        common = NoiseSource(.pink, sampleRate: parameters.sampleRate, seed: seed, label: "eeg in common")
        if !parameters.sleep.isEmpty { night = SleepRhythms(parameters, seed: seed) }
        var phase = RandomSource(seed: seed, "alpha phase")
        phases = parameters.labels.map { _ in 0.1 * phase.uniform() }
        random = RandomSource(seed: seed, "blinks")
        upcoming = 0
        upcoming = Self.blink(after: 0, parameters, &random)
    }

    /// The moments of the blinks' peaks before `end`, in seconds from the start.
    public static func blinks(_ parameters: EEGParameters, seed: UInt64, until end: Seconds) -> [Seconds] {
        var random = RandomSource(seed: seed, "blinks")
        var blinks: [Seconds] = []
        var moment = blink(after: 0, parameters, &random)
        while moment < end {
            blinks.append(moment)
            moment = blink(after: moment, parameters, &random)
        }
        return blinks
    }

    /// The blink after `moment`: at least 0.6 s later, eyes open all the while.
    private static func blink(
        after moment: Seconds, _ parameters: EEGParameters, _ random: inout RandomSource
    ) -> Seconds {
        guard parameters.blinksPerMinute > 0 else { return .infinity }
        var next = moment + 0.6 + random.exponential(mean: Swift.max(0.1, 60 / parameters.blinksPerMinute - 0.6))
        for closed in parameters.closed where next > closed.lowerBound - 0.3 && next < closed.upperBound + 0.3 {
            next = closed.upperBound + 0.3 + random.uniform()
        }
        return next
    }

    /// The samples of `frames` in µV, an array per electrode; sample i is at i/`sampleRate` seconds. Each call must go
    /// on where the last one ended.
    public mutating func render(_ frames: Range<Int>) -> [[Double]] {
        let rate = parameters.sampleRate
        var channels = parameters.labels.map { _ in [Double](repeating: 0, count: frames.count) }
        while upcoming - 0.3 <= Double(frames.upperBound) / rate {
            drawn.append(Bump(peak: upcoming, rise: 0.12, fall: 0.2, amplitude: parameters.blink))
            upcoming = Self.blink(after: upcoming, parameters, &random)
        }
        drawn.removeAll { $0.end < Double(frames.lowerBound) / rate }
        let asleep = night?.render(frames)
        var background = [Double](repeating: 0, count: frames.count)
        let shared = Swift.min(Swift.max(parameters.shared, 0), 1)
        common.add(to: &background, scale: parameters.background * shared.squareRoot())
        let levels = frames.map { _ in
            level += (load - level) / (0.2 * rate)
            return level
        }
        for channel in channels.indices {
            noise[channel].add(to: &channels[channel], scale: parameters.background * (1 - shared).squareRoot())
            for index in channels[channel].indices { channels[channel][index] += background[index] }
            if let asleep {
                for index in channels[channel].indices {
                    let sample = channels[channel][index] * (1 - 0.93 * asleep.depth[index])
                    channels[channel][index] = sample + asleep.channels[channel][index]
                }
            }
            let isFrontal = parameters.labels[channel].hasPrefix("AF") || parameters.labels[channel].hasPrefix("F")
            for var blink in drawn {
                blink.amplitude *= isFrontal ? 1 : 0.1
                blink.add(to: &channels[channel], frames: frames, sampleRate: rate)
            }
            for frame in frames {
                let time = Double(frame) / rate
                let phase = parameters.alphaFrequency * time + phases[channel]
                let load = levels[frame - frames.lowerBound]
                channels[channel][frame - frames.lowerBound] +=
                    alpha(at: time) * (1 - 0.8 * load) * (1 - (asleep?.depth[frame - frames.lowerBound] ?? 0))
                    * Elementary.sine(turns: phase)
                    + Self.beta.amplitude * load * Elementary.sine(turns: Self.beta.frequency * time)
            }
        }
        return channels
    }

    /// Amplitude of the alpha rhythm: waxing and waning over 4 s, rising and falling within 0.5 s of a change of state.
    private func alpha(at time: Seconds) -> Double {
        var closed = 0.0
        for range in parameters.eyesClosed where time > range.lowerBound - 0.25 && time < range.upperBound + 0.25 {
            let inside = Swift.min(time - range.lowerBound, range.upperBound - time)
            closed = Swift.max(closed, Swift.min(1, inside * 2 + 0.5))
        }
        let spindle = 0.75 + 0.25 * Elementary.sine(turns: time / 4)
        return parameters.alpha * (0.2 + 0.8 * closed) * spindle
    }
}
