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

    /// The first stream of acceleration of the same device, in a known unit and fast enough; nil where there is none.
    ///
    /// Recorded sessions name streams `device-stream`; what moves another part of the body says nothing here.
    /// - Parameter pulse: the name of the stream that may move.
    public init?(in header: RecordingHeader, beside pulse: String) {
        let device = Self.device(of: pulse)
        for (index, stream) in header.streams.enumerated() where stream.kind == .acceleration {
            guard Self.device(of: stream.name) == device, stream.sampleRate >= Self.lowestSampleRate,
                let factor = stream.channels.first?.unit.factor(to: .g)
            else { continue }
            (self.stream, name, self.factor) = (index, stream.name, factor)
            return
        }
        return nil
    }

    /// What stands before the last hyphen; empty where there is none.
    static func device(of name: String) -> Substring {
        name[..<(name.lastIndex(of: "-") ?? name.startIndex)]
    }
}
