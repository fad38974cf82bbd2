public import Devices

/// A device of a session.
public struct SessionDevice: Sendable {
    /// Its name within the session, which its streams' names begin with.
    public var name: String
    /// Opens its links.
    public var connector: any Connector
    /// Its protocol.
    public var conversation: any Conversation
    /// How it is connected again; nil: as the session does it.
    public var reconnection: Reconnection?
    /// The secrets it is connected with: they are masked in whatever it says.
    public var secrets: [String]

    /// A device called `name`.
    public init(
        name: String, connector: any Connector, conversation: any Conversation, reconnection: Reconnection? = nil,
        secrets: [String] = []
    ) {
        self.secrets = secrets
        (self.name, self.connector, self.conversation) = (name, connector, conversation)
        self.reconnection = reconnection
    }
}
