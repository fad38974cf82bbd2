import Signals

/// Gathers consecutive frames of a stream into blocks.
struct FrameBatch: Sendable {
    private let stream: String
    private let isDouble: Bool
    private var gathered: (index: Int, time: Seconds, isRestarted: Bool, channels: [[Double]])?

    /// - Parameter isDouble: whether samples are handed out in double precision, too.
    init(stream: String, isDouble: Bool) { (self.stream, self.isDouble) = (stream, isDouble) }

    var isEmpty: Bool { gathered == nil }

    /// Adds the frame that follows those that are gathered; index, time and restart are those of the first.
    mutating func add(_ frame: [Double], index: Int, at time: Seconds, isRestarted: Bool) {
        if gathered == nil { gathered = (index, time, isRestarted, frame.map { _ in [] }) }
        for channel in frame.indices { gathered?.channels[channel].append(frame[channel]) }
    }

    /// The frames that are gathered; nil when there are none.
    mutating func flush() -> DeviceSamples? {
        guard let gathered else { return nil }
        self.gathered = nil
        let samples = gathered.channels.flatMap { $0 }
        return DeviceSamples(
            stream: stream, index: gathered.index,
            block: SampleBlock(channelCount: gathered.channels.count, samples: samples.map { Float($0) }),
            doubles: isDouble ? samples : nil, deviceTime: gathered.time, restarted: gathered.isRestarted)
    }
}
