import Foundation

/// The logarithm of the odds, and back, kept within 1e-6 of certainty.
enum Odds {
    static func logit(_ probability: Double) -> Double {
        let p = min(max(probability, 1e-6), 1 - 1e-6)
        return log(p / (1 - p))
    }

    static func probability(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
}
