public import Signals

/// The latest samples of one sender of the relay: tells those that come twice, as where an answer was lost and the sender
/// sends again.
public struct RelayMemory: Sendable {
    private var samples: [(stamp: Seconds, amplitude: String)] = []
    private var newest: Seconds = -.infinity
    /// Whether the sender gives several samples one stamp.
    private var sharesStamps = false
    /// Whether the sample before was one that came twice.
    private var isRepeating = false
    /// As many are remembered at most, half as many at least: ten seconds of 100 Hz.
    private static let most = 2_048

    /// Nothing came yet.
    public init() {}

    /// Takes a sample's stamp, in seconds since 1970, and its amplitude as it was sent. Samples of one stamp and different
    /// amplitudes are several: a phone sends those that the board tells together in one millisecond. Such a phone's samples of
    /// one stamp may be equal, too, and come twice only where stamps go back.
    /// - Returns: false where both are those of a sample that came already.
    public mutating func isNew(_ stamp: Seconds, _ amplitude: String) -> Bool {
        // Most are newer than all, and need not be looked for.
        let isKnown = stamp <= newest && samples.contains { $0.stamp == stamp && $0.amplitude == amplitude }
        isRepeating = isKnown && (stamp < newest || isRepeating || !sharesStamps)
        if isRepeating { return false }
        if stamp == newest, !isKnown { sharesStamps = true }
        newest = max(newest, stamp)
        if samples.count == Self.most { samples.removeFirst(Self.most / 2) }
        samples.append((stamp, amplitude))
        return true
    }
}
