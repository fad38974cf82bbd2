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
    private let frequencies: [Double]
    private let values: [Double]
    private let widths: ClosedRange<Double>
    private let quads: Int
    private static let mostSteps = 150

    init(frequencies: [Double], values: [Double], widths: ClosedRange<Double>) {
        (self.frequencies, self.values, self.widths) = (frequencies, values, widths)
        quads = (frequencies.count + 3) / 4
    }

    /// Centres may move by three guessed widths within the range, heights are not below 0, widths within theirs.
    func fit(_ guesses: [Gaussian]) -> [Gaussian] {
        let (lower, upper) = bounds(guesses)
        var point = guesses.flatMap { [$0.centre, $0.height, $0.width] }
        for index in point.indices { point[index] = min(max(point[index], lower[index]), upper[index]) }
        var system = LeastSquaresSystem(size: point.count, quads: quads)
        var cost = linearise(point, &system)
        // Small first steps stay in the guesses' own valley.
        var (damping, idle) = (1.0, 0)
        for _ in 0..<Self.mostSteps {
            let free = point.indices.map {
                !(point[$0] <= lower[$0] && system.gradient[$0] > 0)
                    && !(point[$0] >= upper[$0] && system.gradient[$0] < 0)
            }
            guard let step = system.step(damping: damping, free: free) else {
                damping *= 10
                if damping > 1e12 { break }
                continue
            }
            let next = point.indices.map { min(max(point[$0] + step[$0], lower[$0]), upper[$0]) }
            let nextCost = self.cost(next)
            if nextCost < cost {
                let gain = cost - nextCost
                point = next
                damping = max(1e-9, damping / 5)
                // One small gain may be that of a step held back.
                idle = gain < 1e-7 * cost ? idle + 1 : 0
                if idle == 3 { break }
                cost = linearise(point, &system)
            } else {
                damping *= 4
                if damping > 1e6 { break }
            }
        }
        return Self.gaussians(point)
    }

    private static func gaussians(_ point: [Double]) -> [Gaussian] {
        stride(from: 0, to: point.count, by: 3).map {
            Gaussian(centre: point[$0], height: point[$0 + 1], width: point[$0 + 2])
        }
    }

    private func bounds(_ guesses: [Gaussian]) -> (lower: [Double], upper: [Double]) {
        let (first, last) = (frequencies[0], frequencies[frequencies.count - 1])
        let lower: [Double] = guesses.flatMap { [max(first, $0.centre - 3 * $0.width), 0.0, widths.lowerBound] }
        let upper: [Double] = guesses.flatMap {
            [min(last, $0.centre + 3 * $0.width), Double.infinity, widths.upperBound]
        }
        return (lower, upper)
    }

    private func cost(_ point: [Double]) -> Double {
        let gaussians = Self.gaussians(point)
        var sum = 0.0
        for index in frequencies.indices {
            var rest = -values[index]
            for gaussian in gaussians { rest += gaussian.value(frequencies[index]) }
            sum += rest * rest
        }
        return sum
    }

    /// Residuals and derivatives at `point`; returns the sum of squared residuals.
    private func linearise(_ point: [Double], _ system: inout LeastSquaresSystem) -> Double {
        let gaussians = Self.gaussians(point)
        for index in frequencies.indices {
            let (quad, lane) = (index / 4, index % 4)
            var rest = -values[index]
            for (number, gaussian) in gaussians.enumerated() {
                let distance = (frequencies[index] - gaussian.centre) / gaussian.width
                let bell = distance * distance < 64 ? exponential(-distance * distance / 2) : 0
                let value = gaussian.height * bell
                rest += value
                let row = 3 * number * quads + quad
                system.derivatives[row][lane] = value * distance / gaussian.width
                system.derivatives[row + quads][lane] = bell
                system.derivatives[row + 2 * quads][lane] = value * distance * distance / gaussian.width
            }
            system.residuals[quad][lane] = rest
        }
        return system.formNormalEquations()
    }
}
