extension HRVIndex {
    /// Whether its value follows the length of the window, all else being equal, so that windows of different length must
    /// not be set against each other: counts, extremes and ranges, the spread of the intervals and what is computed from it,
    /// the power of slow rhythms, total power and shares of it, and what grows with the number of intervals.
    ///
    /// The variance of the intervals grows with the length of the recording, so that it is inappropriate to compare SDNN of
    /// recordings of different durations (Task Force 1996, Circulation 93:1043-1065, "Time domain methods"; Shaffer &
    /// Ginsberg 2017, Front Public Health 5:258, "Recording period length"). Approximate entropy depends on the length of the
    /// series, sample entropy largely does not (Richman & Moorman 2000, Am J Physiol 278:H2039-H2049).
    public var dependsOnLength: Bool {
        Self.followingLength.contains(String(name.dropLast(method?.suffix.count ?? 0)))
    }

    /// The names of all indexes.
    public static let names = Set(all.map(\.name))

    /// The names of those that depend on the length of the window.
    public static let namesDependingOnLength = Set(all.filter(\.dependsOnLength).map(\.name))

    /// What this rests on, in a sentence for pages.
    public static let sourceOnLength =
        "Task Force 1996, Circulation 93:1043; Shaffer & Ginsberg 2017, Front Public Health 5:258"

    /// Names without the suffix of the spectral method.
    private static let followingLength: Set<String> = [
        // Counts, extremes and ranges.
        "nn50", "nn20", "minNN", "maxNN", "minHR", "maxHR", "hti", "tinn", "stressIndex",
        // The spread of the intervals, slow changes included, and what is computed from it.
        "sdnn", "cvnn", "madNN", "mcvNN", "iqrNN", "sdHR", "sdnnRmssd", "sdann1", "sdann2", "sdann5", "sd2", "sd1Sd2",
        "ellipseArea", "csi", "csiModified", "cvi", "sd2d", "sd2a", "sdnnd", "sdnna",
        // The power of slow rhythms, and all power.
        "ulf", "lnULF", "ulfRel", "vlf", "lnVLF", "vlfRel", "lfRel", "hfRel", "vhfRel", "totalPower",
        // What grows with the number of intervals.
        "apEn", "shanEn", "kfd", "lzc", "rqaLmean", "rqaLmax", "rqaShanEn",
    ]
}
