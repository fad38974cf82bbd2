import Signals

/// Takes out of the pulse wave what follows the acceleration.
///
/// The slope of the wave is regressed on the slopes of the acceleration along three axes at two moments around it,
/// which together stand for any gain and phase near one frequency, with the last seconds weighted exponentially; what
/// the regression explains beyond chance is subtracted. A ridge at the accelerometer's own noise leaves a wave at rest
/// as it is. Recursive least squares with the acceleration as reference: Widrow et al. 1975, Proc IEEE 63:1692; for
/// pulse waves: Kim & Yoo 2006, IEEE Trans Biomed Eng 53:566.
struct MotionCancellation {
    private static let size = 6
    /// Seconds before and after.
    private static let lag: Seconds = 0.08
    /// Weight that a bin of 0.5 s keeps when the next comes: a memory of 6 s.
    private static let memory = 0.92
    /// Slope of the acceleration, in g/s, under which nothing is known to have moved.
    private static let floor = 0.15
    /// Share of the wave that as many regressors explain by chance in as long a memory.
    private static let chance = 0.08

    private var gram = [Double](repeating: 0, count: size * size)
    private var cross = [Double](repeating: 0, count: size)
    private var factor = [Double](repeating: 0, count: size * size)
    private var weights = [Double](repeating: 0, count: size)
    private var regressors: [Float] = []
    private var power = 0.0
    private var weight = 0.0
    /// Share of the wave that the motion explains, 0…1.
    private(set) var explained: Float = 0

    /// Forgets the run so far.
    mutating func reset() {
        for k in gram.indices { gram[k] = 0 }
        for k in cross.indices { cross[k] = 0 }
        (power, weight, explained) = (0, 0, 0)
    }

    /// Cleans the working samples from `first` on, the first of them at `onset` and the next `spacing` seconds later.
    mutating func clean(
        _ wave: inout PulseWave, from first: Int, count: Int, onset: Seconds, spacing: Seconds,
        by trace: inout MotionTrace
    ) {
        learn(wave, from: first, count: count, onset: onset, spacing: spacing, trace: &trace)
        let motion = (0..<3).reduce(0) { $0 + gram[$1 * (Self.size + 1)] } / max(weight, 1)
        explained = 0
        guard power > 0, motion > 0.01 * Self.floor * Self.floor, solve() else { return }
        let share = explainedShare()
        let kept = (share - Self.chance) / (1 - Self.chance)
        guard kept > 0 else { return }
        explained = Float(min(1, kept))
        let gain = Float(kept / share)
        for k in 0..<count {
            var estimate: Float = 0
            for j in 0..<Self.size { estimate += Float(weights[j]) * regressors[k * Self.size + j] }
            wave.subtract(gain * estimate, at: first + k)
        }
    }

    private mutating func learn(
        _ wave: PulseWave, from first: Int, count: Int, onset: Seconds, spacing: Seconds, trace: inout MotionTrace
    ) {
        for k in gram.indices { gram[k] *= Self.memory }
        for k in cross.indices { cross[k] *= Self.memory }
        power = power * Self.memory
        weight = weight * Self.memory + Double(count)
        regressors.removeAll(keepingCapacity: true)
        for k in 0..<count {
            let time = onset + Double(k) * spacing
            let (before, after) = (trace.slope(at: time - Self.lag), trace.slope(at: time + Self.lag))
            let start = regressors.count
            for axis in 0..<3 { regressors.append(before[axis]) }
            for axis in 0..<3 { regressors.append(after[axis]) }
            let slope = Double(wave.band(first + k))
            power += slope * slope
            for i in 0..<Self.size {
                let value = Double(regressors[start + i])
                cross[i] += value * slope
                for j in 0...i { gram[i * Self.size + j] += value * Double(regressors[start + j]) }
            }
        }
    }

    /// Solves the normal equations by Cholesky's factorisation; says whether it could.
    private mutating func solve() -> Bool {
        let (size, ridge) = (Self.size, weight * Self.floor * Self.floor)
        for i in 0..<size {
            for j in 0...i {
                var sum = gram[i * size + j] + (i == j ? ridge : 0)
                for k in 0..<j { sum -= factor[i * size + k] * factor[j * size + k] }
                guard i != j || sum > 0 else { return false }
                factor[i * size + j] = i == j ? sum.squareRoot() : sum / factor[j * size + j]
            }
        }
        for i in 0..<size {
            var sum = cross[i]
            for k in 0..<i { sum -= factor[i * size + k] * weights[k] }
            weights[i] = sum / factor[i * size + i]
        }
        for i in stride(from: size - 1, through: 0, by: -1) {
            var sum = weights[i]
            for k in i + 1..<max(i + 1, size) { sum -= factor[k * size + i] * weights[k] }
            weights[i] = sum / factor[i * size + i]
        }
        return weights.allSatisfy(\.isFinite)
    }

    private func explainedShare() -> Double {
        var left = power
        for i in 0..<Self.size {
            left -= 2 * weights[i] * cross[i]
            for j in 0..<Self.size { left += weights[i] * weights[j] * gram[max(i, j) * Self.size + min(i, j)] }
        }
        return max(0, min(1, 1 - left / power))
    }
}
