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

    /// An event `onset` seconds after the recording's start.
    public init(onset: Seconds, duration: Seconds = 0, label: String, stream: String? = nil) {
        self.onset = onset
        self.duration = duration
        self.label = label
        self.stream = stream
    }
}
