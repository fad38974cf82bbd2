import Formats
import Foundation
public import Signals

/// A sample as the phone sends it: both fields are texts.
public struct RelaySample: Hashable, Sendable {
    /// The text of the board, such as `4.995`.
    public var amplitude: String
    /// When the phone sent it, ISO 8601, such as `2015-01-16T15:30:23.050Z`.
    public var time: String

    /// A sample with these texts.
    public init(amplitude: String, time: String) {
        self.amplitude = amplitude
        self.time = time
    }

    /// Reads the JSON of a `message` event; nil when a field is missing or no text or number.
    public init?(json: String) {
        guard let fields = try? JSONDecoder().decode([String: RelayText].self, from: Data(json.utf8)),
            let amplitude = fields["amplitude"], let time = fields["time"]
        else { return nil }
        self.init(amplitude: amplitude.text, time: time.text)
    }

    /// The JSON of the `message` event.
    public var json: String {
        "{\"amplitude\":\(ArctopFrames.quoted(amplitude)),\"time\":\(ArctopFrames.quoted(time))}"
    }

    /// The amplitude as a number: the first five characters, as boards send `d.ddd` and some run several together; nil
    /// when they are none.
    public var value: Double? {
        guard let value = NumberParsing.double(amplitude.prefix(5)), value.isFinite else { return nil }
        return value
    }

    /// The time in seconds since 1970; nil when it is none.
    public var moment: Seconds? {
        let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = (try? withFraction.parse(time)) ?? (try? Date.ISO8601FormatStyle().parse(time))
        return date.map { ($0.timeIntervalSince1970 * 1_000).rounded() / 1_000 }
    }
}

/// A JSON text, or a number that should have been one.
struct RelayText: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let whole = try? container.decode(Int.self) {
            text = String(whole)
        } else {
            text = String(try container.decode(Double.self))
        }
    }
}

/// What the relay answers to a sample: both fields are texts on the wire.
public struct RelayReply: Hashable, Sendable {
    /// Beats per minute, without decimals.
    public var heartRate: String
    /// `200` or `404`; see `RelayStatus`.
    public var statusCode: String

    /// An answer with these texts.
    public init(heartRate: String, statusCode: String) {
        self.heartRate = heartRate
        self.statusCode = statusCode
    }

    /// The JSON of the event.
    public var json: String {
        "{\"statusCode\":\(ArctopFrames.quoted(statusCode)),\"heartRate\":\(ArctopFrames.quoted(heartRate))}"
    }

    /// The event.
    public var packet: SocketIOPacket { .event("node.js", json) }
}

/// The words for the relay's status codes. They are those of the app, no medical judgement.
public enum RelayStatus {
    /// While nothing is connected.
    public static let none = "0"
    /// No short intervals.
    public static let regular = "200"
    /// Short intervals.
    public static let abnormal = "404"

    /// What the label of a marker begins with that tells of a change to another status.
    public static let marker = "relay status "

    /// What the app shows for a code: `N/A`, `NSR`, `ARR`, or an unknown code itself.
    public static func label(_ code: String) -> String {
        switch code {
        case none: "N/A"
        case regular: "NSR"
        case abnormal: "ARR"
        default: code
        }
    }
}

/// The events of a relay: one each time the status changes to abnormal.
public struct RelayEventList: Hashable, Sendable {
    /// The moments, the oldest first.
    public private(set) var events: [Timestamp] = []
    private var lastCode = RelayStatus.none
    private static let most = 10_000

    /// Nothing happened yet.
    public init() {}

    /// A status arrived.
    /// - Returns: whether it is a change to abnormal, which is kept. Beyond 10 000 the oldest are dropped.
    public mutating func receive(_ code: String, at moment: Timestamp) -> Bool {
        defer { lastCode = code }
        guard code == RelayStatus.abnormal, lastCode != RelayStatus.abnormal else { return false }
        if events.count == Self.most { events.removeFirst() }
        events.append(moment)
        return true
    }

    /// The board is gone: an abnormal status after it comes back is a new event.
    public mutating func disconnect() {
        lastCode = RelayStatus.none
    }

    /// Removes the event at `index`, if there is one. What counts as a change stays as it is.
    public mutating func delete(at index: Int) {
        if events.indices.contains(index) { events.remove(at: index) }
    }
}

/// The relay's own rule for heart rate and status (RWaveAnalysis of the Kardia relay), kept for those who read its
/// messages. It calls any rhythm above 72 bpm abnormal: no medical judgement.
public struct RelayRhythm: Hashable, Sendable {
    /// Amplitude above which a sample is in an R wave.
    public var threshold = 4.8
    /// Seconds below which an interval is short.
    public var shortInterval: Seconds = 0.83
    /// More short intervals than this among the last nine are abnormal.
    public var allowed = 3
    private var peaks: [Seconds] = []
    private var isAbove = false

    /// No R wave yet.
    public init() {}

    /// A sample; an R wave begins where the amplitude rises above the threshold.
    public mutating func add(_ value: Double, at moment: Seconds) {
        let wasAbove = isAbove
        isAbove = value > threshold
        if isAbove, !wasAbove { addPeak(at: moment) }
    }

    /// An R wave.
    public mutating func addPeak(at moment: Seconds) {
        peaks.append(moment)
        if peaks.count > 10 { peaks.removeFirst() }
    }

    /// Forgets all R waves.
    public mutating func reset() {
        peaks = []
        isAbove = false
    }

    /// The answer now: 65 bpm until five intervals are known.
    public var reply: RelayReply {
        let intervals = zip(peaks.dropFirst(), peaks).map { $0 - $1 }
        let short = intervals.count { $0 < shortInterval }
        let code = short > allowed ? RelayStatus.abnormal : RelayStatus.regular
        let mean = intervals.reduce(0, +) / Double(max(1, intervals.count))
        guard intervals.count >= 5, mean > 0 else { return RelayReply(heartRate: "65", statusCode: code) }
        return RelayReply(heartRate: String(Int(min(60 / mean, 9_999).rounded())), statusCode: code)
    }
}
