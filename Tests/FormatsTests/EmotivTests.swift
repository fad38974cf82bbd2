import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// CSV of EmotivPRO.
struct EmotivTests {
    private static let about =
        "title:rest,start timestamp:1614935472.0,stop timestamp:1614935474.0,headset type:EPOCX,headset serial:E50,"
        + "headset firmware:f50,channels:38,sampling rate:eeg_128;mot_64,samples:256,version:2.0\n"
    private static let names =
        "Timestamp,OriginalTimestamp,EEG.Counter,EEG.Interpolated,EEG.AF3,EEG.T7,EEG.RawCq,EEG.Battery,EEG.BatteryPercent,"
        + "MarkerIndex,MarkerType,MarkerValueInt,EEG.MarkerHardware,CQ.Overall,MOT.AccX,MOT.AccY,MOT.AccZ,POW.AF3.Theta,"
        + "PM.Focus.Scaled"

    /// Rows at 128 Hz, acceleration and the program's own values in some of them.
    private static func rows(_ numbers: some Sequence<Int>, begin: Double = 1_614_935_472) -> String {
        numbers.map { row in
            let time = String(format: "%.6f", begin + Double(row) / 128)
            let marker = row == 100 ? "1,1,7" : ",,"
            let motion = row % 2 == 0 ? "0.1,0.2,0.9" : ",,"
            let counted = "\(row % 128),\(row == 50 ? 1 : 0)"
            return "\(time),\(time),\(counted),\(4_200 + row),\(4_100 - row),0,4,80,\(marker),0,100,"
                + "\(motion),\(row % 16 == 0 ? "1.5" : ""),\n"
        }.joined()
    }

    private func read(_ text: String, in folder: URL) throws -> Recording {
        let file = folder.appendingPathComponent("a.md.csv")
        try Data(text.utf8).write(to: file)
        return try Recording(reading: RecordingFile.open(file))
    }

    @Test(arguments: [about + names + "\n", names + "\r\n"])
    func electrodesAreEEGAndCountersAreNone(heading: String) throws {
        try withTemporaryFolder { folder in
            let recording = try read(heading + Self.rows(0..<256), in: folder)
            #expect(recording.header.format == "EmotivPRO")
            #expect(recording.header.start == Timestamp(secondsSince1970: 1_614_935_472))
            let eeg = try #require(recording.streams.first { $0.header.kind == .eeg })
            #expect(eeg.header.channels.map(\.label) == ["AF3", "T7"])
            #expect(eeg.header.channels.allSatisfy { $0.unit == .microvolts })
            #expect(eeg.segments.count == 1)
            let block = eeg.segments[0].block
            #expect(abs(eeg.segments[0].start.sampleRate - 128) < 0.01)
            #expect(block.channel(0)[49] == 4_249 && block.channel(1)[51] == 4_049)
            let motion = try #require(recording.streams.first { $0.header.kind == .acceleration })
            #expect(motion.header.channels.map(\.label) == ["AccX", "AccY", "AccZ"])
            #expect(abs(motion.header.sampleRate - 64) < 0.01)
            #expect(recording.streams.map(\.header.kind).filter { $0 == .battery }.count == 1)
            #expect(recording.header.notes.contains { $0.contains("CQ.…, PM.…, POW.…") })
        }
    }

    @Test func samplesThatTheProgramMadeUpAreMissing() throws {
        try withTemporaryFolder { folder in
            let recording = try read(Self.about + Self.names + "\n" + Self.rows(0..<256), in: folder)
            let block = try #require(recording.streams.first { $0.header.kind == .eeg }).segments[0].block
            for channel in 0..<2 {
                let samples = block.channel(channel)
                #expect(samples.indices.filter { samples[$0].isNaN } == [50])
            }
        }
    }

    @Test func markersStandWhereTheyWereSet() throws {
        try withTemporaryFolder { folder in
            let recording = try read(Self.about + Self.names + "\n" + Self.rows(0..<256), in: folder)
            #expect(recording.markers.count == 1)
            #expect(abs(recording.markers[0].onset - 100 / 128.0) < 1e-4)
            #expect(recording.markers[0].label.contains("7"))
        }
    }

    @Test func lostRowsAreAGap() throws {
        try withTemporaryFolder { folder in
            let numbers = Array(0..<128) + Array(192..<384)
            let recording = try read(Self.about + Self.names + "\n" + Self.rows(numbers), in: folder)
            let eeg = try #require(recording.streams.first { $0.header.kind == .eeg })
            #expect(eeg.segments.map(\.block.frameCount) == [128, 192])
            #expect(abs((eeg.segments[1].start.gap?.duration ?? 0) - 0.5) < 0.01)
        }
    }
}
