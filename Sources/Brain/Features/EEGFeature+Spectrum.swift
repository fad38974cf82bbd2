import Signals

extension EEGFeature {
    private static let squareMicrovolts = Unit("µV²")
    private static let glossary = "Kane et al. 2017, Clinical Neurophysiology Practice 2:170 (bands); Thomson 1982"

    // Closures that hold nothing cost nothing to hold, and these are called for every epoch.
    static let powers: [EEGFeature] =
        [
            absolute("delta", "delta") { $0.powers.delta }, absolute("theta", "theta") { $0.powers.theta },
            absolute("alpha", "alpha") { $0.powers.alpha }, absolute("beta", "beta") { $0.powers.beta },
            absolute("lowBeta", "low beta") { $0.powers.lowBeta },
            absolute("highBeta", "high beta") { $0.powers.highBeta }, absolute("gamma", "gamma") { $0.powers.gamma },
            EEGFeature(
                "totalPower", squareMicrovolts, .power, "Power from {total} ({estimator}).", reference: glossary
            ) { $0.powers.total },
            relative("delta", "delta") { quotient($0.powers.delta, $0.powers.total) },
            relative("theta", "theta") { quotient($0.powers.theta, $0.powers.total) },
            relative("alpha", "alpha") { quotient($0.powers.alpha, $0.powers.total) },
            relative("beta", "beta") { quotient($0.powers.beta, $0.powers.total) },
            relative("lowBeta", "low beta") { quotient($0.powers.lowBeta, $0.powers.total) },
            relative("highBeta", "high beta") { quotient($0.powers.highBeta, $0.powers.total) },
            relative("gamma", "gamma") { quotient($0.powers.gamma, $0.powers.total) },
        ] + ratios

    private static func absolute(
        _ name: String, _ title: String, _ value: @escaping @Sendable (ChannelMeasures) -> Double?
    ) -> EEGFeature {
        EEGFeature(
            "\(name)Power", squareMicrovolts, .power,
            "Power in the \(title) band, {\(name)}: the density ({estimator}) summed over the bins from the lower edge to below the upper, times their spacing.",
            reference: glossary, leastData: "a sample rate above twice the band's upper edge", value)
    }

    private static func relative(
        _ name: String, _ title: String, _ value: @escaping @Sendable (ChannelMeasures) -> Double?
    ) -> EEGFeature {
        EEGFeature(
            "\(name)Relative", .dimensionless, .power,
            "Power in the \(title) band, {\(name)}, as a share of the power from {total}.", reference: glossary,
            leastData: "power from {total}", value)
    }

    private static let ratios: [EEGFeature] = [
        EEGFeature(
            "thetaBeta", .dimensionless, .power, "Theta power over beta power.",
            reference: "Lubar 1991, Biofeedback and Self-Regulation 16:201"
        ) { quotient($0.powers.theta, $0.powers.beta) },
        EEGFeature(
            "alphaTheta", .dimensionless, .power, "Alpha power over theta power.",
            reference: "Klimesch 1999, Brain Research Reviews 29:169"
        ) { quotient($0.powers.alpha, $0.powers.theta) },
        EEGFeature(
            "engagement", .dimensionless, .power, "Beta power over the sum of alpha and theta power.",
            reference: "Pope, Bogart & Bartolome 1995, Biological Psychology 40:187"
        ) { quotient($0.powers.beta, $0.powers.alpha + $0.powers.theta) },
        EEGFeature(
            "alphaAsymmetry", .dimensionless, .power,
            "ln of alpha power here less ln of alpha power at the homologous electrode on the left; on frontal electrodes of the right only (10-20 names).",
            reference: "Allen, Coan & Nazarian 2004, Biological Psychology 67:183",
            leastData: "both electrodes usable throughout the epoch"
        ) { $0.alphaAsymmetry },
    ]

    static let shapes: [EEGFeature] = [
        EEGFeature(
            "alphaPeak", .hertz, .shape,
            "Frequency of the highest local maximum of the density from {alphaSearch}, refined by a parabola through the logarithms of three bins; missing without a local maximum.",
            reference: "Klimesch 1999, Brain Research Reviews 29:169"
        ) { $0.shape.alphaPeak },
        EEGFeature(
            "alphaGravity", .hertz, .shape,
            "Individual alpha frequency as centre of gravity: the mean frequency from {alphaSearch} weighted with density.",
            reference: "Klimesch 1999, Brain Research Reviews 29:169"
        ) { $0.shape.alphaGravity },
        EEGFeature(
            "spectralEdge", .hertz, .shape,
            "Frequency below which {edge} of the power from {total} lies, each bin's power spread evenly over its width.",
            reference: "Rampil et al. 1980, Anesthesiology 53:S12"
        ) { $0.shape.edge },
        EEGFeature(
            "medianFrequency", .hertz, .shape, "Frequency below which half of the power from {total} lies.",
            reference: "Schwender et al. 1996, British Journal of Anaesthesia 77:179"
        ) { $0.shape.median },
        EEGFeature(
            "spectralEntropy", .dimensionless, .shape,
            "Shannon entropy of the density over the bins from {total}, as a share of the greatest possible, 0 to 1.",
            reference: "Inouye et al. 1991, Electroencephalography and Clinical Neurophysiology 79:204"
        ) { $0.shape.entropy },
    ]

    /// Missing where the denominator is not above 0.
    private static func quotient(_ a: Double, _ b: Double) -> Double? { b > 0 ? a / b : nil }
}
