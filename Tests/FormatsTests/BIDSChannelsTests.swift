import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What a table of channels beside a recording, or above it in its data set, says of them.
struct BIDSChannelsTests {
    /// EDF of 4 s at 4 Hz whose signal n counts up from 100 n.
    private static func edf(_ labels: [String], unit: String = "uV") -> EDFFixture {
        var fixture = EDFFixture()
        fixture.records = "4"
        fixture.signals = labels.map { label in
            EDFFixture.Signal(
                label: label, dimension: unit, physicalMinimum: "-32768", physicalMaximum: "32767")
        }
        fixture.data = (0..<4).flatMap { record in
            labels.indices.flatMap { place in
                (0..<4).flatMap { EDFFixture.bytes(Int16(100 * place + 4 * record + $0)) }
            }
        }
        return fixture
    }

    private static func read(
        _ labels: [String], _ table: String, unit: String = "uV", named name: String = "sub-01_task-x_eeg.edf"
    ) throws -> Recording {
        let folder = try TemporaryFolder()
        _ = try folder.file("sub-01_task-x_channels.tsv", table)
        return try Recording(reading: RecordingFile.open(folder.file(name, edf(labels, unit: unit).bytes)))
    }

    private static func channels(_ recording: Recording, _ kind: StreamKind) -> [String] {
        recording.streams(of: kind).flatMap { $0.header.channels.map(\.label) }
    }

    @Test func badChannelsAreSetApartWithWhatIsWrongWithThem() throws {
        let recording = try Self.read(
            ["Fp1", "Fp2", "Cz"],
            "name\ttype\tunits\tstatus\tstatus_description\nFp1\tEEG\tuV\tgood\tn/a\nFp2\tEEG\tuV\tbad\tdried out\n"
                + "Cz\tEEG\tuV\tbad\tn/a\n")
        #expect(recording.streams.map(\.header.kind) == [.eeg, .other])
        #expect(recording.streams[0].header.channels == [Channel(label: "Fp1", unit: .microvolts)])
        #expect(
            recording.streams[1].header.channels == [
                Channel(label: "Fp2", unit: .microvolts, fault: "dried out"),
                Channel(label: "Cz", unit: .microvolts, fault: "bad"),
            ])
        for (stream, first) in [(0, [Float(0)]), (1, [100, 200])] {
            let block = try #require(recording.streams[stream].segments.first).block
            for (place, start) in first.enumerated() {
                #expect(block.channel(place) == (0..<16).map { start + Float($0) })
            }
        }
        #expect(recording.header.notes.contains { $0.hasPrefix("bad by ") && $0.hasSuffix(": Fp2 (dried out), Cz") })
    }

    @Test(arguments: ["name\tstatus", "Name\tStatus", "NAME\tSTATUS"])
    func aHeaderMayBeInAnyCase(header: String) throws {
        let recording = try Self.read(["Fp1", "Fp2"], header + "\nFp1\tgood\nFp2\tbad\n")
        #expect(Self.channels(recording, .eeg) == ["Fp1"] && Self.channels(recording, .other) == ["Fp2"])
    }

    @Test func aColumnThatIsThereInTwoCasesIsRefused() {
        #expect(throws: FormatError.self) {
            try Self.read(["Fp1", "Fp2"], "name\tstatus\tStatus\nFp1\tgood\tbad\nFp2\tgood\tgood\n")
        }
    }

    @Test func aChannelThatIsCalledBadTwiceIsBad() throws {
        let recording = try Self.read(
            ["Fp1", "Fp2"], "name\tstatus\nFp1\tgood\nFp2\tbad\nFp2\tbad\n")
        #expect(Self.channels(recording, .eeg) == ["Fp1"] && Self.channels(recording, .other) == ["Fp2"])
        #expect(!recording.header.notes.contains { $0.contains("not left out") }, "\(recording.header.notes)")
    }

    @Test(arguments: [
        (["Fp1", "Cz"], ["Cz", "Fp1"], ["Fp1"]), (["EEG FP1", "EEG Cz"], ["fp1", "CZ"], ["EEG Cz"]),
        (["Fp1", "Cz", "Status"], ["Fp1", "Cz"], ["Cz"]), (["EEG F3", "EEG Cz"], ["EEG F3", "Cz"], ["EEG Cz"]),
        // Not to be told apart by name, but by their order.
        (["Fp1", "Fp1"], ["Fp1", "Fp1"], ["Fp1"]),
    ])
    func namesAreComparedOneByOne(labels: [String], names: [String], left: [String]) throws {
        let rows = names.enumerated().map { "\($1)\tEEG\tuV\t\($0 == 0 ? "bad" : "good")" }
        let recording = try Self.read(labels, "name\ttype\tunits\tstatus\n\(rows.joined(separator: "\n"))\n")
        #expect(Self.channels(recording, .eeg) == left)
        #expect(recording.streams(of: .other).flatMap(\.header.channels).count { $0.fault != nil } == 1)
    }

    @Test(arguments: [
        (["EEG Fp1-REF", "EEG Fp2-REF", "ECG"], ["Fp1", "Fp2", "ECG"]),
        (["Fp1-LE", "Fp2-LE", "EKG1"], ["Fp1", "Fp2", "ECG"]), (["C3-M2", "C4-M1", "ECG"], ["c3", "c4", "ECG"]),
        (["Fp1", "Fp2", "ECG"], ["EEG Fp1-Ref", "EEG Fp2-Ref", "ECG"]),
    ])
    func namesAreFoundWithAReferenceBehindThem(labels: [String], names: [String]) throws {
        let rows = names.enumerated().map { "\($1)\tEEG\tuV\t\($0 == 1 ? "bad" : "good")\n" }
        let recording = try Self.read(labels, "name\ttype\tunits\tstatus\n" + rows.joined())
        #expect(Self.channels(recording, .eeg) == [labels[0]] && Self.channels(recording, .other) == [labels[1]])
        #expect(!recording.header.notes.contains { $0.contains("not left out") })
    }

    @Test(arguments: [["C3-M1", "C3-M2", "ECG"], ["C4", "O1", "ECG"]])
    func badChannelsThatAreNotFoundAreNamedAsStillComputedWith(labels: [String]) throws {
        let recording = try Self.read(
            labels, "name\ttype\tunits\tstatus\nC3\tEEG\tuV\tbad\nECG\tECG\tuV\tgood\n")
        #expect(Self.channels(recording, .eeg) == Array(labels.prefix(2)))
        let told = recording.header.notes.first { $0.contains("but not left out of what is computed") }
        #expect(told?.hasSuffix(": C3") == true, "\(recording.header.notes)")
    }

    @Test func otherNamesInTheSameNumberAreTakenInOrder() throws {
        let recording = try Self.read(
            ["A", "B"], "name\ttype\tunits\tstatus\nT7\tEEG\tuV\tgood\nT8\tEEG\tuV\tbad\n")
        #expect(Self.channels(recording, .eeg) == ["T7"] && Self.channels(recording, .other) == ["T8"])
        #expect(recording.header.notes.contains { $0.contains("taken in order") })
    }

    @Test func otherNamesInAnotherNumberAreTold() throws {
        let recording = try Self.read(["Fp1", "Cz"], "name\ttype\tunits\tstatus\nT7\tEEG\tuV\tbad\n")
        #expect(Self.channels(recording, .eeg) == ["Fp1", "Cz"])
        #expect(recording.header.notes.contains { $0.contains("unused") })
        let partly = try Self.read(["Fp1", "Cz"], "name\ttype\tunits\tstatus\nT7\tEEG\tuV\tbad\nCz\tEEG\tuV\tgood\n")
        #expect(partly.header.notes.contains { $0.contains("has not, or more than once: T7") })
    }

    @Test(arguments: [
        ("EEG", "X1", StreamKind.eeg), ("ECG", "X1", .ecg), ("PPG", "X1", .bvp), ("RESP", "X1", .respiration),
        ("VEOG", "Fp1", .other), ("EMG", "Cz", .other), ("MISC", "X1", .other), ("MISC", "ECG2", .ecg),
        ("EEG", "ECG", .ecg), ("EEG", "HEOG", .other), ("REF", "M1", .eeg), ("eeg", "X1", .eeg), ("n/a", "Cz", .eeg),
        ("SEEG", "Cz", .eeg),
    ])
    func typesSayWhatChannelsMeasure(type: String, label: String, kind: StreamKind) throws {
        let recording = try Self.read([label], "name\ttype\tunits\n\(label)\t\(type)\tuV\n")
        #expect(recording.streams.map(\.header.kind) == [kind])
        #expect(recording.header.notes.contains { $0.contains("the type SEEG is not known") } == (type == "SEEG"))
    }

    @Test(arguments: [("uV", Unit.microvolts), ("", .millivolts)])
    func unitsCountWhereTheFileTellsNone(unit: String, expected: Signals.Unit) throws {
        let recording = try Self.read(["X1"], "name\ttype\tunits\nX1\tEEG\tmV\n", unit: unit)
        #expect(recording.streams.map { $0.header.channels[0].unit } == [expected])
    }

    @Test func triggersAreBelievedByTheirType() throws {
        var fixture = Self.edf(["Cz", "X9"])
        fixture.data = []
        for record in 0..<4 {
            for sample in 0..<4 { fixture.data += EDFFixture.bytes(Int16(sample)) }
            for sample in 0..<4 { fixture.data += EDFFixture.bytes(record == 2 && sample == 1 ? 5 : 0) }
        }
        let folder = try TemporaryFolder()
        let url = try folder.file("a.edf", fixture.bytes)
        #expect(try Recording(reading: RecordingFile.open(url)).markers.isEmpty)
        _ = try folder.file("a_channels.tsv", "name\ttype\tunits\nCz\tEEG\tuV\nX9\tTRIG\tn/a\n")
        let recording = try Recording(reading: RecordingFile.open(url))
        #expect(recording.markers.map(\.label) == ["5"] && recording.markers.map(\.onset) == [2.25])
    }

    @Test func theNearestTableApplies() throws {
        let folder = try TemporaryFolder()
        let run = folder.url.appendingPathComponent("sub-01/ses-2/eeg")
        try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
        _ = try folder.file("dataset_description.json", BIDSFolder.description)
        let url = try folder.file("sub-01/ses-2/eeg/sub-01_ses-2_task-x_run-1_eeg.edf", Self.edf(["Fp1", "Cz"]).bytes)
        func bad() throws -> [String] {
            try Recording(reading: RecordingFile.open(url)).streams(of: .other).flatMap {
                $0.header.channels.map(\.label)
            }
        }
        func table(_ bad: String) -> String { "name\ttype\tunits\tstatus\n\(bad)\tEEG\tuV\tbad\n" }
        for strange in ["task-y_channels.tsv", "sub-01_run-2_channels.tsv", "sub-01/ses-2/eeg/task-y_channels.tsv"] {
            _ = try folder.file(strange, table("Fp1"))
        }
        #expect(try bad() == [] && RecordingFile.inputs(of: url) == [url])
        _ = try folder.file("channels.tsv", table("Cz"))
        #expect(try bad() == ["Cz"])
        _ = try folder.file("task-x_channels.tsv", table("Fp1"))
        #expect(try bad() == ["Fp1"])
        let near = try folder.file("sub-01/ses-2/sub-01_ses-2_channels.tsv", table("Cz"))
        #expect(try bad() == ["Cz"])
        #expect(try RecordingFile.inputs(of: url).map(\.path) == [url.path, near.path])
        let nearest = try folder.file("sub-01/ses-2/eeg/sub-01_ses-2_task-x_run-1_channels.tsv", table("Fp1"))
        #expect(try bad() == ["Fp1"])
        #expect(try RecordingFile.inputs(of: url).map(\.path) == [url.path, nearest.path])
        // The recording itself is what it was.
        #expect(try RecordingFile.files(of: url) == [url])
    }

    @Test func compressedFilesHaveTablesToo() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.file("sub-01_task-x_eeg.edf", Self.edf(["Fp1", "Cz"]).bytes)
        let gzip = try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-n", plain.path])
        gzip.waitUntilExit()
        let table = try folder.file("sub-01_task-x_channels.tsv", "name\ttype\tunits\tstatus\nCz\tEEG\tuV\tbad\n")
        let url = plain.appendingPathExtension("gz")
        let recording = try Recording(reading: RecordingFile.open(url))
        #expect(Self.channels(recording, .eeg) == ["Fp1"] && Self.channels(recording, .other) == ["Cz"])
        #expect(try RecordingFile.inputs(of: url).map(\.path) == [url.path, table.path])
    }

    @Test func brainVisionIsToldToo() throws {
        let folder = try TemporaryFolder()
        let url = try BrainVisionFixture(names: ["1", "2"]).write(to: folder)
        _ = try folder.file(
            "a_channels.tsv", "name\ttype\tunits\tstatus\n1\tEEG\tmV\tgood\n2\tEOG\tV\tn/a\nECG\tECG\tmV\tbad\n")
        for ending in ["vhdr", "eeg", "vmrk"] {
            let place = url.deletingPathExtension().appendingPathExtension(ending)
            let recording = try Recording(reading: RecordingFile.open(place))
            #expect(recording.streams.map(\.header.kind) == [.eeg, .other])
            #expect(Self.channels(recording, .eeg) == ["1"] && Self.channels(recording, .other) == ["2", "ECG"])
            #expect(
                recording.streams.flatMap { $0.header.channels.map(\.unit) } == [.microvolts, .microvolts, .millivolts])
            #expect(
                recording.streams[1].segments[0].block.channel(1)[7]
                    == Float(Double(BrainVisionFixture.stored(2, 7)) * 0.001))
            #expect(try RecordingFile.inputs(of: place).map(\.lastPathComponent).last == "a_channels.tsv")
        }
    }

    @Test(arguments: [
        ("type\tunits\nEEG\tuV\n", "has no column \"name\""), ("name\ttype\nn/a\tEEG\n", "line 2: names no channel"),
        ("name\ttype\tunits\nCz\tEEG\n", "line 2"), ("", "channels.tsv"),
    ])
    func tablesThatCannotBeReadAreNotPassedOver(table: String, problem: String) {
        let error = formatError { try Self.read(["Cz"], table) }
        #expect(
            error?.contains("sub-01_task-x_channels.tsv") == true && error?.contains(problem) == true,
            "\(error ?? "none")")
    }

    @Test func aStatusThatIsNeitherIsTold() throws {
        let recording = try Self.read(["Cz"], "name\ttype\tunits\tstatus\nCz\tEEG\tuV\tBAD?\n")
        #expect(Self.channels(recording, .eeg) == ["Cz"])
        #expect(recording.header.notes.contains { $0.contains("the status of Cz is neither good nor bad") })
    }
}

/// Data sets that MNE-BIDS wrote, beside what it reads in them.
@Suite(.enabled(if: OracleData.has("formats_bids/cases.json"))) struct BIDSChannelsOracleTests {
    struct Case: Decodable, CustomTestStringConvertible {
        var file: String
        var rate: Double
        var labels: [String]
        var types: [String]
        var bads: [String]
        var faults: [String: String]
        /// Of each channel, in millionths of its unit in SI.
        var sums: [Double]
        var magnitudes: [Double]
        var markers: [Marker]
        var testDescription: String { file }
    }

    struct Marker: Decodable {
        var onset: Double
        var duration: Double
        var label: String
    }

    static let cases: [Case] = {
        guard OracleData.folder != nil, let data = try? Data(contentsOf: OracleData.url("formats_bids/cases.json"))
        else {
            return []
        }
        return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
    }()

    private static let kinds: [String: StreamKind] = ["eeg": .eeg, "ecg": .ecg, "resp": .respiration]

    @Test(arguments: cases)
    func `channels are what MNE-BIDS takes them for`(expected: Case) throws {
        let recording = try Recording(reading: RecordingFile.open(OracleData.url("formats_bids/" + expected.file)))
        var found: [String: (kind: StreamKind, fault: String?, sum: Double)] = [:]
        for stream in recording.streams {
            #expect(stream.header.sampleRate == expected.rate)
            for (place, channel) in stream.header.channels.enumerated() {
                let sum = stream.segments.flatMap { $0.block.channel(place) }.reduce(0.0) { $0 + Double($1) }
                let factor = channel.unit.factor(to: .microvolts) ?? 1e6
                found[channel.label] = (stream.header.kind, channel.fault, sum * Double(factor))
            }
        }
        #expect(found.count == expected.labels.count)
        for (place, label) in expected.labels.enumerated() {
            let channel = try #require(found[label])
            let isBad = expected.bads.contains(label)
            #expect(channel.kind == (isBad ? .other : Self.kinds[expected.types[place]] ?? .other), "\(label)")
            let fault = expected.faults[label].map { $0 == "n/a" ? "bad" : $0 }
            #expect(channel.fault == (isBad ? fault : nil), "\(label)")
            // Of what it takes for no voltage MNE writes volts into EDF, and calls them microvolts.
            if expected.types[place] == "resp", expected.file.hasSuffix(".edf") { continue }
            // EDF keeps 16 bits; rounded without bias.
            #expect(abs(channel.sum - expected.sums[place]) <= 1e-4 * expected.magnitudes[place], "\(label)")
        }
    }

    @Test(arguments: cases)
    func `markers are what MNE-BIDS makes of the events`(expected: Case) throws {
        let recording = try Recording(reading: RecordingFile.open(OracleData.url("formats_bids/" + expected.file)))
        #expect(recording.markers.map(\.label) == expected.markers.map(\.label))
        for (found, marker) in zip(recording.markers, expected.markers) {
            #expect(abs(found.onset - marker.onset) < 1e-5 && abs(found.duration - marker.duration) < 1e-5)
        }
        #expect(recording.header.notes.contains { $0.hasPrefix("4 markers of the recording stand in ") })
    }
}
