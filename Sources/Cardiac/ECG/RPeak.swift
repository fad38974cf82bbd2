/// Finds the fiducial point of a QRS complex: the top of its largest deflection.
struct RPeak {
    /// Low-rate samples searched to each side, and averaged to each side for the baseline.
    private let search: Int
    private let baseline: Int
    /// Input samples averaged to each side, with triangular weights, before the top is read.
    private let smoothing: Int
    private let factor: Int

    init(_ frame: ECGFrame) {
        search = max(2, Int((frame.lowRate * 0.1).rounded()))
        baseline = Int((frame.lowRate * 0.15).rounded())
        smoothing = max(1, Int((frame.sampleRate * 0.008).rounded()))
        factor = frame.factor
    }

    /// Low-rate samples needed to each side of the wavelet's peak.
    var lowReach: Int { search + baseline + 1 }
    /// Input samples needed to each side.
    var inputReach: Int { (search + 3) * factor + smoothing + 1 }

    /// The place of the R peak in input samples of the run, between samples.
    func locate(
        around center: Int, low: UnsafePointer<Float>, input: UnsafePointer<Float>
    ) -> Double {
        let width = 2 * baseline + 1
        var sum: Float = 0
        let first = center - search
        for index in first - baseline...first + baseline { sum += low[index] - low[center] }
        var best: Float = -1
        var place = center
        var sign: Float = 1
        for index in first...center + search {
            let deflection = low[index] - low[center] - sum / Float(width)
            if abs(deflection) > best {
                best = abs(deflection)
                place = index
                sign = deflection < 0 ? -1 : 1
            }
            sum += low[index + baseline + 1] - low[index - baseline]
        }
        return refine(place * factor, sign, input)
    }

    /// Climbs to the top of the smoothed input near `start`.
    private func refine(_ start: Int, _ sign: Float, _ input: UnsafePointer<Float>) -> Double {
        let reference = input[start]
        func height(_ place: Int) -> Float {
            var sum: Float = 0
            for lag in -smoothing...smoothing {
                sum += Float(smoothing + 1 - abs(lag)) * (input[place + lag] - reference)
            }
            return sign * sum
        }
        let reach = factor + 1
        var place = start
        var top = height(start)
        for candidate in start - reach...start + reach {
            let value = height(candidate)
            if value > top {
                top = value
                place = candidate
            }
        }
        let before = height(place - 1)
        let after = height(place + 1)
        let curvature = before - 2 * top + after
        guard curvature < 0, top >= before, top >= after else { return Double(place) }
        return Double(place) + Double(0.5 * (before - after) / curvature)
    }
}
