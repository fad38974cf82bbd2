import Foundation
import Signals
import TestSupport
import Testing

struct TimestampTests {
    @Test(arguments: [
        (1970, 1, 1, 0, 0, 0.0, 0.0),
        (2000, 1, 1, 0, 0, 0.0, 946_684_800.0),
        (2019, 1, 1, 0, 0, 0.0, 1_546_300_800.0),
        (2024, 2, 29, 23, 59, 59.5, 1_709_251_199.5),
        (1969, 12, 31, 23, 59, 59.0, -1.0),
        (1900, 3, 1, 0, 0, 0.0, -2_203_891_200.0),
    ])
    func civilTimesAreSecondsSince1970(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Double, expected: Double
    ) {
        let moment = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        #expect(moment.secondsSince1970 == expected)
        let civil = moment.civil
        let found: [Int] = [civil.year, civil.month, civil.day, civil.hour, civil.minute]
        let expectedFields: [Int] = [year, month, day, hour, minute]
        #expect(found == expectedFields)
        #expect(civil.second == second)
    }

    @Test func civilTimesAgreeWithFoundationOverFiveCenturies() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var random = SplitMix64(seed: 5)
        for _ in 0..<2_000 {
            let seconds = Int.random(in: -8_000_000_000...8_000_000_000, using: &random)
            let moment = Timestamp(secondsSince1970: Double(seconds))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
            let civil = moment.civil
            let found: [Int] = [civil.year, civil.month, civil.day, civil.hour, civil.minute, Int(civil.second)]
            let fields: [Int?] = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
            #expect(found == fields.compactMap { $0 })
        }
    }

    @Test(arguments: [1e300, -1e300, 1e18, -9e18, .infinity, -.infinity, .nan])
    func anyMomentHasADate(seconds: Double) {
        let civil = Timestamp(secondsSince1970: seconds).civil
        #expect((1...12).contains(civil.month) && (1...31).contains(civil.day) && (0..<24).contains(civil.hour))
        #expect(!Timestamp(secondsSince1970: seconds).description.isEmpty)
        #expect(Plausible.moment(seconds) == nil)
    }

    @Test func datesHaveYearsOfFourDigits() {
        let first = Timestamp(year: 1, month: 1, day: 1)
        let last = Timestamp(year: 9_999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
        #expect(
            Plausible.moment(first.secondsSince1970) == first && Plausible.moment(first.secondsSince1970 - 1) == nil)
        #expect(Plausible.moment(last.secondsSince1970) == last && Plausible.moment(last.secondsSince1970 + 1) == nil)
    }

    @Test func descriptionsRoundToMillisecondsAndCarry() {
        #expect(Timestamp(secondsSince1970: 0).description == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(secondsSince1970: 59.99996).description == "1970-01-01T00:01:00.000Z")
        #expect(Timestamp(secondsSince1970: 1_551_453_311.68).description == "2019-03-01T15:15:11.680Z")
    }
}
