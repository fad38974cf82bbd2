import Kernels

/// Fits 1/f backgrounds and peaks to spectra on one grid of frequencies: a plan, made once.
///
/// The algorithm of specparam (Donoghue et al. 2020, Nature Neuroscience 23:1655, figure 1): a line in log-log fitted to
/// what lies below a first line; peaks guessed one after the other on the flattened spectrum; all of them fitted
/// together; a line fitted to the spectrum without them. Lines are least-squares solutions in closed form.
public struct AperiodicModel: Sendable {
    /// How it is fitted.
    public let parameters: AperiodicParameters
    /// The bins of the spectrum that are fitted.
    public let bins: Range<Int>
    private let frequencies: [Double]
    private let logFrequencies: [Double]
    private let resolution: Double

    /// The plan for densities at evenly spaced `frequencies`; nil where fewer than six of them lie in the range, or where
    /// they do not cover it.
    public init?(_ parameters: AperiodicParameters, frequencies: [Double]) {
        guard frequencies.count > 1, let last = frequencies.last else { return nil }
        resolution = frequencies[1] - frequencies[0]
        let slack = resolution * BandBins.slack
        let inside = frequencies.indices.filter {
            frequencies[$0] > 0 && frequencies[$0] >= parameters.range.lower - slack
                && frequencies[$0] <= parameters.range.upper + slack
        }
        guard inside.count >= 6, let first = inside.first, last >= parameters.range.upper - slack else { return nil }
        self.parameters = parameters
        bins = first..<first + inside.count
        self.frequencies = Array(frequencies[bins])
        logFrequencies = self.frequencies.map { logarithm10($0) }
    }

    /// The fit to a spectrum's `density`; nil where a density in the range is not above 0 and finite.
    /// - Precondition: as many densities as the plan's frequencies.
    public func fit(_ density: Span<Double>) -> AperiodicFit? {
        var logPower = [Double](repeating: 0, count: bins.count)
        for index in logPower.indices {
            let value = density[bins.lowerBound + index]
            guard value > 0, value.isFinite else { return nil }
            logPower[index] = logarithm10(value)
        }
        let rough = robustLine(logPower)
        let flat = logPower.indices.map { logPower[$0] - rough.value(logFrequencies[$0]) }
        let (gaussians, peakPart) = fittedPeaks(flat)
        let line = Self.line(logFrequencies, logPower.indices.map { logPower[$0] - peakPart[$0] })
        return result(logPower, line, peakPart, gaussians)
    }

    private func result(
        _ logPower: [Double], _ line: LogLine, _ peakPart: [Double], _ gaussians: [Gaussian]
    ) -> AperiodicFit {
        let model = peakPart.indices.map { peakPart[$0] + line.value(logFrequencies[$0]) }
        let error = Statistics.mean(model.indices.map { abs(model[$0] - logPower[$0]) })
        let peaks = gaussians.sorted { $0.centre < $1.centre }.map { gaussian in
            let nearest = Int(((gaussian.centre - frequencies[0]) / resolution).rounded())
            return PeriodicPeak(
                frequency: gaussian.centre, power: peakPart[min(max(0, nearest), peakPart.count - 1)],
                bandwidth: 2 * gaussian.width, height: gaussian.height)
        }
        return AperiodicFit(
            offset: line.offset, exponent: line.exponent, peaks: peaks, rSquared: Self.rSquared(model, logPower),
            error: error)
    }

    // MARK: The background

    private struct LogLine {
        var offset: Double
        var exponent: Double
        func value(_ logFrequency: Double) -> Double { offset - exponent * logFrequency }
    }

    private static func line(_ x: [Double], _ y: [Double]) -> LogLine {
        let fit = Statistics.linearFit(x: x, y: y)
        return LogLine(offset: fit.intercept, exponent: -fit.slope)
    }

    /// A line through the points that are not above a first line through all: those are free of peaks.
    private func robustLine(_ logPower: [Double]) -> LogLine {
        let first = Self.line(logFrequencies, logPower)
        let flat = logPower.indices.map { max(0, logPower[$0] - first.value(logFrequencies[$0])) }
        let limit = Statistics.quantile(flat, 0.000_25)
        let kept = flat.indices.filter { flat[$0] <= limit }
        guard kept.count > 1 else { return first }
        return Self.line(kept.map { logFrequencies[$0] }, kept.map { logPower[$0] })
    }

    private static func rSquared(_ a: [Double], _ b: [Double]) -> Double {
        let (meanA, meanB) = (Statistics.mean(a), Statistics.mean(b))
        let (da, db) = (a.map { $0 - meanA }, b.map { $0 - meanB })
        let (aa, bb) = (Statistics.sum(da.map { $0 * $0 }), Statistics.sum(db.map { $0 * $0 }))
        let ab = Statistics.sum(da.indices.map { da[$0] * db[$0] })
        return aa > 0 && bb > 0 ? ab * ab / (aa * bb) : .nan
    }

    // MARK: The peaks

    private func fittedPeaks(_ flat: [Double]) -> (gaussians: [Gaussian], sum: [Double]) {
        let guesses = withoutOverlap(guessedPeaks(flat).filter(isInside))
        guard !guesses.isEmpty else { return ([], Array(repeating: 0, count: flat.count)) }
        var fit = GaussianFit(
            frequencies: frequencies, values: flat,
            widths: parameters.peakWidths.lower / 2...parameters.peakWidths.upper / 2)
        return fit.fit(guesses)
    }

    private func guessedPeaks(_ flat: [Double]) -> [Gaussian] {
        var rest = flat
        var guesses: [Gaussian] = []
        while guesses.count < parameters.mostPeaks {
            guard let place = rest.indices.max(by: { rest[$0] < rest[$1] }) else { break }
            let height = rest[place]
            let spread = Statistics.standardDeviation(rest, ddof: 0)
            guard height > parameters.threshold * spread, height > parameters.leastHeight else { break }
            let width = guessedWidth(rest, place)
            guesses.append(Gaussian(centre: frequencies[place], height: height, width: width))
            takeOut(place, width, &rest)
        }
        return guesses
    }

    /// Takes a bell out that has its top at `place`, up to eight widths from there. From one bin to the next it falls by a
    /// ratio that itself falls by one factor.
    private func takeOut(_ place: Int, _ width: Double, _ rest: inout [Double]) {
        let step = resolution / width
        var (value, ratio) = (rest[place], exponential(-step * step / 2))
        let factor = ratio * ratio
        rest[place] = 0
        let reach = min(Int(min(8 / step, Double(rest.count))) + 1, max(place + 1, rest.count - place))
        for distance in 1..<reach {
            value *= ratio
            ratio *= factor
            if place >= distance { rest[place - distance] -= value }
            if place + distance < rest.count { rest[place + distance] -= value }
        }
    }

    /// From the nearer side's distance to half the height.
    private func guessedWidth(_ rest: [Double], _ place: Int) -> Double {
        let half = rest[place] / 2
        let left = stride(from: place - 1, to: 0, by: -1).first { rest[$0] <= half }.map { place - $0 }
        let right = (place + 1..<max(place + 1, rest.count)).first { rest[$0] <= half }.map { $0 - place }
        let (least, most) = (parameters.peakWidths.lower / 2, parameters.peakWidths.upper / 2)
        guard let side = [left, right].compactMap({ $0 }).min() else { return min(least + most, most) }
        let width = Double(2 * side) * resolution / 2.354_820_045_030_949_3
        // A guess too wide starts narrow, as in the original.
        return width < least || width > most ? least : width
    }

    private func isInside(_ peak: Gaussian) -> Bool {
        peak.centre - frequencies[0] > peak.width && frequencies[frequencies.count - 1] - peak.centre > peak.width
    }

    /// Of two neighbours that overlap the lower goes.
    private func withoutOverlap(_ guesses: [Gaussian]) -> [Gaussian] {
        let sorted = guesses.sorted { $0.centre < $1.centre }
        var isKept = [Bool](repeating: true, count: sorted.count)
        for index in sorted.indices.dropLast() {
            let (a, b) = (sorted[index], sorted[index + 1])
            if a.centre + 0.75 * a.width > b.centre - 0.75 * b.width {
                isKept[a.height <= b.height ? index : index + 1] = false
            }
        }
        return sorted.indices.filter { isKept[$0] }.map { sorted[$0] }
    }
}
