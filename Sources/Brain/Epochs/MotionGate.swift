public import Signals

/// Holds epochs back until it is known whether the head moved in them.
public struct MotionGate: Sendable {
    /// Up to how many seconds acceleration may be late; what comes later is not heard.
    public static let patience: Seconds = 30

    private let hasMotion: Bool
    private var motion: [HeadMotion.Second] = []
    private var known = -Seconds.infinity
    private var waiting: [Epoch] = []

    /// A gate; one without an accelerometer lets all pass at once.
    public init(hasMotion: Bool) {
        self.hasMotion = hasMotion
    }

    /// What the accelerometer says of a second. Seconds come in order.
    public mutating func take(_ second: HeadMotion.Second, into outputs: inout [Epoch]) {
        motion.append(second)
        known = second.onset + 1
        release(until: known, into: &outputs)
    }

    /// The next epoch.
    public mutating func take(_ epoch: Epoch, into outputs: inout [Epoch]) {
        guard hasMotion else {
            outputs.append(epoch)
            return
        }
        waiting.append(epoch)
        release(until: max(known, epoch.onset + epoch.duration - Self.patience), into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [Epoch]) {
        release(until: .infinity, into: &outputs)
    }

    private mutating func release(until end: Seconds, into outputs: inout [Epoch]) {
        let ready = waiting.prefix { $0.onset + $0.duration <= end }.count
        for var epoch in waiting[..<ready] {
            if moves(epoch) {
                for channel in epoch.channels.indices where epoch.frameCount > 0 {
                    let found = epoch.channels[channel].reasons + [.motion]
                    epoch.channels[channel].reasons = EpochReason.allCases.filter(found.contains)
                }
            }
            outputs.append(epoch)
        }
        if ready > 0 {
            let oldest = waiting[ready - 1].onset
            motion.removeAll { $0.onset + 1 <= oldest }
        }
        waiting.removeFirst(ready)
        // Without EEG there is nothing to keep it for.
        if waiting.isEmpty, motion.count > 600 { motion.removeFirst(motion.count - 600) }
    }

    private func moves(_ epoch: Epoch) -> Bool {
        motion.contains {
            $0.onset < epoch.onset + epoch.duration && $0.onset + 1 > epoch.onset
                && $0.movement ?? 0 > HeadMotion.limit
        }
    }
}
