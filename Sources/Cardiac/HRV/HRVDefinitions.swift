import Signals

/// Every index of heart-rate variability on one page, written from the declarations that compute it.
public enum HRVDefinitions {
    /// An index that other programs compute otherwise on the same intervals.
    public struct Disagreement: Hashable, Sendable {
        /// The index or indexes.
        public let names: [String]
        /// What it is here.
        public let here: String
        /// What it is elsewhere.
        public let elsewhere: String
    }

    /// Where programs disagree. Where none is given for an index that they have, NeuroKit 0.2 and antropy 0.2 agree with
    /// this one to rounding on the thousand intervals that hrv-analysis tests itself with, and hrv-analysis by its code.
    public static let disagreements: [Disagreement] = [
        difference(
            ["pnn50", "pnn20"], "percent of the differences",
            "NeuroKit divides by the number of intervals; HeartPy gives a fraction"),
        difference(
            ["sdsd"], "SD of the signed differences, n − 1",
            "HeartPy and pyHRV 0.5 take the SD of their sizes (13.6 for 19.5 ms); hrv-analysis divides by n"),
        difference(["sdnn"], "n − 1", "HeartPy divides by n; BioSPPy takes a trend out first"),
        difference(
            ["tinn"], "squares of the whole histogram; both feet are searched for",
            "NeuroKit: squares between the feet alone, so that counts outside cost nothing, and only the first foot it tries on the left (203.1 for 171.9 ms). pyHRV 0.5: bins of 7.815 ms, feet on bins (210.9 ms), and 0 where the squares of every triangle are 16384 or more, as in a day. RHRV: the base of the triangle whose area is that of the histogram, twice the number of intervals times the bin over the highest count (179.6 ms; older versions print half of it)"
        ),
        difference(
            ["hti"], "bins of 1/128 s from 0",
            "hrv-analysis: bins of 8 ms from 300 ms; pyHRV 0.5: of 7.815 ms from 0; RHRV: of 1/128 s laid about the middle between the shortest and the longest interval, so that one more interval may move all counts (11.49 for 10.87)"
        ),
        difference(
            ["sdann1", "sdnni1", "sdann2", "sdnni2", "sdann5", "sdnni5"],
            "stretches that lie wholly in the window, each with all intervals that end in it",
            "NeuroKit leaves the last interval of each stretch out and rounds their number, so that the last may be half one (NeuroKit 0.3 in 12 min: SDANN1 17.8 for 15.6 ms, SDNNI1 38.5 for 39.3 ms, SDANN2 12.6 for 12.9 ms). pyHRV 0.5: stretches of 5 min by sums of intervals, without the interval that crosses an end. RHRV: whole stretches from the first beat on (SDANN1 15.6 ms, SDNNI1 39.2 ms)"
        ),
        difference(["meanHR"], "mean of the rates of the intervals", "Kubios: rate of the mean interval"),
        difference(
            ["lf", "hf", "vhf"],
            "ms², mean of Hann segments of up to 120 s, each bin cut at the band's edge, over measured intervals alone",
            "NeuroKit scales to a sum of 1 by default, and its segments are half of the data: 651 and 192 ms² in the first 5 min. pyHRV 0.5: Hamming segments of 300 s, 2^12 points, whole bins (536 and 228 ms²). RHRV: power over time, of Hamming windows of a length that the caller chooses, or of wavelets"
        ),
        difference(
            ["vlf"],
            "`n/a` by Welch's method with segments of 120 s; with `hrv.welchSegment: 300` one segment of a 5-min window",
            "in the first 5 min 1203 ms² by one segment and 1213 ms² by Lomb-Scargle. NeuroKit 0.3: segments of 150 s, half a period of 0.0033 Hz (443 ms²); pyHRV 0.5: from 0 to 0.04 Hz (1236 ms²); RHRV: from 0.03 to 0.05 Hz by default, with LF above it from 0.05 Hz"
        ),
        difference(
            ["vhf"], "0.4 to 0.5 Hz, in no total",
            "NeuroKit: the same band, in its total power; pyHRV 0.5 and RHRV do not compute it, but RHRV's total has it"
        ),
        difference(
            ["totalPower"], "0 Hz to the upper edge of HF; by Welch's method of segments alone",
            "NeuroKit 0.3: sum of all bands, VHF included and ULF left out where it is missing (1303 ms² in the first 5 min, where Lomb-Scargle has 2056 ms²); pyHRV 0.5: sum of VLF, LF and HF (2000 ms²); RHRV: all frequencies up to half of its sample rate, 2 Hz by default, or of wavelets the sum of its four bands, ULF from 0 to 0.03 Hz"
        ),
        difference(
            ["vlfLomb", "lfLomb", "hfLomb"],
            "integral is the variance, four values to each 1/T Hz of T s, cut at the band's edge",
            "pyHRV and the PhysioNet toolbox do not multiply by the mean interval; the toolbox sums values 1/1024 Hz apart from above one edge to the other, up to 20 % off in VLF, 10 % in LF, 3 % in HF of 300 s. Computed its way from the same intervals, its bands come out to 1e-6"
        ),
        difference(["lfNu", "hfNu"], "percent of LF + HF", "NeuroKit: fractions of the total power"),
        difference(
            ["sd2", "ellipseArea", "csi", "csiModified", "cvi"], "SD2 is the root of 2 SDNN² − SDSD²/2",
            "NeuroKit and pyHRV: SD of the pairs' sums, which leaves out half of the first and last interval"),
        difference(["sd1Sd2"], "SD1 / SD2", "Kubios, hrv-analysis and pyHRV print SD2 / SD1 (here csi)"),
        difference(
            ["pip", "pss", "pas"], "percent of intervals or differences",
            "NeuroKit: fractions, PSS and PAS of the number of segments"),
        difference(
            ["fuzzyEn"], "membership exp(−(d/r)²), free of units",
            "Chen et al. and NeuroKit: exp(−dⁿ/r), which depends on the unit"),
        difference(["shanEn"], "of a histogram of 1/128 s", "NeuroKit: of the distinct values"),
        difference(["lzc"], "above the median", "NeuroKit: above the mean"),
        difference(
            ["dfaAlpha1", "dfaAlpha2"], "boxes of 4 to 16 and of 16 to 64, every size, side by side (Peng et al. 1995)",
            "NeuroKit: 4 to 11 and 12 to a tenth of the series, boxes that overlap by half; of the same sizes side by side it agrees. Kubios: 4 to 12; antropy: one exponent over all sizes"
        ),
        difference(
            ["d2"], "patterns of 10 intervals, fitted where C is 1 to 25 %",
            "NeuroKit: patterns of 2, which no dimension above 2 can come out of, 64 radii from 2.5 to 50 % of the range of distances (1.56 for 3.46)"
        ),
        difference(
            ["apEn"], "difference of the means of log C over all patterns (Pincus 1991), with self-matches",
            "the PhysioNet toolbox: of the logarithms of the mean of C, r 0.15 SD; computed so, its values come out to its four digits. antropy: SD with n"
        ),
        difference(
            ["sampEn"],
            "patterns that have a successor (Richman & Moorman 2000), differences up to r, SD with n − 1",
            "the PhysioNet toolbox also counts the last pattern, which has none, and takes shares of all pairs of each length: up to 1 % in 300 s; computed so, its values come out to its four digits. antropy: SD with n and, below 5000 intervals, differences below r (0.1 %)"
        ),
        difference(
            ["mseShort", "mseLong"], "mean over scales 1 to 5 and 6 to 20",
            "NeuroKit: trapezoids over all scales up to a twelfth of the series, over their number; scale by scale it agrees (2 %)"
        ),
        difference(
            ["cmseShort", "rcmseShort"], "means of blocks from each offset (Wu et al. 2013, 2014), scales 1 to 5",
            "NeuroKit takes every n-th interval where means of n are due, over all scales as for MSE (11 and 39 %)"),
        difference(
            ["dc", "ac"], "changes up to 5 %, every anchor",
            "the PhysioNet toolbox: up to 20 %, 30 intervals on either side"),
    ]

    /// What readers of other programs may look for in vain.
    public static let leftOut: [(name: String, why: String)] = [
        (
            "PNS index, SNS index (Kubios)",
            "scaled by means and spreads of a population that are not published; what they rest on is here: meanNN, rmssd, sd1Sd2, meanHR, stressIndex, csi"
        )
    ]

    private static func difference(_ names: [String], _ here: String, _ elsewhere: String) -> Disagreement {
        Disagreement(names: names, here: here, elsewhere: elsewhere)
    }

    /// What the tables of the frequency domain leave open.
    private static let spectra = """

        ## What spectra rest on

        - **Length.** A band needs the stretch that its row tells, which follows its edges where `hrv.bands` moves them. Intervals
          that the ends of a window cut count with the part that lies in it, no more than one at each end: a window of 60 s without
          a gap has HF, one of 120 s LF, one of 240 s VLF. A recording that is shorter has not, nor a window with a gap.
        - **Runs.** Nothing is joined across a gap. Into Welch's spectrum go all runs that last at least half a segment
          (`hrv.welchSegment`, or the longest run if that is shorter) and as long as the bands need that a segment resolves, 120 s by
          default; all segments are as long as the shortest of these runs allows. Into the autoregressive model, which reaches back a
          few seconds, go all runs that last as long as the bands above ULF need that the longest run resolves. Shorter runs are left
          out; Lomb-Scargle takes every interval.
        - **Segments.** `hrv.welchSegment` in a file of parameters sets the longest segment of Welch's method in seconds, 120 by
          default, 10 to 1000000; segments overlap by half. A window of 300 s without a gap is the mean of four segments, where one
          segment of 300 s would be a single periodogram, whose bands vary by a third from one window to the next of the same rhythm.
          `hrv.welchSegment: 300` is the default of earlier versions.
        - **VLF.** A segment of 120 s does not resolve VLF. `vlf`, `lnVLF`, `vlfRel` and `vlfPeak` by Welch's method are `n/a` unless
          `hrv.welchSegment` is 240 or more; `vlfLomb` and `vlfAR` have it by default. The Task Force (1996) advises against VLF of
          recordings of 5 min or less. Each segment is without its own mean, so what is slower than a segment is in neither
          `totalPower` nor the relative powers, and these are shares of the power above some 1/120 Hz. ULF needs segments of 3000 s, or
          `ulfLomb`. `totalPowerLomb` is the variance up to the upper edge of HF, ULF and circadian rhythm included.
        - **Estimates.** Intervals that correction estimated, as after premature and missed beats, keep their time but give no value:
          the curve that is sampled evenly goes through the values that an autoregressive model of the measured intervals (order 12; Janssen,
          Veldhuis & Vries 1986) has for them, or past them where fewer than 60 were measured, and Lomb-Scargle leaves them out.
          `nEstimated` counts them. The same model bridges measured intervals that are more than 5 standard deviations and 6 % of the
          mean interval from what it predicts of the intervals on both sides; next to intervals that correction changed the limits are 3
          and 2 %. `spectrumReason` is `estimates` where estimated and bridged intervals are more than 2 % of a window's. Entropies and
          scaling exponents take the estimates, which are interpolated between their neighbours.
        - **Edges.** Bands may adjoin but not overlap. A spectrum's value stands for half a step of frequency to either side and is cut
          at a band's edge, so that adjoining bands add up.

        """

    /// Which point of a beat the intervals are measured between.
    private static let fiducial = """

        ## Which point of a beat is marked

        Intervals are the times between the marked points of successive beats, so the point matters less than that it is the same
        in all beats.

        - **ECG.** In each lead the top of the largest deflection of the QRS complex from the baseline, upward or downward: the R
          wave in leads I, II, V4 to V6, the S or QS wave in aVR and V1, and in lead III whichever is larger. Of several that reach
          85 % of the largest it is the first, and a shape of complex keeps the one it began with. Several leads are looked at
          together, and lead II, or the first one, says when the beat was.
        - **R wave.** `ecg.fiducial: rPeak` marks the largest upward deflection instead, where it is at least a fifth as large as the
          largest one; a complex without one (QS) is marked at its largest deflection.
        - **Pulse.** `bvp.fiducial` says which moment of a pulse is its beat.
        - **Other programs** that mark the highest sample after a band-pass filter take the R wave even where the S wave is larger:
          their onsets differ by the time from R to S, 20 to 50 ms, their intervals hardly.

        """

    /// Which indexes depend on the length of the window.
    private static var length: String {
        let indexes = HRVIndex.all.filter { $0.dependsOnLength && ($0.method == nil || $0.method == .welch) }
        return
            "Longer windows have more beats and more of what is slow, so that these, and their namesakes by other spectra, "
            + "must not be set against each other over windows of different length (\(HRVIndex.sourceOnLength)); "
            + "`marey batch` leaves them out of comparisons of such: "
            + indexes.map { "`\($0.name)`" }.joined(separator: ", ") + "."
    }

    /// The page as Markdown, with the default parameters.
    public static var markdown: String {
        let parameters = HRVParameters()
        var text = """
            # Heart-rate variability: what each index is

            Written from the declarations in `Sources/Cardiac/HRV`, which the sidecars and reports read as well; the tests
            compare. Windows are \(Int(parameters.window ?? 0)) s long and start every \(Int(parameters.step)) s unless told \
            otherwise (`--window`, `--step`; `--window whole`
            is one window over everything, a day as well; the shortest is 10 s). Windows reach to the ends of the signal, \
            the one over everything where more than the time of two intervals lies before its first beat or after its last; of \
            an RR text file, or a beats table without its JSON sidecar, only the time from the first beat to the last is known. A window has values where intervals cover
            at least \(Int(parameters.minimumCoverage * 100)) % of it. An index that has not the data it needs is `n/a`; \
            `marey hrv --why` and the table
            `desc-hrvmissing_physio` tell what was missing. *Measured* intervals are those that correction did not have to
            estimate; a *difference* is that between successive ones. Correction is made for sinus rhythm: where there is no \
            order, as in atrial fibrillation, it takes many intervals for ectopic and variability comes out too small; \
            `marey hrv` and `marey analyze` then say so, and `--correction none` leaves the intervals as they are. \
            They also say so where correction changed or removed more than 5 % of a recording's intervals, what is commonly \
            the limit: variability then rests on replaced values. \
            Six and more intervals in a row that are suddenly twice as long, as where every other beat is missed, are told as well, \
            as correction takes them for a rate of their own; fewer it splits, and without it they are told from three on.

            """
        for domain in HRVDomain.allCases {
            text +=
                "\n## \(title(domain))\n\n| index | unit | definition | needs | reference |\n|---|---|---|---|---|\n"
            for index in HRVIndex.list(parameters) where index.domain == domain {
                text += row(index.column(parameters))
            }
        }
        text += fiducial
        text +=
            spectra + """

                ## What follows the length of the window

                \(length)

                ## Heart-rate turbulence

                Over the whole recording, from intervals before correction (`marey hrv --turbulence`, `desc-turbulence_physio`).

                | index | unit | definition | needs | reference |
                |---|---|---|---|---|

                """
        for column in HeartRateTurbulence.columns { text += row(column) }
        text += """

            ## Where programs disagree

            On the same intervals other programs differ for these reasons; NeuroKit's figures are of the thousand intervals, 12 min, that
            hrv-analysis tests itself with. RHRV's figures are those of its R source on CRAN, written again in Python. Where none is given for an index that they have, NeuroKit 0.2 and antropy 0.2 agree
            there to 1e-9 of the value, and hrv-analysis in the statistics of time.

            | index | here | elsewhere |
            |---|---|---|

            """
        for one in disagreements {
            text += "| \(one.names.map { "`\($0)`" }.joined(separator: ", ")) | \(one.here) | \(one.elsewhere) |\n"
        }
        text += "\n## Not computed\n\n| index | why |\n|---|---|\n"
        for one in leftOut { text += "| \(one.name) | \(one.why) |\n" }
        return text
    }

    private static func title(_ domain: HRVDomain) -> String {
        switch domain {
        case .time: "Time domain"
        case .frequency: "Frequency domain"
        case .nonlinear: "Nonlinear"
        }
    }

    private static func row(_ column: Column) -> String {
        func cell(_ text: String?) -> String { (text ?? "").split(separator: "|").joined(separator: "\\|") }
        let unit = column.unit == .dimensionless ? "" : column.unit.rawValue
        return
            "| `\(column.name)` | \(unit) | \(cell(column.definition)) | \(cell(column.leastData)) | \(cell(column.reference)) |\n"
    }
}
