public import Signals

/// The stream of a recording that tells how the body, or the sensor, moved.
public struct AccelerationSource: Hashable, Codable, Sendable {
    /// The stream's place in the recording.
    public var stream: Int
    /// The stream's name.
    public var name: String
    /// What turns its values into g.
    public var factor: Double

    /// The lowest sample rate, in Hz, at which a stream can tell motion from pulses.
    public static let lowestSampleRate = 16.0

    /// The first stream of acceleration in a known unit that is fast enough; nil where there is none.
    public init?(in header: RecordingHeader) {
        for (index, stream) in header.streams.enumerated() where stream.kind == .acceleration {
            guard stream.sampleRate >= Self.lowestSampleRate, let factor = stream.channels.first?.unit.factor(to: .g)
            else { continue }
            (self.stream, name, self.factor) = (index, stream.name, factor)
            return
        }
        return nil
    }
}
