import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Files of Mind Monitor and muse-lsl.
struct MuseTests {
    static let titles =
        "TimeStamp,Alpha_TP9,RAW_TP9,RAW_AF7,AUX_RIGHT,Accelerometer_X,HeadBandOn,HSI_TP9,Battery,Elements"

    /// A row of samples `milliseconds` after 12:00.
    static func row(_ milliseconds: Int, _ value: Int) -> String {
        "\(stamp(milliseconds)),0.5,\(value),-\(value),1,0.25,1,1.0,87.5,"
    }

    static func stamp(_ milliseconds: Int) -> String {
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        return "2024-05-01 12:\(padded(milliseconds / 60_000, 2)):\(padded(milliseconds / 1_000 % 60, 2))."
            + padded(milliseconds % 1_000, 3)
    }

    /// Twelve rows at once, as packets arrive, 256 a second.
    static func bursts(_ range: Range<Int>, from start: Int = 0) -> [String] {
        range.map { row(start + ($0 / 12 + 1) * 12 * 1_000 / 256, $0 % 1_000) }
    }

    @Test func burstsBecomeEvenSamples() throws {
        let folder = try TemporaryFolder()
        var rows = Self.bursts(0..<2_560)
        rows.insert("\(Self.stamp(4_000)),,,,,,,,,/muse/elements/blink", at: 1_000)
        rows.append("\(Self.stamp(5_000)),,,,,,,,,/Marker/3")
        let text = ([Self.titles] + rows).joined(separator: "\n") + "\n"
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.csv", text)))
        #expect(recording.header.format == "Mind Monitor")
        let names = ["bands", "eeg", "aux", "acceleration", "contact", "battery"]
        #expect(recording.streams.map(\.header.name) == names)
        let eeg = recording.streams[1]
        #expect(eeg.header.sampleRate == 256 && eeg.segments.count == 1 && eeg.gaps.isEmpty)
        #expect(eeg.segments[0].block.channel(0) == (0..<2_560).map { Float($0 % 1_000) })
        #expect(eeg.segments[0].block.channel(1)[5] == -5)
        #expect(recording.streams[5].segments[0].block.samples.allSatisfy { $0 == 87.5 })
        #expect(recording.markers.map(\.label) == ["blink", "Marker/3"])
        #expect(abs(recording.markers[0].onset - 4) < 0.1)
    }

    @Test func aLostConnectionIsAGap() throws {
        let folder = try TemporaryFolder()
        let rows = Self.bursts(0..<1_200) + Self.bursts(0..<1_200, from: 10_000)
        let text = ([Self.titles] + rows).joined(separator: "\r\n")
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.csv", text)))
        let eeg = recording.streams[1]
        #expect(eeg.segments.map(\.block.frameCount) == [1_200, 1_200])
        let gap = try #require(eeg.gaps.first)
        #expect(gap.reason == .deviceLost && abs(gap.duration - (10 - 1_200.0 / 256)) < 0.06)
    }

    @Test func rowsASecondApartHaveNoRawSignal() throws {
        let folder = try TemporaryFolder()
        let text = ([Self.titles] + (0..<60).map { Self.row($0 * 1_000, $0) }).joined(separator: "\n")
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.csv", text)))
        #expect(recording.streams(of: .eeg).isEmpty && recording.streams[0].header.sampleRate == 1)
        #expect(recording.header.notes.contains { $0.contains("no raw EEG") })
        #expect(recording.header.duration == 60)
    }

    @Test func aCellThatIsNoNumberIsNamed() throws {
        let folder = try TemporaryFolder()
        let rows = Self.bursts(0..<600) + [Self.row(2_500, 1).replacing("0.25", with: "x")]
        let file = try folder.file("a.csv", ([Self.titles] + rows).joined(separator: "\n"))
        let error = formatError { try Recording(reading: RecordingFile.open(file)) }
        #expect(error?.contains("line 602, column 6: found \"x\", expected a number") == true, "\(error ?? "none")")
    }

    @Test(.enabled(if: RealData.has("muse_mindmonitor/read_test_data.csv")))
    func aRealFileIsReadWhole() throws {
        let recording = try Recording(reading: RecordingFile.open(RealData.url("muse_mindmonitor/read_test_data.csv")))
        let eeg = recording.streams(of: .eeg)[0]
        #expect(eeg.header.sampleRate == 256 && eeg.segments.map(\.block.frameCount) == [418])
        #expect(eeg.header.channels.map(\.label) == ["TP9", "AF7", "AF8", "TP10"])
        #expect(eeg.segments[0].block.channel(0)[0] == 832.4542)
        #expect(recording.markers.map(\.label) == ["blink"])
        #expect(recording.streams(of: .acceleration)[0].segments[0].block.channel(2)[0] == 0.9664306640625)
    }

    @Test(.enabled(if: RealData.has("muse_lsl/README.md")))
    func museLSLFilesGiveEEGAndMarkers() throws {
        let name = "muse_lsl/visual_P300_subject1_session1_data_2017-02-04-15_45_13.csv.gz"
        let recording = try Recording(reading: RecordingFile.open(RealData.url(name)))
        #expect(recording.header.format == "muse-lsl")
        let eeg = recording.streams(of: .eeg)[0]
        #expect(eeg.header.channels.map(\.label) == ["TP9", "AF7", "AF8", "TP10"])
        #expect(eeg.header.channels.allSatisfy { $0.unit == .microvolts } && abs(eeg.header.sampleRate - 256) < 0.05)
        #expect(eeg.segments[0].block.channel(0)[0] == -44.922)
        #expect(Set(recording.markers.map(\.label)) == ["1", "2"] && recording.markers.count > 100)
    }

    @Test(
        .enabled(if: RealData.has("muse_lsl/README.md")),
        arguments: [
            "N170_subject1_session1_data_2017-09-13-15.30.01", "N170_subject1_session1_data_2017-09-13-15.32.50",
            "P300_subject1_session1_data_2017-02-04-15_55_07", "SSVEP_subject1_session1_data_2017-09-14-21.20.04",
            "SSVEP_subject1_session1_data_2017-09-14-21.22.51",
        ])
    func museLSLFilesWithWanderingStampsHaveNoGaps(name: String) throws {
        let reader = try RecordingFile.open(RealData.url("muse_lsl/visual_\(name).csv.gz"))
        let eeg = try Recording(reading: reader).streams(of: .eeg)[0]
        #expect(eeg.segments.count == 1 && abs(eeg.header.sampleRate - 256.02) < 0.05)
    }

    @Test(
        .enabled(if: RealData.has("muse_lsl/README.md")),
        arguments: [
            ("N170_subject1_session1_data_2017-09-13-15.30.01", "149958.124", 120.034),
            ("SSVEP_subject1_session1_data_2017-09-14-21.20.04", "213542.918", 120.046),
        ])
    func museLSLFilesWithoutADateBeginWithTheirFirstSample(name: String, reading: String, duration: Seconds) throws {
        let url = RealData.url("muse_lsl/visual_\(name).csv.gz")
        let recording = try Recording(reading: RecordingFile.open(url))
        #expect(recording.header.start == nil && abs((recording.header.duration ?? 0) - duration) < 1e-3)
        #expect(recording.streams.allSatisfy { $0.segments.map(\.start.onset) == [0] })
        #expect(!recording.markers.isEmpty && recording.markers.allSatisfy { (0...duration).contains($0.onset) })
        #expect(recording.header.notes.contains { $0.contains("no date and read \(reading) s") })
    }

    /// A computer may have been started just before: no clock of LSL counts from the beginning of a file.
    @Test func museLSLFilesBeginWithTheirFirstSampleHoweverLongTheyLast() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<2_560).map { "\(5 + Double($0) / 256),\($0 % 7),2,3,4,5,\($0 == 256 ? 1 : 0)\n" }.joined()
        let file = try folder.file("a.csv", "timestamps,TP9,AF7,AF8,TP10,Right AUX,Marker0\n" + rows)
        let recording = try Recording(reading: RecordingFile.open(file))
        #expect(recording.header.format == "muse-lsl" && recording.header.duration == 10)
        #expect(recording.markers == [Marker(onset: 1, label: "1")])
    }

    @Test func museLSLMarkersBeginWhereTheValueChanges() throws {
        let folder = try TemporaryFolder()
        let values = [0, 0, 1, 1, 0, 2, 1, 0]
        let rows = (0..<64).map { index -> String in
            "\(1_500_000_000 + Double(index) / 256),\(index),2,3,4,5,\(index < 8 ? values[index] : 0)"
        }
        let text = (["timestamps,TP9,AF7,AF8,TP10,Right AUX,Marker0"] + rows).joined(separator: "\n")
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.csv", text)))
        #expect(recording.markers.map(\.label) == ["1", "2", "1"])
        #expect(zip(recording.markers.map(\.onset), [2, 5, 6]).allSatisfy { abs($0 - $1 / 256) < 1e-5 })
        #expect(recording.streams.map(\.header.kind) == [.eeg, .other])
    }
}
