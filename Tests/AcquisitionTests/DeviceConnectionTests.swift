import Acquisition
import Devices
import Signals
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeviceConnectionTests {
    /// What a connection told, as words.
    final class Diary: Sendable {
        let lines = Mutex<[String]>([])

        func note(_ report: DeviceReport) {
            let line: String? =
                switch report.content {
                case .connection(_, let current, let error): "\(current)" + (error.map { ": \($0)" } ?? "")
                case .retrying(let wait): "again in \(wait)"
                case .event(.log(let text)): "heard \(text)"
                case .event(.failed(let failure)): "failed: \(failure.description)"
                default: nil
                }
            if let line { lines.withLock { $0.append(line) } }
        }
    }

    private func connection(
        _ links: [Result<ScriptedLink, LinkError>], _ diary: Diary, clock: any HostClock = LeapingClock(),
        reconnection: Reconnection = Reconnection(attempts: 2),
        then: @escaping @Sendable (DeviceReport) -> Void = { _ in }
    ) -> DeviceConnection {
        DeviceConnection(
            name: "parrot", connector: ScriptedConnector(links), conversation: ParrotConversation(), clock: clock,
            reconnection: reconnection
        ) { report in
            diary.note(report)
            then(report)
        }
    }

    @Test func whatTheDeviceSaysIsReportedInOrder() async {
        let link = ScriptedLink { link, bytes in
            for word in ["a", "b", "c"] { link.deliver(Array(word.utf8)) }
            link.end(.lost("gone"))
        }
        let diary = Diary()
        await connection([.success(link)], diary, reconnection: Reconnection(attempts: 1)).run()
        #expect(
            diary.lines.withLock { $0 } == [
                "connecting", "connected", "heard a", "heard b", "heard c", "heard closed", "disconnected: gone",
                "disconnectedUponRequest",
            ])
    }

    @Test func aBrokenLinkIsConnectedAgainAndTheConversationGoesOn() async {
        let first = ScriptedLink { link, _ in link.end(.lost("out of reach")) }
        let second = ScriptedLink { link, _ in
            link.deliver(Array("back".utf8))
            link.end(.lost("again"))
        }
        let diary = Diary()
        let clock = LeapingClock()
        await connection(
            [.success(first), .failure(.unreachable("not yet")), .success(second)], diary, clock: clock,
            reconnection: Reconnection(first: 1, factor: 2, longest: 8, attempts: 3)
        ).run()
        let lines = diary.lines.withLock { $0 }
        #expect(lines.contains("heard back"))
        #expect(lines.filter { $0 == "connected" }.count == 2)
        #expect(
            lines.prefix(7) == [
                "connecting", "connected", "heard closed", "disconnected: out of reach", "again in 1.0", "connecting",
                "connectionFailed: not yet",
            ])
    }

    @Test func aDeviceThatNeverAnswersIsGivenUpAfterItsAttempts() async {
        let diary = Diary()
        await connection([], diary, reconnection: Reconnection(first: 1, factor: 3, longest: 100, attempts: 4)).run()
        #expect(
            diary.lines.withLock { $0.filter { $0.hasPrefix("again") } } == [
                "again in 1.0", "again in 3.0", "again in 9.0",
            ])
    }

    @Test func stoppingAsksTheDeviceFirst() async {
        let link = ScriptedLink()
        let diary = Diary()
        let (opened, isOpen) = AsyncStream.makeStream(of: Void.self)
        let device = connection([.success(link)], diary, clock: SystemClock()) { report in
            if case .bytes(_, _, isIncoming: false) = report.content { isOpen.finish() }
        }
        async let running: Void = device.run()
        for await _ in opened {}
        await device.stop()
        await running
        #expect(link.sent.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) } == ["hello", "bye"])
        #expect(diary.lines.withLock { $0.last } == "disconnectedUponRequest")
    }

    @Test("a device that is disconnected is not tried again until it is wanted, and then at once")
    func disconnectedUponRequest() async {
        let links = [ScriptedLink(), ScriptedLink()]
        let diary = Diary()
        let (states, tell) = AsyncStream.makeStream(of: ConnectionState.self)
        // Who waits for the next attempt waits in vain.
        let device = connection(
            [.failure(.unreachable("not yet")), .success(links[0]), .success(links[1])], diary, clock: SystemClock(),
            reconnection: Reconnection(first: 1_000, longest: 1_000)
        ) { report in
            if case .connection(_, let state, _) = report.content { tell.yield(state) }
        }
        func until(_ wanted: ConnectionState) async { for await state in states where state == wanted { return } }
        let running = Task { await device.run() }
        await until(.connectionFailed)
        #expect(await device.connect())
        await until(.connected)
        await device.disconnect()
        await until(.disconnectedUponRequest)
        #expect(await device.connect())
        await until(.connected)
        await device.disconnect()
        await until(.disconnectedUponRequest)
        await device.stop()
        await running.value
        #expect(await !device.connect())
        for link in links {
            #expect(link.sent.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) } == ["hello", "bye"])
        }
        let lines = diary.lines.withLock { $0 }.filter { !$0.hasPrefix("heard") && $0 != "again in 1000.0" }
        #expect(
            lines == [
                "connecting", "connectionFailed: not yet", "connecting", "connected", "disconnectedUponRequest",
                "connecting", "connected", "disconnectedUponRequest",
            ])
    }

    @Test func aCancelledSessionEndsItsConnections() async {
        let link = ScriptedLink()
        let diary = Diary()
        let (opened, isOpen) = AsyncStream.makeStream(of: Void.self)
        let device = connection([.success(link)], diary, clock: SystemClock()) { report in
            if case .bytes(_, _, isIncoming: false) = report.content { isOpen.finish() }
        }
        let running = Task { await device.run() }
        for await _ in opened {}
        running.cancel()
        await running.value
        #expect(diary.lines.withLock { $0.last } == "disconnectedUponRequest")
    }

    @Test func aLostLinkDuringASendIsTheReasonOfTheEnd() async {
        let link = ScriptedLink { _, _ in throw LinkError.lost("the cable is out") }
        let diary = Diary()
        await connection([.success(link)], diary, reconnection: Reconnection(attempts: 1)).run()
        #expect(diary.lines.withLock { $0.contains("disconnected: the cable is out") })
    }

    @Test func aRefusedSendIsToldToTheConversationAndTheLinkStays() async {
        let link = ScriptedLink { _, _ in throw LinkError.refused("no such command") }
        let diary = Diary()
        await connection([.success(link)], diary, reconnection: Reconnection(attempts: 1)) { report in
            guard case .event(.failed) = report.content else { return }
            link.deliver(Array("still here".utf8))
            link.end(nil)
        }.run()
        let lines = diary.lines.withLock { $0 }
        #expect(lines.contains("failed: no such command"))
        #expect(lines.contains("heard still here"))
        #expect(!lines.contains { $0.hasPrefix("disconnected:") })
    }

    @Test(arguments: [LinkError.refused("too late"), .lost("too late")])
    func whatAnEarlierLinkAnswersLateSaysNothingOfTheNextOne(late: LinkError) async {
        let (standing, nextStands) = AsyncStream.makeStream(of: Void.self)
        let first = ScriptedLink { link, _ in
            link.end(.lost("out of reach"))
            // In a task of its own: the link's end must not cut it short.
            await Task { for await _ in standing {} }.value
            throw late
        }
        let second = ScriptedLink { link, _ in
            nextStands.finish()
            for _ in 0..<500 { await Task.yield() }
            link.end(nil)
        }
        let diary = Diary()
        await connection([.success(first), .success(second)], diary).run()
        let lines = diary.lines.withLock { $0 }
        #expect(lines.filter { $0 == "connected" }.count == 2)
        #expect(!lines.contains { $0.contains("too late") }, "\(lines)")
    }

    @Test func whatWasReadIsToldBeforeTheEndWhoeverElseIsToldSomething() async {
        let link = ScriptedLink { _, _ in throw LinkError.refused("no such command") }
        let diary = Diary()
        await DeviceConnection(
            name: "parrot", connector: ScriptedConnector([.success(link)]), conversation: ParrotConversation(),
            clock: LeapingClock(), reconnection: Reconnection(attempts: 1)
        ) { report in
            diary.note(report)
            guard case .event(.failed) = report.content else { return }
            // Whoever listens is slow; meanwhile the device says something and goes.
            for word in ["a", "b", "c"] { link.deliver(Array(word.utf8)) }
            link.end(.lost("gone"))
            for _ in 0..<500 { await Task.yield() }
        }.run()
        #expect(
            diary.lines.withLock { $0 } == [
                "connecting", "connected", "failed: no such command", "heard a", "heard b", "heard c", "heard closed",
                "disconnected: gone", "disconnectedUponRequest",
            ])
    }
}
