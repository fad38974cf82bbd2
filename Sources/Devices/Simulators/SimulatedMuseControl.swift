/// The control characteristic of a simulated Muse headband: commands in, JSON out.
struct SimulatedMuseControl: Sendable {
    /// What a command made of the headband.
    enum Event: Sendable {
        case started, switchedOff
    }

    private let identity: String
    private let presets: Set<String>
    private let start: String
    private let startsNeeded: Int
    private var starts = 0
    private(set) var preset: String
    private(set) var isRunning = false

    /// A headband with these presets that starts when `start` came `startsNeeded` times; `identity` is what it answers
    /// when asked for its version, fields of JSON.
    init(identity: String, presets: Set<String>, preset: String, start: String, startsNeeded: Int) {
        self.identity = identity
        self.presets = presets
        self.preset = preset
        self.start = start
        self.startsNeeded = startsNeeded
    }

    /// Ends the streams.
    mutating func halt() {
        isRunning = false
        starts = 0
    }

    /// Takes a written command; returns the notifications that answer it.
    mutating func take(_ bytes: [UInt8], charge: Double) -> (notifications: [[UInt8]], event: Event?) {
        guard let length = bytes.first, Int(length) == bytes.count - 1, bytes.last == 0x0A else {
            return (Self.notifications("{\"rc\":1}"), nil)
        }
        let done = Self.notifications("{\"rc\":0}")
        switch String(decoding: bytes[1..<bytes.count - 1], as: UTF8.self) {
        case "h":
            halt()
            return (done, nil)
        case start:
            starts += 1
            guard !isRunning, starts >= startsNeeded else { return (done, nil) }
            isRunning = true
            return (done, .started)
        case "k": return ([], nil)
        case "s":
            let percent = Int((charge * 100).rounded())
            return (
                Self.notifications(
                    "{\"hn\":\"Muse-SIM1\",\"sn\":\"SIM-0001\",\"ma\":\"00-55-da-00-00-01\",\"id\":\"0\","
                        + "\"bp\":\(percent),\"ts\":0,\"ps\":\(preset.dropFirst()),\"rc\":0}"), nil
            )
        case "v1", "v6": return (Self.notifications("{\(identity),\"rc\":0}"), nil)
        case "L1", "L0": return (done, nil)
        case "*1":
            halt()
            return ([], .switchedOff)
        case let text where presets.contains(text):
            preset = text
            return (done, nil)
        default: return (Self.notifications("{\"rc\":2}"), nil)
        }
    }

    /// JSON in notifications of at most 19 characters, each with its length in front and padding behind.
    private static func notifications(_ text: String) -> [[UInt8]] {
        let text = Array(text.utf8)
        return stride(from: 0, to: text.count, by: 19).map { start in
            let piece = text[start..<Swift.min(start + 19, text.count)]
            return [UInt8(piece.count)] + piece + [UInt8](repeating: 0x20, count: 19 - piece.count)
        }
    }
}
