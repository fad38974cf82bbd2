import Kernels
public import Signals

/// A stretch of one kind of sleep.
public struct SleepStretch: Hashable, Codable, Sendable {
    /// Kinds of sleep.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Slow waves of medium size, and spindles at 13 Hz.
        case light
        /// Large slow waves.
        case deep
        /// Small mixed waves, theta bursts, nothing fast.
        case rem
    }

    /// Its kind.
    public var kind: Kind
    /// Its extent in seconds from the start.
    public var range: Range<Seconds>

    /// Sleep of this kind.
    public init(_ kind: Kind, _ range: Range<Seconds>) {
        (self.kind, self.range) = (kind, range)
    }
}

/// What sleep puts into each electrode: a steep background (power falling with the second power of the frequency, and
/// with the fourth beyond 12 Hz, 5 Hz in deep sleep), partly common to all, with spindles in light sleep, an oscillation
/// at 0.8 Hz in deep sleep and theta bursts in REM sleep.
struct SleepRhythms: Sendable {
    private let parameters: EEGParameters
    private var own: [NoiseSource]
    private var common: NoiseSource
    private var smooth: [Double]
    private var depth = 0.0
    private var size = 0.0
    private var corner = 12.0

    init(_ parameters: EEGParameters, seed: UInt64) {
        self.parameters = parameters
        own = parameters.labels.map {
            NoiseSource(.brown, sampleRate: parameters.sampleRate, seed: seed, label: "sleep \($0)")
        }
        common = NoiseSource(.brown, sampleRate: parameters.sampleRate, seed: seed, label: "sleep in common")
        smooth = Array(repeating: 0, count: parameters.labels.count)
    }

    /// Root mean square of the background in µV; most of it is below 1 Hz.
    private static func size(_ kind: SleepStretch.Kind?) -> Double {
        switch kind {
        case nil: 0
        case .light: 55
        case .deep: 120
        case .rem: 32
        }
    }

    private func kind(at time: Seconds) -> SleepStretch.Kind? {
        parameters.sleep.first { $0.range.contains(time) }?.kind
    }

    /// The samples of `frames` for each electrode, and how much of the waking signal is gone, 0…1: states pass into one
    /// another within some seconds.
    mutating func render(_ frames: Range<Int>) -> (channels: [[Double]], depth: [Double]) {
        let rate = parameters.sampleRate
        let pace = 1 / (4 * rate)
        var shared = [Double](repeating: 0, count: frames.count)
        common.add(to: &shared, scale: 0.8)
        var (depths, sizes, paces, waves) = ([Double](), [Double](), [Double](), [Double]())
        for frame in frames {
            let time = Double(frame) / rate
            let kind = kind(at: time)
            depth += ((kind == nil ? 0 : 1) - depth) * pace
            size += (Self.size(kind) - size) * pace
            corner += ((kind == .deep ? 5 : 12) - corner) * pace
            depths.append(depth)
            sizes.append(size)
            paces.append(min(1, 2 * Double.pi * corner / rate))
            waves.append(wave(kind, at: time))
        }
        let channels = own.indices.map { channel in
            var noise = [Double](repeating: 0, count: frames.count)
            own[channel].add(to: &noise, scale: 0.6)
            return noise.indices.map { index in
                smooth[channel] += (sizes[index] * (noise[index] + shared[index]) - smooth[channel]) * paces[index]
                return smooth[channel] + waves[index]
            }
        }
        return (channels, depths)
    }

    /// Spindles of 20 µV that wax and wane every eight seconds; slow waves of 60 µV every twelve; theta of 12 µV every
    /// five.
    private func wave(_ kind: SleepStretch.Kind?, at time: Seconds) -> Double {
        func burst(every period: Double) -> Double {
            let rising = max(0, Elementary.sine(turns: time / period))
            return rising * rising * rising * rising
        }
        return switch kind {
        case .light: 20 * burst(every: 8) * Elementary.sine(turns: 13 * time)
        case .deep: 60 * (0.4 + 0.6 * burst(every: 12)) * Elementary.sine(turns: 0.8 * time)
        case .rem: 12 * burst(every: 5) * Elementary.sine(turns: 5.5 * time)
        default: 0
        }
    }
}
