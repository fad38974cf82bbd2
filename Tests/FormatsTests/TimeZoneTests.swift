import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What is said of the time zone of a recording's start.
struct TimeZoneTests {
    private func header(_ text: String, _ name: String, in folder: URL) throws -> RecordingHeader {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return try RecordingFile.open(file).header
    }

    private func table(_ first: String, _ second: String, heading: String = "time") -> String {
        "\(heading),ecg\n\(first),1\n\(second),2\n"
    }

    @Test(arguments: [
        ("2026-03-01T12:30:05.000Z", "2026-03-01T12:30:05.250Z", true),
        ("2026-03-01T12:30:05.000+01:00", "2026-03-01T12:30:05.250+01:00", true),
        ("2026-03-01T12:30:05.000-0330", "2026-03-01T12:30:05.250-0330", true),
        ("2026-03-01T12:30:05.000", "2026-03-01T12:30:05.250", false),
        ("2026-03-01 12:30:05.000", "2026-03-01 12:30:05.250", false),
        ("1772368205.000", "1772368205.250", true),
    ])
    func datesInTextTellTheirZoneOrNot(first: String, second: String, isTold: Bool) throws {
        try withTemporaryFolder { folder in
            let header = try header(table(first, second), "a.csv", in: folder)
            #expect(header.start != nil)
            #expect(header.hasTimeZone == isTold)
        }
    }

    @Test func aHeadingMaySayThatTimesAreUTC() throws {
        try withTemporaryFolder { folder in
            let text = table("2026-03-01T12:30:05.000", "2026-03-01T12:30:05.250", heading: "time (UTC)")
            let header = try header(text, "a.csv", in: folder)
            #expect(header.hasTimeZone)
        }
    }

    @Test func datesBesideIntervalsTellTheirZoneOrNot() throws {
        try withTemporaryFolder { folder in
            for zone in ["", "Z"] {
                let rows = (1...5).map { "2026-03-01T12:30:0\($0).000\(zone),1000\n" }.joined()
                let header = try header("time,rr\n" + rows, "a.rr", in: folder)
                #expect(header.start != nil)
                #expect(header.hasTimeZone == !zone.isEmpty)
            }
        }
    }

    /// EDF has no place for a zone, and XDF keeps that nobody told it.
    @Test func convertingForgetsAndInventsNoZone() throws {
        try withTemporaryFolder { folder in
            let text = folder.appendingPathComponent("a.csv")
            try Data(table("2026-03-01T12:30:05Z", "2026-03-01T12:30:06Z").utf8).write(to: text)
            let places = ["b.xdf", "c.edf", "d.xdf"].map { folder.appendingPathComponent($0) }
            try XDFWriter.write(try RecordingFile.open(text), to: places[0])
            try EDFWriter.write(to: places[1]) { try RecordingFile.open(text) }
            try XDFWriter.write(try RecordingFile.open(places[1]), to: places[2])
            let headers = try places.map { try RecordingFile.open($0).header }
            #expect(headers.map(\.hasTimeZone) == [true, false, false])
            #expect(Set(headers.map(\.start)).count == 1)
        }
    }
}
