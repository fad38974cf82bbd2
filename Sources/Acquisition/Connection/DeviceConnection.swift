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
    let clock: any HostClock
    private let reconnection: Reconnection
    private let secrets: [String]
    private let report: @Sendable (DeviceReport) async -> Void
    private var conversation: any Conversation
    private var state = ConnectionState.unknown
    var current: Open?
    var isStopping = false
    /// Whether somebody wants it disconnected for now, and what waits until that is over.
    var isHeld = false
    var waitingForWish: CheckedContinuation<Void, Never>?
    private(set) var hasEnded = false
    private var linkCount = 0
    var pause: Task<Bool, Never>?
    /// Whether somebody wants it tried at once since it was tried last.
    var isHurried = false
    var attempt: Task<any Link, any Error>?
    private var backlog: [(action: ConversationAction, moment: Seconds)] = []
    private var isPerforming = false
    /// Who waits until what they want is performed: somebody else does that.
    private var waitingForOthers: [CheckedContinuation<Void, Never>] = []
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    /// Seconds between two looks at whether something waits, and the most that are waited for it.
    private static let shortWait: Seconds = 0.05
    private static let longestWait: Seconds = 3

    /// An open link and the tasks that belong to it.
    struct Open {
        let number: Int
        let link: any Link
        let outbox: AsyncStream<ConversationAction>.Continuation
        var timer: Task<Void, Never>?
        /// Whether somebody asked for its end.
        var isLeaving = false
        /// Whether something that came is being handled.
        var isHandling = false
        /// The subscribed characteristics.
        var subscribed: Set<BluetoothUUID> = []
        var failure: LinkError?
    }

    /// A connection to the device called `name` in the session.
    /// - Parameters:
    ///   - connector: opens its links.
    ///   - conversation: its protocol.
    ///   - secrets: what is masked in the words of the device.
    ///   - report: is told everything, in order, and waited for.
    public init(
        name: String, connector: any Connector, conversation: any Conversation, clock: any HostClock,
        reconnection: Reconnection = Reconnection(), secrets: [String] = [],
        report: @escaping @Sendable (DeviceReport) async -> Void
    ) {
        (self.name, self.connector, self.conversation, self.clock) = (name, connector, conversation, clock)
        (self.reconnection, self.secrets, self.report) = (reconnection, secrets, report)
    }

    /// Connects and stays connected until `stop` or the task's cancellation, or until the device is given up.
    public func run() async {
        var failures = 0
        while !isStopping, !Task.isCancelled {
            guard isWanted else {
                await change(to: .disconnectedUponRequest)
                await untilWanted()
                failures = 0
                continue
            }
            isHurried = false
            await change(to: .connecting)
            do {
                guard let link = try await open() else { continue }
                guard isWanted else {
                    await link.close()
                    continue
                }
                let begun = clock.now
                guard await converse(over: link) else {
                    failures = 0
                    continue
                }
                if clock.now - begun >= reconnection.steady { failures = 0 }
            } catch {
                guard isWanted, !Task.isCancelled else { continue }
                await change(to: .connectionFailed, Self.reason(error, place: connector.place))
            }
            guard isWanted, !Task.isCancelled else { continue }
            failures += 1
            guard let wait = reconnection.wait(afterFailures: failures) else { break }
            await tell(.retrying(in: wait))
            if await rest(wait) { failures = 0 }
        }
        hasEnded = true
        await change(to: .disconnectedUponRequest)
    }

    /// Whether it is to be connected.
    var isWanted: Bool { !isStopping && !isHeld }

    /// Opens a link; nil when that was called off: nobody who wants an end waits until a device that is searched for was
    /// not found.
    private func open() async throws -> (any Link)? {
        guard isWanted else { return nil }
        let attempt = Task { [connector] in try await connector.connect() }
        self.attempt = attempt
        defer { self.attempt = nil }
        do {
            return try await withTaskCancellationHandler {
                try await attempt.value
            } onCancel: {
                attempt.cancel()
            }
        } catch {
            if attempt.isCancelled { return nil }
            throw error
        }
    }

    /// Asks something of the device; nothing when it is not connected.
    public func request(_ request: DeviceRequest) async {
        guard current != nil else { return }
        await act { conversation, moment, actions in conversation.perform(request, at: moment, into: &actions) }
    }

    // MARK: - One link

    /// - Returns: whether it ended by itself, not because somebody asked for that.
    private func converse(over link: any Link) async -> Bool {
        let (outgoing, outbox) = AsyncStream.makeStream(of: ConversationAction.self)
        linkCount += 1
        current = Open(number: linkCount, link: link, outbox: outbox)
        await change(to: .connected)
        if let peer = link.peer { await tell(.event(.identity(peer))) }
        let writer = Task { [number = linkCount] in await self.write(outgoing, to: link, number) }
        await act { conversation, moment, actions in conversation.open(at: moment, into: &actions) }
        if current?.isLeaving ?? false { await request(.stop) }
        var ending: LinkError?
        let isCancelled = await withTaskCancellationHandler {
            while let event = await link.next() {
                current?.isHandling = true
                defer { current?.isHandling = false }
                switch event {
                case .received(let bytes, let endpoint, let moment): await received(bytes, endpoint, moment)
                case .overrun(let count, let moment): await tell(.overrun(count: count), at: moment)
                case .resubscribed(let characteristic, let moment):
                    await tell(.resubscribed(characteristic), at: moment)
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
        let isAsked = isCancelled || current?.isLeaving ?? false
        current = nil
        for waiting in waitingForEnd { waiting.resume() }
        waitingForEnd = []
        await act { conversation, moment, actions in conversation.close(at: moment, into: &actions) }
        await change(to: isAsked ? .disconnectedUponRequest : .disconnected, failure)
        return !isAsked
    }

    private func received(_ bytes: [UInt8], _ endpoint: Endpoint, _ moment: Seconds) async {
        await tell(.bytes(bytes, endpoint, isIncoming: true), at: moment)
        if bytes.isEmpty, let characteristic = endpoint.characteristic,
            current?.subscribed.contains(characteristic) == true
        {
            // An empty notification carries no data and does not affect the next one.
            let message = MalformedMessage(place: "\(characteristic)", problem: "an empty notification", bytes: [])
            return await tell(.event(.malformed(message)), at: moment)
        }
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

    /// Performs actions in the order they were wanted, also when a timer or a request comes in between. Nobody goes on
    /// before: what was read last is told before anything else is read, and before the connection ends.
    private func perform(_ actions: [ConversationAction], at moment: Seconds) async {
        backlog += actions.map { ($0, moment) }
        guard !isPerforming else { return await withCheckedContinuation { waitingForOthers.append($0) } }
        isPerforming = true
        while !backlog.isEmpty {
            let batch = backlog
            backlog.removeAll(keepingCapacity: true)
            for (action, moment) in batch {
                switch action {
                case .emit(let event):
                    if case .failed(let failure) = event, failure.isSilence {
                        current?.failure = .lost("it sent nothing in time", by: .silence)
                    }
                    await tell(.event(event.masking(secrets)), at: moment)
                case .wake(let next): arm(next)
                case .send, .subscribe, .read, .close: current?.outbox.yield(action)
                }
            }
        }
        isPerforming = false
        for waiting in waitingForOthers { waiting.resume() }
        waitingForOthers = []
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
            await self.wake()
        }
    }

    /// Lets the conversation do what is due.
    private func wake() async {
        if let next = current?.link.resumption, wouldClose {
            // What goes on in a log was not given up then: the computer stood still, and what came was heard first.
            return arm(max(next, clock.now) + Self.shortWait)
        }
        await act { conversation, moment, actions in conversation.wake(at: moment, into: &actions) }
    }

    /// Whether what is due now is the connection's end.
    private var wouldClose: Bool {
        var (trial, actions): (any Conversation, [ConversationAction]) = (conversation, [])
        trial.wake(at: clock.now, into: &actions)
        return actions.contains { if case .close = $0 { true } else { false } }
    }

    /// Whether something the device said is not handled yet: a silence is none before it is.
    var isBehind: Bool { current.map { $0.isHandling || $0.link.hasWaiting } ?? false }

    /// Performs what goes out, in order, apart from the reading: a slow answer must not hold up what comes in.
    private func write(_ outgoing: AsyncStream<ConversationAction>, to link: any Link, _ number: Int) async {
        for await action in outgoing {
            do {
                try await perform(action, over: link, number)
            } catch is CancellationError {
                return
            } catch let error as LinkError {
                // What a link that ended did not take any more is no refusal, and says nothing of the next one.
                guard isCurrent(number) else { return }
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
                guard isCurrent(number) else { return }
                current?.failure = Self.reason(error, place: connector.place)
                await link.close()
                return
            }
        }
    }

    private func isCurrent(_ number: Int) -> Bool { current?.number == number }

    private func perform(_ action: ConversationAction, over link: any Link, _ number: Int) async throws {
        do {
            try await ask(action, over: link)
        } catch let error as LinkError where error.isRefusal {
            if isCurrent(number), let endpoint = Self.endpoint(of: action) {
                await tell(.refused(error, by: endpoint))
            }
            switch (action, error) {
            // The device lacks what it may lack, or has the value but tells nobody of its changes.
            case (.subscribe(_, isRequired: false), _), (.read, .missing): break
            default: throw error
            }
        }
    }

    private func ask(_ action: ConversationAction, over link: any Link) async throws {
        switch action {
        case .send(let bytes, let endpoint, let acknowledged):
            await tell(.bytes(bytes, endpoint, isIncoming: false))
            try await link.send(bytes, to: endpoint, acknowledged: acknowledged)
        case .subscribe(let characteristic, _):
            await tell(.subscribed(characteristic))
            current?.subscribed.insert(characteristic)
            try await link.subscribe(characteristic)
        case .read(let characteristic):
            await tell(.asked(characteristic))
            try await link.read(characteristic)
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

    /// Waits before the next attempt.
    /// - Returns: true when the wait ended early because the service of the transport has restarted.
    private func rest(_ seconds: Seconds) async -> Bool {
        // Whoever asked for the end while that was told could not cut the wait short.
        guard isWanted, !isHurried else { return false }
        let pause = Task { [clock, connector] in
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    _ = try? await clock.sleep(until: clock.now + seconds)
                    return false
                }
                group.addTask {
                    await connector.untilServiceReturns()
                    return !Task.isCancelled
                }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
        }
        self.pause = pause
        return await withTaskCancellationHandler {
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
