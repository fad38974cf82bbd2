import Pipeline
import Signals
import Testing

struct CardiacSourceTests {
    private let header = RecordingHeader(
        streams: [
            StreamHeader(
                name: "bvp", kind: .bvp, channels: [Channel(label: "BVP", unit: .dimensionless)], sampleRate: 64),
            StreamHeader(
                name: "chest", kind: .ecg,
                channels: [Channel(label: "I", unit: .millivolts), Channel(label: "II", unit: .millivolts)],
                sampleRate: 500),
            StreamHeader(name: "aux", kind: .other, channels: [Channel(label: "A", unit: .volts)], sampleRate: 250),
            StreamHeader(name: "slow", kind: .ecg, channels: [Channel(label: "S", unit: .volts)], sampleRate: 10),
            StreamHeader(name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0),
        ], format: "test")

    @Test func ecgComesBeforeBVPAndBVPBeforeIntervals() throws {
        #expect(SourceRequest.all(in: header).map(\.name) == ["chest", "bvp", "ibi"])
        #expect(try SourceRequest().source(in: header, file: "f").name == "chest")
    }

    @Test func streamsAndChannelsAreChosenByNameKindOrNumber() throws {
        #expect(try SourceRequest(stream: "bvp").source(in: header, file: "f").stream == 0)
        #expect(try SourceRequest(stream: "1", channel: "II").source(in: header, file: "f").channel == 1)
        #expect(try SourceRequest(stream: "ecg", channel: "1").source(in: header, file: "f").label.label == "II")
        #expect(try SourceRequest(stream: "aux", kind: .ecg).source(in: header, file: "f").kind == .ecg)
        #expect(try SourceRequest(kind: .ibi).source(in: header, file: "f").name == "ibi")
    }

    @Test(arguments: [
        (SourceRequest(stream: "eda"), "no stream eda"), (SourceRequest(stream: "aux"), "--as ecg"),
        (SourceRequest(channel: "V9"), "no channel V9"),
        (SourceRequest(stream: "slow"), "beats of ecg need at least 50"),
        (SourceRequest(stream: "ibi", kind: .ecg), "cannot serve as ecg"),
    ])
    func whatDoesNotFitIsExplained(request: SourceRequest, expected: String) {
        #expect { try request.source(in: header, file: "f.edf") } throws: { error in
            "\(error)".contains("f.edf") && "\(error)".contains(expected)
        }
    }
}
