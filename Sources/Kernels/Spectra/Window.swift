import Foundation

/// A taper.
public enum Window: Sendable, Hashable {
    /// All ones.
    case rectangular
    /// A raised cosine that reaches zero (von Hann).
    case hann
    /// A raised cosine on a pedestal, 0.54 − 0.46·cos.
    case hamming
    /// Three-term cosine, 0.42 − 0.5·cos + 0.08·cos².
    case blackman
    /// Kaiser's, I₀(β·√(1 − x²)) / I₀(β), x from −1 to 1.
    case kaiser(beta: Double)

    /// Values that start and end alike: for filter design.
    public func symmetric(_ count: Int) -> [Double] {
        guard count > 1 else { return Array(repeating: 1, count: max(0, count)) }
        return (0..<count).map { value(Double($0) / Double(count - 1)) }
    }

    /// The symmetric window of one more value without its last: for spectra.
    public func periodic(_ count: Int) -> [Double] {
        count > 1 ? Array(symmetric(count + 1).dropLast()) : symmetric(count)
    }

    /// The β that gives a Kaiser-windowed filter `ripple` decibels of attenuation. Kaiser 1974.
    public static func kaiserBeta(attenuation ripple: Double) -> Double {
        if ripple > 50 { return 0.1102 * (ripple - 8.7) }
        if ripple > 21 { return 0.5842 * pow(ripple - 21, 0.4) + 0.07886 * (ripple - 21) }
        return 0
    }

    /// The window at `place`, 0…1 from end to end.
    private func value(_ place: Double) -> Double {
        let angle = 2 * Double.pi * place
        switch self {
        case .rectangular: return 1
        case .hann: return 0.5 - 0.5 * cos(angle)
        case .hamming: return 0.54 - 0.46 * cos(angle)
        case .blackman: return 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle)
        case .kaiser(let beta):
            let x = 2 * place - 1
            return Self.besselI0(beta * max(0, 1 - x * x).squareRoot()) / Self.besselI0(beta)
        }
    }

    /// The modified Bessel function of order 0, by its power series (all terms positive, so nothing cancels).
    static func besselI0(_ x: Double) -> Double {
        let quarter = x * x / 4
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17, k < 2000 {
            term *= quarter / (k * k)
            sum += term
            k += 1
        }
        return sum
    }
}
