public import Signals

/// The channel of a recording in which a headband says whether it is on the head.
public struct ContactSource: Hashable, Codable, Sendable {
    /// The stream's place in the recording.
    public var stream: Int
    /// The channel's place in the stream: 1 on the head, 0 off.
    public var channel: Int
    /// The stream's nominal sample rate in Hz.
    public var sampleRate: Double

    /// The first channel called `HeadBandOn`, as Mind Monitor calls it; nil where there is none.
    public init?(in header: RecordingHeader) {
        for (index, stream) in header.streams.enumerated() where stream.sampleRate > 0 {
            guard let channel = stream.channels.firstIndex(where: { $0.label.lowercased() == "headbandon" }) else {
                continue
            }
            (self.stream, self.channel, sampleRate) = (index, channel, stream.sampleRate)
            return
        }
        return nil
    }
}
