import Signals

/// Gathers consecutive frames of a stream into blocks.
struct FrameBatch: Sendable {
    /// The type of a frame's numbers.
    enum Precision: Sendable {
        case single, double
        /// 64-bit integers, each as the `Double` of the same bits.
        case integer
    }

    private let stream: String
    private let precision: Precision
    private var gathered: (index: Int, time: Seconds, isRestarted: Bool, channels: [[Double]])?

    /// - Parameter isDouble: whether samples are handed out in double precision, too.
    init(stream: String, isDouble: Bool) { self.init(stream: stream, isDouble ? .double : .single) }

    init(stream: String, _ precision: Precision) { (self.stream, self.precision) = (stream, precision) }

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
        let integers = precision == .integer ? samples.map { Int64(bitPattern: $0.bitPattern) } : nil
        var finished = DeviceSamples(
            stream: stream, index: gathered.index,
            block: SampleBlock(
                channelCount: gathered.channels.count,
                samples: integers.map { $0.map { Float($0) } } ?? samples.map { Float($0) }),
            doubles: precision == .double ? samples : nil, deviceTime: gathered.time, restarted: gathered.isRestarted)
        finished.integers = integers
        return finished
    }
}
