import DeviceTestSupport
import Devices
import Signals
import Synchronization
import Testing

/// A simulated phone as a client of the relay, in real time.
@Suite(.timeLimit(.minutes(1))) struct RelayClientTests {
    @Test func aClientPostsWhatThePhoneTellsInOrder() async throws {
        var simulation = RelaySimulation()
        // Over and over: on a busy computer the phone joins late, and of a board it lost before it tells nothing.
        let lost = stride(from: 8.0, to: 300, by: 10).map { $0..<$0 + 1 }
        simulation.lost = lost
        let truth = Mutex<[(time: Seconds, value: Float)]>([])
        let phone = RelayPhoneSimulator(simulation)
        let start = simulation.start.secondsSince1970
        let runner = SimulatorRunner(phone, clock: ScaledClock(speed: 5)) { samples in
            guard !lost.contains(where: { $0.contains(samples.time) }) else { return }
            truth.withLock { $0.append((start + samples.time, samples.block.samples[0])) }
        }
        struct Enough: Error {}
        let posted = Mutex<[RelayClientHost.Message]>([])
        await #expect(throws: Enough.self) {
            try await RelayClientHost(runner).run { message in
                let isEnough = posted.withLock { posted in
                    posted.append(message)
                    return posted.firstIndex(of: .disconnected).map { posted.count > $0 + 20 } ?? false
                }
                if isEnough { throw Enough() }
            }
        }
        let messages = posted.withLock { $0 }
        #expect(messages.count { $0 == .disconnected } == 1)
        let samples = messages.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }
        // What was measured before the phone had joined is not told.
        let first = try #require(samples.first?.moment)
        let measured = truth.withLock { $0 }.drop { $0.time < first - 0.001 }.prefix(samples.count)
        #expect(samples.map { $0.value.map { Float($0) } } == measured.map(\.value))
        #expect(zip(samples, measured).allSatisfy { abs(($0.moment ?? 0) - $1.time) < 0.0011 })
    }
}
