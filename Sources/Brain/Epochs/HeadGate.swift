public import Signals

/// Holds epochs back until it is known whether the head moved in them, and which electrodes touched it.
public struct HeadGate: Sendable {
    /// Up to how many seconds acceleration and contact may be late; what comes later is not heard.
    public static let patience: Seconds = 30

    private let hasMotion: Bool
    private let electrodes: [[Int]]?
    private var motion: [HeadMotion.Second] = []
    private var contacts: [HeadContact.Second] = []
    private var motionKnown = -Seconds.infinity
    private var contactKnown = -Seconds.infinity
    private var newest = -Seconds.infinity
    private var waiting: [Epoch] = []

    /// A gate; one without an accelerometer and a headband that tells its contact lets all pass at once.
    /// - Parameters:
    ///   - hasMotion: whether there is an accelerometer, whose seconds will be handed to `take`.
    ///   - electrodes: of each channel of the epochs the electrodes it comes from, in the order in which the headband tells
    ///     their contact, whose seconds will be handed to `take`; nil where it tells nothing.
    public init(hasMotion: Bool, electrodes: [[Int]]? = nil) {
        self.hasMotion = hasMotion
        self.electrodes = electrodes
    }

    /// What the accelerometer says of a second. Seconds come in order.
    public mutating func take(_ second: HeadMotion.Second, into outputs: inout [Epoch]) {
        motion.append(second)
        motionKnown = second.onset + 1
        release(until: known, into: &outputs)
    }

    /// What the headband says of its contact in a second. Seconds come in order.
    public mutating func take(_ second: HeadContact.Second, into outputs: inout [Epoch]) {
        contacts.append(second)
        contactKnown = second.onset + 1
        release(until: known, into: &outputs)
    }

    /// The next epoch.
    public mutating func take(_ epoch: Epoch, into outputs: inout [Epoch]) {
        guard hasMotion || electrodes != nil else {
            outputs.append(epoch)
            return
        }
        waiting.append(epoch)
        newest = max(newest, epoch.onset + epoch.duration)
        release(until: known, into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [Epoch]) {
        release(until: .infinity, into: &outputs)
    }

    /// Up to when nothing more is waited for.
    private var known: Seconds {
        let late = newest - Self.patience
        return min(
            hasMotion ? max(motionKnown, late) : .infinity, electrodes != nil ? max(contactKnown, late) : .infinity)
    }

    private mutating func release(until end: Seconds, into outputs: inout [Epoch]) {
        let ready = waiting.prefix { $0.onset + $0.duration <= end }.count
        for var epoch in waiting[..<ready] {
            if epoch.frameCount > 0 { judge(&epoch) }
            outputs.append(epoch)
        }
        if ready > 0 {
            let oldest = waiting[ready - 1].onset
            motion.removeAll { $0.onset + 1 <= oldest }
            contacts.removeAll { $0.onset + 1 <= oldest }
        }
        waiting.removeFirst(ready)
        // Without EEG there is nothing to keep them for.
        guard waiting.isEmpty else { return }
        if motion.count > 600 { motion.removeFirst(motion.count - 600) }
        if contacts.count > 600 { contacts.removeFirst(contacts.count - 600) }
    }

    private func judge(_ epoch: inout Epoch) {
        let end = epoch.onset + epoch.duration
        let onset = epoch.onset
        epoch.movement = motion.filter { $0.onset < end && $0.onset + 1 > onset }.compactMap(\.movement).max()
        let moves = epoch.movement ?? 0 > HeadMotion.limit
        let told = contacts.filter { $0.onset < end && $0.onset + 1 > epoch.onset }
        let isOff = told.contains { $0.isOff == true }
        for channel in epoch.channels.indices {
            var found = epoch.channels[channel].reasons
            if moves { found.append(.motion) }
            if isOff || isLoose(channel, told) { found.append(.offBody) }
            guard found.count > epoch.channels[channel].reasons.count else { continue }
            epoch.channels[channel].reasons = EpochReason.allCases.filter(found.contains)
        }
    }

    /// Whether an electrode that `channel` comes from is without contact in one of these seconds.
    private func isLoose(_ channel: Int, _ seconds: [HeadContact.Second]) -> Bool {
        guard let electrodes, channel < electrodes.count else { return false }
        return seconds.contains { second in
            electrodes[channel].contains { $0 < second.isLoose.count && second.isLoose[$0] == true }
        }
    }
}
