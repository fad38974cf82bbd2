/// Why a session cannot be started, in words for the person who asked for it.
public struct SessionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of refusal it is.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// What was asked for makes no sense; asked otherwise it may.
        case misuse
        /// Something is not there or not free.
        case unavailable
    }

    /// What kind of refusal it is.
    public var kind: Kind
    /// What was found, what was expected, what to do.
    public var description: String

    /// What was asked for makes no sense.
    public static func misuse(_ text: String) -> SessionRefusal { SessionRefusal(kind: .misuse, description: text) }
    /// Something is not there or not free.
    public static func unavailable(_ text: String) -> SessionRefusal {
        SessionRefusal(kind: .unavailable, description: text)
    }
}
