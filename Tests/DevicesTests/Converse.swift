import Devices
import Signals

private enum Input: Sendable {
    case link(LinkEvent)
    case wake
}

/// Runs a conversation over a real link until `isDone` says so or the link ends.
/// - Returns: all it said, and the conversation afterwards.
func converse<C: Conversation>(
    _ conversation: C, over connector: any Connector, clock: any HostClock = SystemClock(),
    log: (ByteLogEntry) throws -> Void = { _ in }, steer: (DeviceEvent) -> DeviceRequest? = { _ in nil },
    until isDone: (DeviceEvent) -> Bool = { _ in false }
) async throws -> (events: [DeviceEvent], conversation: C, end: LinkError?) {
    var conversation = conversation
    let link = try await connector.connect()
    let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
    let reader = Task {
        while let event = await link.next() { feed.yield(.link(event)) }
        feed.finish()
    }
    defer { reader.cancel() }
    var events: [DeviceEvent] = []
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    var isOver = false
    /// Asks something of the device; a refusal is for the conversation, unless it may be.
    func ask(
        _ content: ByteLogEntry.Content, of endpoint: Endpoint, isRequired: Bool = true, at moment: Seconds,
        _ body: () async throws -> Void
    ) async throws {
        try log(ByteLogEntry(content, at: moment))
        do {
            try await body()
        } catch let error as LinkError {
            switch error {
            case .missing, .refused: try log(ByteLogEntry(.refused(error, by: endpoint), at: moment))
            // What a link that ended does not take is no refusal.
            case .lost, .unreachable, .unavailable: return
            }
            guard isRequired else { return }
            var more: [ConversationAction] = []
            conversation.refused(error, by: endpoint, at: moment, into: &more)
            try await perform(more, at: moment)
        }
    }
    func perform(_ actions: [ConversationAction], at moment: Seconds) async throws {
        for action in actions {
            switch action {
            case .emit(let event):
                events.append(event)
                if isDone(event), !isOver {
                    isOver = true
                    await link.close()
                }
                if let request = steer(event) {
                    var more: [ConversationAction] = []
                    conversation.perform(request, at: moment, into: &more)
                    try await perform(more, at: moment)
                }
            case .send(let bytes, let endpoint, let acknowledged):
                try await ask(.sent(bytes, to: endpoint), of: endpoint, at: moment) {
                    try await link.send(bytes, to: endpoint, acknowledged: acknowledged)
                }
            case .wake(let due):
                timer?.cancel()
                timer = Task {
                    if (try? await clock.sleep(until: due)) != nil { feed.yield(.wake) }
                }
            case .close: await link.close()
            case .subscribe(let uuid, let isRequired):
                try await ask(.subscribed(uuid), of: .characteristic(uuid), isRequired: isRequired, at: moment) {
                    try await link.subscribe(uuid)
                }
            case .read(let uuid):
                try await ask(.asked(uuid), of: .characteristic(uuid), isRequired: false, at: moment) {
                    try await link.read(uuid)
                }
            }
        }
    }
    var actions: [ConversationAction] = []
    try log(ByteLogEntry(.opened, at: clock.now))
    conversation.open(at: clock.now, into: &actions)
    try await perform(actions, at: clock.now)
    var end: LinkError?
    for await input in inputs {
        actions = []
        var moment = clock.now
        switch input {
        case .wake: conversation.wake(at: moment, into: &actions)
        case .link(let event):
            try log(ByteLogEntry(event))
            switch event {
            case .received(let bytes, let endpoint, let at):
                moment = at
                conversation.receive(bytes, from: endpoint, at: at, into: &actions)
            case .overrun, .resubscribed: break
            case .closed(let error, let at):
                end = error
                conversation.close(at: at, into: &actions)
            }
        }
        try await perform(actions, at: moment)
    }
    return (events, conversation, end)
}
