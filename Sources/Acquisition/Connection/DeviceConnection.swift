public import Devices
import Signals

/// Drives one device: connects, performs what its conversation wants, and connects again when the link breaks, for as
/// long as the session lasts.
///
/// Whoever receives the reports is waited for, so that a slow session slows the reading of the link (which has its own
/// bounded queue) and nothing piles up here.
public actor DeviceConnection {
    /// The device's name within the session.
    public nonisolated let name: String
    private let connector: any Connector
    private let clock: any HostClock
    private let reconnection: Reconnection
    private let report: @Sendable (DeviceReport) async -> Void
    private var conversation: any Conversation
    private var state = ConnectionState.unknown
    private var current: Open?
    private var isStopping = false
    private var pause: Task<Void, Never>?
    private var attempt: Task<any Link, any Error>?
    private var backlog: [(action: ConversationAction, moment: Seconds)] = []
    private var isPerforming = false
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    /// Seconds between two looks at whether something waits, and the most that are waited for it.
    private static let shortWait: Seconds = 0.05
    private static let longestWait: Seconds = 3

    /// An open link and the tasks that belong to it.
    private struct Open {
        let link: any Link
        let outbox: AsyncStream<ConversationAction>.Continuation
        var timer: Task<Void, Never>?
        /// Whether something that came is being handled.
        var isHandling = false
        var failure: LinkError?
    }

    /// A connection to the device called `name` in the session.
    /// - Parameters:
    ///   - connector: opens its links.
    ///   - conversation: its protocol.
    ///   - report: is told everything, in order, and waited for.
    public init(
        name: String, connector: any Connector, conversation: any Conversation, clock: any HostClock,
        reconnection: Reconnection = Reconnection(), report: @escaping @Sendable (DeviceReport) async -> Void
    ) {
        (self.name, self.connector, self.conversation, self.clock) = (name, connector, conversation, clock)
        (self.reconnection, self.report) = (reconnection, report)
    }

    /// Connects and stays connected until `stop` or the task's cancellation, or until the device is given up.
    public func run() async {
        var failures = 0
        while !isStopping, !Task.isCancelled {
            await change(to: .connecting)
            do {
                let link = try await connect()
                guard !isStopping else {
                    await link.close()
                    break
                }
                let begun = clock.now
                await converse(over: link)
                if clock.now - begun >= reconnection.steady { failures = 0 }
            } catch {
                if isStopping || Task.isCancelled { break }
                await change(to: .connectionFailed, Self.reason(error, place: connector.place))
            }
            guard !isStopping, !Task.isCancelled else { break }
            failures += 1
            guard let wait = reconnection.wait(afterFailures: failures) else { break }
            await tell(.retrying(in: wait))
            await rest(wait)
        }
        await change(to: .disconnectedUponRequest)
    }

    /// Opens a link; `stop` does not wait until a device that is searched for was not found.
    private func connect() async throws -> any Link {
        let attempt = Task { [connector] in try await connector.connect() }
        self.attempt = attempt
        defer { self.attempt = nil }
        return try await withTaskCancellationHandler {
            try await attempt.value
        } onCancel: {
            attempt.cancel()
        }
    }

    /// Asks the device to stop in its own way, then ends the connection; `run` returns soon after.
    /// - Parameter patience: seconds the device may take.
    public func stop(patience: Double = 2) async {
        isStopping = true
        pause?.cancel()
        attempt?.cancel()
        guard let link = current?.link else { return }
        let deadline = Task { [clock] in
            try await clock.sleep(until: clock.now + patience)
            await link.close()
        }
        await request(.stop)
        // The conversation closes the link when the device has answered; the deadline does when it has not.
        if current != nil { await withCheckedContinuation { waitingForEnd.append($0) } }
        deadline.cancel()
    }

    /// Asks something of the device; nothing when it is not connected.
    public func request(_ request: DeviceRequest) async {
        guard current != nil else { return }
        await act { conversation, moment, actions in conversation.perform(request, at: moment, into: &actions) }
    }

    // MARK: - One link

    private func converse(over link: any Link) async {
        let (outgoing, outbox) = AsyncStream.makeStream(of: ConversationAction.self)
        current = Open(link: link, outbox: outbox)
        await change(to: .connected)
        let writer = Task { await self.write(outgoing, to: link) }
        await act { conversation, moment, actions in conversation.open(at: moment, into: &actions) }
        if isStopping { await request(.stop) }
        var ending: LinkError?
        let isCancelled = await withTaskCancellationHandler {
            while let event = await link.next() {
                current?.isHandling = true
                defer { current?.isHandling = false }
                switch event {
                case .received(let bytes, let endpoint, let moment): await received(bytes, endpoint, moment)
                case .overrun(let count, let moment): await tell(.overrun(count: count), at: moment)
                case .closed(let error, _): ending = error
                }
            }
            return Task.isCancelled
        } onCancel: {
            Task { await link.close() }
        }
        if isCancelled { await link.close() }
        outbox.finish()
        writer.cancel()
        current?.timer?.cancel()
        let failure = current?.failure ?? ending
        current = nil
        for waiting in waitingForEnd { waiting.resume() }
        waitingForEnd = []
        await act { conversation, moment, actions in conversation.close(at: moment, into: &actions) }
        await change(to: isStopping || isCancelled ? .disconnectedUponRequest : .disconnected, failure)
    }

    private func received(_ bytes: [UInt8], _ endpoint: Endpoint, _ moment: Seconds) async {
        await tell(.bytes(bytes, endpoint, isIncoming: true), at: moment)
        var actions: [ConversationAction] = []
        conversation.receive(bytes, from: endpoint, at: moment, into: &actions)
        await perform(actions, at: moment)
    }

    private func act(
        _ body: (inout any Conversation, Seconds, inout [ConversationAction]) -> Void
    ) async {
        let moment = clock.now
        var actions: [ConversationAction] = []
        body(&conversation, moment, &actions)
        await perform(actions, at: moment)
    }

    /// Performs actions in the order they were wanted, also when a timer or a request comes in between.
    private func perform(_ actions: [ConversationAction], at moment: Seconds) async {
        backlog += actions.map { ($0, moment) }
        guard !isPerforming else { return }
        isPerforming = true
        while !backlog.isEmpty {
            let batch = backlog
            backlog.removeAll(keepingCapacity: true)
            for (action, moment) in batch {
                switch action {
                case .emit(let event): await tell(.event(event), at: moment)
                case .wake(let next): arm(next)
                case .send, .subscribe, .read, .close: current?.outbox.yield(action)
                }
            }
        }
        isPerforming = false
    }

    private func arm(_ moment: Seconds) {
        current?.timer?.cancel()
        current?.timer = Task { [clock] in
            do {
                try await clock.sleepAwake(until: moment)
                // Not for ever: where more comes than can be handled, what is due is due all the same.
                let latest = clock.now + Self.longestWait
                while self.isBehind, clock.now < latest { try await clock.sleep(until: clock.now + Self.shortWait) }
            } catch {
                return
            }
            guard !Task.isCancelled else { return }
            await self.act { conversation, moment, actions in conversation.wake(at: moment, into: &actions) }
        }
    }

    /// Whether something the device said is not handled yet: a silence is none before it is.
    private var isBehind: Bool { current.map { $0.isHandling || $0.link.hasWaiting } ?? false }

    /// Performs what goes out, in order, apart from the reading: a slow answer must not hold up what comes in.
    private func write(_ outgoing: AsyncStream<ConversationAction>, to link: any Link) async {
        for await action in outgoing {
            do {
                try await perform(action, over: link)
            } catch is CancellationError {
                return
            } catch let error as LinkError {
                // What a link that ended did not take any more is no refusal.
                guard current != nil else { return }
                guard let endpoint = Self.endpoint(of: action), error.isRefusal else {
                    current?.failure = error
                    await link.close()
                    return
                }
                // The device is still there: what to do about a refusal its protocol knows.
                await act { conversation, moment, actions in
                    conversation.refused(error, by: endpoint, at: moment, into: &actions)
                }
            } catch {
                current?.failure = Self.reason(error, place: connector.place)
                await link.close()
                return
            }
        }
    }

    private func perform(_ action: ConversationAction, over link: any Link) async throws {
        switch action {
        case .send(let bytes, let endpoint, let acknowledged):
            await tell(.bytes(bytes, endpoint, isIncoming: false))
            try await link.send(bytes, to: endpoint, acknowledged: acknowledged)
        case .subscribe(let characteristic, let isRequired):
            do {
                try await link.subscribe(characteristic)
            } catch LinkError.missing where !isRequired {
                // The device lacks what it may lack.
            } catch LinkError.refused where !isRequired {
                // It has the value, but tells nobody of its changes.
            }
        case .read(let characteristic):
            do { try await link.read(characteristic) } catch LinkError.missing {}
        case .close: await link.close()
        case .emit, .wake: break
        }
    }

    private static func endpoint(of action: ConversationAction) -> Endpoint? {
        switch action {
        case .send(_, let endpoint, _): endpoint
        case .subscribe(let characteristic, _), .read(let characteristic): .characteristic(characteristic)
        case .emit, .wake, .close: nil
        }
    }

    // MARK: - Reports

    private func change(to next: ConnectionState, _ error: LinkError? = nil) async {
        guard next != state else { return }
        let previous = state
        state = next
        await tell(.connection(previous: previous, current: next, error))
    }

    private func tell(_ content: DeviceReport.Content, at moment: Seconds? = nil) async {
        await report(DeviceReport(device: name, moment: moment ?? clock.now, content))
    }

    private func rest(_ seconds: Seconds) async {
        let pause = Task { [clock] in _ = try? await clock.sleep(until: clock.now + seconds) }
        self.pause = pause
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
    }

    private static func reason(_ error: any Error, place: String) -> LinkError {
        error as? LinkError ?? .lost("\(place): \(error)")
    }
}

extension LinkError {
    /// Whether the peer said no, rather than being gone.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .missing: true
        case .unreachable, .lost, .unavailable: false
        }
    }
}
