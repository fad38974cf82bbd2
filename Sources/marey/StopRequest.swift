import Synchronization

/// What a signal to stop does while a verb has something to bring to an end: asked once, the verb ends in order; asked
/// again, the program ends at once.
enum StopRequest {
    private static let handler = Mutex<(@Sendable () -> Void)?>(nil)

    /// From now on the first signal calls `body` instead of ending the program.
    static func handle(_ body: @escaping @Sendable () -> Void) {
        handler.withLock { $0 = body }
    }

    /// What to do now, once.
    static func take() -> (@Sendable () -> Void)? {
        handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
    }
}
