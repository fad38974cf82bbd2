/// A bell over frequency.
struct Gaussian {
    var centre: Double
    var height: Double
    /// Its standard deviation.
    var width: Double
}

/// The sum of Gaussians closest to a curve within bounds: Levenberg-Marquardt (Moré 1978), damped by what a step gained of
/// what it promised (Nielsen 1999, IMM-REP-1999-05), where parameters at a bound that are pushed against it stay there.
struct GaussianFit {
    private let count: Int
    private let frequencies: [SIMD4<Double>]
    private let values: [SIMD4<Double>]
    /// Lanes of the last vector that are behind the end.
    private let isBehind: SIMDMask<SIMD4<Int64>>
    /// From one vector of frequencies to the next.
    private let spacing: Double
    private let range: ClosedRange<Double>
    private let widths: ClosedRange<Double>
    private var bells: [SIMD4<Double>] = []
    /// Where each bell is not 0.
    private var supports: [Range<Int>] = []
    private var residuals: [SIMD4<Double>]
    private static let mostSteps = 150

    init(frequencies: [Double], values: [Double], widths: ClosedRange<Double>) {
        self.widths = widths
        let last = frequencies[frequencies.count - 1]
        range = frequencies[0]...last
        let resolution = frequencies[1] - frequencies[0]
        count = frequencies.count
        let behind = (4 - count % 4) % 4
        let beyond = (0..<behind).map { last + Double($0 + 1) * resolution }
        self.frequencies = Self.quads(frequencies + beyond)
        self.values = Self.quads(values + Array(repeating: 0, count: behind))
        isBehind = SIMD4(0, 1, 2, 3) .>= SIMD4(repeating: 4 - Int64(behind))
        spacing = 4 * resolution
        residuals = self.values
    }

    private static func quads(_ values: [Double]) -> [SIMD4<Double>] {
        stride(from: 0, to: values.count, by: 4).map {
            SIMD4(values[$0], values[$0 + 1], values[$0 + 2], values[$0 + 3])
        }
    }

    /// The Gaussians and their sum at the frequencies. Centres may move by three guessed widths within the range, heights are
    /// not below 0, widths within theirs.
    mutating func fit(_ guesses: [Gaussian]) -> (gaussians: [Gaussian], sum: [Double]) {
        let (lower, upper) = bounds(guesses)
        var point = guesses.flatMap { [$0.centre, $0.height, $0.width] }
        for index in point.indices { point[index] = min(max(point[index], lower[index]), upper[index]) }
        bells = Array(repeating: .zero, count: guesses.count * frequencies.count)
        supports = Array(repeating: frequencies.indices, count: guesses.count)
        var system = LeastSquaresSystem(size: point.count, quads: frequencies.count)
        var cost = evaluate(point)
        linearise(point, &system)
        // Small first steps stay in the guesses' own valley.
        var (damping, growth, idle) = (1.0, 2.0, 0)
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
                let gain = cost - nextCost
                idle = gain < 1e-6 * cost ? idle + 1 : 0
                swap(&point, &next)
                cost = nextCost
                if idle == 2 { break }
                let kept = 2 * gain / system.expectedGain(damping: damping) - 1
                damping = max(1e-9, damping * max(1.0 / 3, 1 - kept * kept * kept))
                growth = 2
                linearise(point, &system)
            } else {
                damping *= growth
                growth *= 2
                if damping > 1e6 { break }
            }
        }
        _ = evaluate(point)
        let gaussians = stride(from: 0, to: point.count, by: 3).map {
            Gaussian(centre: point[$0], height: point[$0 + 1], width: point[$0 + 2])
        }
        let sums = residuals.indices.map { residuals[$0] + values[$0] }
        return (gaussians, (0..<count).map { sums[$0 / 4][$0 % 4] })
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
            var bell = Bell(at: (frequencies[supports[number].lowerBound] - centre) * scale, step: spacing * scale)
            for quad in supports[number] {
                let value = quad == quads - 1 ? bell.value.replacing(with: 0, where: isBehind) : bell.value
                bells[number * quads + quad] = value
                residuals[quad] += height * value
                bell.advance()
            }
        }
        var sum = SIMD4<Double>.zero
        for quad in 0..<quads { sum += residuals[quad] * residuals[quad] }
        return sum.sum()
    }

    /// The vectors of frequencies within eight widths of a centre; elsewhere a bell counts as 0.
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
