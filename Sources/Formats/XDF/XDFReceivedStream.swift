public import Signals

/// Values of consecutive rows, row by row.
public enum XDFRows: Hashable, Sendable {
    /// Numbers that a `Double` holds exactly: all formats but `int64` and text.
    case doubles([Double])
    /// 64-bit integers.
    case integers([Int64])
    /// Texts.
    case texts([String])

    /// The number of values.
    public var count: Int {
        switch self {
        case .doubles(let values): values.count
        case .integers(let values): values.count
        case .texts(let values): values.count
        }
    }
}

/// A stream as its sender describes it, for a copy of all that was received (`XDFRecordingEncoder.declare(_:)`).
public struct XDFReceivedDescription: Hashable, Sendable {
    /// The copy's name, unique in its file.
    public var name: String
    /// The sender's content type, such as `EEG`.
    public var type: String
    /// Its channels.
    public var channels: [Channel]
    /// Its nominal rate in Hz; 0 for irregular streams.
    public var sampleRate: Double
    /// The format of its values.
    public var format: XDFValueFormat
    /// The source's id, the same in each of its runs.
    public var sourceID: String
    /// The sender's own description, an `<info>` element as text; nil where it is not known.
    public var xml: String?
    /// Details for people and our own reader, by name (`desc/marey`).
    public var details: [String: String]

    /// A description of a copy.
    public init(
        name: String, type: String, channels: [Channel], sampleRate: Double, format: XDFValueFormat, sourceID: String,
        xml: String?, details: [String: String] = [:]
    ) {
        (self.name, self.type, self.channels, self.sampleRate) = (name, type, channels, sampleRate)
        (self.format, self.sourceID, self.xml, self.details) = (format, sourceID, xml, details)
    }

    /// The header's XML: the sender's, with the copy's name and a note for our own reader.
    func element() -> XDFElement {
        let marey = XDFElement(
            name: "marey",
            children: [XDFElement(name: XDFStreamInfo.roleName, text: XDFStreamInfo.receivedRole)]
                + details.sorted { $0.key < $1.key }.map { XDFElement(name: $0.key, text: $0.value) })
        var info = Self.known(xml, channels.count) ?? plain
        info.set("name", name)
        info.set("channel_format", format.rawValue)
        var desc = info["desc"] ?? XDFElement(name: "desc")
        desc.text = ""
        desc.children.removeAll { $0.name == "marey" }
        desc.children.append(marey)
        info.children.removeAll { $0.name == "desc" }
        info.children.append(desc)
        return info
    }

    /// The sender's description; nil where it cannot be read or describes something else.
    private static func known(_ xml: String?, _ channelCount: Int) -> XDFElement? {
        guard let xml, var info = XDFElement(Array(xml.utf8)), info.name == "info",
            info.value("channel_count") == "\(channelCount)"
        else { return nil }
        info.text = ""
        return info
    }

    private var plain: XDFElement {
        func leaf(_ name: String, _ text: String) -> XDFElement { XDFElement(name: name, text: text) }
        let channels = channels.map {
            XDFElement(name: "channel", children: [leaf("label", $0.label), leaf("unit", $0.unit.rawValue)])
        }
        return XDFElement(
            name: "info",
            children: [
                leaf("name", name), leaf("type", type), leaf("channel_count", "\(self.channels.count)"),
                leaf("nominal_srate", "\(sampleRate)"), leaf("channel_format", format.rawValue),
                leaf("source_id", sourceID), leaf("version", "1.1"),
                XDFElement(name: "desc", children: [XDFElement(name: "channels", children: channels)]),
            ])
    }
}

/// A copy of what a sender sent, while it is written: the sender's stamps and values in the sender's format, and the offsets of
/// its clock, as LabRecorder stores them.
struct XDFReceivedStream: Sendable {
    let id: UInt32
    let format: XDFValueFormat
    let channelCount: Int
    private(set) var chunk = XDFOpenChunk()
    private(set) var frames = 0
    private(set) var first: Seconds?
    private(set) var last: Seconds = 0
    private(set) var offsets = XDFOffsetSummary()
    private var offset: Seconds?

    init(id: UInt32, format: XDFValueFormat, channelCount: Int) {
        (self.id, self.format, self.channelCount) = (id, format, channelCount)
    }

    /// Adds rows; returns the bytes of a clock offset chunk where the offset is new.
    mutating func append(_ stamps: [Seconds], _ values: XDFRows, offset: Seconds) -> [UInt8] {
        guard !stamps.isEmpty, values.count == stamps.count * channelCount else { return [] }
        chunk.append(stamps, values, as: format)
        frames += stamps.count
        first = first ?? stamps[0]
        last = stamps[stamps.count - 1]
        guard offset != self.offset else { return [] }
        self.offset = offset
        offsets.append(stamps[0], offset)
        return XDFEncoding.clockOffset(id, time: stamps[0], value: offset)
    }

    mutating func close(into bytes: inout [UInt8]) { chunk.close(stream: id, into: &bytes) }
}

extension XDFOpenChunk {
    /// Appends rows with a stamp each, in the format of their source.
    mutating func append(_ stamps: [Seconds], _ values: XDFRows, as format: XDFValueFormat) {
        let width = values.count / max(1, stamps.count)
        append(stamps: stamps) { row, bytes in
            for place in row * width..<(row + 1) * width {
                switch values {
                case .doubles(let values): Self.append(values[place], as: format, &bytes)
                case .integers(let values): Self.append(values[place], as: format, &bytes)
                case .texts(let values):
                    let utf8 = Array(values[place].utf8)
                    XDFEncoding.append(length: utf8.count, to: &bytes)
                    bytes += utf8
                }
            }
        }
    }

    private static func append(_ value: Double, as format: XDFValueFormat, _ bytes: inout [UInt8]) {
        switch format {
        case .float32: XDFEncoding.append(Float(value).bitPattern, to: &bytes)
        case .double: XDFEncoding.append(value, to: &bytes)
        case .int8: XDFEncoding.append(Int8(clampingNumber: value), to: &bytes)
        case .int16: XDFEncoding.append(Int16(clampingNumber: value), to: &bytes)
        case .int32: XDFEncoding.append(Int32(clampingNumber: value), to: &bytes)
        case .int64: XDFEncoding.append(Int64(clampingNumber: value), to: &bytes)
        case .string: break
        }
    }

    private static func append(_ value: Int64, as format: XDFValueFormat, _ bytes: inout [UInt8]) {
        guard format == .int64 else { return append(Double(value), as: format, &bytes) }
        XDFEncoding.append(value, to: &bytes)
    }
}

extension FixedWidthInteger {
    /// The nearest integer that the type holds; 0 for NaN.
    init(clampingNumber value: Double) {
        guard !value.isNaN else {
            self = 0
            return
        }
        self = Self(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
}

extension XDFElement {
    /// Sets the text of the first child of this name, or adds one.
    mutating func set(_ name: String, _ text: String) {
        if let place = children.firstIndex(where: { $0.name == name }) {
            children[place] = XDFElement(name: name, text: text)
        } else {
            children.insert(XDFElement(name: name, text: text), at: 0)
        }
    }
}
