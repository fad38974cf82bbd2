/// The choice of a stream of the Lab Streaming Layer, as written after `lsl@`: its name, or a property and its value such as
/// `type:EEG` or `source_id:ID`. Names may hold any characters.
public struct LSLPlace: Hashable, Sendable {
    /// The property that is compared: `name`, `type`, `source_id`, `hostname` or `uid`.
    public var property: String
    /// The property's value.
    public var value: String

    /// The properties by which streams are found.
    public static let properties = ["name", "type", "source_id", "hostname", "uid"]

    /// The stream whose `property` is `value`.
    public init(property: String, value: String) {
        (self.property, self.value) = (property, value)
    }

    /// Reads what is written; all of it is a name where it does not begin with a property and a colon.
    public init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, Self.properties.contains(parts[0]) {
            self.init(property: parts[0], value: parts[1])
        } else {
            self.init(property: "name", value: text)
        }
    }

    /// The written form, which reads back as the same choice.
    public var text: String {
        property == "name" && LSLPlace(value).property == "name" && LSLPlace(value).value == value
            ? value : "\(property):\(value)"
    }

    /// The shortest choice that fits only this stream among those found: its name, its source, or the id of this run.
    public init(_ stream: LSLStreamInfo, among streams: [LSLStreamInfo]) {
        func isOnly(_ property: KeyPath<LSLStreamInfo, String>) -> Bool {
            !stream[keyPath: property].isEmpty
                && streams.count { $0[keyPath: property] == stream[keyPath: property] } <= 1
        }
        if isOnly(\.name) || stream.sourceID.isEmpty && stream.uid.isEmpty {
            self.init(property: "name", value: stream.name)
        } else if isOnly(\.sourceID) || stream.uid.isEmpty {
            self.init(property: "source_id", value: stream.sourceID)
        } else {
            self.init(property: "uid", value: stream.uid)
        }
    }

    /// True if a stream fits.
    public func fits(_ stream: LSLStreamInfo) -> Bool {
        switch property {
        case "type": stream.type == value
        case "source_id": stream.sourceID == value
        case "hostname": stream.host == value
        case "uid": stream.uid == value
        default: stream.name == value
        }
    }

    /// The condition in the language of the library (XPath 1.0).
    var predicate: String { "\(property)=\(Self.literal(value))" }

    /// A text as a literal. XPath has no way to escape a quote, so that a text with both kinds is put together.
    private static func literal(_ text: String) -> String {
        if !text.contains("'") { return "'\(text)'" }
        if !text.contains("\"") { return "\"\(text)\"" }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false).map { "'\($0)'" }
        return "concat(\(parts.joined(separator: ", \"'\", ")))"
    }
}
