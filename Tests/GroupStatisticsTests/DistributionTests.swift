import GroupStatistics
import TestSupport
import Testing

@Suite(.enabled(if: OracleData.has(Reference.name)))
struct DistributionTests {
    @Test func tailsOfStudentsTAgreeWithScipy() throws {
        for row in try Reference.load().t {
            let distribution = StudentT(degreesOfFreedom: row.df)
            #expect(agree(distribution.twoSidedP(row.t), row.p, 1e-11), "t \(row.t), df \(row.df)")
            if row.t > 0, row.p > 1e-7 { #expect(agree(distribution.quantile(1 - row.p / 2), row.t, 1e-6)) }
        }
    }

    @Test func tailsOfFAgreeWithScipy() throws {
        for row in try Reference.load().f {
            let distribution = FisherF(numerator: row.n, denominator: row.m)
            #expect(agree(distribution.upperP(row.f), row.p, 1e-10), "F \(row.f), \(row.n), \(row.m)")
            #expect(agree(distribution.quantile(0.975), row.q, 1e-9), "\(row.n), \(row.m)")
        }
    }

    @Test func quantilesOfTheNormalAgreeWithScipy() throws {
        for row in try Reference.load().normal {
            #expect(agree(Normal.quantile(row.p), row.z, 1e-10), "\(row.p)")
            #expect(agree(Normal.cumulative(row.z), row.p, 1e-10), "\(row.p)")
        }
    }

    @Test func whatIsNoNumberHasNoProbability() {
        #expect(StudentT(degreesOfFreedom: 3).twoSidedP(.nan).isNaN)
        #expect(StudentT(degreesOfFreedom: 0).twoSidedP(1).isNaN)
        #expect(FisherF(numerator: 2, denominator: 3).upperP(-1).isNaN)
        #expect(Normal.quantile(1.5).isNaN)
    }
}
