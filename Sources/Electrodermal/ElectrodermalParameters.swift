public import Signals

/// How skin conductance is analysed.
public struct ElectrodermalParameters: Hashable, Codable, Sendable {
    /// How the slow component is told from the fast one.
    public enum Separation: String, Codable, CaseIterable, Sendable {
        /// The convex decomposition of Greco et al. 2016 (cvxEDA), in blocks that overlap.
        case convex
        /// What a symmetric low-pass filter at 0.05 Hz leaves is tonic.
        case highPass
        /// The median over `medianWindow` seconds is tonic.
        case median
    }

    /// How the slow component is told from the fast one.
    public var separation = Separation.convex
    /// The convex decomposition, in µS.
    public var convex = DecompositionParameters()
    /// Length of the blocks that are decomposed one after the other, in seconds.
    ///
    /// With the defaults, further than 30 s from the ends of a run, the phasic component of simulated conductance differs
    /// from that of the whole run's optimum by less than 1 % of its root mean square, and no sample of either component by
    /// more than 0.02 µS; of real recordings by 0.1 to 2 % (docs/skin-conductance.md).
    public var blockLength: Seconds = 240
    /// What is decomposed with a block on either side of it and then forgotten, in seconds.
    public var blockMargin: Seconds = 60
    /// Length of the median of `Separation.median` in seconds.
    public var medianWindow: Seconds = 8
    /// Skin conductance responses.
    public var responses = ResponseParameters()
    /// Artefacts.
    public var artefacts = ArtefactParameters()
    /// Length of the windows that responses are counted in, in seconds.
    public var window: Seconds = 60
    /// The earliest and the latest onset, in seconds after an event, of a response to it (Boucsein, Electrodermal
    /// Activity, 2nd ed. 2012, section 3.1.4.2: 1…4 s).
    public var responseLatency: ClosedRange<Seconds> = 1...4

    /// The defaults.
    public init() {}

    /// Throws when a value has no meaning.
    /// - Throws: `ElectrodermalError`.
    public func validate() throws(ElectrodermalError) {
        func require(_ isRight: Bool, _ name: String, _ rule: String, _ value: Double) throws(ElectrodermalError) {
            if !isRight { throw ElectrodermalError("eda.\(name) must be \(rule), not \(value)") }
        }
        try convex.check()
        try responses.validate()
        try require((20...3_600).contains(blockLength), "blockLength", "from 20 to 3600 s", blockLength)
        try require((10...600).contains(blockMargin), "blockMargin", "from 10 to 600 s", blockMargin)
        try require((1...600).contains(medianWindow), "medianWindow", "from 1 to 600 s", medianWindow)
        try require((1...86_400).contains(window), "window", "from 1 to 86400 s", window)
        try require(
            responseLatency.lowerBound >= 0 && responseLatency.upperBound <= 60, "responseLatency", "within 0…60 s",
            responseLatency.upperBound)
        try artefacts.validate()
    }
}

/// What makes a rise of skin conductance a response.
public struct ResponseParameters: Hashable, Codable, Sendable {
    /// The smallest amplitude in µS; 0.05 is customary on paper, 0.01 with digital recording (Society for
    /// Psychophysiological Research, Psychophysiology 49:1017–1034, 2012).
    public var leastAmplitude: Double = 0.03
    /// How many times its own noise the rise must exceed.
    public var noiseFactor: Double = 6
    /// The time constant, in seconds, with which conductance recovers.
    public var recovery: Seconds = 2
    /// The longest time from onset to peak in seconds.
    public var longestRise: Seconds = 6
    /// The longest time from peak to half recovery that is looked for, in seconds.
    public var longestRecovery: Seconds = 20
    /// The largest ripple, in µS from its mean to its peak, that is taken out before responses are looked for: waves of
    /// breathing (7 to 30 a minute) and of the pulse (36 to 114 a minute). 0 takes none out.
    public var largestRipple: Double = 0.03

    /// The defaults.
    public init() {}

    func validate() throws(ElectrodermalError) {
        func require(_ isRight: Bool, _ name: String, _ rule: String, _ value: Double) throws(ElectrodermalError) {
            if !isRight { throw ElectrodermalError("eda.responses.\(name) must be \(rule), not \(value)") }
        }
        try require(leastAmplitude > 0 && leastAmplitude < 100, "leastAmplitude", "above 0 µS", leastAmplitude)
        try require((0...100).contains(noiseFactor), "noiseFactor", "from 0 to 100", noiseFactor)
        try require((0.1...60).contains(recovery), "recovery", "from 0.1 to 60 s", recovery)
        try require((0.5...30).contains(longestRise), "longestRise", "from 0.5 to 30 s", longestRise)
        try require((1...120).contains(longestRecovery), "longestRecovery", "from 1 to 120 s", longestRecovery)
        try require((0...1).contains(largestRipple), "largestRipple", "from 0 to 1 µS", largestRipple)
    }
}

/// What cannot be skin conductance (Kleckner et al., IEEE Trans Biomed Eng 65(7):1460–1467, 2018).
public struct ArtefactParameters: Hashable, Codable, Sendable {
    /// The least conductance of skin that a sensor touches, µS.
    public var lowest: Double = 0.05
    /// The highest conductance, µS.
    public var highest: Double = 60
    /// The fastest change in µS/s.
    public var fastestChange: Double = 10
    /// The fastest fall per second as a share of the conductance: none recovers faster than responses do.
    public var fastestFall: Double = 0.5
    /// Seconds before and after that are marked too.
    public var margin: Seconds = 2
    /// The standard deviation of acceleration over a second, in g, from which on a step of conductance is its doing.
    public var movement: Double = 0.1
    /// A fall within half a second, as a share of the conductance, that is an artefact where the sensor moves.
    public var coupledFall: Double = 0.1
    /// A rise within half a second, as a share of the conductance, that is an artefact where the sensor moves.
    public var coupledRise: Double = 0.25

    /// The defaults.
    public init() {}

    func validate() throws(ElectrodermalError) {
        func require(_ isRight: Bool, _ name: String, _ rule: String, _ value: Double) throws(ElectrodermalError) {
            if !isRight { throw ElectrodermalError("eda.artefacts.\(name) must be \(rule), not \(value)") }
        }
        try require((0...1_000).contains(lowest), "lowest", "from 0 to 1000 µS", lowest)
        try require(
            highest > lowest && highest <= 10_000, "highest", "above lowest, \(lowest) µS, at most 10000 µS", highest)
        let shares = "above 0, at most 100"
        try require(
            fastestChange > 0 && fastestChange <= 10_000, "fastestChange", "above 0, at most 10000 µS/s", fastestChange)
        try require(fastestFall > 0 && fastestFall <= 100, "fastestFall", shares, fastestFall)
        try require((0...60).contains(margin), "margin", "from 0 to 60 s", margin)
        try require(movement > 0 && movement <= 100, "movement", "above 0, at most 100 g", movement)
        try require(coupledFall > 0 && coupledFall <= 100, "coupledFall", shares, coupledFall)
        try require(coupledRise > 0 && coupledRise <= 100, "coupledRise", shares, coupledRise)
    }
}
