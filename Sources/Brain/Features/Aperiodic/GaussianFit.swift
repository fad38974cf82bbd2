/// A bell over frequency.
struct Gaussian {
    var centre: Double
    var height: Double
    /// Its standard deviation.
    var width: Double

    @inline(__always)
    func value(_ frequency: Double) -> Double {
        let z = (frequency - centre) / width
        return z * z < 64 ? height * exponential(-z * z / 2) : 0
    }
}

/// The sum of Gaussians closest to a curve within bounds: Levenberg-Marquardt (Moré 1978) where parameters at a bound
/// that are pushed against it stay there.
struct GaussianFit {
    private let frequencies: [SIMD4<Double>]
    private let values: [SIMD4<Double>]
    private let range: ClosedRange<Double>
    private let widths: ClosedRange<Double>
    private var bells: [SIMD4<Double>] = []
    /// Where each bell is not 0.
    private var supports: [Range<Int>] = []
    private var residuals: [SIMD4<Double>]
    private static let mostSteps = 150

    init(frequencies: [Double], values: [Double], widths: ClosedRange<Double>) {
        self.widths = widths
        range = frequencies[0]...frequencies[frequencies.count - 1]
        // Lanes behind the end are so far away that every bell is 0 there.
        self.frequencies = Self.quads(frequencies, padding: 1e9)
        self.values = Self.quads(values, padding: 0)
        residuals = self.values
    }

    private static func quads(_ values: [Double], padding: Double) -> [SIMD4<Double>] {
        stride(from: 0, to: values.count, by: 4).map { first in
            var quad = SIMD4(repeating: padding)
            for lane in 0..<min(4, values.count - first) { quad[lane] = values[first + lane] }
            return quad
        }
    }

    /// Centres may move by three guessed widths within the range, heights are not below 0, widths within theirs.
    mutating func fit(_ guesses: [Gaussian]) -> [Gaussian] {
        let (lower, upper) = bounds(guesses)
        var point = guesses.flatMap { [$0.centre, $0.height, $0.width] }
        for index in point.indices { point[index] = min(max(point[index], lower[index]), upper[index]) }
        bells = Array(repeating: .zero, count: guesses.count * frequencies.count)
        supports = Array(repeating: frequencies.indices, count: guesses.count)
        var system = LeastSquaresSystem(size: point.count, quads: frequencies.count)
        var cost = evaluate(point)
        linearise(point, &system)
        // Small first steps stay in the guesses' own valley.
        var (damping, idle) = (1.0, 0)
        var (next, free) = (point, [Bool](repeating: true, count: point.count))
        for _ in 0..<Self.mostSteps {
            for index in point.indices {
                let slope = system.gradient[index]
                free[index] =
                    !(point[index] <= lower[index] && slope > 0) && !(point[index] >= upper[index] && slope < 0)
            }
            guard system.solve(damping: damping, free: free) else {
                damping *= 10
                if damping > 1e12 { break }
                continue
            }
            for index in point.indices {
                next[index] = min(max(point[index] + system.step[index], lower[index]), upper[index])
            }
            let nextCost = evaluate(next)
            if nextCost < cost {
                // One small gain may be that of a step held back.
                idle = cost - nextCost < 1e-6 * cost ? idle + 1 : 0
                swap(&point, &next)
                cost = nextCost
                if idle == 2 { break }
                damping = max(1e-9, damping / 5)
                linearise(point, &system)
            } else {
                damping *= 4
                if damping > 1e6 { break }
            }
        }
        return stride(from: 0, to: point.count, by: 3).map {
            Gaussian(centre: point[$0], height: point[$0 + 1], width: point[$0 + 2])
        }
    }

    private func bounds(_ guesses: [Gaussian]) -> (lower: [Double], upper: [Double]) {
        let lower: [Double] = guesses.flatMap {
            [max(range.lowerBound, $0.centre - 3 * $0.width), 0.0, widths.lowerBound]
        }
        let upper: [Double] = guesses.flatMap {
            [min(range.upperBound, $0.centre + 3 * $0.width), Double.infinity, widths.upperBound]
        }
        return (lower, upper)
    }

    /// Bells and residuals at `point`; returns the sum of squared residuals.
    private mutating func evaluate(_ point: [Double]) -> Double {
        let quads = frequencies.count
        for quad in 0..<quads { residuals[quad] = -values[quad] }
        for number in 0..<point.count / 3 {
            let (centre, height, width) = (point[3 * number], point[3 * number + 1], point[3 * number + 2])
            let scale = 1 / width
            supports[number] = support(centre, width)
            for quad in supports[number] {
                let z = (frequencies[quad] - centre) * scale
                let bell = Bell.value(z * z)
                bells[number * quads + quad] = bell
                residuals[quad] += height * bell
            }
        }
        var sum = SIMD4<Double>.zero
        for quad in 0..<quads { sum += residuals[quad] * residuals[quad] }
        return sum.sum()
    }

    /// The vectors of frequencies within eight widths of a centre: `Bell` is 0 elsewhere.
    private func support(_ centre: Double, _ width: Double) -> Range<Int> {
        let (span, last) = (frequencies[0][1] - frequencies[0][0], frequencies.count)
        func place(_ frequency: Double) -> Int {
            let place = (frequency - frequencies[0][0]) / (4 * span)
            guard place.isFinite else { return 0 }
            return Int(min(max(place.rounded(.down), 0), Double(last - 1)))
        }
        return place(centre - 8 * width)..<place(centre + 8 * width) + 1
    }

    /// The normal equations at `point`, which was evaluated last.
    private func linearise(_ point: [Double], _ system: inout LeastSquaresSystem) {
        let quads = frequencies.count
        for number in 0..<point.count / 3 {
            let (centre, height, width) = (point[3 * number], point[3 * number + 1], point[3 * number + 2])
            let (scale, row) = (1 / width, 3 * number * quads)
            for quad in supports[number] {
                let bell = bells[number * quads + quad]
                let z = (frequencies[quad] - centre) * scale
                let slope = (height * scale) * (bell * z)
                system.derivatives[row + quad] = slope
                system.derivatives[row + quads + quad] = bell
                system.derivatives[row + 2 * quads + quad] = slope * z
            }
        }
        system.formNormalEquations(residuals, supports)
    }
}

/// The bell e^(−s/2) in four lanes.
enum Bell {
    /// From squared distances `s`, 0 from 64 on; within 1e-14 of its value.
    @inline(__always)
    static func value(_ s: SIMD4<Double>) -> SIMD4<Double> {
        let limited = s.replacing(with: 64, where: s .> 64)
        let x = limited * -0.5
        // Adding 1.5·2⁵² leaves the nearest whole number in the last bits (Cody & Waite 1980).
        let shifted = x * 1.442_695_040_888_963_4 + 6_755_399_441_055_744.0
        let whole = shifted - 6_755_399_441_055_744.0
        let r = (x - whole * 0.693_147_180_369_123_8) - whole * 1.908_214_929_270_587_7e-10
        let bits =
            unsafeBitCast(power(r), to: SIMD4<UInt64>.self) &+ (unsafeBitCast(shifted, to: SIMD4<UInt64>.self) &<< 52)
        return unsafeBitCast(bits, to: SIMD4<Double>.self).replacing(with: 0, where: s .>= 64)
    }

    /// e^r for |r| up to ln 2 / 2 by its series.
    @inline(__always)
    private static func power(_ r: SIMD4<Double>) -> SIMD4<Double> {
        var sum = SIMD4<Double>(repeating: 1.0 / 39_916_800)
        sum = sum * r + 1.0 / 3_628_800
        sum = sum * r + 1.0 / 362_880
        sum = sum * r + 1.0 / 40_320
        sum = sum * r + 1.0 / 5_040
        sum = sum * r + 1.0 / 720
        sum = sum * r + 1.0 / 120
        sum = sum * r + 1.0 / 24
        sum = sum * r + 1.0 / 6
        sum = sum * r + 0.5
        sum = sum * r + 1.0
        return sum * r + 1.0
    }
}
