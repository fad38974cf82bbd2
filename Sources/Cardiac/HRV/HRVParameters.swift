public import Signals

/// How heart-rate variability is computed. Every value has a default that is safe to publish.
public struct HRVParameters: Hashable, Codable, Sendable {
    /// Length of a window in seconds; nil for one window over the whole recording. Default 300 (Task Force 1996,
    /// short-term recordings).
    public var window: Seconds? = 300
    /// Seconds from the start of one window to the start of the next. Default 30.
    public var step: Seconds = 30
    /// The least coverage, 0…1, at which a window's indexes are computed. Default 0.8; the PhysioNet toolbox asks for
    /// 0.85 (Vest et al. 2018), but a 10 s window cannot reach that, as the intervals across its edges do not count.
    public var minimumCoverage = 0.8
    /// Seconds of accepted intervals from which on an index has a value over a whole condition.
    public var minimumSeconds = HRVMinimumSeconds()
    /// Which families of indexes are computed. Default: all.
    public var domains = HRVDomain.allCases
    /// The only indexes that are computed, by name. Default: none, which means all that `domains` and `spectralMethods`
    /// leave.
    public var indexes: [String] = []
    /// Band edges.
    public var bands = HRVBands()
    /// Which spectral estimators are used. Default: all. Welch's has the plain column names (`lf`), the others a
    /// suffix (`lfLomb`, `lfAR`).
    public var spectralMethods = SpectralMethod.allCases
    /// Samples per second of the evenly spaced series for Welch's and the autoregressive spectrum. Default 4 Hz.
    public var resamplingRate = 4.0
    /// Longest segment of Welch's method, in seconds; segments overlap by half. Default 120, the shortest that resolves
    /// LF, so that the spectrum of a window of 300 s without gaps is the mean of four. VLF needs segments of 240 s, which
    /// leave nothing to average, ULF of 3000 s.
    public var welchSegment: Seconds = 120
    /// Order of the autoregressive model. Default 16 (Tarvainen et al. 2014, Kubios HRV).
    public var autoregressiveOrder = 16
    /// What is taken out of the series before a spectrum is computed. Default: its mean; by Welch's method that of each
    /// segment.
    public var detrending = HRVDetrending.mean
    /// How smooth the trend of `smoothnessPriors` is. Default 500, the usual value at 4 Hz, where it removes what lies
    /// below about 0.035 Hz, most of the VLF band included.
    public var smoothness = 500.0
    /// Length of the patterns that entropies compare. Default 2.
    public var entropyDimension = 2
    /// Tolerance of the entropies, as a multiple of the standard deviation of the series. Default 0.2.
    public var entropyTolerance = 0.2
    /// By which share an interval may differ from the one before it and still anchor deceleration or acceleration
    /// capacity. Default 0.05 (Bauer et al. 2006); the PhysioNet toolbox takes 0.2.
    public var prsaLimit = 0.05
    /// How many intervals an anchor needs before and after it. Default 2, what the formula takes; the PhysioNet toolbox
    /// asks for 30.
    public var prsaMargin = 2
    /// Box sizes, in beats, of the short-term scaling exponent. Default 4…16 (Peng et al. 1995).
    public var dfaShort = BeatRange(4, 16)
    /// Box sizes, in beats, of the long-term scaling exponent. Default 16…64.
    public var dfaLong = BeatRange(16, 64)

    /// The defaults.
    public init() {}
}

/// Seconds of accepted intervals within a condition from which on an index that is computed over all of them has a value.
///
/// The defaults are in the middle of what studies of ultra-short recordings ask for, so that blocks of 30 and 60 s reach them
/// although their ends cut intervals: 10 to 30 s for the heart rate, 30 to 60 s for RMSSD (Salahuddin et al. 2007, Conf Proc IEEE Eng Med Biol Soc 2007:4656; Baek et al. 2015, Telemed J E Health
/// 21:404; Munoz et al. 2015, PLoS One 10:e0138921; Shaffer, Meehan & Zerr 2020, Front Neurosci 14:594880).
public struct HRVMinimumSeconds: Hashable, Codable, Sendable {
    /// Seconds for the mean heart rate. Default 20.
    public var meanHR: Seconds = 20
    /// Seconds for the mean NN interval. Default 20.
    public var meanNN: Seconds = 20
    /// Seconds for RMSSD. Default 45.
    public var rmssd: Seconds = 45

    /// The defaults.
    public init() {}

    /// The indexes that are computed over all accepted intervals of a condition.
    public static let indexes = ["meanHR", "meanNN", "rmssd"]

    /// The seconds that an index needs; nil for indexes that are computed window by window.
    public subscript(_ index: String) -> Seconds? {
        switch index {
        case "meanHR": meanHR
        case "meanNN": meanNN
        case "rmssd": rmssd
        default: nil
        }
    }
}

/// A family of heart-rate variability indexes.
public enum HRVDomain: String, Codable, CaseIterable, Sendable {
    /// Statistics of intervals and of their successive differences, and their histogram.
    case time
    /// Power of the interval series by frequency band.
    case frequency
    /// Poincaré plot, entropies, scaling exponents, fragmentation, asymmetry.
    case nonlinear
}

/// How the power spectrum of the interval series is estimated.
public enum SpectralMethod: String, Codable, CaseIterable, Sendable {
    /// Averaged, Hann-windowed periodograms of the evenly resampled series.
    case welch
    /// Lomb-Scargle periodogram of the intervals at the times of their beats.
    case lomb
    /// Spectrum of an autoregressive model fitted by Burg's method to the evenly resampled series.
    case autoregressive
}

/// What is taken out of the interval series before a spectrum is computed.
public enum HRVDetrending: String, Codable, CaseIterable, Sendable {
    /// The mean.
    case mean
    /// The straight line of least squares.
    case linear
    /// A smooth trend (Tarvainen et al. 2002); see `HRVParameters.smoothness`.
    case smoothnessPriors
}

/// A range of numbers of beats, both ends included.
public struct BeatRange: Hashable, Codable, Sendable {
    /// Least number of beats.
    public var least: Int
    /// Greatest number of beats.
    public var greatest: Int

    /// From `least` to `greatest` beats.
    public init(_ least: Int, _ greatest: Int) {
        self.least = least
        self.greatest = greatest
    }
}

/// A parameter that has no meaning.
public struct InvalidParameter: Error, Hashable, CustomStringConvertible {
    /// The parameter's name, such as `hrv.window`.
    public var name: String
    /// What it was set to.
    public var found: String
    /// What it may be.
    public var expected: String

    /// The parameter `name` was `found` where `expected` was needed.
    public init(name: String, found: String, expected: String) {
        self.name = name
        self.found = found
        self.expected = expected
    }

    /// In words for the reader.
    public var description: String { "\(name) is \(found); it must be \(expected)" }
}

extension HRVParameters {
    /// Checks that the parameters have a meaning.
    /// - Throws: the first that has none.
    public func validate() throws(InvalidParameter) {
        func demand(
            _ holds: Bool, _ name: String, _ found: Any, _ expected: String
        ) throws(InvalidParameter) {
            guard !holds else { return }
            throw InvalidParameter(name: "hrv.\(name)", found: "\(found)", expected: expected)
        }
        if let unknown = indexes.first(where: { name in !HRVIndex.all.contains { $0.name == name } }) {
            throw InvalidParameter(name: "hrv.indexes", found: unknown, expected: "the name of an index, such as rmssd")
        }
        if let window { try demand(window >= 10 && window <= 1e7, "window", window, "10 to 10000000 s") }
        try demand(step >= 0.1 && step <= 1e7, "step", step, "0.1 to 10000000 s")
        try demand((0...1).contains(minimumCoverage), "minimumCoverage", minimumCoverage, "0 to 1")
        for index in HRVMinimumSeconds.indexes {
            let seconds = minimumSeconds[index] ?? 0
            try demand((0...1e7).contains(seconds), "minimumSeconds.\(index)", seconds, "0 to 10000000 s")
        }
        let named = [("ulf", bands.ulf), ("vlf", bands.vlf), ("lf", bands.lf), ("hf", bands.hf), ("vhf", bands.vhf)]
        for (name, band) in named {
            let holds = band.lower >= 0 && band.upper > band.lower && band.upper <= resamplingRate / 2
            try demand(
                holds, "bands.\(name)", "\(band.lower) to \(band.upper) Hz",
                "a rising pair below half the resampling rate")
        }
        for (below, above) in zip(named, named.dropFirst()) {
            try demand(
                above.1.lower >= below.1.upper, "bands.\(above.0)", "\(above.1.lower) to \(above.1.upper) Hz",
                "at or above the upper edge of \(below.0), \(below.1.upper) Hz: bands may adjoin, not overlap")
        }
        try demand((1...100).contains(resamplingRate), "resamplingRate", resamplingRate, "1 to 100 Hz")
        try demand(welchSegment >= 10 && welchSegment <= 1e6, "welchSegment", welchSegment, "10 to 1000000 s")
        try demand((1...256).contains(autoregressiveOrder), "autoregressiveOrder", autoregressiveOrder, "1 to 256")
        try demand(smoothness > 0 && smoothness <= 1e9, "smoothness", smoothness, "above 0, at most 1e9")
        try demand((1...10).contains(entropyDimension), "entropyDimension", entropyDimension, "1 to 10")
        try demand(
            entropyTolerance > 0 && entropyTolerance <= 10, "entropyTolerance", entropyTolerance, "above 0, at most 10")
        try demand(prsaLimit > 0 && prsaLimit <= 10, "prsaLimit", prsaLimit, "above 0, at most 10")
        try demand((2...10_000).contains(prsaMargin), "prsaMargin", prsaMargin, "2 to 10000 intervals")
        for (name, range) in [("dfaShort", dfaShort), ("dfaLong", dfaLong)] {
            let holds = range.least >= 3 && range.greatest > range.least && range.greatest <= 10_000
            try demand(holds, name, "\(range.least) to \(range.greatest)", "a rising pair within 3 to 10000 beats")
        }
    }
}
