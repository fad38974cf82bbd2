import Devices
import Foundation
import Signals

/// The JSON file beside a recording: what it holds and how its clocks did, in the manner of BIDS sidecars.
struct RecordingSidecar: Encodable {
    /// Where a recording stands.
    enum State: String, Encodable {
        case recording, finished, recovered
    }

    struct Stream: Encodable {
        var name: String
        var kind: StreamKind
        var channels: [String]
        var units: [String]
        var samplingFrequency: Double
        var clock: ClockReport

        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case kind = "Kind"
            case channels = "Columns"
            case units = "Units"
            case samplingFrequency = "SamplingFrequency"
            case clock = "Clock"
        }
    }

    var state: State
    var subject: String?
    var session: String?
    var task: String?
    var start: String?
    var duration: Seconds
    var software: String
    var devices: [String: DeviceIdentity]
    var streams: [Stream]

    enum CodingKeys: String, CodingKey {
        case state = "RecordingState"
        case subject = "Subject"
        case session = "Session"
        case task = "TaskName"
        case start = "RecordingStart"
        case duration = "RecordingDuration"
        case software = "Software"
        case devices = "Devices"
        case streams = "Streams"
    }

    /// Whether a file is there that no recording wrote.
    static func isForeign(_ url: URL) -> Bool {
        guard FileManager.default.fileExists(atPath: url.path) else { return false }
        let content = (try? Data(contentsOf: url)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        return (content as? [String: Any])?[CodingKeys.state.rawValue] == nil
    }

    init(_ assembler: RecordingAssembler, _ state: State, duration: Seconds, software: String) {
        let header = assembler.header
        (self.state, subject, session, task) = (state, header.subject, header.session, header.task)
        (start, self.duration, self.software) = (header.start?.description, duration, software)
        devices = assembler.identities
        streams = zip(header.streams, assembler.clocks).map { stream, clock in
            Stream(
                name: stream.name, kind: stream.kind, channels: stream.channels.map(\.label),
                units: stream.channels.map(\.unit.rawValue), samplingFrequency: stream.sampleRate, clock: clock)
        }
    }

    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "n/a", negativeInfinity: "n/a", nan: "n/a")
        return ((try? encoder.encode(self)).map { Array($0) } ?? []) + [0x0A]
    }
}
