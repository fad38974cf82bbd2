import GroupStatistics
import TestSupport
import Testing

@Suite struct ComparisonTests {
    @Test(.enabled(if: OracleData.has(Reference.name)))
    func pairedComparisonsAgreeWithScipy() throws {
        for row in try Reference.load().paired {
            let found = try Comparison.paired(row.first, row.second)
            try check(found, row)
            let (low, high) = (try #require(row.gLow), try #require(row.gHigh))
            // two sets of random draws: the limits differ by a part of the interval
            #expect(abs(found.gLow - low) < 0.12 * (high - low), "\(found.gLow) \(low)")
            #expect(abs(found.gHigh - high) < 0.12 * (high - low), "\(found.gHigh) \(high)")
        }
    }

    @Test(.enabled(if: OracleData.has(Reference.name)))
    func comparisonsOfGroupsAgreeWithScipy() throws {
        for row in try Reference.load().independent {
            let found = try Comparison.independent(row.first, row.second)
            try check(found, row)
            #expect(found.gLow < found.hedgesG && found.hedgesG < found.gHigh)
        }
    }

    private func check(_ found: Comparison, _ row: Reference.Compared) throws {
        #expect(agree(found.t, row.t, 1e-11))
        #expect(agree(found.degreesOfFreedom, row.df, 1e-11))
        #expect(agree(found.p, row.p, 1e-10))
        #expect(agree(found.low, row.low, 1e-9) && agree(found.high, row.high, 1e-9))
        #expect(agree(found.rankP, row.rank, 1e-10), "\(found.rankP) \(row.rank)")
        #expect(agree(found.hedgesG, row.g, 1e-10))
    }

    @Test(.enabled(if: OracleData.has(Reference.name)))
    func ranksWithTiesAndZerosAgreeWithPermutationsOfScipy() throws {
        for row in try Reference.load().ranks {
            let found =
                try row.isPaired
                ? Comparison.paired(row.first, row.second) : Comparison.independent(row.first, row.second)
            #expect(agree(found.rankP, row.p, 1e-10), "\(row.first) \(row.second): \(found.rankP) \(row.p)")
        }
    }

    @Test(arguments: [
        // One pattern of signs of 32 on either side; zeros leave five; by scipy's permutation test.
        ([1, 1, 1, 1, 1.5], 0.0625), ([0, 0, 0, 1, 2, 3, 4, 5.0], 0.0625), ([1, 1, 2, -1, 3, 0, 4.0], 0.125),
    ])
    func theRanksOfAFewPeopleWithTiesOrZerosTellNoMoreThanTheirSigns(differences: [Double], p: Double) throws {
        let found = try Comparison.paired(differences.map { _ in 0 }, differences)
        #expect(agree(found.rankP, p, 1e-12), "\(found.rankP)")
    }

    @Test func theRanksOfSmallGroupsWithTiesAreCounted() throws {
        // One choice of three people out of twenty on either side; 0.047 by the normal approximation.
        let apart = try Comparison.independent([1, 1, 1], [2, 2, 3])
        #expect(agree(apart.rankP, 0.1, 1e-12), "\(apart.rankP)")
        let uneven = try Comparison.independent([3, 3, 4, 5, 5], [1, 2, 2, 3])
        #expect(agree(uneven.rankP, 1 / 21.0, 1e-12), "\(uneven.rankP)")
    }

    @Test(arguments: 1...60)
    func theRanksOfSmallGroupsAreCountedOverAllChoices(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        func draw(_ count: Int) -> [Double] {
            (0..<count).map { _ in Double(Int.random(in: 0...6, using: &generator)) }
        }
        let (first, second) = (draw(2 + Int(seed % 3)), draw(5))
        let all = first + second
        guard Set(all).count > 1 else { return }
        // Twice a rank: below and up to, each value's own among them.
        let ranks = all.map { value in all.count { $0 < value } + all.count { $0 <= value } + 1 }
        let found = ranks.prefix(first.count).reduce(0, +)
        var (below, above, choices) = (0, 0, 0)
        for choice in 0..<(1 << all.count) where choice.nonzeroBitCount == first.count {
            let sum = ranks.indices.reduce(0) { choice >> $1 & 1 == 1 ? $0 + ranks[$1] : $0 }
            (below, above, choices) = (below + (sum <= found ? 1 : 0), above + (sum >= found ? 1 : 0), choices + 1)
        }
        let p = min(1, 2 * Double(min(below, above)) / Double(choices))
        let rankP = try Comparison.independent(first, second).rankP
        #expect(agree(rankP, p, 1e-12), "\(first) \(second): \(rankP) \(p)")
    }

    @Test(arguments: [false, true])
    func aFewPeopleAgainstThousandsAreCountedToo(isAbove: Bool) throws {
        let many = (0..<3_000).map(Double.init)
        let few = isAbove ? [4_000, 5_000.0] : [-1, -2]
        let rankP = try Comparison.independent(few, many).rankP
        #expect(agree(rankP, 2 / (3_002.0 * 3_001 / 2), 1e-10), "\(rankP)")
    }

    @Test func groupsInPerfectBalanceHaveAPOfOne() throws {
        // U is 45 of 90, for which scipy's mannwhitneyu gives 1, exact and approximate.
        let ours: [Double] = [1, 4, 5, 8, 9, 12, 13, 16, 17]
        let others: [Double] = [2, 3, 6, 7, 10, 11, 14, 15, 18, 0]
        #expect(try Comparison.independent(ours, others).rankP == 1)
    }

    @Test func manyTiedDifferencesAreApproximatedWithoutContinuity() throws {
        let differences = (0..<60).map { Double($0 % 7 - 2) }
        let found = try Comparison.paired(differences.map { _ in 0 }, differences)
        #expect(agree(found.rankP, 0.0015264799104482217, 1e-9), "\(found.rankP)")
    }

    @Test func exchangingTheSidesTurnsTheSignsOver() throws {
        let (a, b) = ([1.0, 2.5, 3, 7, 4], [2.0, 2, 8, 9, 3])
        let (one, other) = (try Comparison.paired(a, b), try Comparison.paired(b, a))
        #expect(one.difference == -other.difference && one.p == other.p && one.hedgesG == -other.hedgesG)
    }

    @Test func theSameSeedGivesTheSameInterval() throws {
        let (a, b) = ([1.0, 2.5, 3, 7, 4], [2.0, 2, 8, 9, 3])
        #expect(try Comparison.independent(a, b) == Comparison.independent(a, b))
        let other = try Comparison.independent(a, b, bootstrap: Bootstrap(seed: 2))
        #expect(try Comparison.independent(a, b).gLow != other.gLow)
    }

    @Test(arguments: [
        // Two of five alike: 1.1 % of draws have no spread, which some sets of 2000 have fewer of than 1 %.
        ([1.0, 1, 2, 3, 5], false), ([1.0, 2, 3, 5], false), ([1.0, 2, 3, 5, 8], true), ([1.0, 1, 2, 3, 5, 8], true),
    ])
    func whetherThereIsAnIntervalDependsOnTheValuesAloneAndNotOnTheDraw(differences: [Double], hasLimits: Bool) throws {
        for seed in UInt64(1)...40 {
            for turn in differences.indices {
                let values = Array(differences[turn...] + differences[..<turn])
                let found = try Comparison.paired(
                    values.map { _ in 0 }, values, bootstrap: Bootstrap(resamples: 500, seed: seed))
                #expect(found.gLow.isFinite == hasLimits && found.gHigh.isFinite == hasLimits, "\(seed) \(values)")
            }
        }
    }

    @Test func whatCannotBeComparedSaysWhy() {
        #expect(throws: GroupStatisticsError.tooFew("pairs", found: 1, needed: 2)) { try Comparison.paired([1], [2]) }
        #expect(throws: GroupStatisticsError.noSpread("differences of pairs")) {
            try Comparison.paired([1, 2], [2, 3])
        }
        #expect(throws: GroupStatisticsError.notFinite("a comparison of groups")) {
            try Comparison.independent([1, .nan], [2, 3])
        }
        #expect(throws: GroupStatisticsError.lengths("values of the second condition", found: 1, expected: 2)) {
            try Comparison.paired([1, 2], [2])
        }
    }

    @Test(arguments: [
        // One person differs, or three of a few: many draws have no spread, and the rest is no sample of all.
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [1, 2, 2], [0, 0, 0, 0, 3.0],
    ])
    func differencesWhoseDrawsOftenHaveNoSpreadHaveNoInterval(differences: [Double]) throws {
        let found = try Comparison.paired(differences.map { _ in 0 }, differences)
        #expect(found.hedgesG.isFinite)
        #expect(found.gLow.isNaN && found.gHigh.isNaN, "\(found.gLow) \(found.gHigh)")
    }

    @Test func sharesThatAreAllAlikeAreNoOutliers() {
        #expect(
            Outliers.modifiedZ([0.99, 0.99, 0.99, 0.98, 0.4], leastSpread: 0.03).map { $0 < -3.5 }
                == [false, false, false, false, true])
        #expect(Outliers.modifiedZ([1, 1, 1, 0.4])[3].isNaN)
    }

    @Test func differencesThatRoundingAloneTellsApartHaveNoSpread() {
        // 0.3 - 0.2, 0.4 - 0.3 and so on differ in their last digits only.
        let first = [0.1, 0.2, 0.3, 0.4, 0.7, 1.1, 70.1, 1e3 + 0.1]
        let second = first.map { $0 + 0.1 }
        #expect(Set(zip(first, second).map { $1 - $0 }).count > 1)
        #expect(throws: GroupStatisticsError.noSpread("differences of pairs")) { try Comparison.paired(first, second) }
        let third = 1.0 / 3
        #expect(throws: GroupStatisticsError.noSpread("values of both groups")) {
            try Comparison.independent([third, third + 5e-17, third], [0.1 + 0.2, 0.3, 0.3])
        }
        // Ten times 0.1 adds up to less than 1.
        #expect(throws: GroupStatisticsError.noSpread("differences of pairs")) {
            try Comparison.paired(Array(repeating: 0, count: 10), Array(repeating: 0.1, count: 10))
        }
    }

    @Test func valuesThatRoundingAloneTellsApartAreTies() throws {
        // In tenths, as exact numbers: differences 1 1 2 −1 3 0 4 and the same as decimal fractions.
        let (first, second) = ([1.0, 2, 3, 4, 5, 6, 7], [2.0, 3, 5, 3, 8, 6, 11])
        let noise = [1, -1, 1, 1, -1, 1, -1.0]
        func tenths(_ values: [Double], _ share: Double) -> [Double] {
            zip(values, noise).map { $0 / 10 * (1 + share * $1) }
        }
        let exact = try Comparison.paired(first, second)
        let rounded = try Comparison.paired(tenths(first, 4e-14), tenths(second, -4e-14))
        #expect(rounded.rankP == exact.rankP)
        #expect(agree(rounded.hedgesG, exact.hedgesG, 1e-9))
        let (ours, others) = ([1.0, 2, 2, 3, 5, 8, 9], [2.0, 3, 3, 4, 4, 8, 10])
        let groups = try Comparison.independent(tenths(ours, 4e-14), tenths(others, -4e-14))
        #expect(try groups.rankP == Comparison.independent(ours, others).rankP)
    }

    @Test func smallDifferencesOfLargeValuesAndMixedSizesAreKept() throws {
        let large = try Comparison.paired([1e6, 1e6, 1e6, 1e6], [1e6 + 1e-3, 1e6 + 2e-3, 1e6 + 3e-3, 1e6 + 5e-3])
        #expect(agree(large.difference, 2.75e-3, 1e-5))
        let mixed = try Comparison.independent([1, 2, 3, 4], [2, 3, 4, 1e15])
        #expect(try mixed.rankP == Comparison.independent([1, 2, 3, 4], [2, 3, 4, 9]).rankP)
    }
}
