import Foundation

/// Fits a sine wave on a line to a window of filtered conductance, in which responses stand up as pulses, by robust
/// regression: iteratively reweighted with Tukey's biweight (Beaton & Tukey, Technometrics 16:147–185, 1974), whose limit
/// is closer above the wave than below, since responses only rise.
struct RippleFit: Sendable {
    private static let iterations = 5
    /// The minimum share of the variance that a wave explains after two iterations; less is no ripple after five.
    private static let promising = 0.2
    /// Limits of the biweight above and below the wave, in standard deviations of what lies below it.
    private static let (above, below) = (2.5, 4.0)

    private let sampleRate: Double
    private let frequencies: ClosedRange<Double>
    private let taper: [Double]
    private let taperSum: Double
    private var cosines: [Double]
    private var sines: [Double]
    private var weights: [Double]
    private var residuals: [Double]
    private var lower: [Double] = []

    /// A wave of these frequencies in windows that `taper` weighs.
    init(taper: [Double], frequencies: ClosedRange<Double>, sampleRate: Double) {
        (self.taper, self.frequencies, self.sampleRate) = (taper, frequencies, sampleRate)
        taperSum = taper.reduce(0, +)
        cosines = Array(repeating: 0, count: taper.count)
        (sines, weights, residuals) = (cosines, cosines, cosines)
    }

    /// The wave next to a frequency, in the unit of `values`.
    /// - Parameters:
    ///   - values: the window, less its level.
    ///   - limit: values above are pulses to begin with.
    mutating func wave(near frequency: Double, in values: [Double], limit: Double) -> Ripple {
        let count = values.count
        var frequency = frequency
        var terms = [0.0, 0, 0, 0, 0]
        for index in 0..<count { weights[index] = values[index] > limit ? 0 : taper[index] }
        for iteration in 0..<Self.iterations {
            rotate(frequency)
            solve(values, refines: iteration > 0, &terms)
            weigh(values, terms)
            if iteration == 1, ripple(values, terms, frequency).explained < Self.promising { break }
            guard iteration > 0, iteration < Self.iterations - 1 else { continue }
            let step = 0.25 * sampleRate / Double(count)
            let next = frequency + Swift.min(Swift.max(terms[4], -step), step)
            frequency = Swift.min(Swift.max(next, frequencies.lowerBound), frequencies.upperBound)
        }
        return ripple(values, terms, frequency)
    }

    /// Cosine and sine at every place, from the middle on, by rotation.
    private mutating func rotate(_ frequency: Double) {
        let count = cosines.count
        let step = 2 * Double.pi * frequency / sampleRate
        let (cosine, sine) = (cos(step), sin(step))
        let first = -step * Double(count - 1) / 2
        var (real, imaginary) = (cos(first), sin(first))
        for index in 0..<count {
            (cosines[index], sines[index]) = (real, imaginary)
            (real, imaginary) = (real * cosine - imaginary * sine, imaginary * cosine + real * sine)
        }
    }

    /// Place of a sample relative to the middle: −1 to 1 over the window.
    private func position(_ index: Int) -> Double {
        2 * Double(index) / Double(taper.count - 1) - 1
    }

    private func derivative(_ index: Int, _ terms: [Double]) -> Double {
        let time = (Double(index) - Double(taper.count - 1) / 2) / sampleRate
        return (terms[3] * cosines[index] - terms[2] * sines[index]) * 2 * Double.pi * time
    }

    /// Weighted least squares of level, slope, cosine, sine and, to refine it, the change of frequency.
    private func solve(_ values: [Double], refines: Bool, _ terms: inout [Double]) {
        let size = refines ? 5 : 4
        var (products, right) = (Normals(), SIMD8<Double>(repeating: 0))
        for index in values.indices where weights[index] > 0 {
            let weight = weights[index]
            var row = SIMD8<Double>(repeating: 0)
            (row[0], row[1], row[2], row[3]) = (1, position(index), cosines[index], sines[index])
            if refines { row[4] = derivative(index, terms) }
            let weighted = weight * row
            for place in 0..<size { products.rows[place] += row[place] * weighted }
            right += values[index] * weighted
        }
        let found = products.solution(of: right, size: size)
        for place in 0..<5 { terms[place] = place < size ? found[place] : 0 }
    }

    /// Sets the weights by how far values lie from the wave.
    private mutating func weigh(_ values: [Double], _ terms: [Double]) {
        lower.removeAll(keepingCapacity: true)
        for index in values.indices {
            var rest = values[index] - terms[0] - terms[1] * position(index)
            rest -= terms[2] * cosines[index] + terms[3] * sines[index]
            residuals[index] = rest
            if rest < 0 { lower.append(-rest) }
        }
        lower.sort()
        let deviation = Swift.max(1e-7, lower.isEmpty ? 0 : 1.4826 * lower[lower.count / 2])
        for index in values.indices {
            let rest = residuals[index]
            let share = rest / ((rest > 0 ? Self.above : Self.below) * deviation)
            let kept = 1 - share * share
            weights[index] = abs(share) < 1 ? taper[index] * kept * kept : 0
        }
    }

    private func ripple(_ values: [Double], _ terms: [Double], _ frequency: Double) -> Ripple {
        var (total, rest, kept) = (0.0, 0.0, 0.0)
        for index in values.indices where weights[index] > 0 {
            let above = values[index] - terms[0] - terms[1] * position(index)
            let left = above - terms[2] * cosines[index] - terms[3] * sines[index]
            total += weights[index] * above * above
            rest += weights[index] * left * left
            kept += weights[index]
        }
        return Ripple(
            frequency: frequency, cosine: terms[2], sine: terms[3], middle: 0,
            explained: total > 0 ? 1 - rest / total : 0, kept: kept / taperSum)
    }
}

/// The normal equations of up to five unknowns.
private struct Normals {
    var rows = Array(repeating: SIMD8<Double>(repeating: 0), count: 5)

    /// The solution by elimination of the symmetric, slightly regularized system.
    func solution(of right: SIMD8<Double>, size: Int) -> SIMD8<Double> {
        var (rows, right) = (rows, right)
        let trace = (0..<size).reduce(0.0) { $0 + rows[$1][$1] }
        for place in 0..<size { rows[place][place] += 1e-9 * trace + 1e-300 }
        for pivot in 0..<size {
            for below in pivot + 1..<Swift.max(pivot + 1, size) {
                let factor = rows[below][pivot] / rows[pivot][pivot]
                rows[below] -= factor * rows[pivot]
                right[below] -= factor * right[pivot]
            }
        }
        var found = SIMD8<Double>(repeating: 0)
        for place in (0..<size).reversed() {
            var rest = right[place]
            for later in place + 1..<Swift.max(place + 1, size) { rest -= rows[place][later] * found[later] }
            found[place] = rest / rows[place][place]
        }
        return found
    }
}
