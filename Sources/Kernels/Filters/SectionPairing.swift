/// Groups zeros and poles of a real filter into second-order sections.
enum SectionPairing {
    /// The cascade, every section with gain 1 at `reference` radians per sample, poles nearest to the unit circle last.
    static func cascade(zeros: [Complex], poles: [Complex], reference: Double) -> BiquadCascade {
        var zeroPairs = pairs(zeros, oppositeReals: true)
        var sections: [Biquad] = []
        // The sharpest poles choose their zeros first: near zeros keep the section's peak low.
        for pole in pairs(poles, oppositeReals: false).sorted(by: { $0.sharpness > $1.sharpness }) {
            let nearest = zeroPairs.indices.filter { zeroPairs[$0].isFirstOrder == pole.isFirstOrder }
                .min { zeroPairs[$0].distance(to: pole) < zeroPairs[$1].distance(to: pole) }
            let zero = nearest.map { zeroPairs.remove(at: $0) }
            let (b1, b2) = zero?.polynomial ?? (0, 0)
            let (a1, a2) = pole.polynomial
            let raw = Biquad(b0: 1, b1: b1, b2: b2, a1: a1, a2: a2)
            let gain = 1 / raw.response(angle: reference).magnitude
            sections.append(Biquad(b0: gain, b1: gain * b1, b2: gain * b2, a1: a1, a2: a2))
        }
        return BiquadCascade(sections.reversed())
    }

    /// Two roots that make a real polynomial, or one real root.
    private struct Pair {
        var first: Complex
        var second: Complex?

        var isFirstOrder: Bool { second == nil }

        /// 1 + p·z⁻¹ + q·z⁻².
        var polynomial: (Double, Double) {
            guard let second else { return (-first.real, 0) }
            return (-(first.real + second.real), (first * second).real)
        }

        /// Negative distance to the unit circle.
        var sharpness: Double {
            -Swift.min(abs(1 - first.magnitude), second.map { abs(1 - $0.magnitude) } ?? .infinity)
        }

        func distance(to other: Pair) -> Double { (first - other.first).magnitude }
    }

    /// Conjugates together; then the real ones in twos, a single one left over for an odd number.
    private static func pairs(_ roots: [Complex], oppositeReals: Bool) -> [Pair] {
        let isReal = { (root: Complex) in abs(root.imaginary) <= 1e-12 * max(1, root.magnitude) }
        var found = roots.filter { !isReal($0) && $0.imaginary > 0 }.map { Pair(first: $0, second: $0.conjugate) }
        var reals = roots.filter(isReal).map { Complex($0.real) }.sorted { $0.real < $1.real }
        while reals.count > 1 {
            let first = reals.removeFirst()
            // A zero at 0 Hz goes with one at half the sample rate; real poles go with their neighbours.
            let second = oppositeReals ? reals.removeLast() : reals.removeFirst()
            found.append(Pair(first: first, second: second))
        }
        return found + reals.map { Pair(first: $0, second: nil) }
    }
}
