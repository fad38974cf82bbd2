import Signals

/// A channel as its file, and what lies beside it, describe it.
struct DescribedChannel {
    var channel: Channel
    var kind: StreamKind
    /// Whether somebody said what it is, and it is not only called something.
    var isTyped = false
    /// Whether its numbers are said to stand for events, whatever it is called.
    var isTrigger = false

    init(_ channel: Channel, kind: StreamKind) {
        (self.channel, self.kind) = (channel, kind)
    }
}

extension [DescribedChannel] {
    /// Takes voltages that are numbered, not named, for EEG where no channel is EEG: so it is in formats of EEG programs.
    /// - Returns: whether there are any.
    mutating func takeNumberedForEEG() -> Bool {
        guard !contains(where: { $0.kind == .eeg }) else { return false }
        let numbered = indices.filter { place in
            self[place].kind == .other && !self[place].isTyped && self[place].channel.fault == nil
                && SignalKind.isNumbered(self[place].channel.label)
                && self[place].channel.unit.factor(to: .volts) != nil
        }
        for place in numbered { self[place].kind = .eeg }
        return !numbered.isEmpty
    }
}
