import Brain
import Pipeline
import Signals
import Testing

struct BrainSourceTests {
    private func stream(_ name: String, _ kind: StreamKind, _ labels: [String], rate: Double = 256) -> StreamHeader {
        StreamHeader(
            name: name, kind: kind, channels: labels.map { Channel(label: $0, unit: .microvolts) }, sampleRate: rate)
    }

    @Test func `voltages beside an EEG of which nothing says what they are are told`() throws {
        let header = RecordingHeader(
            streams: [
                stream("eeg", .eeg, ["Fp1", "Cz"]), stream("other", .other, ["Cb1", "HEOG", "EMG chin"]),
                stream("other2", .other, ["Cb2"], rate: 128),
            ], format: "test")
        let source = try BrainSource.meant(by: nil, in: header, file: "f")
        #expect(source.channels.map(\.label) == ["Fp1", "Cz"])
        #expect(source.others.contains("Cb1") && !source.others.contains("EMG chin") && !source.others.contains("Cb2"))
        #expect(source.remark?.contains("Cb1") == true)
    }

    @Test func `a stream of voltages is EEG for the one who says so`() throws {
        let header = RecordingHeader(streams: [stream("other", .other, ["1", "2"])], format: "test")
        #expect(throws: PipelineError.self) { try BrainSource.meant(by: "other", in: header, file: "f") }
        #expect {
            try BrainSource.meant(by: nil, in: header, file: "f", believing: true)
        } throws: { "\($0)".contains("--stream other takes it for EEG") }
        let source = try BrainSource.meant(by: "other", in: header, file: "f", believing: true)
        #expect(source.channels.map(\.label) == ["1", "2"] && source.others.isEmpty)
    }

    @Test func `channels of one label are told apart, and that is told`() throws {
        let header = RecordingHeader(
            streams: [stream("eeg", .eeg, ["EEG", "EEG", "EEG_2", "Cz", "EEG"])], format: "test")
        let source = try BrainSource.meant(by: nil, in: header, file: "f")
        #expect(source.channels.map(\.label) == ["EEG", "EEG_2", "EEG_2_2", "Cz", "EEG_3"])
        #expect(source.labelRemark(in: header)?.hasSuffix("numbers: EEG_2, EEG_2_2, EEG_3") == true)
        let plain = RecordingHeader(streams: [stream("eeg", .eeg, ["Fp1", "Cz"])], format: "test")
        #expect(try BrainSource.meant(by: nil, in: plain, file: "f").labelRemark(in: plain) == nil)
    }

    @Test func `in a sleep laboratory E1 and E2 are eyes`() throws {
        let header = RecordingHeader(
            streams: [stream("eeg", .eeg, ["E1", "E2", "C3", "C4", "M1", "M2"])], format: "test")
        let source = try BrainSource.meant(by: nil, in: header, file: "f")
        #expect(source.channels.map(\.label) == ["C3", "C4", "M1", "M2"] && source.others == ["E1", "E2"])
        #expect(source.eyes?.leads == [EyeSource.Lead(lead: .both, channel: 0, against: 1)])
    }

    @Test func `the difference of the two ears is left out, and that is told`() throws {
        let labels = ["EEG Fp1", "EEG Cz", "EEG A2-A1"]
        let header = RecordingHeader(streams: [stream("eeg", .eeg, labels)], format: "test")
        let source = try BrainSource.meant(by: nil, in: header, file: "f")
        #expect(source.channels.map(\.label) == ["EEG Fp1", "EEG Cz"] && source.others == ["EEG A2-A1"])
        #expect(source.remark?.hasSuffix("EEG A2-A1 (the difference of the two ears)") == true)
        let alone = RecordingHeader(streams: [stream("eeg", .eeg, ["M1-M2"])], format: "test")
        #expect(try BrainSource.meant(by: nil, in: alone, file: "f").channels.map(\.label) == ["M1-M2"])
    }

    @Test func `a stream without units is EEG for the one who says so`() throws {
        let channels = [
            Channel(label: "EXG Channel 0", unit: .unknown), Channel(label: "EXG Channel 1", unit: .unknown),
        ]
        let header = RecordingHeader(
            streams: [StreamHeader(name: "other", kind: .other, channels: channels, sampleRate: 250)], format: "test")
        #expect(try BrainSource.meant(by: "other", in: header, file: "f", believing: true).channels == channels)
    }
}
