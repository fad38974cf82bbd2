public import Devices
public import Formats
public import Pipeline
public import Recorder
public import Signals

/// What a running session tells whoever shows it. Moments are seconds from the recording's start.
public enum SessionEvent: Sendable {
    /// A device's connection changed; with the reason, in words and as its cause, when it failed or broke.
    case connection(
        device: String, ConnectionState, reason: String?, cause: ConnectionCause? = nil, at: Seconds)
    /// The next attempt to connect comes in so many seconds.
    case retrying(device: String, in: Seconds, at: Seconds)
    /// A stream appeared; `isDouble`: its samples are recorded in double precision.
    case stream(Int, device: String, StreamHeader, isDouble: Bool = false, at: Seconds)
    /// A device reported a state.
    case status(device: String, DeviceStatus, at: Seconds)
    /// A device said who it is: all that it has said of that so far.
    case identity(device: String, DeviceIdentity, at: Seconds)
    /// A device's remark or refusal in words.
    case remark(device: String, String, isFailure: Bool, at: Seconds)
    /// A device's script printed a line.
    case script(device: String, MethodSCRIPTOutput, at: Seconds)
    /// Something was computed.
    case update(LiveUpdate)
    /// Samples of a stream ended, or came again.
    case signal(StreamSignal, at: Seconds)
    /// A live value ended: no newer one came in time.
    case lapse(LiveLapse, at: Seconds)
    /// The verdict on a device's signals changed.
    case verdict(device: String, QAVerdict, at: Seconds)
    /// The gap of a stream of a known rate opened or closed.
    case gap(StreamGap, at: Seconds)
    /// A tag or a device's marker was recorded.
    case marker(Marker)
    /// From here on nothing can be written; nil: it can again.
    case disk(problem: RecorderError?, at: Seconds)
    /// Once a second: how the streams and the disk do.
    case pulse(SessionPulse)
    /// The recording is closed.
    case finished(SessionSummary)
}

/// A piece of what is recorded, for whoever watches it come.
public struct RecordedPiece: Sendable {
    /// What was recorded.
    public var event: RecordingEvent
    /// Its samples as they are recorded, channel by channel, where that is in double precision.
    public var doubles: [Double]?

    /// - Parameter source: in double precision the frames of a message, of which the event's are the last.
    init(_ event: RecordingEvent, of source: [Double]? = nil) {
        self.event = event
        guard case .samples(_, let block) = event, let source, block.channelCount > 0 else { return }
        let held = source.count / block.channelCount
        doubles = (0..<block.channelCount).flatMap { source[($0 + 1) * held - block.frameCount..<($0 + 1) * held] }
    }
}

/// How a session does, once a second.
public struct SessionPulse: Sendable {
    /// Seconds from the recording's start.
    public var moment: Seconds
    /// Each stream, in order.
    public var streams: [StreamPulse]
    /// The recorder.
    public var recorder: Recorder.State
    /// Time from a packet's arrival to what was computed from it, the 99th percentile so far, seconds.
    public var latency: Seconds?
}

/// How a stream does.
public struct StreamPulse: Hashable, Codable, Sendable {
    /// The stream's name.
    public var name: String
    /// Frames, or rows of an irregular stream, so far.
    public var count: Int
    /// Frames per second over the last seconds.
    public var rate: Double
    /// Frames of a regular stream of which nothing came so far: those in gaps, and those whose channels are all missing.
    public var lost: Int
    /// Values of single channels missing so far from frames of a regular stream whose other channels came.
    public var missing: Int
    /// The last value of each channel; nil for missing, and when no samples come any more.
    public var last: [Double?]
    /// Seconds since the end of the last sample; nil where none came.
    public var age: Seconds?
}

/// What a session left behind.
public struct SessionSummary: Sendable, Codable {
    /// The recording.
    public var file: String
    /// Its length, seconds.
    public var duration: Seconds
    /// Each stream.
    public var streams: [StreamPulse]
    /// Markers that its devices sent.
    public var markers = 0
    /// The tags and device markers in the recording.
    public var events: [Marker] = []
    /// Messages that broke their protocol, by device.
    public var malformed: [String: Int]
    /// Connections that were lost and found again, by device.
    public var reconnections: [String: Int]
    /// Frames and values that arrived and are not in the recording because it could not be written; `streams` count those
    /// that are.
    public var unwritten = 0
    /// Time from a packet's arrival to what was computed from it, the 99th percentile, seconds.
    public var latency: Seconds?
    /// Why the recording could not be closed, if so.
    public var problem: String?

    /// Whether its devices brought anything.
    public var hasArrived: Bool { markers > 0 || streams.contains { $0.count > 0 } }
}
