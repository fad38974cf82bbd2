import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Channels in which numbers stand for events.
struct EDFTriggerTests {
    /// A file of an ECG and a channel of triggers, four samples a record.
    private func file(_ label: String, _ numbers: [Int], isBDF: Bool) -> EDFFixture {
        var fixture = EDFFixture()
        fixture.isBDF = isBDF
        if isBDF { fixture.version = [255] + Array("BIOSEMI".utf8) }
        let (low, high) = isBDF ? ("-8388608", "8388607") : ("-32768", "32767")
        fixture.signals = [
            .init(digitalMinimum: low, digitalMaximum: high),
            .init(
                label: label, dimension: isBDF ? "Boolean" : "", physicalMinimum: low, physicalMaximum: high,
                digitalMinimum: low, digitalMaximum: high),
        ]
        fixture.records = String(numbers.count / 4)
        func bytes(_ number: Int) -> [UInt8] {
            (0..<(isBDF ? 3 : 2)).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        for record in 0..<numbers.count / 4 {
            fixture.data += (0..<4).flatMap { bytes(record * 4 + $0) }
            fixture.data += numbers[record * 4..<record * 4 + 4].flatMap(bytes)
        }
        return fixture
    }

    /// 0 but for some, as triggers are, for 16 s.
    private func pulses(_ places: [Int: Int], base: Int = 0) -> [Int] { (0..<64).map { places[$0, default: 0] + base } }

    @Test(arguments: [
        "Status", "Trigger", "STI 014", "STI014", "Marker", "TRIGGERS", "TRIG", "Trig1", "Event", "Event Code", "Stim",
        "DC Trigger", "TriggerIn", "Trigger Input 2", "Digital Trigger", "Patient Event", "Event marker",
        "StimulusCode",
    ])
    func aChannelOfTriggersGivesMarkersWhereItChanges(label: String) throws {
        let folder = try TemporaryFolder()
        let numbers = pulses([3: 5, 4: 5, 5: 6, 20: 7, 22: 7, 63: 9])
        let recording = try Recording(
            reading: RecordingFile.open(folder.file("a.edf", file(label, numbers, isBDF: false).bytes)))
        #expect(recording.markers.map(\.onset) == [0.75, 1.25, 5, 5.5, 15.75])
        #expect(recording.markers.map(\.label) == ["5", "6", "7", "7", "9"])
        let channel = try #require(recording.streams.first { $0.header.kind == .marker })
        #expect(channel.segments.flatMap { $0.block.samples } == numbers.map { Float($0) })
    }

    @Test func severalChannelsOfTriggersAreToldApart() throws {
        let folder = try TemporaryFolder()
        var fixture = file("TRIG1", pulses([3: 1, 20: 1]), isBDF: false)
        let first = fixture.data
        var second = fixture.signals[1]
        second.label = "TRIG2"
        fixture.signals.append(second)
        fixture.data = (0..<16).flatMap { record -> [UInt8] in
            let pulse: [UInt8] = record == 9 ? [1, 0, 0, 0, 0, 0, 0, 0] : Array(repeating: 0, count: 8)
            return first[record * 16..<record * 16 + 16] + pulse
        }
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.edf", fixture.bytes)))
        let markers = recording.markers.sorted { $0.onset < $1.onset }
        #expect(markers.map(\.label) == ["TRIG1 1", "TRIG1 1", "TRIG2 1"] && markers.map(\.onset) == [0.75, 5, 9])
    }

    @Test func theUpperBitsOfBioSemisStatusAreOfTheAmplifier() throws {
        let folder = try TemporaryFolder()
        // The bits of a battery and a new epoch are set, and the epoch's goes out after the first sample.
        var numbers = pulses([8: 128, 9: 128, 30: 65_535], base: 0x50_0000)
        numbers[0] |= 0x01_0000
        let recording = try Recording(
            reading: RecordingFile.open(folder.file("a.bdf", file("Status", numbers, isBDF: true).bytes)))
        #expect(recording.markers.map(\.onset) == [2, 7.5])
        #expect(recording.markers.map(\.label) == ["128", "65535"])
    }

    @Test func whatChangesAllTheTimeIsNoTrigger() throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(
            reading: RecordingFile.open(
                folder.file("a.edf", file("Trigger", (0..<64).map { $0 * 37 % 11 }, isBDF: false).bytes)))
        #expect(recording.markers.isEmpty)
        #expect(recording.header.notes.contains { $0.contains("\"Trigger\" changes all the time") })
    }

    @Test func whatIsQuietAtFirstAndThenChangesAllTheTimeIsNoTrigger() throws {
        let folder = try TemporaryFolder()
        let numbers = (0..<800).map { $0 < 200 ? 0 : $0 * 37 % 11 }
        let recording = try Recording(
            reading: RecordingFile.open(folder.file("a.edf", file("Status", numbers, isBDF: false).bytes)))
        #expect(recording.markers.isEmpty)
    }

    @Test func otherChannelsAreNoTriggers() throws {
        let folder = try TemporaryFolder()
        for label in ["ECG II", "Status of charge", "STIM current"] {
            let bytes = file(label, pulses([7: 1]), isBDF: false).bytes
            let recording = try Recording(reading: RecordingFile.open(folder.file("a.edf", bytes)))
            #expect(recording.markers.isEmpty)
            let isNoted = recording.header.notes.contains { $0.contains("\"\(label)\" gives no markers") }
            #expect(isNoted == (label != "ECG II"))
        }
    }

    @Test func whatAnAnnotationTellsATriggerDoesNotTellAgain() throws {
        let folder = try TemporaryFolder()
        var fixture = file("Trigger", pulses([3: 5, 20: 7, 22: 7, 40: 9]), isBDF: false)
        fixture.reserved = "EDF+C"
        fixture.signals.append(
            .init(
                label: "EDF Annotations", dimension: "", physicalMinimum: "-1", physicalMaximum: "1", samples: "24"))
        let plain = fixture.data
        fixture.data = []
        for record in 0..<16 {
            fixture.data += plain[record * 16..<record * 16 + 16]
            // A stimulus rounded to milliseconds, one that is written down records later, one that is not called by its
            // number, and one beside the triggers.
            let told =
                [
                    0: "+0.751\u{14}S  5\u{14}\0", 9: "+5\u{14}code 7, late\u{14}\0",
                    10: "+10\u{14}rest 99\u{14}\0+7\u{14}9\u{14}\0",
                ][record] ?? ""
            let list = Array("+\(record)\u{14}\u{14}\0\(told)".utf8)
            fixture.data += list + [UInt8](repeating: 0, count: 48 - list.count)
        }
        for size in [1, 40, 1 << 20] {
            let reader = try EDFReader(folder.file("a.edf", fixture.bytes), blockSize: size)
            let markers = try Recording(reading: reader).markers.sorted { $0.onset < $1.onset }
            #expect(markers.map(\.label).sorted() == ["7", "9", "9", "S  5", "code 7, late", "rest 99"])
            #expect(markers.map(\.onset) == [0.751, 5, 5.5, 7, 10, 10])
            #expect(reader.header.notes.contains { $0.contains("2 numbers of channel \"Trigger\"") })
        }
    }

    @Test func blockSizeNeverChangesMarkers() throws {
        let folder = try TemporaryFolder()
        let numbers = pulses([3: 5, 4: 5, 5: 6, 20: 7, 22: 7, 63: 9])
        for isBDF in [false, true] {
            let url = try folder.file("a.edf", file("Status", numbers, isBDF: isBDF).bytes)
            for size in [1, 5, 16, 40, 1 << 20] {
                let recording = try Recording(reading: EDFReader(url, blockSize: size))
                #expect(recording.markers.map(\.label) == ["5", "6", "7", "7", "9"])
                #expect(recording.markers.map(\.onset) == [0.75, 1.25, 5, 5.5, 15.75])
            }
        }
    }
}
