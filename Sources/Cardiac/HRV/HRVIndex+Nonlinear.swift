import Signals

import func Foundation.log10

extension HRVIndex {
    /// Poincaré plot, asymmetry, fragmentation, entropies, fractal measures, recurrence.
    static let nonlinear: [HRVIndex] =
        poincareIndexes + asymmetryIndexes + fragmentationIndexes + phaseRectifiedIndexes + entropyIndexes
        + multiscaleIndexes + fractalIndexes + recurrenceIndexes

    private static func nonlinear(
        _ name: String, _ unit: Unit, _ definition: String, reference: String, needs: HRVRequirement...,
        compute: @escaping @Sendable (HRVSeries) -> Double?
    ) -> HRVIndex {
        HRVIndex(name, unit, .nonlinear, definition, reference: reference, needs: needs, compute)
    }

    private static let poincareIndexes: [HRVIndex] = {
        let brennan = "Brennan et al. 2001, IEEE Trans Biomed Eng 48:1342-1347"
        let toichi = "Toichi et al. 1997, J Auton Nerv Syst 62:79-84"
        func index(
            _ name: String, _ unit: Unit, _ definition: String, _ reference: String,
            _ compute: @escaping @Sendable (_ sd1: Double, _ sd2: Double) -> Double?
        ) -> HRVIndex {
            nonlinear(name, unit, definition, reference: reference, needs: .differences(3)) { series in
                series.sd2.flatMap { compute(series.sd1, $0) }
            }
        }
        return [
            index("sd1", .milliseconds, "Poincaré plot, across the line of identity: SDSD over root 2", brennan) {
                sd1, _ in
                sd1
            },
            index(
                "sd2", .milliseconds, "Poincaré plot, along the line of identity: root of 2 SDNN^2 - SDSD^2 / 2",
                brennan
            ) { $1 },
            index("sd1Sd2", .dimensionless, "SD1 over SD2 (some programs print SD2 over SD1)", brennan) { $0 / $1 },
            index("ellipseArea", Unit("ms^2"), "Area of the Poincaré plot's ellipse: pi SD1 SD2", brennan) {
                .pi * $0 * $1
            },
            index("csi", .dimensionless, "Cardiac sympathetic index: SD2 over SD1", toichi) { $1 / $0 },
            index(
                "csiModified", .milliseconds, "Modified cardiac sympathetic index: (4 SD2)^2 over 4 SD1",
                "Jeppesen et al. 2014, Epilepsy Res 108:1585-1597"
            ) { 4 * $1 * $1 / $0 },
            index(
                "cvi", .dimensionless, "Cardiac vagal index: log10 of 16 SD1 SD2, both in ms", toichi
            ) { log10(16 * $0 * $1) },
            nonlinear(
                "stressIndex", Unit("s^-1"),
                "Root of Baevsky's stress index: percentage of intervals in the fullest bin of 50 ms (edges at multiples of 50 ms) over twice the median and the range, both in s",
                reference: "Baevsky & Chernikova 2017, Cardiometry 10:66-76; root as in Kubios HRV",
                needs: .intervals(20)
            ) { $0.baevsky.map { $0.squareRoot() } },
        ]
    }()

    private static let asymmetryIndexes: [HRVIndex] = {
        func index(
            _ name: String, _ unit: Unit, _ definition: String, _ reference: String,
            _ compute: @escaping @Sendable (Asymmetry) -> Double?
        ) -> HRVIndex {
            nonlinear(name, unit, definition, reference: reference, needs: .differences(20)) {
                $0.asymmetry.flatMap(compute)
            }
        }
        let piskorski = "Piskorski & Guzik 2011, Physiol Meas 32:1011-1023"
        return [
            index(
                "gi", .percent, "Guzik's index: share of decelerations in the distances from the line of identity",
                "Guzik et al. 2006, Biomed Tech 51:272-275"
            ) { $0.guzik },
            index(
                "si", .percent, "Slope index: share of decelerations in the angles from the line of identity",
                "Karmakar et al. 2015, Med Biol Eng Comput 53:1185-1196"
            ) { $0.slope },
            index(
                "ai", .percent, "Area index: share of decelerations in the sector areas at the line of identity",
                "Yan et al. 2017, Entropy 19:60"
            ) { $0.area },
            index(
                "pi", .percent, "Porta's index: share of accelerations in the points off the line of identity",
                "Porta et al. 2008, Am J Physiol 295:R550-R557"
            ) { $0.porta },
            index(
                "sd1d", .milliseconds,
                "Part of SD1 due to decelerations: root of a sum of squares over n - 1, n pairs of successive intervals",
                piskorski
            ) {
                $0.short.decelerations.squareRoot()
            },
            index(
                "sd1a", .milliseconds,
                "Part of SD1 due to accelerations: root of a sum of squares over n - 1, n pairs of successive intervals",
                piskorski
            ) {
                $0.short.accelerations.squareRoot()
            },
            index(
                "sd2d", .milliseconds,
                "Part of SD2 due to decelerations: root of a sum of squares over n - 1, n pairs of successive intervals",
                piskorski
            ) {
                $0.long.decelerations.squareRoot()
            },
            index(
                "sd2a", .milliseconds,
                "Part of SD2 due to accelerations: root of a sum of squares over n - 1, n pairs of successive intervals",
                piskorski
            ) {
                $0.long.accelerations.squareRoot()
            },
            index(
                "sdnnd", .milliseconds,
                "Part of SDNN due to decelerations: root of a sum of squares over n - 1, n pairs of successive intervals",
                piskorski
            ) {
                (($0.short.decelerations + $0.long.decelerations) / 2).squareRoot()
            },
            index(
                "sdnna", .milliseconds,
                "Part of SDNN due to accelerations: root of a sum of squares over n - 1, n pairs of successive intervals",
                piskorski
            ) {
                (($0.short.accelerations + $0.long.accelerations) / 2).squareRoot()
            },
            index("c1d", .dimensionless, "Share of decelerations in SD1^2", piskorski) {
                $0.short.decelerations / ($0.short.decelerations + $0.short.accelerations)
            },
            index("c1a", .dimensionless, "Share of accelerations in SD1^2", piskorski) {
                $0.short.accelerations / ($0.short.decelerations + $0.short.accelerations)
            },
            index("c2d", .dimensionless, "Share of decelerations in SD2^2", piskorski) {
                $0.long.decelerations / ($0.long.decelerations + $0.long.accelerations)
            },
            index("c2a", .dimensionless, "Share of accelerations in SD2^2", piskorski) {
                $0.long.accelerations / ($0.long.decelerations + $0.long.accelerations)
            },
            index("cd", .dimensionless, "Share of decelerations in SDNN^2", piskorski) { $0.deceleration },
            index("ca", .dimensionless, "Share of accelerations in SDNN^2", piskorski) { 1 - $0.deceleration },
        ]
    }()

    private static let fragmentationIndexes: [HRVIndex] = {
        func index(
            _ name: String, _ unit: Unit, _ definition: String,
            _ compute: @escaping @Sendable (Fragmentation) -> Double?
        ) -> HRVIndex {
            nonlinear(
                name, unit, definition, reference: "Costa, Davis & Goldberger 2017, Front Physiol 8:255",
                needs: .differences(50)
            ) { $0.fragmentation.flatMap(compute) }
        }
        return [
            index(
                "pip", .percent,
                "Inflection points (the differences change sign or begin or cease to be 0) per NN interval"
            ) {
                $0.inflections
            },
            index(
                "ials", .dimensionless, "Inverse of the mean length, in differences, of accelerations and decelerations"
            ) { $0.inverseLength },
            index("pss", .percent, "Differences that lie outside accelerations and decelerations of three and more") {
                $0.shortSegments
            },
            index("pas", .percent, "Differences in stretches of four and more that change sign with every beat") {
                $0.alternation
            },
        ]
    }()

    private static let phaseRectifiedIndexes: [HRVIndex] = {
        func index(_ name: String, _ title: String, decelerating: Bool, isModified: Bool) -> HRVIndex {
            let formula = isModified ? "(X0 - X-1) / 2" : "(X0 + X1 - X-1 - X-2) / 4"
            return nonlinear(
                name, .milliseconds,
                "\(title) capacity: \(formula) averaged over intervals that differ from the one before by no more than {prsaLimit} % and have {prsaMargin} intervals on either side",
                reference: isModified
                    ? "Nasario-Junior et al. 2014, J Electrocardiol 47:306-310; Bauer et al. 2006, Lancet 367:1674-1681"
                    : "Bauer et al. 2006, Lancet 367:1674-1681", needs: .differences(50)
            ) {
                PhaseRectified.capacity(
                    $0.measuredStretches, decelerating: decelerating, limit: $0.parameters.prsaLimit,
                    margin: $0.parameters.prsaMargin, isModified: isModified)
            }
        }
        return [
            index("dc", "Deceleration", decelerating: true, isModified: false),
            index("ac", "Acceleration", decelerating: false, isModified: false),
            index("dcMod", "Modified (two-point) deceleration", decelerating: true, isModified: true),
            index("acMod", "Modified (two-point) acceleration", decelerating: false, isModified: true),
        ]
    }()

    private static let entropyIndexes: [HRVIndex] = [
        nonlinear(
            "sampEn", .dimensionless,
            "Sample entropy, patterns of {dimension}, tolerance {tolerance} SD (n - 1) of the series, of the longest run; no self-matches",
            reference: "Richman & Moorman 2000, Am J Physiol 278:H2039-H2049", needs: .run(100)
        ) { $0.matches(scale: 1).first?.sampleEntropy },
        nonlinear(
            "apEn", .dimensionless,
            "Approximate entropy, patterns of {dimension}, tolerance {tolerance} SD (n - 1) of the series, of the longest run; with self-matches",
            reference: "Pincus 1991, Proc Natl Acad Sci 88:2297-2301", needs: .run(100), .runAtMost(10_000)
        ) { $0.neighbours?.approximateEntropy },
        nonlinear(
            "fuzzyEn", .dimensionless,
            "Fuzzy entropy, patterns of {dimension} without their mean, width {tolerance} SD (n - 1) of the series, membership exp(-(d / r)^2), of the longest run",
            reference: "After Chen et al. 2007, IEEE Trans Neural Syst Rehabil Eng 15:266-272", needs: .run(100),
            .runAtMost(10_000)
        ) { series in
            series.entropyTolerance.flatMap {
                FuzzyEntropy.value(series.runValues, dimension: series.parameters.entropyDimension, tolerance: $0)
            }
        },
        nonlinear(
            "shanEn", Unit("bit"), "Shannon entropy of the histogram of the NN intervals, bins of 1/128 s from 0",
            reference: "Shannon 1948, Bell Syst Tech J 27:379-423", needs: .intervals(100)
        ) { PatternEntropies.shannon($0.histogram.counts) },
    ]

    private static let multiscaleIndexes: [HRVIndex] = {
        func index(
            _ name: String, _ title: String, _ scales: ClosedRange<Int>, _ reference: String, _ least: Int,
            _ entropy: @escaping @Sendable (HRVSeries, Int) -> Double?
        ) -> HRVIndex {
            nonlinear(
                name, .dimensionless,
                "\(title), mean over scales \(scales.lowerBound) to \(scales.upperBound), patterns of {dimension}, tolerance {tolerance} SD (n - 1) of the unscaled series, of the longest run",
                reference: reference, needs: .run(least)
            ) { series in
                Multiscale.mean(scales) { entropy(series, $0) }
            }
        }
        let costa = "Costa, Goldberger & Peng 2002, Phys Rev Lett 89:068102"
        return [
            index("mseShort", "Multiscale entropy", 1...5, costa, 500) { $0.matches(scale: $1).first?.sampleEntropy },
            index("mseLong", "Multiscale entropy", 6...20, costa, 4_000) {
                $0.wholeBlockMatches(scale: $1)?.sampleEntropy
            },
            index(
                "cmseShort", "Composite multiscale entropy", 1...5, "Wu et al. 2013, Entropy 15:1069-1084", 500
            ) { Multiscale.composite($0.matches(scale: $1)) },
            index(
                "rcmseShort", "Refined composite multiscale entropy", 1...5,
                "Wu et al. 2014, Phys Lett A 378:1369-1374",
                300
            ) { Multiscale.refinedComposite($0.matches(scale: $1)) },
        ]
    }()

    private static let fractalIndexes: [HRVIndex] = {
        let peng = "Peng et al. 1995, Chaos 5:82-87"
        return [
            nonlinear(
                "dfaAlpha1", .dimensionless,
                "Short-term scaling exponent of detrended fluctuation analysis, boxes of {dfaShort} intervals, every size, of the longest run",
                reference: peng, needs: .run(64)
            ) { DetrendedFluctuation.exponent($0.runValues, $0.parameters.dfaShort) },
            nonlinear(
                "dfaAlpha2", .dimensionless,
                "Long-term scaling exponent of detrended fluctuation analysis, boxes of {dfaLong} intervals, every size, of the longest run",
                reference: peng, needs: .run(256)
            ) { DetrendedFluctuation.exponent($0.runValues, $0.parameters.dfaLong) },
            nonlinear(
                "hfd", .dimensionless, "Higuchi's fractal dimension, lags 1 to 10, of the longest run",
                reference: "Higuchi 1988, Physica D 31:277-283", needs: .run(100)
            ) { FractalDimensions.higuchi($0.runValues, longest: 10) },
            nonlinear(
                "kfd", .dimensionless, "Katz's fractal dimension of the longest run",
                reference: "Katz 1988, Comput Biol Med 18:145-156", needs: .run(100)
            ) { FractalDimensions.katz($0.runValues) },
            nonlinear(
                "lzc", .dimensionless,
                "Lempel-Ziv complexity of the longest run as above or not above its median, times log2(n) / n",
                reference:
                    "Lempel & Ziv 1976, IEEE Trans Inf Theory 22:75-81; Kaspar & Schuster 1987, Phys Rev A 36:842",
                needs: .run(100), .runAtMost(20_000)
            ) { FractalDimensions.lempelZiv($0.runValues) },
        ]
    }()

    private static let recurrenceIndexes: [HRVIndex] = {
        func index(
            _ name: String, _ unit: Unit, _ definition: String, _ reference: String,
            _ compute: @escaping @Sendable (Recurrence) -> Double?
        ) -> HRVIndex {
            nonlinear(
                name, unit, "\(definition); patterns of 10 intervals, longest run", reference: reference,
                needs: .run(100), .runAtMost(10_000)
            ) { $0.recurrence.flatMap(compute) }
        }
        let webber = "Webber & Zbilut 1994, J Appl Physiol 76:965-973"
        return [
            index(
                "rqaREC", .percent, "Recurrence rate: pairs of patterns within root 10 SD (n - 1) of each other", webber
            ) {
                $0.rate
            },
            index("rqaDET", .percent, "Determinism: recurrent pairs on diagonal lines of two and more", webber) {
                $0.determinism
            },
            index("rqaLmean", .dimensionless, "Mean length of the diagonal lines, in beats", webber) { $0.meanLine },
            index("rqaLmax", .dimensionless, "Length of the longest diagonal line, in beats", webber) {
                $0.longestLine
            },
            index("rqaShanEn", .dimensionless, "Shannon entropy, in nats, of the lengths of the diagonal lines", webber)
            {
                $0.lineEntropy
            },
            index(
                "d2", .dimensionless,
                "Correlation dimension: slope of the line of least squares through log C(r) over log r where C is 1 to 25 %, Euclidean distances r, at the edges of a histogram of r^2 with 32 equal bins to each doubling",
                "Grassberger & Procaccia 1983, Phys Rev Lett 50:346-349"
            ) { $0.correlationDimension },
        ]
    }()
}
