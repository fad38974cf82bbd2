/// An event in a recording: a tag, a stimulus, an annotation.
public struct Marker: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Seconds it lasts; 0 for a moment.
    public var duration: Seconds
    /// What happened, as the source says it.
    public var label: String
    /// The name of the stream or the device it belongs to; nil when it concerns the whole recording.
    public var stream: String?
    /// What the marker stands for.
    public var role = Role.event

    /// The kinds of markers.
    public enum Role: String, Codable, Sendable {
        /// A tag, a stimulus, a comment.
        case event
        /// One heart beat that a person or a program annotated. A recording has thousands.
        case beat
    }

    /// An event `onset` seconds after the recording's start.
    public init(onset: Seconds, duration: Seconds = 0, label: String, stream: String? = nil, role: Role = .event) {
        self.onset = onset
        self.duration = duration
        self.label = label
        self.stream = stream
        self.role = role
    }

    private enum CodingKeys: CodingKey { case onset, duration, label, stream, role }

    /// A marker without a role is an event, as markers of earlier versions are.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        onset = try fields.decode(Seconds.self, forKey: .onset)
        duration = try fields.decode(Seconds.self, forKey: .duration)
        label = try fields.decode(String.self, forKey: .label)
        stream = try fields.decodeIfPresent(String.self, forKey: .stream)
        role = try fields.decodeIfPresent(Role.self, forKey: .role) ?? .event
    }

    /// The role of an event is left out.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(onset, forKey: .onset)
        try fields.encode(duration, forKey: .duration)
        try fields.encode(label, forKey: .label)
        try fields.encodeIfPresent(stream, forKey: .stream)
        if role != .event { try fields.encode(role, forKey: .role) }
    }
}
