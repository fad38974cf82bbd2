public import Signals

/// Kinds of features of an epoch; each can be left out.
public enum EEGFeatureFamily: String, Codable, CaseIterable, Sendable {
    /// Absolute and relative band powers, their ratios, frontal asymmetry.
    case power
    /// The individual α rhythm, spectral edge, spectral entropy.
    case shape
    /// Hjorth's parameters.
    case hjorth
    /// The 1/f background and the peaks above it.
    case aperiodic
    /// Entropies and fractal dimension of the time course.
    case complexity
}

/// What is computed of an epoch, and how.
public struct EEGFeatureParameters: Hashable, Codable, Sendable {
    /// The kinds of features.
    public var families = EEGFeatureFamily.allCases
    /// The names of the only features; none means all of `families`.
    public var indexes: [String] = []
    /// The edges of the bands.
    public var bands = EEGBands()
    /// How densities are estimated.
    public var estimator = SpectralEstimator.multitaper(bandwidth: 2)
    /// The share of the total power below the spectral edge, above 0, below 1.
    public var spectralEdge = 0.95
    /// The fit of the 1/f background.
    public var aperiodic = AperiodicParameters()
    /// Values in a pattern of permutation entropy, 2…7.
    public var permutationOrder = 3
    /// Values in a pattern of sample entropy, 1…5.
    public var entropyDimension = 2
    /// How far values may differ in sample entropy, in standard deviations of the epoch.
    public var entropyTolerance = 0.2
    /// The longest lag of Higuchi's dimension, 2…64.
    public var higuchiLag = 10
    /// Seconds over whose epochs connectivity is computed, above 0 and at most a day, a row per pair and window; nil for no
    /// connectivity.
    public var connectivityWindow: Seconds? = 30

    /// The default parameters.
    public init() {}

    /// Reads parameters; those in models of earlier versions name no features.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        families = try values.decode([EEGFeatureFamily].self, forKey: .families)
        indexes = try values.decodeIfPresent([String].self, forKey: .indexes) ?? []
        bands = try values.decode(EEGBands.self, forKey: .bands)
        estimator = try values.decode(SpectralEstimator.self, forKey: .estimator)
        spectralEdge = try values.decode(Double.self, forKey: .spectralEdge)
        aperiodic = try values.decode(AperiodicParameters.self, forKey: .aperiodic)
        permutationOrder = try values.decode(Int.self, forKey: .permutationOrder)
        entropyDimension = try values.decode(Int.self, forKey: .entropyDimension)
        entropyTolerance = try values.decode(Double.self, forKey: .entropyTolerance)
        higuchiLag = try values.decode(Int.self, forKey: .higuchiLag)
        connectivityWindow = try values.decodeIfPresent(Seconds.self, forKey: .connectivityWindow)
    }

    /// Throws the first parameter that is outside its range.
    public func check() throws(BrainError) {
        for name in indexes {
            guard let family = EEGFeature.all.first(where: { $0.name == name })?.family else {
                throw .parameter("indexes", found: name, expected: "the name of a feature, such as alphaPower")
            }
            guard families.contains(family) else {
                throw .parameter(
                    "indexes", found: name,
                    expected: "of the families that are asked for (add \(family.rawValue) to families)")
            }
        }
        for (name, band) in bands.named where !band.isValid {
            throw .parameter(
                "bands.\(name)", found: band.description, expected: "a lower and a larger upper edge in Hz")
        }
        switch estimator {
        case .multitaper(let bandwidth):
            try Self.demand(bandwidth > 0 && bandwidth.isFinite, "estimator.bandwidth", bandwidth, "above 0 Hz")
        case .welch(let segment, let overlap):
            try Self.demand(segment > 0 && segment.isFinite, "estimator.segment", segment, "above 0 s")
            try Self.demand(overlap >= 0 && overlap < 1, "estimator.overlap", overlap, "0 or more, below 1")
        }
        try Self.demand(spectralEdge > 0 && spectralEdge < 1, "spectralEdge", spectralEdge, "between 0 and 1")
        try Self.demand((2...7).contains(permutationOrder), "permutationOrder", permutationOrder, "2 to 7")
        try Self.demand((1...5).contains(entropyDimension), "entropyDimension", entropyDimension, "1 to 5")
        try Self.demand(
            entropyTolerance > 0 && entropyTolerance.isFinite, "entropyTolerance", entropyTolerance, "above 0")
        try Self.demand((2...64).contains(higuchiLag), "higuchiLag", higuchiLag, "2 to 64")
        if let window = connectivityWindow {
            try Self.demand(
                window > 0 && window <= 86_400, "connectivityWindow", window, "above 0 s, at most 86400 s, or null")
        }
        try aperiodic.check()
    }

    /// The same for an EEG of which a filter passed the frequencies of `reach` unchanged: the range that everything refers
    /// to, and that of the 1/f background, end with it. Bands of the defaults that lie outside have no power.
    /// - Throws: `BrainError` for a range that was asked for and did not pass.
    public func within(_ reach: ClosedRange<Double>) throws(BrainError) -> Self {
        var used = self
        let expected =
            "within the frequencies that pass, \(reach.lowerBound) to \(reach.upperBound) Hz "
            + "(cleaning.lowest and cleaning.highest)"
        func isHeld(_ band: EEGBand) -> Bool { band.lower >= reach.lowerBound && band.upper <= reach.upperBound }
        for (asked, usual) in zip(bands.named, EEGBands().named) where !isHeld(asked.band) && asked.band != usual.band {
            throw .parameter("bands.\(asked.name)", found: asked.band.description, expected: expected)
        }
        if !isHeld(bands.total) { used.bands.total = bands.total.cut(to: reach) }
        let usual = AperiodicParameters().range
        if !isHeld(aperiodic.range) {
            guard aperiodic.range == usual else {
                throw .parameter("aperiodic.range", found: aperiodic.range.closedDescription, expected: expected)
            }
            used.aperiodic.range = usual.cut(to: reach)
        }
        return used
    }

    /// The bands that were asked for, and not those of the defaults, that go beyond a frequency, such as half a sample rate:
    /// they have no power.
    public func bands(beyond highest: Double) -> [String] {
        zip(bands.named, EEGBands().named).filter { asked, usual in
            asked.band != usual.band && asked.band.upper > highest
        }.map { asked, _ in "\(asked.name) (\(asked.band.description))" }
    }

    static func demand<Value>(
        _ holds: Bool, _ name: String, _ found: Value, _ expected: String
    ) throws(BrainError) {
        guard holds else { throw .parameter(name, found: "\(found)", expected: expected) }
    }
}
