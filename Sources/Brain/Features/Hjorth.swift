/// Hjorth's parameters of a signal. Hjorth 1970.
public struct Hjorth: Hashable, Sendable {
    /// The variance, in squared units.
    public var activity: Double
    /// The standard deviation of the slope over that of the signal, in 1/s; not a number for a signal without variance.
    public var mobility: Double
    /// The mobility of the slope over that of the signal, 1 for a pure sine.
    public var complexity: Double

    /// The parameters of `signal`; slopes are differences of successive samples times the sample rate.
    public init(_ signal: Span<Double>, sampleRate: Double) {
        var (values, slopes, bends) = (Moments(), Moments(), Moments())
        for index in signal.indices {
            values.add(signal[index])
            guard index > 0 else { continue }
            let slope = signal[index] - signal[index - 1]
            slopes.add(slope)
            guard index > 1 else { continue }
            bends.add(slope - (signal[index - 1] - signal[index - 2]))
        }
        activity = values.variance
        let perSample = (slopes.variance / values.variance).squareRoot()
        let ofSlope = (bends.variance / slopes.variance).squareRoot()
        mobility = values.variance > 0 ? perSample * sampleRate : .nan
        complexity = values.variance > 0 && slopes.variance > 0 ? ofSlope / perSample : .nan
    }

    /// Sums for a variance about zero-ish values: the signal comes with its mean taken out.
    private struct Moments {
        private var count = 0.0
        private var sum = 0.0
        private var squares = 0.0

        @inline(__always)
        mutating func add(_ value: Double) {
            count += 1
            sum += value
            squares += value * value
        }

        var variance: Double {
            guard count > 0 else { return .nan }
            return max(0, (squares - sum * sum / count) / count)
        }
    }
}
