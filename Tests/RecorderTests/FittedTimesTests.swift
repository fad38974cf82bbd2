import Devices
import Formats
import Foundation
import Recorder
import Signals
import Simulation
import TestSupport
import Testing

/// Times that are fitted to what arrives of simulated devices, compared with when it was measured.
@Suite struct FittedTimesTests {
    /// A clock that runs 50 ppm fast and is set twice, messages up to 5 ms late, some of them lost, a stall, a break.
    private func faults(_ length: Seconds, seed: Int) -> (DeviceFaults, LinkFaults) {
        var device = DeviceFaults()
        device.clockDrift = 50
        device.clockJumps = [.init(at: 0.3 * length, by: 200_000), .init(at: 0.6 * length, by: -200_000)]
        device.resets = [0.8 * length]
        var link = LinkFaults()
        (link.seed, link.delay, link.loss) = (UInt64(seed), 0...0.005, 0.01)
        (link.reordering, link.duplication) = (0.005, 0.005)
        link.stalls = [0.4 * length..<0.4 * length + 3]
        link.disconnects = [0.5 * length]
        link.spared = [PMD.controlPoint]
        link.unnumbered = [HeartRateMeasurement.characteristic]
        return (device, link)
    }

    /// The recording with the clocks of all of it, as a reader has it that synchronises clocks.
    private func read(_ bytes: [UInt8]) throws -> Recording {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(bytes).write(to: url)
            return try Recording(reading: XDFReader(url, clock: .host))
        }
    }

    /// Recorded less true time of each frame, which is that of the frame measured nearest, in order of size.
    private func errors(_ recording: Recording, _ stream: String, _ truth: [Seconds]) throws -> [Seconds] {
        let found = try #require(recording.streams.first { $0.header.name == "device-" + stream })
        var place = 0
        return found.segments.flatMap { segment in
            (0..<segment.block.frameCount).map { segment.start.onset(ofOffset: $0) }
        }.map { time in
            while place + 1 < truth.count, abs(truth[place + 1] - time) <= abs(truth[place] - time) { place += 1 }
            return time - truth[place]
        }.sorted { abs($0) < abs($1) }
    }

    @Test(arguments: 1...6) func streamsThatBearTheSameClocksStampsAreFittedTogether(seed: Int) throws {
        let length = 240.0
        let (device, link) = faults(length, seed: seed)
        let run = SimulatedRun(
            PolarConversation(), FaultInjector(PolarSimulator(SimulationParameters(), faults: device), link),
            until: 0.95 * length)
        let recording = try read(run.bytes)
        let ecg = try errors(recording, "ecg", run.times(of: "ecg"))
        let acceleration = try errors(recording, "acceleration", run.times(of: "acceleration"))
        // By the messages of one stream alone it is twice as much.
        #expect(abs(ecg[ecg.count * 99 / 100]) < 0.0003 && abs(acceleration[acceleration.count * 99 / 100]) < 0.0003)
        #expect(abs((ecg.last ?? 1) - (acceleration.last ?? 0)) < 0.00002)
    }

    /// Skin conductance and temperature come four times a second, the pulse of the same wristband 64 times.
    @Test(arguments: 1...3) func whatComesSeldomIsPlacedByWhatComesOften(seed: Int) throws {
        var link = LinkFaults()
        (link.seed, link.delay) = (UInt64(seed), 0...0.02)
        var simulation = EmpaticaSimulation()
        simulation.drift = 50
        let run = SimulatedRun(
            EmpaticaServerConversation(), FaultInjector(EmpaticaServerSimulator(simulation), link), until: 120)
        let recording = try read(run.bytes)
        for stream in ["bvp", "eda", "temperature"] {
            let errors = try errors(recording, stream, run.times(of: stream))
            #expect(abs(errors[errors.count * 99 / 100]) < 0.0005, "\(stream)")
        }
    }

    /// As when a server finds its wristband again and counts anew from then: its stamps are off by a little, which no delay
    /// tells from the stamps before.
    @Test func whereAStreamBeginsAnewItsClockDoesToo() throws {
        var fast = Feed("bvp", kind: .bvp, rate: 64, clock: .deviceTime)
        (fast.packet, fast.jitter, fast.drift) = (8, 0.005, 50)
        var slow = Feed("eda", kind: .eda, rate: 4, clock: .deviceTime)
        (slow.packet, slow.jitter, slow.drift, slow.seed) = (1, 0.005, 50, 2)
        let feeds = [fast, slow]
        var assembler = RecordingAssembler(
            .init(start: Timestamp(secondsSince1970: 1_790_000_000), software: "test 1"))
        var events: [RecordingEvent] = []
        for feed in feeds { assembler.take(.stream(feed.stream), from: "device", at: 0, into: &events) }
        let packets = feeds.flatMap { feed in feed.packets(240).map { (feed: feed, $0.samples, $0.arrival) } }
            .sorted { $0.2 < $1.2 }
        for (feed, samples, arrival) in packets {
            var samples = samples
            let first = Int(120 * feed.rate)
            if samples.index >= first {
                samples.restarted = samples.index == first
                samples.index -= first
                samples.deviceTime = samples.deviceTime.map { $0 + 0.3 }
            }
            assembler.take(.samples(samples), from: "device", at: arrival, into: &events)
        }
        let recording = try read(assembler.bytes(at: 240) + assembler.finish())
        for feed in feeds {
            let stream = try #require(recording.streams.first { $0.header.name == "device-" + feed.stream.id })
            for segment in stream.segments {
                for (offset, value) in segment.block.channel(0).enumerated() {
                    let error = segment.start.onset(ofOffset: offset) - feed.time(Int(value)) - feed.leastDelay
                    #expect(abs(error) < 0.001, "\(feed.stream.id) \(value)")
                    if abs(error) >= 0.001 { return }
                }
            }
        }
    }

    /// An E4's clock that is set breaks no message: each stream tells of the jump, and its gap is a clock's reset.
    @Test func aClockThatIsSetIsAResetAndNothingIsMalformed() throws {
        var simulation = EmpaticaSimulation()
        simulation.clockJumps = [.init(at: 30, by: 200_000), .init(at: 50, by: -200_000)]
        let run = SimulatedRun(EmpaticaServerConversation(), EmpaticaServerSimulator(simulation), until: 70)
        #expect(run.malformed == 0)
        let recording = try read(run.bytes)
        for (stream, clock) in zip(recording.streams, run.clocks) where stream.header.sampleRate > 0 {
            #expect(clock.jumps.count == 2, "\(stream.header.name)")
            #expect(zip(clock.jumps, [200_000, -200_000]).allSatisfy { abs($0.by - $1) < 1 })
            #expect(stream.segments.compactMap(\.start.gap).map(\.reason) == [.clockReset, .clockReset])
        }
    }
}
