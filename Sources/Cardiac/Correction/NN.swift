public import Signals

/// An interval between two normal beats: an `IBI` that has been through correction.
public struct NN: Hashable, Codable, Sendable {
    /// When the later of its two beats was, in seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// Whether the interval before it in the series ends where this one begins. A successive difference may only be
    /// taken where it is true.
    public var isContiguous: Bool
    /// What correction did to it.
    public var status: NNStatus

    /// The interval of `duration` seconds that ends at `onset`.
    public init(onset: Seconds, duration: Seconds, isContiguous: Bool, status: NNStatus = .kept) {
        self.onset = onset
        self.duration = duration
        self.isContiguous = isContiguous
        self.status = status
    }

    /// The interval as it was measured.
    public init(_ ibi: IBI) {
        self.init(onset: ibi.onset, duration: ibi.duration, isContiguous: ibi.isContiguous)
    }

    /// Whether correction changed it.
    public var isCorrected: Bool { status != .kept }
}

/// What correction did to an interval.
public enum NNStatus: String, Codable, CaseIterable, Sendable {
    /// Nothing: it is as it was measured.
    case kept
    /// An extra beat inside it was removed. Both its ends are beats that were seen, so it is a measured interval.
    case merged
    /// Its length was estimated from its neighbours; no measurement stands behind it.
    case interpolated
}
