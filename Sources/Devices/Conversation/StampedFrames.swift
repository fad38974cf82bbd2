import Signals

/// Gives each frame of a regular stream its index from the time stamp that came with it, and gathers consecutive
/// frames into blocks.
///
/// A stamp close to one period after the last is the next frame; one that lies later leaves out the frames between;
/// one that repeats or goes back a little is the next frame all the same, and is told as odd; far back or very far
/// ahead, the clock was set, and counting starts anew.
struct StampedFrames: Sendable {
    private let stream: String
    private let rate: Double
    /// How many seconds a stamp may deviate from its place before frames are taken as lost.
    private let tolerance: Seconds
    private var next = 0
    private var last: Seconds?
    private var isRestarted = false
    private let isDouble: Bool
    private var batch: (index: Int, time: Seconds, isRestarted: Bool, channels: [[Double]])?

    /// Frames of `stream`, `rate` of them a second.
    /// - Parameter isDouble: whether samples are handed out in double precision, too.
    init(stream: String, rate: Double, tolerance: Seconds? = nil, isDouble: Bool = false) {
        self.stream = stream
        self.isDouble = isDouble
        self.rate = rate
        self.tolerance = tolerance ?? 0.5 / rate
    }

    /// The connection or the device's clock begins anew: what comes has no known distance to what came.
    mutating func restart() {
        guard last != nil || next > 0 else { return }
        last = nil
        next = 0
        isRestarted = true
    }

    /// What adding a frame tells.
    struct Added {
        /// The frames that were complete before it.
        var finished: DeviceSamples?
        /// Whether its stamp repeats or goes back a little.
        var isOdd = false
        /// By how many seconds the clock was set before it.
        var jump: Seconds?
        /// Whether frames are missing before it, or its clock was set.
        var isBroken = false
    }

    /// Adds a frame.
    mutating func add(_ frame: [Double], at stamp: Seconds) -> Added {
        var added = Added()
        if let last {
            let deviation = stamp - last - 1 / rate
            if deviation > 3_600 || deviation < -max(1, tolerance) {
                added = Added(finished: flush(), jump: deviation, isBroken: true)
                next = 0
                isRestarted = true
            } else if deviation > tolerance {
                added = Added(finished: flush(), isBroken: true)
                next += Int((deviation * rate).rounded())
            } else {
                added.isOdd = stamp <= last
            }
        }
        last = stamp
        if batch == nil {
            batch = (next, stamp, isRestarted, frame.map { _ in [] })
            isRestarted = false
        }
        for channel in frame.indices { batch?.channels[channel].append(frame[channel]) }
        next += 1
        return added
    }

    /// The frames that are gathered; nil when there are none.
    mutating func flush() -> DeviceSamples? {
        guard let batch else { return nil }
        self.batch = nil
        let samples = batch.channels.flatMap { $0 }
        return DeviceSamples(
            stream: stream, index: batch.index,
            block: SampleBlock(channelCount: batch.channels.count, samples: samples.map { Float($0) }),
            doubles: isDouble ? samples : nil, deviceTime: batch.time, restarted: batch.isRestarted)
    }
}
