extension BiquadCascade {
    /// How far `zeroPhase` continues a signal beyond its ends, in samples (scipy's `sosfiltfilt`).
    public var zeroPhasePadding: Int {
        let firstOrder = min(sections.count { $0.b2 == 0 }, sections.count { $0.a2 == 0 })
        return 3 * (2 * sections.count + 1 - firstOrder)
    }

    /// The signal filtered forwards and backwards: no delay at any frequency, the gain squared.
    ///
    /// The ends are continued by a point reflection of `zeroPhasePadding` samples and the filter starts settled, as in
    /// `scipy.signal.sosfiltfilt`; a signal shorter than that is continued by as much as it has.
    public func zeroPhase(_ samples: [Double]) -> [Double] {
        guard samples.count > 1 else { return sections.isEmpty ? samples : zeroPhaseOfOne(samples) }
        let padding = min(zeroPhasePadding, samples.count - 1)
        var extended = Self.oddExtension(samples, by: padding)
        forwardsAndBackwards(&extended)
        return Array(extended[padding..<padding + samples.count])
    }

    /// As for doubles; the arithmetic between is `Double`.
    public func zeroPhase(_ samples: [Float]) -> [Float] {
        zeroPhase(samples.map(Double.init)).map(Float.init)
    }

    private func zeroPhaseOfOne(_ samples: [Double]) -> [Double] {
        samples.map { $0 * sections.reduce(1) { $0 * $1.gainAtZero * $1.gainAtZero } }
    }

    private func forwardsAndBackwards(_ values: inout [Double]) {
        var filter = BiquadFilter(self)
        for _ in 0..<2 {
            filter.settle(at: values[0])
            var span = values.mutableSpan
            filter.process(&span)
            values.reverse()
        }
    }

    /// 2·x₀ − x at the start, reversed, and so at the end.
    private static func oddExtension(_ x: [Double], by padding: Int) -> [Double] {
        let (first, last) = (x[0], x[x.count - 1])
        var extended: [Double] = []
        extended.reserveCapacity(x.count + 2 * padding)
        for index in stride(from: padding, to: 0, by: -1) { extended.append(2 * first - x[index]) }
        extended.append(contentsOf: x)
        for index in 0..<padding { extended.append(2 * last - x[x.count - 2 - index]) }
        return extended
    }
}
