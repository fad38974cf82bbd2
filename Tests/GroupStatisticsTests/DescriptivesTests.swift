import GroupStatistics
import Testing

@Suite struct DescriptivesTests {
    @Test func missingValuesAreCountedAndNotUsed() {
        let found = Descriptives([2, .nan, 4, 4, 6])
        #expect(found.n == 4 && found.missing == 1 && found.mean == 4 && found.median == 4)
        #expect(found.lowerQuartile == 3.5 && found.upperQuartile == 4.5 && found.mad == 1)
        // 3.1824463 is the 97.5 % point of Student's t with 3 degrees of freedom
        #expect(abs(found.meanHigh - 4 - 3.182_446_305 * found.sd / 2) < 1e-8)
    }

    @Test(arguments: [[], [Double.nan]]) func ofNothingNothingIsKnown(_ values: [Double]) {
        let found = Descriptives(values)
        #expect(found.n == 0 && found.mean.isNaN && found.minimum.isNaN && found.meanLow.isNaN)
    }

    @Test func whoStandsApartIsFarInRobustDeviations() {
        let z = Outliers.modifiedZ([10, 11, 9, 10.5, 9.5, 30, .nan])
        #expect(z[5] > 3.5 && z[6].isNaN && z.prefix(5).allSatisfy { abs($0) < 2 })
        #expect(Outliers.modifiedZ([1, 1, 1, 5]).allSatisfy { $0.isNaN })
    }
}
