/// By which whole numbers a sample rate is multiplied and divided, without common factor.
public struct RateRatio: Sendable, Hashable {
    /// The multiplier.
    public let up: Int
    /// The divisor.
    public let down: Int

    /// The ratio `up` : `down`, reduced.
    /// - Precondition: both from 1 to 100 000.
    public init(up: Int, down: Int) {
        precondition((1...100_000).contains(up) && (1...100_000).contains(down), "a ratio of numbers in range")
        var (a, b) = (up, down)
        while b != 0 { (a, b) = (b, a % b) }
        self.up = up / a
        self.down = down / a
    }

    /// The simplest ratio that leads from one rate to another within `tolerance` (relative): the first convergent of the
    /// continued fraction near enough.
    /// - Returns: nil when a rate is not a positive number or no ratio with numbers up to `largest` is near enough.
    public init?(from rate: Double, to target: Double, tolerance: Double = 1e-9, largest: Int = 10_000) {
        let wanted = target / rate
        guard rate > 0, target > 0, wanted.isFinite, wanted > 0 else { return nil }
        var (rest, p, q) = (wanted, (1.0, 0.0), (0.0, 1.0))
        for _ in 0..<40 {
            let whole = rest.rounded(.down)
            p = (whole * p.0 + p.1, p.0)
            q = (whole * q.0 + q.1, q.0)
            guard max(p.0, q.0) <= Double(largest) else { return nil }
            if p.0 > 0, abs(p.0 / q.0 - wanted) <= tolerance * wanted {
                self.init(up: Int(p.0), down: Int(q.0))
                return
            }
            guard rest - whole > 0 else { return nil }
            rest = 1 / (rest - whole)
        }
        return nil
    }
}
