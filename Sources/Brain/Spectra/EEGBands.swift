/// A range of frequencies of the EEG.
public struct EEGBand: Hashable, Codable, Sendable {
    /// Its lower edge in hertz, inclusive.
    public var lower: Double
    /// Its upper edge in hertz, exclusive.
    public var upper: Double

    /// The band from `lower` to `upper` hertz.
    public init(_ lower: Double, _ upper: Double) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether its edges are numbers in order, not below 0.
    public var isValid: Bool { lower >= 0 && lower < upper && upper.isFinite }

    /// What of it lies within `reach`.
    func cut(to reach: ClosedRange<Double>) -> EEGBand {
        EEGBand(max(lower, reach.lowerBound), min(upper, reach.upperBound))
    }

    /// "8 to below 13 Hz".
    public var description: String { "\(Self.text(lower)) to below \(Self.text(upper)) Hz" }

    /// "2 to 40 Hz", of a range that holds its upper edge.
    var closedDescription: String { "\(Self.text(lower)) to \(Self.text(upper)) Hz" }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
    }
}

/// The edges of the bands that features are taken from. The defaults are those of the glossary of the IFCN (Kane et al.
/// 2017), from 1 Hz on and with gamma up to below the mains.
public struct EEGBands: Hashable, Codable, Sendable {
    /// δ.
    public var delta = EEGBand(1, 4)
    /// θ.
    public var theta = EEGBand(4, 8)
    /// α.
    public var alpha = EEGBand(8, 13)
    /// β.
    public var beta = EEGBand(13, 30)
    /// Low β.
    public var lowBeta = EEGBand(13, 20)
    /// High β.
    public var highBeta = EEGBand(20, 30)
    /// γ.
    public var gamma = EEGBand(30, 45)
    /// All that relative power, edges and entropies refer to.
    public var total = EEGBand(1, 45)
    /// Where an individual's α rhythm may lie.
    public var alphaSearch = EEGBand(7, 13)

    /// The default edges.
    public init() {}

    /// All frequencies: nothing was filtered.
    public static let everything = 0...Double.infinity

    /// All of them by their names.
    var named: [(name: String, band: EEGBand)] {
        [
            ("delta", delta), ("theta", theta), ("alpha", alpha), ("beta", beta), ("lowBeta", lowBeta),
            ("highBeta", highBeta), ("gamma", gamma), ("total", total), ("alphaSearch", alphaSearch),
        ]
    }
}
