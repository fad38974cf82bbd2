import Kernels

/// Detrended fluctuation analysis (Peng et al. 1995).
enum DetrendedFluctuation {
    /// The scaling exponent over all box sizes of a range: the slope of log F(n) over log n; nil where F is not
    /// positive, or where fewer than four boxes of the largest size fit.
    static func exponent(_ series: [Double], _ sizes: BeatRange) -> Double? {
        guard series.count >= 4 * sizes.greatest else { return nil }
        let centre = Statistics.mean(series)
        var profile: [Double] = []
        profile.reserveCapacity(series.count)
        var sum = 0.0
        for value in series {
            sum += value - centre
            profile.append(sum)
        }
        var places: [Double] = []
        var fluctuations: [Double] = []
        for size in sizes.least...sizes.greatest {
            let fluctuation = fluctuation(profile, size)
            guard fluctuation > 0 else { return nil }
            places.append(logarithm(Double(size)))
            fluctuations.append(logarithm(fluctuation))
        }
        return Statistics.linearFit(x: places, y: fluctuations).slope
    }

    /// F(n): the root mean square of the profile around its straight lines of least squares in boxes of `size` from the
    /// first value on.
    ///
    /// Four boxes go side by side. Sums are taken from each box's first value, so that little cancels.
    private static func fluctuation(_ profile: [Double], _ size: Int) -> Double {
        if size >= 16 { return fluctuationOfLargeBoxes(profile, size) }
        let boxes = profile.count / size
        let middle = Double(size - 1) / 2
        let spread = Double(size) * (Double(size) * Double(size) - 1) / 12
        var total = SIMD4<Double>.zero
        profile.withUnsafeBufferPointer { profile in
            var box = 0
            while box < boxes {
                let lanes = min(4, boxes - box)
                // Where fewer than four are left, the spare lanes repeat the last one and are struck out below.
                let starts =
                    SIMD4<Int>(0, min(1, lanes - 1), min(2, lanes - 1), min(3, lanes - 1)) &* size &+ box &* size
                let origin = SIMD4(profile[starts.x], profile[starts.y], profile[starts.z], profile[starts.w])
                var (sum, moment, squares) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
                var place = -middle
                for step in 0..<size {
                    let values =
                        SIMD4(
                            profile[starts.x &+ step], profile[starts.y &+ step], profile[starts.z &+ step],
                            profile[starts.w &+ step]) - origin
                    sum += values
                    moment += values * place
                    squares += values * values
                    place += 1
                }
                var residual = squares - sum * sum / Double(size) - moment * moment / spread
                for lane in lanes..<4 { residual[lane] = 0 }
                total += residual.replacing(with: 0, where: residual .< 0)
                box += 4
            }
        }
        return (total.sum() / Double(boxes * size)).squareRoot()
    }

    /// The same, four values of one box side by side.
    private static func fluctuationOfLargeBoxes(_ profile: [Double], _ size: Int) -> Double {
        let boxes = profile.count / size
        let middle = Double(size - 1) / 2
        let spread = Double(size) * (Double(size) * Double(size) - 1) / 12
        var total = 0.0
        profile.withUnsafeBufferPointer { profile in
            guard let base = profile.baseAddress else { return }
            for box in 0..<boxes {
                let start = base + box * size
                let origin = SIMD4(repeating: start[0])
                var (sums, moments, powers) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
                var places = SIMD4<Double>(0, 1, 2, 3) - middle
                var step = 0
                while step + 4 <= size {
                    let values = UnsafeRawPointer(start + step).loadUnaligned(as: SIMD4<Double>.self) - origin
                    sums += values
                    moments += values * places
                    powers += values * values
                    places += 4
                    step += 4
                }
                var (sum, moment, squares) = (sums.sum(), moments.sum(), powers.sum())
                while step < size {
                    let value = start[step] - start[0]
                    sum += value
                    moment += value * (Double(step) - middle)
                    squares += value * value
                    step += 1
                }
                total += max(0, squares - sum * sum / Double(size) - moment * moment / spread)
            }
        }
        return (total / Double(boxes * size)).squareRoot()
    }
}
