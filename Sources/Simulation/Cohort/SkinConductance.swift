import Kernels
public import Signals

/// A simulated skin conductance: a level, a slow drift and responses at random moments that are known.
public struct SkinConductance: Hashable, Codable, Sendable {
    /// Samples per second.
    public var sampleRate: Double = 4
    /// Mean level in µS.
    public var level: Double = 5
    /// Responses per minute.
    public var responsesPerMinute: Double = 3
    /// Mean amplitude of a response in µS; amplitudes are spread as in a log-normal law of 0.4.
    public var amplitude: Double = 0.4
    /// Size of the slow drift around the level in µS.
    public var drift: Double = 0.15
    /// Standard deviation of the sensor's noise in µS.
    public var noise: Double = 0.003

    /// Seconds by which a response rises and decays (Bateman function; Benedek & Kaernbach 2010, J Neurosci Methods
    /// 190:80).
    private static let (rise, decay) = (0.75, 2.0)

    /// A quiet wrist at 4 Hz.
    public init() {}

    /// The moments at which responses begin, at least 1 s apart, before `end`.
    public func onsets(seed: UInt64, until end: Seconds) -> [Seconds] {
        guard responsesPerMinute > 0 else { return [] }
        var random = RandomSource(seed: seed, "skin responses")
        var onsets: [Seconds] = []
        var moment = 0.0
        while true {
            moment += 1 + random.exponential(mean: Swift.max(0.1, 60 / responsesPerMinute - 1))
            guard moment < end else { return onsets }
            onsets.append(moment)
        }
    }

    /// The conductance in µS over `duration` seconds.
    public func samples(seed: UInt64, duration: Seconds) -> [Float] {
        var random = RandomSource(seed: seed, "skin level")
        let count = Int(duration * sampleRate)
        var values = [Double](repeating: level, count: count)
        var offset = 0.0
        for index in values.indices {
            // A walk that is drawn back to the level within about five minutes.
            offset += random.gaussian() * drift / (300 * sampleRate).squareRoot() * 2 - offset / (300 * sampleRate)
            values[index] += offset
        }
        let peak = Self.bateman(at: Self.peakTime)
        for onset in onsets(seed: seed, until: duration) {
            let height = amplitude * Elementary.exp(0.4 * random.gaussian() - 0.08)
            let first = Int((onset * sampleRate).rounded(.up))
            for index in first..<Swift.max(first, Swift.min(count, first + Int(25 * sampleRate))) {
                let time = Double(index) / sampleRate - onset
                values[index] += height * Self.bateman(at: time) / peak
            }
        }
        return values.map { Float($0 + noise * random.gaussian()) }
    }

    private static var peakTime: Double { decay * rise / (decay - rise) * Elementary.log(decay / rise) }

    private static func bateman(at time: Double) -> Double {
        Elementary.exp(-time / decay) - Elementary.exp(-time / rise)
    }
}
