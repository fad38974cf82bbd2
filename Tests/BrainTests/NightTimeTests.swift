import Brain
import Kernels
import Signals
import Testing

/// The part of a recording that is in the night.
@Suite struct NightTimeTests {
    private static func epochs(hours: Double, from onset: Double = 0) -> [SleepEpoch] {
        (0..<Int(hours * 120)).map { SleepEpoch(onset: onset + Double($0) * 30, asleep: $0 % 2) }
    }

    /// Counted minute by minute.
    private static func expected(start: Double, hours: Double) -> Double {
        let first = Int((start * 120).rounded())
        return (0..<Int(hours * 120)).reduce(0) { sum, epoch in
            let ofDay = (first + epoch) % 2_880
            return sum + (ofDay >= 21 * 120 || ofDay < 9 * 120 ? 30 : 0)
        }
    }

    @Test(arguments: 1...40)
    func `hours from 21 to 9 count, whenever the recording began`(seed: UInt64) {
        var random = RandomSource(seed: seed, "nights")
        let start = Double(Int(random.uniform(0...48) * 120)) / 120
        let hours = random.uniform(0.1...60)
        let local = Timestamp(secondsSince1970: 1_700_006_400 + 3_600 * start)
        let found = NightTime.duration(of: Self.epochs(hours: hours), localStart: local)
        #expect(found == Self.expected(start: start, hours: hours))
    }

    @Test(arguments: 1...20)
    func `without a time of day the worst case counts`(seed: UInt64) {
        var random = RandomSource(seed: seed, "nights of unknown time")
        let hours = random.uniform(0.1...40)
        let found = NightTime.duration(of: Self.epochs(hours: hours), localStart: nil)
        let least = (0..<2_880).map { Self.expected(start: Double($0) / 120, hours: hours) }.min() ?? 0
        #expect(found == least)
    }

    @Test func `epochs without a label do not count`() {
        let night = Timestamp(year: 2024, month: 3, day: 1, hour: 22)
        let epochs = (0..<240).map { SleepEpoch(onset: Double($0) * 30, reason: $0 % 2 == 0 ? .gap : .notWorn) }
        #expect(NightTime.duration(of: epochs, localStart: night) == 0)
    }

    @Test(
        arguments: [
            (true, nil, nil, nil), (true, 2.0, nil, 2.0), (true, nil, -5.0, -5), (true, 2, -5, 2), (false, nil, nil, 0),
            (false, nil, 3, 0),
        ] as [(Bool, Double?, Double?, Double?)])
    func `local time is that of the recorder or of a known offset`(
        hasTimeZone: Bool, told: Double?, given: Double?, ahead: Double?
    ) {
        let start = Timestamp(year: 2024, month: 3, day: 1, hour: 10, second: 7)
        var header = RecordingHeader(start: start, format: "test", hasTimeZone: hasTimeZone)
        header.utcOffset = told.map { 3_600 * $0 }
        let found = header.localStart(utcOffset: given.map { 3_600 * $0 })
        #expect(found == ahead.map { start + 3_600 * $0 })
    }

    @Test func `a recorder's clock at midnight to the second was never set`() {
        let start = Timestamp(year: 1985, month: 1, day: 1)
        #expect(RecordingHeader(start: start, format: "EDF", hasTimeZone: false).localStart() == nil)
        #expect(RecordingHeader(start: nil, format: "EDF", hasTimeZone: false).localStart() == nil)
    }
}
