import Signals

/// Gives each frame of a regular stream its index from the time stamp that came with it, and gathers consecutive
/// frames into blocks.
///
/// A stamp close to one period after the last is the next frame; one that lies later leaves out the frames between;
/// one that repeats or goes back a little is the next frame all the same, and is told as odd; far back or very far
/// ahead, the clock was set, and counting starts anew. Where each frame comes in a message of its own (`memory`), one
/// that came before, and one that was missing and comes after those that follow it, are left out.
struct StampedFrames: Sendable {
    private let rate: Double
    /// How many seconds a stamp may deviate from its place before frames are taken as lost.
    private var tolerance: Seconds { 0.5 / rate }
    private var next = 0
    /// The latest stamp, and how many frames came since that bear none after it.
    private var last: Seconds?
    private var held = 0
    private var isRestarted = false
    private var memory: FrameMemory?
    private var batch: FrameBatch

    /// Frames of `stream`, `rate` of them a second.
    /// - Parameter memory: what came, to know what comes twice or too late; nil: all that comes is taken.
    init(stream: String, rate: Double, memory: FrameMemory? = nil) {
        batch = FrameBatch(stream: stream, isDouble: false)
        self.memory = memory
        self.rate = rate
    }

    /// The connection or the device's clock begins anew: what comes has no known distance to what came.
    mutating func restart() {
        guard last != nil || next > 0 else { return }
        last = nil
        (next, held) = (0, 0)
        isRestarted = true
        memory?.forget()
    }

    /// What adding a frame tells.
    struct Added {
        /// The frames that were complete before it.
        var finished: DeviceSamples?
        /// What is wrong with it.
        var problem: String?
        /// By how many seconds the clock was set before it.
        var jump: Seconds?
        /// Whether frames are missing before it, or its clock was set.
        var isBroken = false
    }

    /// Adds a frame.
    mutating func add(_ frame: [Double], at stamp: Seconds) -> Added {
        var added = Added()
        if let problem = memory?.problem(of: frame, at: stamp) { return Added(problem: problem) }
        if let last {
            let deviation = stamp - last - Double(held + 1) / rate
            if deviation > 3_600 || stamp < last - max(1, tolerance) {
                added = Added(finished: flush(), jump: deviation, isBroken: true)
                next = 0
                isRestarted = true
                memory?.forget()
            } else if stamp <= last {
                added.problem = "the time stamp does not follow the one before"
            } else if deviation > tolerance {
                added = Added(finished: flush(), isBroken: true)
                next += Int((deviation * rate).rounded())
                memory?.missed(from: last, to: stamp)
            }
        }
        if added.problem == nil {
            (last, held) = (stamp, 0)
        } else {
            held += 1
        }
        memory?.keep(frame, at: stamp)
        let isFirst = batch.isEmpty
        batch.add(frame, index: next, at: stamp, isRestarted: isRestarted)
        if isFirst { isRestarted = false }
        next += 1
        return added
    }

    /// The frames that are gathered; nil when there are none.
    mutating func flush() -> DeviceSamples? { batch.flush() }
}
