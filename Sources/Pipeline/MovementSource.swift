import Signals

/// The stream of acceleration that is removed from a pulse wave.
///
/// It needs no unit: without one, gravity is taken to be 1 g (`GravityScale`).
public struct MovementSource: Hashable, Codable, Sendable {
    /// The stream's place in the recording.
    public var stream: Int
    /// The stream's name.
    public var name: String
    /// The factor to g; nil where the file states no unit.
    public var factor: Double?

    /// The first stream of acceleration of the same device that is fast enough; one with a unit first. Nil where there is
    /// none.
    /// - Parameter pulse: the name of the stream that may move.
    init?(in header: RecordingHeader, beside pulse: String) {
        if let known = AccelerationSource(in: header, beside: pulse) {
            (stream, name, factor) = (known.stream, known.name, known.factor)
            return
        }
        let device = AccelerationSource.device(of: pulse)
        for (index, stream) in header.streams.enumerated() where stream.kind == .acceleration {
            guard AccelerationSource.device(of: stream.name) == device,
                stream.sampleRate >= AccelerationSource.lowestSampleRate, stream.channels.count >= 1,
                stream.channels[0].unit == .unknown || stream.channels[0].unit == .dimensionless
            else { continue }
            (self.stream, name, factor) = (index, stream.name, nil)
            return
        }
        return nil
    }
}
