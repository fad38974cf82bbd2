import GroupStatistics
import TestSupport
import Testing

@Suite struct FalseDiscoveryRateTests {
    @Test(.enabled(if: OracleData.has(Reference.name)))
    func qValuesAgreeWithStatsmodels() throws {
        for row in try Reference.load().fdr {
            let q = FalseDiscoveryRate.benjaminiHochberg(row.p)
            #expect(zip(q, row.q).allSatisfy { agree($0, $1, 1e-12) })
        }
    }

    @Test func testsThatWereNotMadeDoNotCount() {
        #expect(FalseDiscoveryRate.benjaminiHochberg([0.01, .nan, 0.04])[0] == 0.02)
        #expect(FalseDiscoveryRate.benjaminiHochberg([0.01, .nan, 0.04])[1].isNaN)
        #expect(FalseDiscoveryRate.benjaminiHochberg([]).isEmpty)
    }
}
