import Synchronization

/// The browser sessions of the service's owner: each link that is printed carries a code, which is exchanged once for a key of
/// the window that opened it. Codes and keys end with the program.
final class BrowserSessions: Sendable {
    private struct State {
        /// The hashes of codes, the oldest first.
        var codes: [String] = []
        /// The hashes of keys, the oldest first.
        var keys: [String] = []
    }

    private static let prefix = "code_"
    private static let maxCount = 256
    private let state = Mutex(State())

    /// A new code.
    func code() -> String {
        let code = Self.prefix + AccessToken().text.dropFirst("marey_".count)
        state.withLock { $0.codes = ($0.codes + [AccessToken(code).hash]).suffix(Self.maxCount) }
        return code
    }

    /// The key of a session for a code, once; nil when the code is unknown or was used.
    func exchange(_ code: String) -> AccessToken? {
        let hash = AccessToken(code).hash
        return state.withLock { state in
            guard let index = state.codes.firstIndex(of: hash) else { return nil }
            state.codes.remove(at: index)
            let key = AccessToken()
            state.keys = (state.keys + [key.hash]).suffix(Self.maxCount)
            return key
        }
    }

    /// True for the hash of a session's key.
    func holds(_ hash: String) -> Bool { state.withLock { $0.keys.contains(hash) } }
}
