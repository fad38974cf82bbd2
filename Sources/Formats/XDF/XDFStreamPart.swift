public import Signals

/// The channels of a stream that are of one kind, as a stream of their own.
public struct XDFStreamPart: Hashable, Sendable {
    /// Its place among the streams that are told.
    var stream: Int
    /// The part as a stream.
    public var header: StreamHeader
    /// The places of its channels in the whole stream.
    public var channels: [Int]
    /// Whether its numbers stand for events.
    var isTrigger: Bool

    /// Kinds that are computed from as streams; eyes, muscles and what is unknown stay where they were recorded.
    private static let apart: Set<StreamKind> = [
        .ecg, .bvp, .eeg, .eda, .respiration, .temperature, .acceleration, .gyroscope, .marker,
    ]

    /// The kind that the type of a channel names (`desc/channels/channel/type`); nil where it names none.
    public static func kind(ofChannelType type: String) -> StreamKind? {
        XDFStreamInfo.kind(ofChannelType: type)
    }

    /// The parts of one stream, as `parts(of:where:)` has them.
    public static func parts(of header: StreamHeader) -> [XDFStreamPart] { parts(of: [header], where: [true])[0] }

    /// The parts of every stream: one where its channels declare no other kinds. The channels of the stream's own kind keep
    /// its name, others have their kind behind it.
    /// - Parameter divides: whether a stream may have several.
    static func parts(of streams: [StreamHeader], where divides: [Bool]) -> [[XDFStreamPart]] {
        var names = DistinctNames<String>(taken: Set(streams.map(\.name)))
        var count = 0
        return zip(streams, divides).map { header, divides in
            guard divides else {
                defer { count += 1 }
                return [
                    XDFStreamPart(
                        stream: count, header: header, channels: Array(header.channels.indices), isTrigger: false)
                ]
            }
            return groups(of: header).enumerated().map { place, group in
                defer { count += 1 }
                var part = header
                part.kind = group.kind
                if place > 0 { part.name = names.next("\(header.name) \(group.kind.rawValue)", separator: " ") }
                part.channels = group.channels.map { channel in
                    var channel = header.channels[channel]
                    if channel.kind == group.kind { channel.kind = nil }
                    return channel
                }
                return XDFStreamPart(
                    stream: count, header: part, channels: group.channels,
                    isTrigger: group.kind == .marker && header.kind != .marker)
            }
        }
    }

    /// The places of the channels by kind, those of the stream's own kind first.
    private static func groups(of header: StreamHeader) -> [(kind: StreamKind, channels: [Int])] {
        var groups: [(kind: StreamKind, channels: [Int])] = [(header.kind, [])]
        for (place, channel) in header.channels.enumerated() {
            let told = channel.kind ?? header.kind
            let kind = apart.contains(told) ? told : header.kind
            if let group = groups.firstIndex(where: { $0.kind == kind }) {
                groups[group].channels.append(place)
            } else {
                groups.append((kind, [place]))
            }
        }
        return groups.filter { !$0.channels.isEmpty }
    }
}

/// A channel in which numbers stand for events, as in `EDFTriggers`: an event is where it changes to another number than 0.
/// What it holds from the beginning is no change.
struct XDFTrigger {
    /// The stream of the file that it is in, and its place there.
    let stream: Int
    let channel: Int
    /// What its markers' stream is called.
    let name: String
    let label: String
    /// Samples and changes so far.
    private(set) var frames = 0
    private(set) var changes = 0
    private var last: Int?

    init(stream: Int, channel: Int, name: String, label: String) {
        (self.stream, self.channel, self.name, self.label) = (stream, channel, name, label)
    }

    /// Takes the next sample.
    /// - Returns: the number where one begins.
    mutating func take(_ value: Double) -> Int? {
        frames += 1
        guard value.magnitude < 1e15 else { return nil }
        let number = Int(value.rounded())
        defer { last = number }
        guard let last, number != 0, number != last else { return nil }
        changes += 1
        return number
    }

    /// Whether one of eight samples at most, or a handful, begins an event.
    var isQuiet: Bool { changes <= max(8, frames / 8) }
}
