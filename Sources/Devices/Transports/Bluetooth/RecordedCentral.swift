public import Foundation
import Signals
import Synchronization

/// Bluetooth as it was: a raw byte log of a device in its place, played through the conversation that ran with it. A
/// connection per connection of the log.
///
/// What is asked of the device is answered as it was then. What nobody asked then is refused, for what the device would
/// have said is not known; of logs that hold no subscriptions and reads these are taken as made. Values come when they
/// came, and only of characteristics that were asked for.
public final class RecordedCentral: GattCentral {
    /// The device's address.
    public let address: String
    private let replay: ReplayConnector
    /// Seconds for which a value waits until its characteristic is asked for, by this computer's time, unless the clock
    /// follows the log.
    fileprivate let patience: Double
    private let requests: Mutex<RecordedRequests>

    /// A central that reaches the device of the log at `url`.
    /// - Parameters:
    ///   - logs: those it is replayed together with.
    ///   - patience: seconds after which a value of which nobody asked the characteristic is left out.
    /// - Throws: `FormatError` when it is none.
    public init(
        _ url: URL, pace: ReplayConnector.Pace = .realTime(), clock: any HostClock = SystemClock(),
        logs: ReplayedLogs = ReplayedLogs(), patience: Double = 10
    ) throws {
        self.patience = patience
        replay = try ReplayConnector(url, pace: pace, clock: clock, logs: logs)
        address = replay.header.place
        requests = Mutex(try RecordedRequests(url))
    }

    /// Hands out the device of the log, with the services by which one of its kind is known, and ends.
    public func scan(for services: [BluetoothUUID]) -> AsyncThrowingStream<Advertisement, any Error> {
        var known: Set<BluetoothUUID> = []
        if case .bluetooth(let recognition)? = DeviceModel.named(replay.header.device)?.transport {
            known = recognition.services
        }
        let device = Advertisement(address: address, services: known.sorted { $0.description < $1.description })
        return AsyncThrowingStream { output in
            if services.isEmpty || !known.isDisjoint(with: services) { output.yield(device) }
            output.finish()
        }
    }

    /// Goes to the log's next connection.
    /// - Throws: `LinkError.unreachable` at its end, and for another address.
    public func connect(to address: String) async throws -> any Link {
        guard address == self.address else {
            throw LinkError.unreachable("The log \(replay.place) is of \(self.address), not of \(address).")
        }
        return RecordedGattLink(try await replay.open(), self)
    }

    /// Answers a request as it was answered then.
    /// - Throws: `LinkError`.
    fileprivate func demand(_ request: RecordedRequests.Request, in connection: Int) throws(LinkError) {
        let answer: RecordedRequests.Answer
        do {
            answer = try requests.withLock { try $0.answer(request, connection: connection) }
        } catch {
            throw .lost("The log \(replay.place) cannot be read on: \(error)")
        }
        switch answer {
        case .taken: break
        case .refused(let error): throw error
        case .unknown:
            throw .refused(
                "In the log \(replay.place) there is no \(request.text): what the device says to it is not known.")
        }
    }
}

/// One connection of a log of a Bluetooth device.
private final class RecordedGattLink: Link {
    private let played: ReplayLink
    private let central: RecordedCentral
    private let wanted = Mutex(Wanted())

    private struct Wanted {
        var characteristics: Set<BluetoothUUID> = []
        /// Those that nobody asked for when their first value came.
        var neglected: Set<BluetoothUUID> = []
        var news: AsyncStream<Void>.Continuation?
        var isClosed = false
    }

    init(_ played: ReplayLink, _ central: RecordedCentral) {
        (self.played, self.central) = (played, central)
    }

    func next() async -> LinkEvent? {
        while let event = await played.next() {
            guard case .received(_, .characteristic(let uuid), _) = event else { return event }
            if await isWanted(uuid) { return event }
        }
        return nil
    }

    var hasWaiting: Bool { played.hasWaiting }

    var isReplayed: Bool { true }

    var resumption: Seconds? { played.resumption }

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        try Task.checkCancellation()
        try central.demand(.send(bytes, to: endpoint), in: played.connection)
    }

    func subscribe(_ uuid: BluetoothUUID) async throws {
        try central.demand(.subscribe(uuid), in: played.connection)
        want(uuid)
    }

    func read(_ uuid: BluetoothUUID) async throws {
        try central.demand(.read(uuid), in: played.connection)
        want(uuid)
    }

    func close() async {
        await played.close()
        wanted.withLock { wanted in
            wanted.isClosed = true
            return wanted.news
        }?.finish()
    }

    private func want(_ uuid: BluetoothUUID) {
        wanted.withLock { wanted in
            wanted.characteristics.insert(uuid)
            return wanted.news
        }?.yield()
    }

    private func isWanted(_ uuid: BluetoothUUID) async -> Bool {
        let (asked, news) = AsyncStream.makeStream(of: Void.self)
        let known: Bool? = wanted.withLock { wanted in
            if wanted.isClosed { return false }
            if wanted.characteristics.contains(uuid) { return true }
            if wanted.neglected.contains(uuid) { return false }
            wanted.news = news
            return nil
        }
        if let known { return known }
        let isAsked = try? await played.within(central.patience) { [self] in
            for await _ in asked where wanted.withLock({ $0.characteristics.contains(uuid) }) { return true }
            return false
        }
        return wanted.withLock { wanted in
            wanted.news = nil
            if isAsked != true, !Task.isCancelled { wanted.neglected.insert(uuid) }
            return wanted.characteristics.contains(uuid)
        }
    }
}

extension RecordedRequests.Request {
    /// What it is, for messages.
    fileprivate var text: String {
        switch self {
        case .send(let bytes, let endpoint):
            "write of \(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " "))"
                + (endpoint.characteristic.map { " to \($0)" } ?? "")
        case .subscribe(let uuid): "subscription to \(uuid)"
        case .read(let uuid): "read of \(uuid)"
        }
    }
}
