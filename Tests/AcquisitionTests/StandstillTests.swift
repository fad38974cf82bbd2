import Acquisition
import Devices
import Signals
import Synchronization
import Testing

/// What a test waits for.
private enum Happening: Hashable, Sendable {
    /// Somebody sleeps until a moment.
    case sleeps(until: Seconds)
    /// Bytes arrived at the connection.
    case heard
    case failed(String)
    case closed
}

/// A clock that stands until it is set.
private final class SteppedClock: HostClock {
    private struct State {
        var time: Seconds = 100
        var sleepers: [Int: (moment: Seconds, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let tell: @Sendable (Happening) -> Void

    init(tell: @escaping @Sendable (Happening) -> Void) {
        self.tell = tell
    }

    var now: Seconds { state.withLock { $0.time } }
    var wallClock: Timestamp { Timestamp(secondsSince1970: 1_790_000_000 + now) }

    func set(to moment: Seconds) {
        let woken = state.withLock { state in
            state.time = moment
            let woken = state.sleepers.filter { $0.value.moment <= moment }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    func sleep(until moment: Seconds) async throws {
        guard moment > now else { return try Task.checkCancellation() }
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isOver = state.withLock { state in
                    if Task.isCancelled || moment <= state.time { return true }
                    state.sleepers[id] = (moment, continuation)
                    return false
                }
                if isOver { continuation.resume() } else { tell(.sleeps(until: moment)) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }?.resume(throwing: CancellationError())
        }
        try Task.checkCancellation()
    }
}

/// A headband's link; what waits in it is said by the test.
private final class HeadbandLink: Link, Connector {
    let place = "the test"
    let waits = Mutex(false)
    private let events: AsyncStream<LinkEvent>
    private let incoming: AsyncStream<LinkEvent>.Continuation
    private let tell: @Sendable (Happening) -> Void

    init(tell: @escaping @Sendable (Happening) -> Void) {
        (events, incoming) = AsyncStream.makeStream(of: LinkEvent.self)
        self.tell = tell
    }

    /// Electrodes' packets that arrive at a moment.
    func deliver(_ counters: Range<UInt16>, at moment: Seconds) {
        for counter in counters {
            let packet = MusePacket(counter: counter, content: [UInt8](repeating: 0x80, count: 18))
            incoming.yield(
                .received(packet.bytes, from: .characteristic(Muse.electrodes[0].characteristic), at: moment))
        }
    }

    func connect() async throws -> any Link { self }
    var hasWaiting: Bool { waits.withLock { $0 } }

    func next() async -> LinkEvent? {
        for await event in events { return event }
        return nil
    }

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {}
    func subscribe(_ characteristic: BluetoothUUID) async throws {}
    func read(_ characteristic: BluetoothUUID) async throws {}

    func close() async {
        tell(.closed)
        incoming.yield(.closed(nil, at: 0))
        incoming.finish()
    }
}

/// A device is silent when it says nothing for some time, not when this program does not listen.
@Suite(.timeLimit(.minutes(1))) struct StandstillTests {
    /// Runs a headband's connection while `play` sets the clock and waits for what happens.
    private func run(
        _ play: (SteppedClock, HeadbandLink, inout AsyncStream<Happening>.Iterator) async -> Void
    ) async {
        let (happenings, tell) = AsyncStream.makeStream(of: Happening.self)
        let clock = SteppedClock { tell.yield($0) }
        let link = HeadbandLink { tell.yield($0) }
        let connection = DeviceConnection(
            name: "headband", connector: link, conversation: MuseConversation(), clock: clock,
            reconnection: Reconnection(attempts: 1)
        ) { report in
            switch report.content {
            case .bytes(_, _, isIncoming: true): tell.yield(.heard)
            case .event(.failed(let failure)): tell.yield(.failed(failure.code))
            default: break
            }
        }
        let running = Task { await connection.run() }
        var iterator = happenings.makeAsyncIterator()
        // Its time for an answer begins at 100; a little before that is over the connection looks around.
        #expect(await iterator.next() == .sleeps(until: 102.5))
        link.deliver(0..<2, at: 100)
        for _ in 0..<2 { #expect(await iterator.next() == .heard) }
        await play(clock, link, &iterator)
        running.cancel()
        await running.value
    }

    @Test(arguments: [102.9, 103, 104, 160] as [Seconds])
    func aDeviceIsNotSilentWhileThisProgramStoodStill(end: Seconds) async {
        await run { clock, link, happenings in
            clock.set(to: end)
            #expect(await happenings.next() == .sleeps(until: end + 0.5))
            // What the headband said meanwhile is read only now.
            link.deliver(2..<4, at: end + 0.1)
            for _ in 0..<2 { #expect(await happenings.next() == .heard) }
            clock.set(to: end + 0.5)
            guard case .sleeps(let next)? = await happenings.next() else {
                Issue.record("the headband counts as silent")
                return
            }
            #expect(next > end + 0.5 && next < end + 3.1)
            guard end < 105 else { return }
            // And when it says nothing any more, it is silent, however often the connection looks around until then.
            clock.set(to: next)
            var happening = await happenings.next()
            while case .sleeps(let moment)? = happening, moment < end + 10 {
                clock.set(to: moment)
                happening = await happenings.next()
            }
            #expect(happening == .failed("silent"))
            #expect(clock.now >= end + 3)
            #expect(await happenings.next() == .closed)
        }
    }

    @Test func aDeviceIsNotSilentWhileWhatItSaidWaitsToBeHandled() async {
        await run { clock, link, happenings in
            link.waits.withLock { $0 = true }
            clock.set(to: 102.5)
            #expect(await happenings.next() == .sleeps(until: 103))
            clock.set(to: 103)
            guard case .sleeps(let next)? = await happenings.next(), next < 104 else {
                Issue.record("the headband counts as silent")
                return
            }
            link.deliver(2..<4, at: 102)
            for _ in 0..<2 { #expect(await happenings.next() == .heard) }
            link.waits.withLock { $0 = false }
            clock.set(to: next)
            // The last packet may be handled still.
            var happening = await happenings.next()
            while case .sleeps(let moment)? = happening, moment < 104.5 {
                clock.set(to: moment)
                happening = await happenings.next()
            }
            #expect(happening == .sleeps(until: 104.5))
        }
    }
}
