import GroupStatistics
import Kernels
import TestSupport
import Testing

@Suite struct IntraclassCorrelationTests {
    /// The table of Shrout & Fleiss 1979 (six people, four judges), whose coefficients they print.
    @Test func agreesWithShroutAndFleiss() throws {
        let table = try Matrix([
            [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7],
        ])
        let icc = try IntraclassCorrelation(table)
        #expect(abs(icc.oneWay.value - 0.166) < 5e-4)
        #expect(abs(icc.agreement.value - 0.290) < 5e-4)
        #expect(abs(icc.consistency.value - 0.715) < 5e-4)
        // limits as printed by the R package psych for the same table
        #expect(abs(icc.oneWay.low + 0.13) < 0.01 && abs(icc.oneWay.high - 0.72) < 0.01)
        #expect(abs(icc.agreement.low - 0.02) < 0.01 && abs(icc.agreement.high - 0.76) < 0.01)
        #expect(abs(icc.consistency.low - 0.34) < 0.01 && abs(icc.consistency.high - 0.95) < 0.01)
    }

    @Test(.enabled(if: OracleData.has(Reference.name)))
    func agreesWithAnalysisOfVariance() throws {
        for row in try Reference.load().icc {
            let icc = try IntraclassCorrelation(Matrix(row.table))
            #expect(agree(icc.oneWay.value, row.oneWay, 1e-9))
            #expect(agree(icc.agreement.value, row.agreement, 1e-9))
            #expect(agree(icc.consistency.value, row.consistency, 1e-9))
        }
    }

    @Test func aShiftBetweenSessionsIsNoMatterOfConsistency() throws {
        let icc = try IntraclassCorrelation(Matrix([[1, 11], [2, 12], [4, 14], [7, 17.5]]))
        #expect(icc.consistency.value > 0.99 && icc.agreement.value < 0.3)
    }

    @Test func fullAgreementHasNoLimits() throws {
        let icc = try IntraclassCorrelation(Matrix([[700.1, 700.1], [812.4, 812.4], [655.7, 655.7], [903, 903]]))
        #expect(icc.agreement.value == 1 && icc.agreement.low.isNaN && icc.agreement.high.isNaN)
    }

    @Test func limitsThatDoNotEncloseTheCoefficientAreNotGiven() throws {
        for table in [[[1.0, 9], [9, 1], [5, 5.1]], [[1.0, 2], [2, 1]]] {
            let icc = try IntraclassCorrelation(Matrix(table))
            for one in [icc.oneWay, icc.agreement, icc.consistency] {
                #expect(one.low.isNaN && one.high.isNaN || one.low <= one.value && one.value <= one.high, "\(one)")
            }
        }
    }

    @Test func whatHasNoAgreementSaysWhy() throws {
        #expect(throws: GroupStatisticsError.tooFew("sessions", found: 1, needed: 2)) {
            try IntraclassCorrelation(Matrix([[1], [2]]))
        }
        #expect(throws: GroupStatisticsError.noSpread("measurements")) {
            try IntraclassCorrelation(Matrix([[1, 1], [1, 1]]))
        }
    }

    @Test func valuesThatRoundingAloneTellsApartHaveNoAgreement() throws {
        let (one, other) = (812.3, 812.3.nextUp)
        #expect(throws: GroupStatisticsError.noSpread("measurements")) {
            try IntraclassCorrelation(Matrix([[one, other], [other, one], [one, one]]))
        }
        // The mean of six times 0.1 is not 0.1.
        #expect(throws: GroupStatisticsError.noSpread("measurements")) {
            try IntraclassCorrelation(Matrix([[0.1, 0.1], [0.1, 0.1], [0.1, 0.1]]))
        }
        let table = [[1.0, 2], [3, 3], [5, 4.5]]
        let plain = try IntraclassCorrelation(Matrix(table))
        let noisy = try IntraclassCorrelation(Matrix(table.map { row in row.map { $0 * (1 + 1e-15) } }))
        #expect(agree(noisy.agreement.value, plain.agreement.value, 1e-9))
    }
}
