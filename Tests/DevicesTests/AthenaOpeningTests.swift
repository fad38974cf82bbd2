import Devices
import Signals
import TestSupport
import Testing

/// Where an Athena's streams begin, though what is first has waited for a packet to be filled.
@Suite struct AthenaOpeningTests {
    /// How much later than it was sampled the first frame of a stream is taken to be, in seconds.
    private func lateness(_ stream: String, rate: Double, link: LinkFaults? = nil) throws -> Double {
        let simulator = AthenaSimulator(session())
        var dialogue = Dialogue(AthenaConversation(), FaultInjector(simulator, link ?? LinkFaults()))
        dialogue.run(until: 5)
        let first = try #require(dialogue.events.samples(stream).first)
        let truth = try #require(dialogue.measured.first { $0.stream == stream && $0.index == first.index })
        let last = try #require(first.arrival)
        return last - Double(first.block.frameCount - 1) / rate - truth.time
    }

    @Test(arguments: [("eeg", 256.0), ("optics", 64), ("acceleration", 52), ("gyroscope", 52)])
    func streamsBeginWithinAFrameOfWhenTheyWereSampled(stream: String, rate: Double) throws {
        let bound = 1 / rate + 1e-6
        var link = LinkFaults()
        link.delay = 0...0.03
        for seed in 1...5 as ClosedRange<UInt64> {
            link.seed = seed
            let lateness = try lateness(stream, rate: rate, link: link)
            #expect(lateness > -1e-6 && lateness < bound + 0.008, "\(lateness)")
        }
        let quiet = try lateness(stream, rate: rate)
        #expect(quiet > -1e-6 && quiet < bound, "\(quiet)")
    }

    @Test func whatIsHeldComesWhenTheConnectionEnds() {
        var dialogue = Dialogue(AthenaConversation(), AthenaSimulator(session()))
        dialogue.run(until: 0.3)
        #expect(dialogue.events.samples("eeg").isEmpty)
        dialogue.end()
        #expect(dialogue.events.samples("eeg").map(\.block.frameCount).reduce(0, +) > 20)
    }
}
