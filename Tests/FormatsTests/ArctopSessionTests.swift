import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct ArctopSessionTests {
    private func write(_ files: [String: String], _ folder: URL) throws {
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    }

    @Test func aFolderBecomesIrregularStreams() throws {
        try withTemporaryFolder { folder in
            try write(
                [
                    "2024-05-01 Focus.csv": "timestamp,Focus\n1700000000500,0.5\n1700000001000,-1\n1700000001250,NaN\n",
                    "2024-05-01 Heart Rate.csv":
                        "Time,Heart Rate,HRV\r\n1700000000000,71,48.5\r\n1700000001000,120,\r\n",
                    "2024-05-01 Sleep.csv": "\u{FEFF}Time,Sleep Detection\n1700000002,1\n",
                    "2024-05-01 Tags.csv": "Time,Tag\n1700000001500,\"eyes, closed\"\n",
                    "2024-05-01 Report.txt": "not read",
                ], folder)
            let reader = try RecordingFile.open(folder)
            #expect(reader.header.format == "Arctop session")
            let recording = try Recording(reading: reader)
            #expect(recording.header.start == Timestamp(secondsSince1970: 1_700_000_000))
            #expect(recording.streams.map(\.header.name) == ["focus", "heartRate", "hrv", "sleep"])
            #expect(recording.streams.map(\.header.kind) == [.other, .heartRate, .other, .other])
            let focus = recording.streams[0].values
            #expect(focus.map(\.onset) == [0.5, 1, 1.25] && focus[0].values == [0.5])
            #expect(focus[1].values[0].isNaN && focus[2].values[0].isNaN)
            #expect(recording.streams[1].values.map(\.values) == [[71], [120]])
            #expect(recording.streams[2].header.channels[0].unit == .milliseconds)
            #expect(recording.streams[2].values[1].values[0].isNaN)
            #expect(recording.streams[3].values.map(\.onset) == [2])
            #expect(recording.markers.map(\.label) == ["eyes, closed"] && recording.markers[0].onset == 1.5)
            #expect(try RecordingFile.files(of: folder).count == 4)
        }
    }

    @Test func oneFileIsReadAlone() throws {
        try withTemporaryFolder { folder in
            try write(["s1_visual_attention.csv": "1700000000000,33.4\n1700000000250,34\n"], folder)
            let reader = try RecordingFile.open(folder.appendingPathComponent("s1_visual_attention.csv"))
            let recording = try Recording(reading: reader)
            #expect(recording.streams.map(\.header.name) == ["visualAttention"])
            #expect(recording.streams[0].values.map(\.values) == [[33.4], [34]])
        }
    }

    /// As a spreadsheet saves it where numbers have decimal commas.
    @Test func semicolonsAndDecimalCommasAreRead() throws {
        try withTemporaryFolder { folder in
            try write(
                [
                    "S Avg Motion.csv": "Timestamp;Avg Motion\n1700000001000;0,125\n1700000002000;3\n",
                    "S Tags.csv": "1700000001500;\"hello, \"\"you\"\"\"\n1700000001600;7\n",
                ], folder)
            let recording = try Recording(reading: ArctopSession(folder.appendingPathComponent("S Avg Motion.csv")))
            #expect(recording.streams[0].values.map(\.values) == [[0.125], [3]])
        }
    }

    @Test(arguments: [
        ("focus.csv", "time,Focus\n0.0,1\n0.1,2\n0.2,3\n"), ("other.csv", "time,Focus\n1700000000,1\n1700000000.5,1\n"),
    ])
    func otherTablesAreLeftToTheirReader(name: String, text: String) throws {
        try withTemporaryFolder { folder in
            try write([name: text], folder)
            #expect(try RecordingFile.format(of: folder.appendingPathComponent(name)).name == "delimited text")
        }
    }

    @Test(arguments: ["1700000000,x\n", "1700000000,1\ntime,2\n", "1700000000,inf\n"])
    func brokenRowsNameTheirLine(text: String) throws {
        try withTemporaryFolder { folder in
            try write(["a focus.csv": text], folder)
            #expect(throws: FormatError.self) { try ArctopSession(folder.appendingPathComponent("a focus.csv")) }
        }
    }

    @Test func mutatedFilesDoNotCrash() throws {
        try withTemporaryFolder { folder in
            var bytes = Array("Time,Heart Rate,HRV\n1700000000000,71,48.5\n1700000001000,120,50\n".utf8)
            var generator = SplitMix64(seed: 4)
            let file = folder.appendingPathComponent("x Heart Rate.csv")
            for _ in 0..<500 {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                let before = bytes[place]
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
                try Data(bytes).write(to: file)
                _ = try? Recording(reading: ArctopSession(file))
                bytes[place] = before
            }
        }
    }
}
