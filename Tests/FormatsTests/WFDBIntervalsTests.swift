import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct WFDBIntervalsTests {
    private typealias Mark = (sample: Int, symbol: String, subtype: Int8)

    @discardableResult
    private func withRecord<Result>(
        _ marks: [Mark], header: String? = "r 0 100\n", _ body: (URL) throws -> Result
    ) throws -> Result {
        try withTemporaryFolder { folder in
            let list = try marks.map {
                try #require(WFDBAnnotation(sample: $0.sample, symbol: $0.symbol, subtype: $0.subtype))
            }
            let url = folder.appendingPathComponent("r.atr")
            try WFDBAnnotations(list).write(to: url)
            try header?.write(to: folder.appendingPathComponent("r.hea"), atomically: true, encoding: .utf8)
            return try body(url)
        }
    }

    private let beats: [Mark] = [
        (100, "N", 0), (180, "N", 0), (180, "N", 0), (230, "V", 0), (300, "+", 0), (330, "N", 0), (400, "~", -1),
        (430, "N", 0), (440, "~", 1), (520, "N", 0), (560, "[", 0), (570, "!", 0), (580, "N", 0), (660, "]", 0),
        (690, "A", 0), (780, "N", 0),
    ]

    @Test func flutterAndUnreadableStretchesAreBreaksAndMarksAtOneMomentOneBeat() throws {
        try withRecord(beats) { url in
            let series = try WFDBIntervals.read(url)
            for (value, expected) in zip(series.intervals, [0.8, 0.5, 1, 0.9, 0.9]) {
                #expect(abs(value - expected) < 1e-12)
            }
            #expect(series.onsets == [1.8, 2.3, 3.3, 5.2, 7.8])
            #expect(series.followsBreak == [true, false, false, true, true])
            #expect(series.notes == ["beats by annotation: N 6, A 1, V 1"])
        }
    }

    @Test func annotationsBesideAHeaderAreARecordingOfIntervals() throws {
        try withRecord(beats, header: "r 0 100 0 12:30:15 01/02/2020\n") { url in
            let recording = try Recording(reading: RecordingFile.open(url))
            #expect(recording.header.format == "WFDB annotations")
            #expect(recording.header.start != nil)
            let stream = try #require(recording.streams(of: .ibi).first)
            #expect(stream.values.map(\.onset) == [1.8, 2.3, 3.3, 5.2, 7.8])
            #expect(try RecordingFile.files(of: url).map(\.lastPathComponent) == ["r.atr", "r.hea"])
        }
    }

    @Test func withoutAHeaderTheRateIsMissed() throws {
        try withRecord(beats, header: nil) { url in
            #expect(throws: FormatError.self) { try RecordingFile.open(url) }
            do { _ = try WFDBIntervals.read(url) } catch { #expect("\(error)".contains("r.hea")) }
        }
    }

    @Test func whatIsCutOffOrOutOfOrderOrWithoutBeatsIsRefused() throws {
        try withRecord(beats) { url in
            let bytes = try Data(contentsOf: url)
            try bytes.dropLast(2).write(to: url)
            do { _ = try RecordingFile.open(url); Issue.record("opened") } catch {
                #expect("\(error)".contains("no end mark"))
            }
        }
        try withRecord([(100, "N", 0), (200, "N", 0), (150, "N", 0)]) { url in
            do { _ = try WFDBIntervals.read(url); Issue.record("read") } catch {
                #expect("\(error)".contains("sample 150") && "\(error)".contains("order of time"))
            }
        }
        for marks: [Mark] in [[(100, "N", 0)], [(100, "+", 0), (200, "~", 0)], []] {
            try withRecord(marks) { url in
                #expect(throws: FormatError.self) { try WFDBIntervals.read(url) }
            }
        }
    }

    /// In apnea databases `N` stands for a minute without apnea.
    @Test func marksOfMinutesAreNoBeats() throws {
        try withRecord((0..<50).map { ($0 * 6_000, "N", 0) }) { url in
            #expect(throws: FormatError.self) { try RecordingFile.open(url) }
        }
    }

    @Test(.enabled(if: RealData.has("rr_nsr2db/nsr001.ecg")))
    func aDayOfBeatsIsTheTimeFromTheFirstToTheLast() throws {
        let url = RealData.url("rr_nsr2db/nsr001.ecg")
        let recording = try Recording(reading: RecordingFile.open(url))
        let values = try #require(recording.streams(of: .ibi).first).values
        let beats = try WFDBAnnotations.read(url).list.filter(\.isBeat).map(\.sample)
        let sum = values.reduce(0) { $0 + Double($1.values[0]) }
        // The stream's values are single precision.
        #expect(abs(sum - Double(beats.last! - beats[0]) / 128) < 0.1)
        #expect(values.count == Set(beats).count - 1)
    }
}
