import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Files of other wearables.
struct WearableTests {
    @Test func aSensorsOwnClockTimesItsSamples() throws {
        let folder = try TemporaryFolder()
        // Packets of 73 samples arrive together; the sensor counts nanoseconds since 2000.
        let rows = (0..<1_300).map { index in
            "2026-07-26T21:56:\(26 + index / 73 * 73 / 130).765;\(838_432_586_543_515_816 + index * 7_692_308);0.0;\(index % 97)"
        }
        let text = (["Phone timestamp;sensor timestamp [ns];timestamp [ms];ecg [uV]"] + rows).joined(separator: "\n")
        let recording = try Recording(reading: RecordingFile.open(folder.file("a_ECG.txt", text)))
        #expect(recording.header.format == "Polar Sensor Logger")
        #expect(recording.header.start?.description == "2026-07-26T21:56:26.765Z")
        let ecg = recording.streams[0]
        #expect(recording.streams.count == 1 && ecg.header.kind == .ecg && ecg.gaps.isEmpty)
        #expect(abs(ecg.header.sampleRate - 130) < 1e-3 && ecg.header.channels[0].unit == .microvolts)
        #expect(ecg.segments[0].block.samples == (0..<1_300).map { Float($0 % 97) })
    }

    @Test func axesHaveTheirUnits() throws {
        let folder = try TemporaryFolder()
        func file(_ unit: String) throws -> Recording {
            let rows = (0..<100).map {
                "2026-07-26T21:56:26.765;\(838_432_586_543_515_816 + $0 * 20_000_000);\($0);2;3"
            }
            let title = "Phone timestamp;sensor timestamp [ns];X [\(unit)];Y [\(unit)];Z [\(unit)]"
            return try Recording(
                reading: RecordingFile.open(folder.file("a.txt", ([title] + rows).joined(separator: "\n"))))
        }
        #expect(try file("mg").streams.map(\.header.kind) == [.acceleration])
        #expect(try file("dps").streams.map(\.header.kind) == [.gyroscope])
        #expect(try file("G").streams.map(\.header.kind) == [.other])
    }

    @Test func intervalsAreChainedAndLostBeatsAreBreaks() throws {
        let folder = try TemporaryFolder()
        let text = """
            Phone timestamp;RR-interval [ms]
            2026-06-01T21:17:07.832;1000
            2026-06-01T21:17:09.900;1000
            2026-06-01T21:17:09.900;900
            2026-06-01T21:17:30.000;800
            """
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.txt", text)))
        #expect(recording.streams[0].header.kind == .ibi)
        let values = recording.streams[0].values
        #expect(values.map { $0.values[0] } == [1, 1, 0.9, 0.8])
        #expect(zip(values.map(\.onset), [0, 1, 1.9, 22.168]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(recording.header.notes == ["beats were lost at 1 places"])
    }

    @Test func columnsThatAreNotReadAreNoted() throws {
        let folder = try TemporaryFolder()
        let text = """
            Phone timestamp;HR [bpm];HRV [ms];Breathing interval [rpm];
            2024-03-05T10:00:00.000;70;30;14;
            2024-03-05T10:00:01.000;71;30;14;
            """
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.txt", text)))
        #expect(recording.streams.map(\.header.kind) == [.heartRate])
        #expect(recording.header.notes == ["columns \"hrv [ms]\", \"breathing interval [rpm]\" are not read"])
    }

    @Test func aTrainingSessionGivesItsHeartRate() throws {
        let folder = try TemporaryFolder()
        let text = """
            Name,Sport,Date,Start time,Duration,Calories
            A B,RUNNING,29-08-2026,22:00:05,00:00:04,10

            Sample rate,Time,HR (bpm),Speed (km/h)
            1,00:00:00,70,0
            ,00:00:01,,0
            ,00:00:02,72,0
            ,00:00:03,73,0
            """
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.csv", text)))
        #expect(recording.header.start?.description == "2026-08-29T22:00:05.000Z")
        let rates = recording.streams[0].segments[0].block.samples
        #expect(rates[0] == 70 && rates[1].isNaN && rates[3] == 73 && recording.streams[0].header.sampleRate == 1)
    }

    @Test(.enabled(if: RealData.has("other_wearables/shimmer/shimmer.csv")))
    func aShimmerFileHasItsStreams() throws {
        let recording = try Recording(reading: RecordingFile.open(RealData.url("other_wearables/shimmer/shimmer.csv")))
        let kinds = Set(recording.streams.map(\.header.kind))
        #expect(kinds.isSuperset(of: [.acceleration, .eda, .gyroscope, .temperature, .battery]))
        #expect(recording.streams(of: .eda)[0].header.channels.map(\.unit) == [.microsiemens])
        #expect(recording.header.start?.description.hasPrefix("2020-07-28T") == true)
    }

    @Test(.enabled(if: RealData.has("other_wearables/faros/testfile_read.EDF")))
    func aFarosFileHasItsStreams() throws {
        let reader = try RecordingFile.open(RealData.url("other_wearables/faros/testfile_read.EDF"))
        let rates = Dictionary(reader.header.streams.map { ($0.kind, $0.sampleRate) }) { first, _ in first }
        #expect(rates[.ecg] == 500 && rates[.acceleration] == 25)
    }
}
