import Brain
import Formats
import Foundation
import Kernels
import Motion
import Pipeline
import Signals
import TestSupport
import Testing

/// When the acceleration of a still wrist is scored as sleep.
@Suite struct SleepScoringTests {
    /// A recording at 1 Hz of a wrist that turns now and then.
    private static func recording(start: Timestamp?, hours: Double, hasTimeZone: Bool, offset: Double?) -> Recording {
        var random = RandomSource(seed: 4, "wrist")
        let count = Int(hours * 3_600)
        var samples: [Float] = []
        for axis in 0..<3 {
            for second in 0..<count {
                let isUp = second / 1_800 % 2 == axis % 2
                samples.append((isUp ? 0.7 : 0.1) + Float(0.01 * random.gaussian()))
            }
        }
        let stream = Signals.Stream(
            header: StreamHeader(
                name: "acc", kind: .acceleration,
                channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, sampleRate: 1),
            segments: [
                Segment(
                    start: SegmentStart(onset: 0, sample: 0, sampleRate: 1),
                    block: SampleBlock(channelCount: 3, samples: samples))
            ])
        var header = RecordingHeader(
            start: start, duration: Double(count), streams: [stream.header], format: "test", hasTimeZone: hasTimeZone)
        header.utcOffset = offset.map { 3_600 * $0 }
        return Recording(header: header, streams: [stream])
    }

    private static func analysis(
        _ recording: Recording, _ change: (inout MotionParameters) -> Void = { _ in }
    ) throws -> RecordingAnalysis {
        var parameters = Parameters()
        change(&parameters.motion)
        return try RecordingAnalysis(RecordedEvents(recording), parameters: parameters, file: "test")
    }

    private static func label(_ analysis: RecordingAnalysis) throws -> String {
        let result = try #require(analysis.motion.first)
        return SleepEpoch.columns(result.sleepSource)[1].name
    }

    /// Time zones, hours and lengths at random, against a count of the night.
    @Test(arguments: 1...25)
    func `sleep is scored from four hours of night on`(seed: UInt64) throws {
        var random = RandomSource(seed: seed, "recordings")
        let (local, hours) = (random.uniform(0...24), random.uniform(0.5...12))
        let offset = Double(Int(random.uniform(-11...14) * 4)) / 4
        let begin = Timestamp(year: 2024, month: 6, day: 3, hour: 0, second: (3_600 * local).rounded() + 1)
        let night = (0..<Int(hours * 120)).count { epoch in
            let ofDay = (local + Double(epoch) / 120).truncatingRemainder(dividingBy: 24)
            return ofDay >= 21 || ofDay < 9
        }
        // Within a few minutes of the limit, either will do.
        guard abs(Double(night) / 120 - 4) > 0.1, abs(hours - 4) > 0.1 else { return }
        let expected = night >= 480 ? "asleep" : "sustainedInactivity"
        let clock = try Self.analysis(Self.recording(start: begin, hours: hours, hasTimeZone: false, offset: nil))
        #expect(try Self.label(clock) == expected)
        let utc = begin + -3_600 * offset
        let told = try Self.analysis(Self.recording(start: utc, hours: hours, hasTimeZone: true, offset: offset))
        #expect(try Self.label(told) == expected)
        let set = try Self.analysis(Self.recording(start: utc, hours: hours, hasTimeZone: true, offset: nil)) {
            $0.utcOffset = offset
        }
        #expect(try Self.label(set) == expected)
        let unknown = try Self.analysis(Self.recording(start: utc, hours: hours, hasTimeZone: true, offset: nil))
        #expect(try Self.label(unknown) == "sustainedInactivity")
        let why = unknown.notComputed.filter { $0.what == "sleep of acc" }.map(\.why)
        #expect(why.count == 1 && why.allSatisfy { $0.contains(hours < 4 ? "it was worn for" : "motion.utcOffset") })
    }

    @Test func `sleep is scored where it is asked for`() throws {
        let noon = Timestamp(year: 2024, month: 6, day: 3, hour: 12)
        let recording = Self.recording(start: noon, hours: 6, hasTimeZone: false, offset: nil)
        let day = try Self.analysis(recording)
        #expect(try Self.label(day) == "sustainedInactivity")
        #expect(day.notComputed.contains { $0.what == "sleep of acc" && $0.why.contains("0 h are in the night") })
        let asked = try Self.analysis(recording) { $0.sleepScoring = .always }
        #expect(try Self.label(asked) == "asleep")
        #expect(!asked.notComputed.contains { $0.what == "sleep of acc" })
        let any = try Self.analysis(recording) { $0.minimumNight = 0 }
        #expect(try Self.label(any) == "asleep")
    }

    @Test func `a day and night is scored without a time of day`() throws {
        let whole = try Self.analysis(Self.recording(start: nil, hours: 16.2, hasTimeZone: true, offset: nil))
        #expect(try Self.label(whole) == "asleep")
        let less = try Self.analysis(Self.recording(start: nil, hours: 15.8, hasTimeZone: true, offset: nil))
        #expect(try Self.label(less) == "sustainedInactivity")
    }

    @Test func `the table has the column and its definition`() throws {
        let noon = Timestamp(year: 2024, month: 6, day: 3, hour: 12)
        let result = try #require(
            try Self.analysis(Self.recording(start: noon, hours: 1, hasTimeZone: false, offset: nil)).motion.first)
        let table = SleepEpoch.table(result.sleep, from: result.sleepSource)
        #expect(table.columns.map(\.name) == ["onset", "sustainedInactivity", "reason"])
        #expect(table.columns[1].definition.contains("Not scored as sleep"))
    }
}
