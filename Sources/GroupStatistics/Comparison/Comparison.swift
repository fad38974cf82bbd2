/// What two conditions, or two groups of people, differ by.
public struct Comparison: Sendable, Hashable {
    /// How the values of the two sides belong together.
    public enum Design: String, Sendable, Hashable, Codable {
        /// The same people on both sides.
        case paired
        /// Different people.
        case independent
    }

    /// How the values belong together.
    public let design: Design
    /// People on the first and the second side; equal when paired.
    public let firstCount: Int, secondCount: Int
    /// The means of both sides.
    public let firstMean: Double, secondMean: Double
    /// The second mean less the first, with its 95 % limits by Student's t.
    public let difference: Double, low: Double, high: Double
    /// Student's t of the difference (Welch's for independent groups), its degrees of freedom and two-sided p.
    public let t: Double, degreesOfFreedom: Double, p: Double
    /// The two-sided p by ranks: Wilcoxon's signed ranks when paired, Mann and Whitney's U when independent.
    public let rankP: Double
    /// Hedges' g (of d_z when paired, of d_s when independent), with its bootstrap limits.
    public let hedgesG: Double, gLow: Double, gHigh: Double
}

extension Comparison {
    /// Compares the same people's values under two conditions.
    /// - Parameters:
    ///   - first: finite values, a person each.
    ///   - second: the same people's values in the same order.
    ///   - bootstrap: how the limits of the effect size are found.
    /// - Throws: `tooFew` below 2 people, `noSpread` when all differ by the same but for rounding, `lengths`, `notFinite`.
    public static func paired(
        _ first: [Double], _ second: [Double], bootstrap: Bootstrap = Bootstrap()
    ) throws(GroupStatisticsError) -> Comparison {
        guard first.count == second.count else {
            throw .lengths("values of the second condition", found: second.count, expected: first.count)
        }
        guard zip(second, first).allSatisfy({ ($0 - $1).isFinite }) else { throw .notFinite("a paired comparison") }
        guard first.count > 1 else { throw .tooFew("pairs", found: first.count, needed: 2) }
        let differences = Rounding.differences(first, second)
        let test = try TTest.paired(differences)
        let correction = EffectSize.hedgesCorrection(degreesOfFreedom: test.degreesOfFreedom)
        let limits = bootstrap.interval(of: [differences]) { correction * EffectSize.dz($0[0]) }
        return Comparison(
            design: .paired, first, second, test, rankP: SignedRanks.twoSidedP(differences),
            g: (correction * EffectSize.dz(differences), limits.low, limits.high))
    }

    /// Compares the values of two groups of people.
    /// - Parameters:
    ///   - first: finite values, a person each.
    ///   - second: other people's values.
    ///   - bootstrap: how the limits of the effect size are found.
    /// - Throws: `tooFew` below 2 people on a side, `noSpread` when neither side varies but for rounding, `notFinite`.
    public static func independent(
        _ first: [Double], _ second: [Double], bootstrap: Bootstrap = Bootstrap()
    ) throws(GroupStatisticsError) -> Comparison {
        guard (first + second).allSatisfy(\.isFinite) else { throw .notFinite("a comparison of groups") }
        let smaller = min(first.count, second.count)
        guard smaller > 1 else { throw .tooFew("people in a group", found: smaller, needed: 2) }
        let all = Rounding.settled(first + second, scales: (first + second).map(abs))
        let (first, second) = (Array(all.prefix(first.count)), Array(all.dropFirst(first.count)))
        let test = try TTest.welch(first, second)
        let correction = EffectSize.hedgesCorrection(degreesOfFreedom: Double(first.count + second.count - 2))
        let limits = bootstrap.interval(of: [first, second]) { correction * EffectSize.ds($0[0], $0[1]) }
        return Comparison(
            design: .independent, first, second, test, rankP: RankSum.twoSidedP(first, second),
            g: (correction * EffectSize.ds(first, second), limits.low, limits.high))
    }

    private init(
        design: Design, _ first: [Double], _ second: [Double], _ test: TTest, rankP: Double,
        g: (value: Double, low: Double, high: Double)
    ) {
        self.design = design
        (firstCount, secondCount) = (first.count, second.count)
        let (a, b) = (Descriptives(first).mean, Descriptives(second).mean)
        (firstMean, secondMean) = (a, b)
        (difference, low, high) = (test.difference, test.low, test.high)
        (t, degreesOfFreedom, p) = (test.t, test.degreesOfFreedom, test.p)
        self.rankP = rankP
        (hedgesG, gLow, gHigh) = g
    }
}
