import Foundation
import Kernels
public import Signals

/// Whether the wearer of an accelerometer seems to sleep now: the angle of `InactivitySleep`, told every five seconds
/// from the past alone. It says asleep five minutes after the last turn, where `InactivitySleep`, which may look ahead,
/// counts those minutes as sleep too.
public struct SleepWatch: BlockStage, Sendable {
    /// Five seconds, as they were judged.
    public struct Value: Hashable, Sendable {
        /// Seconds from the recording's start to the end of the five seconds.
        public var time: Seconds
        /// 1 asleep, 0 awake; nil where samples are missing.
        public var asleep: Int?
    }

    /// Seconds of an epoch, each of which gives a value.
    public static let step: Seconds = 5
    /// Means without a turn that are sleep: five minutes.
    private static let quiet = 60

    private var epocher: Epocher
    private let factors: [Double]
    private var pending: [Epoch] = []
    private var last: (end: Seconds, angle: Double)?
    private var still = 0

    /// A stage for an accelerometer with these channels at `sampleRate` Hz; its last axis is the one at right angles to
    /// the skin.
    public init(channels: [Channel], sampleRate: Double) {
        factors = channels.map { $0.unit.factor(to: .g) ?? 1 }
        epocher = Epocher(
            channels: channels.count, sampleRate: sampleRate,
            parameters: EpochParameters(length: Self.step, step: Self.step))
    }

    /// Nothing after the five seconds counts.
    public var lookAhead: Seconds { Self.step }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Value]) {
        epocher.begin(segment, into: &pending)
        judge(into: &outputs)
    }

    /// The next frames of the run, in the stream's unit.
    public mutating func push(_ block: SampleBlock, into outputs: inout [Value]) {
        epocher.push(block, into: &pending)
        judge(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [Value]) {
        epocher.finish(into: &pending)
        judge(into: &outputs)
        (last, still) = (nil, 0)
    }

    private mutating func judge(into outputs: inout [Value]) {
        for epoch in pending { outputs.append(value(epoch)) }
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func value(_ epoch: Epoch) -> Value {
        let end = epoch.onset + epoch.duration
        guard let angle = angle(epoch) else {
            (last, still) = (nil, 0)
            return Value(time: end, asleep: nil)
        }
        let follows = last.map { abs($0.end - epoch.onset) < 0.1 && abs($0.angle - angle) <= 5 } ?? false
        still = follows ? still + 1 : 1
        last = (end, angle)
        return Value(time: end, asleep: still >= Self.quiet ? 1 : 0)
    }

    /// Degrees between the last axis and the horizontal; nil where samples are missing.
    private func angle(_ epoch: Epoch) -> Double? {
        guard epoch.frameCount > 0 else { return nil }
        let means = (0..<epoch.channelCount).map { axis in
            Statistics.sum(epoch.channel(axis).map { Double($0) * factors[axis] }) / Double(epoch.frameCount)
        }
        let size = means.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard size.isFinite, size > 0.1, let vertical = means.last else { return nil }
        return asin(min(max(vertical / size, -1), 1)) * 180 / Double.pi
    }
}
