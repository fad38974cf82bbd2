/// A pulse of a session that waits for the acceleration beside it for longer than is usual, or does so no more.
public struct PulseWait: Hashable, Sendable, CustomStringConvertible {
    /// The pulse's place in the recording.
    public var stream: Int
    /// The pulse's name.
    public var name: String
    /// The acceleration's name.
    public var acceleration: String
    /// Whether it waits.
    public var isWaiting: Bool

    /// One sentence for the user.
    public var description: String {
        isWaiting
            ? "\(name) is waiting for \(acceleration): what is computed of it comes up to \(Int(CardiacTrack.longestWait)) s late"
            : "\(name) waits for \(acceleration) no longer"
    }
}
