import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Times in text as people, spreadsheets and other programs write them, against Foundation's own formatting.
struct CivilTimeTests {
    /// A quarter to midnight, so that a file of an hour passes it, on a day that is no month.
    private static let begin = Timestamp(year: 2024, month: 3, day: 28, hour: 23, minute: 15, second: 0.5)

    private static func text(
        _ format: String, begin: Timestamp = begin, header: String = "Time;HR", rows: Int = 3_600, zone: String = "UTC"
    ) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone)
        formatter.dateFormat = format
        let rows = (0..<rows).map {
            formatter.string(from: Date(timeIntervalSince1970: begin.secondsSince1970 + Double($0)))
                + ";\(60 + $0 % 9)\n"
        }
        return header + "\n" + rows.joined()
    }

    private func read(_ text: String, map: ColumnMap = ColumnMap()) throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: Delimited(folder.file("t.csv", text), map: map))
    }

    private func demandHour(_ recording: Recording, start: Timestamp?) {
        let stream = recording.streams[0]
        #expect(stream.header.sampleRate == 1 && stream.segments.map(\.block.frameCount) == [3_600])
        #expect(stream.gaps.isEmpty && recording.header.start == start && recording.header.notes.isEmpty)
    }

    @Test(arguments: [
        "M/d/yyyy h:mm:ss.S a", "MM/dd/yyyy HH:mm:ss.SSS", "dd/MM/yyyy HH:mm:ss.S", "d.M.yyyy HH:mm:ss,SSS",
        "dd.MM.yy H:mm:ss.S",
        "yyyy/M/d H:mm:ss.S", "yyyy-MM-dd hh:mm:ss.SSS a", "dd-MM-yyyy HH:mm:ss.SSS", "M/d/yy, h:mm:ss.S a",
    ])
    func `dates are read in every usual order`(format: String) throws {
        demandHour(try read(Self.text(format)), start: Self.begin)
    }

    @Test(
        arguments: [
            "yyyy-MM-dd'T'HH:mm:ss.SXXX", "yyyy-MM-dd HH:mm:ss,SSSXX", "yyyy/MM/dd HH:mm:ss.SSX",
            "yyyy-MM-dd'T'HH:mm:ss.SSSXXX'[Local/Zone]'",
        ], ["UTC", "Asia/Kathmandu", "America/St_Johns"])
    func `dates with a zone are moments, whatever the zone`(format: String, zone: String) throws {
        // A zone of hours alone cannot tell those that are not whole.
        let zone = format.hasSuffix("SX") ? "Asia/Tokyo" : zone
        demandHour(try read(Self.text(format, zone: zone)), start: Self.begin)
    }

    @Test(arguments: ["+01:00x", "+01:60", "+1", "Zulu", "+01:00[", "+24:00"])
    func `what is no zone is no date`(zone: String) throws {
        let text = "time;hr\n" + (0..<60).map { String(format: "2024-03-28T12:00:%02d%@;60\n", $0, zone) }.joined()
        #expect(formatError { try read(text) } != nil)
    }

    @Test(arguments: ["h:mm:ss.SSS a", "H:mm:ss.S", "hh:mm:ss.S a"])
    func `times of day pass midnight, and have no date`(format: String) throws {
        demandHour(try read(Self.text(format)), start: nil)
    }

    @Test(arguments: ["MM/dd/yyyy HH:mm:ss.S", "dd/MM/yyyy HH:mm:ss.S"])
    func `a day that may be a month gives no start until a map says which it is`(format: String) throws {
        let begin = Timestamp(year: 2024, month: 3, day: 5, hour: 9, minute: 5, second: 0.5)
        let text = Self.text(format, begin: begin)
        let recording = try read(text)
        #expect(recording.header.start == nil && recording.header.notes.count == 1)
        #expect(recording.header.notes[0].contains("time: {column: Time, unit: dmy} or mdy for 0"))
        #expect(recording.streams[0].segments.map(\.block.frameCount) == [3_600])
        let unit: ColumnMap.TimeUnit = format.hasPrefix("d") ? .dayFirst : .monthFirst
        let map = ColumnMap(time: .init(column: "Time", unit: unit))
        demandHour(try read(text, map: map), start: begin)
    }

    @Test(arguments: ["MM/dd/yyyy HH:mm:ss", "dd/MM/yyyy HH:mm:ss"])
    func `days that pass later on are as far apart as they are`(format: String) throws {
        // The first rows, by which times are told, lie on one day.
        let begin = Timestamp(year: 2024, month: 3, day: 5, hour: 23, minute: 0, second: 0)
        let later = Timestamp(year: 2024, month: 3, day: 7, hour: 9, minute: 0, second: 0)
        let second = Self.text(format, begin: later).split(separator: "\n").dropFirst().joined(separator: "\n")
        let stream = try read(Self.text(format, begin: begin) + second + "\n").streams[0]
        #expect(stream.segments.map(\.start.onset) == [0, 122_400] && stream.gaps.map(\.duration) == [118_800])
    }

    @Test func `a file that goes on to the next day tells the order`() throws {
        let begin = Timestamp(year: 2024, month: 3, day: 5, hour: 23, minute: 59, second: 0)
        for format in ["MM/dd/yyyy HH:mm:ss", "dd/MM/yyyy HH:mm:ss"] {
            demandHour(try read(Self.text(format, begin: begin)), start: begin)
        }
    }

    @Test func `only days that there are are dates`() {
        for (year, month, days) in [
            (2023, 2, 28), (2024, 2, 29), (1900, 2, 28), (2000, 2, 29), (2024, 4, 30), (2024, 12, 31),
        ] {
            #expect(Timestamp.exists(year: year, month: month, day: 1))
            #expect(Timestamp.exists(year: year, month: month, day: days))
            #expect(!Timestamp.exists(year: year, month: month, day: days + 1))
        }
        #expect(!Timestamp.exists(year: 2024, month: 13, day: 1) && !Timestamp.exists(year: 2024, month: 1, day: 0))
    }

    @Test func `days of spreadsheets and of MATLAB are dates`() throws {
        for (epoch, header) in [(25_569.0, "Time;HR"), (719_529, "Zeitstempel;HR")] {
            let days = (0..<3_600).map { row in
                let days = (Self.begin.secondsSince1970 + Double(row)) / 86_400 + epoch
                return String(format: "%.9f", days) + ";\(60 + row % 9)\n"
            }
            let recording = try read(header + "\n" + days.joined())
            let start = try #require(recording.header.start)
            #expect(abs(start.secondsSince1970 - Self.begin.secondsSince1970) < 1e-4)
            #expect(abs(recording.streams[0].header.sampleRate - 1) < 1e-6 && recording.streams[0].gaps.isEmpty)
        }
        // A minute apart they may be seconds of a fast converter as well.
        let rows = (0..<60).map { String(format: "%.6f", 45_000 + Double($0) / 1_440) + ";1\n" }.joined()
        #expect(formatError { try read("Time;HR\n" + rows) }?.contains("cannot be told") == true)
        // What counts from when a computer was started does so still.
        let clock = (0..<9_000).map { String(format: "%.7f", 40_000 + Double($0) / 2_048) + ";\($0 % 7)\n" }.joined()
        #expect(abs(try read("Time;ECG\n" + clock).streams[0].header.sampleRate - 2_048) < 1e-3)
        let map = ColumnMap(time: .init(column: "Time", unit: .days))
        #expect(
            try read("Time;HR\n" + rows, map: map).header.start
                == Timestamp(secondsSince1970: (45_000 - 25_569) * 86_400))
    }

    @Test func `seconds since 1904 are no times of the future`() throws {
        let begin = Timestamp(year: 2024, month: 3, day: 1)
        let seconds = begin.secondsSince1970 - Timestamp(year: 1904, month: 1, day: 1).secondsSince1970
        let recording = try read("timestamp;HR\n" + (0..<99).map { "\(seconds + Double($0));1\n" }.joined())
        #expect(recording.header.start == begin)
        #expect(recording.header.notes == ["the times are taken to count seconds since 1904, as LabVIEW does"])
    }

    @Test(arguments: ["epoch_ms", "unix", "Messung"])
    func `readings of a clock in the first column are times, whatever it is called`(name: String) throws {
        let rows = (0..<640).map { "\(1_700_000_000_000 + $0 / 8 * 125);\($0 % 7)\n" }
        let recording = try read("\(name);BVP\n" + rows.joined())
        #expect(recording.streams.map(\.header.kind) == [.bvp])
        #expect(recording.header.start == Timestamp(secondsSince1970: 1_700_000_000))
        #expect(abs(recording.streams[0].header.sampleRate - 64) < 0.01)
    }

    @Test func `minutes in a column called min are times, and other small numbers are not`() throws {
        let minutes = try read("min;ECG (mV)\n" + (0..<500).map { "\(Double($0) / 6_000);\($0 % 5)\n" }.joined())
        #expect(minutes.streams.map(\.header.kind) == [.ecg] && abs(minutes.streams[0].header.sampleRate - 100) < 1e-6)
        let least = "# sample rate: 10\nmin;max\n" + (0..<50).map { "\($0 % 3);\($0 % 5)\n" }.joined()
        #expect(try read(least).streams.flatMap(\.header.channels).count == 2)
    }

    @Test(arguments: [
        ("Sampling Rate: 64 Hz", 64.0), ("Sample rate;64", 64), ("\"Sampling frequency (Hz)\";\"64.5\"", 64.5),
        ("Sampling Rate = 2 kHz", 2_000), ("Subject;12\nDate;today\nsample rate;250", 250),
    ])
    func `a rate that is stated above the columns counts`(line: String, rate: Double) throws {
        let recording = try read(line + "\nECG [mV];EDA [uS]\n" + (0..<40).map { "\($0 % 7);5\n" }.joined())
        #expect(recording.streams.map(\.header.sampleRate) == [rate, rate])
        #expect(recording.streams.map(\.header.kind) == [.ecg, .eda])
    }

    @Test(arguments: [
        "Sample rate: 1,000 Hz", "Sample rate: -5 Hz", "Sample rate: high", "Sample rate of channel 2: 4",
    ])
    func `a rate that may be another is not taken`(line: String) {
        let refusal = formatError { try read(line + "\nECG [mV]\n" + (0..<40).map { "\($0 % 7)\n" }.joined()) }
        #expect(refusal?.contains("no sample rate") == true)
    }

    @Test(arguments: [
        ("dd.MM.yyyy HH:mm:ss,SSS", true), ("M/d/yyyy h:mm:ss.SSS a", true), ("HH:mm:ss.SSS", false),
        ("h:mm:ss.SSS a", false),
    ])
    func `intervals beside such times are intervals, past midnight too`(format: String, isDated: Bool) throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = format
        var end = 3_599.0 + Timestamp(year: 2024, month: 3, day: 28, hour: 22).secondsSince1970
        let intervals = (0..<900).map { 800 + $0 * 37 % 90 }
        let rows = intervals.map { interval in
            end += Double(interval) / 1_000
            return formatter.string(from: Date(timeIntervalSince1970: (end * 1_000).rounded() / 1_000))
                + ";\(interval)\n"
        }
        let folder = try TemporaryFolder()
        let file = try folder.file("a.csv", "Zeit;RR (ms)\n" + rows.joined())
        let recording = try Recording(reading: RecordingFile.open(file))
        #expect(recording.header.format == "RR text" && (recording.header.start != nil) == isDated)
        #expect(recording.streams[0].values.map { $0.values[0] } == intervals.map { Double($0) / 1_000 })
        #expect(recording.header.notes == ["RR intervals are in milliseconds"])
        let length = Double(intervals.reduce(0, +)) / 1_000
        #expect(abs((recording.header.duration ?? 0) - length) < 0.01)
    }
}
