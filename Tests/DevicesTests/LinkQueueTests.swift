import Devices
import Signals
import Testing

@Suite struct LinkQueueTests {
    @Test func whoFallsBehindGetsTheNewestAndHowManyWereDropped() async throws {
        let advertisement = Advertisement(address: "0", name: "Echo")
        let central = SimulatedCentral([(advertisement, SimulatorRunner(EchoDevice()))], clock: SystemClock())
        let link = try await central.connect(to: "0")
        try await link.subscribe(EchoDevice.measurement)
        func message(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF), 0] }
        let (count, kept) = (30_000, 8_192)
        for number in 0..<count {
            try await link.send(message(number), to: .characteristic(EchoDevice.control), acknowledged: true)
        }
        guard case .overrun(let dropped, _)? = await link.next() else {
            Issue.record("nothing was dropped")
            return
        }
        #expect(dropped == count - kept)
        for number in dropped..<count {
            guard case .received(let bytes, _, _)? = await link.next(), bytes == message(number) else {
                Issue.record("message \(number) is not the next one")
                return
            }
        }
        #expect(!link.hasWaiting)
    }
}
