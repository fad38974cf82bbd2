import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// CSV of ActiGraph and GENEActiv.
struct ActigraphyTests {
    private func read(_ text: String, in folder: URL) throws -> Recording {
        let file = folder.appendingPathComponent("person RAW.csv")
        try Data(text.utf8).write(to: file)
        return try Recording(reading: RecordingFile.open(file))
    }

    private static func actiGraph(_ form: String, _ date: String, rate: String = "at 30 Hz") -> String {
        """
        ------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.4 Firmware v3.2.1 date format \(form) \
        \(rate)  Filter Normal -----------
        Serial Number: NEO1F16120034
        Start Time 10:00:00
        Start Date \(date)
        Epoch Period (hh:mm:ss) 00:00:00
        Download Time 12:00:00
        Download Date \(date)
        Current Memory Address: 0
        Current Battery Voltage: 4.12     Mode = 12
        --------------------------------------------------

        """
    }

    @Test(arguments: [
        ("M/d/yyyy", "3/1/2024", "Accelerometer X,Accelerometer Y,Accelerometer Z\n", ""),
        ("dd/MM/yyyy", "01/03/2024", "Timestamp,Axis1,Axis2,Axis3\n", "01/03/2024 10:00:00.000,"),
        ("yyyy-MM-dd", "2024-03-01", "", ""),
    ])
    func actiGraphsRowsLieAtTheRateOfTheFile(form: String, date: String, names: String, time: String) throws {
        try withTemporaryFolder { folder in
            let rows = (0..<90).map { "\(time)0.\($0 % 10),-0.5,1.\($0 % 10)\n" }.joined()
            let recording = try read(Self.actiGraph(form, date) + names + rows, in: folder)
            #expect(recording.header.format == "ActiGraph")
            #expect(recording.header.start == Timestamp(year: 2024, month: 3, day: 1, hour: 10, minute: 0, second: 0))
            let stream = try #require(recording.streams.first)
            #expect(stream.header.kind == .acceleration && stream.header.sampleRate == 30)
            #expect(stream.header.channels.map(\.unit) == [.g, .g, .g])
            let block = stream.segments[0].block
            #expect(block.frameCount == 90)
            #expect(block.channel(0).prefix(3) == [0, 0.1, 0.2] && block.channel(1)[7] == -0.5)
        }
    }

    @Test func countsAreNoAcceleration() throws {
        try withTemporaryFolder { folder in
            let text = Self.actiGraph("M/d/yyyy", "3/1/2024", rate: "") + "Date,Time,Axis1\n3/1/2024,10:00:00,31\n"
            let error = #expect(throws: FormatError.self) { try read(text, in: folder) }
            #expect(error?.problem.contains("counts of epochs") == true)
        }
    }

    @Test func geneActivsRowsFollowTheirHeader() throws {
        try withTemporaryFolder { folder in
            let about = [
                "Device Type,GENEActiv", "Device Model,1.2", "Device Unique Serial Code,012345", "", "", "",
                "Measurement Frequency,50 Hz", "Start Time,2025-06-12 13:20:18:000", "Time Zone,GMT +01:00",
                "Subject Code,17", "Calibration Date,2000-01-01 00:00:00:000",
            ]
            let blank = Array(repeating: "", count: 100 - about.count)
            let rows = (0..<100).map { row in
                let milliseconds = String(format: "%03d", row * 20 % 1_000)
                return
                    "2025-06-12 13:20:\(18 + row / 50):\(milliseconds),0.\(row % 10),0.25,-1,388,\(row == 50 ? 1 : 0),26.5"
            }
            let recording = try read((about + blank + rows).joined(separator: "\n") + "\n", in: folder)
            #expect(recording.header.format == "GENEActiv")
            let start = Timestamp(year: 2025, month: 6, day: 12, hour: 13, minute: 20, second: 18)
            #expect(recording.header.start == start && !recording.header.hasTimeZone)
            let motion = try #require(recording.streams.first { $0.header.kind == .acceleration })
            #expect(motion.header.sampleRate == 50 && motion.segments.map(\.block.frameCount) == [100])
            #expect(motion.segments[0].block.channel(2)[3] == -1)
            let temperature = recording.streams.first { $0.header.kind == .temperature }
            #expect(temperature?.segments[0].block.samples[9] == 26.5)
            #expect(recording.markers.map(\.onset) == [1])
        }
    }
}
