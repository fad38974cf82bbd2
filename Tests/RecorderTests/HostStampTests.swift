import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// Regular streams whose stamps are the host's, as those of the Lab Streaming Layer.
@Suite struct HostStampTests {
    /// 250 samples a second by its header; sample k holds the number k.
    private static let header = StreamHeader(
        name: "amp", kind: .ecg, channels: [Channel(label: "A", unit: .millivolts)], sampleRate: 250)

    private struct Session {
        var live: Recording
        var bytes: [UInt8]
        var clock: ClockReport
    }

    /// Blocks of 25 samples, which lie at `stamp`; before a sample of `sets` the clock was set.
    private static func record(_ count: Int, sets: Set<Int> = [], stamp: (Int) -> Seconds) -> Session {
        var assembler = RecordingAssembler(
            .init(start: Timestamp(secondsSince1970: 1_790_000_000), software: "test 1"), hostOrigin: 100)
        var events: [RecordingEvent] = []
        var bytes: [UInt8] = []
        assembler.take(
            .stream(DeviceStream(id: "amp", header: header, clock: .host)), from: "lsl", at: 0, into: &events)
        var base = 0
        for first in stride(from: 0, to: count, by: 25) {
            let moment = stamp(first + 24) + 0.01
            if sets.contains(first) {
                base = first
                let jump = stamp(first) - stamp(first - 1)
                assembler.take(.status(.clockJump(stream: "amp", by: jump)), from: "lsl", at: moment, into: &events)
            }
            let block = SampleBlock(channelCount: 1, samples: (first..<first + 25).map { Float($0) })
            let samples = DeviceSamples(
                stream: "amp", index: first - base, block: block, deviceTime: 100 + stamp(first),
                restarted: sets.contains(first))
            assembler.take(.samples(samples), from: "lsl", at: moment, into: &events)
            bytes += assembler.bytes(at: moment)
        }
        let clock = assembler.clocks[0]
        bytes += assembler.finish()
        var iterator = events.makeIterator()
        let collected = Recording.collect(assembler.header.streams) { iterator.next() }
        let live = Recording(header: assembler.header, streams: collected.streams, markers: collected.markers)
        return Session(live: live, bytes: bytes, clock: clock)
    }

    /// When each sample lies, by what it holds; times only grow.
    private func times(_ recording: Recording) -> [Int: Seconds] {
        var found: [Int: Seconds] = [:]
        var last = -Double.infinity
        for segment in recording.streams[0].segments {
            for (offset, value) in segment.block.channel(0).enumerated() {
                let time = segment.start.onset(ofOffset: offset)
                #expect(time > last - 1e-9)
                last = time
                if !value.isNaN { found[Int(value)] = time }
            }
        }
        return found
    }

    private func expectFileIsLive(_ session: Session) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(session.bytes).write(to: url)
            expectSame(session.live, try Recording(reading: XDFReader(url)))
        }
    }

    @Test("A sender that keeps another rate stays within 50 ms of its stamps", arguments: [249.2, 250.8])
    func anotherRate(rate: Double) throws {
        let session = Self.record(30_000) { Double($0) / rate }
        let times = times(session.live)
        #expect(times.allSatisfy { abs($0.value - Double($0.key) / rate) < 0.058 })
        // A segment that would begin before the one before has ended follows it.
        let late = rate > 250 ? 0.05 : 0
        #expect(times.filter { $0.key > 6_000 }.allSatisfy { abs($0.value - Double($0.key) / rate - late) < 0.008 })
        let segments = session.live.streams[0].segments
        #expect(segments.count == 2 && segments[1].start.gap?.reason == .clockReset)
        #expect(abs(segments[1].start.sampleRate - rate) < 0.01)
        #expect(times.count == 30_000 && session.clock.repeated == 0)
        try expectFileIsLive(session)
    }

    @Test("The declared rate is kept where stamps do", arguments: [250, 250.005])
    func theDeclaredRate(rate: Double) throws {
        let session = Self.record(15_000) { Double($0) / rate }
        #expect(session.live.streams[0].segments.map(\.start.sampleRate) == [250])
        #expect(session.clock.repeated == 0)
    }

    @Test(
        "Behind a segment that ran ahead of time the next one follows, and no sample is dropped",
        arguments: [0.1, 0.4, 3])
    func aheadOfTime(overlap: Double) throws {
        let session = Self.record(15_000, sets: [5_000]) { Double($0) / 250 - ($0 < 5_000 ? 0 : overlap) }
        let times = times(session.live)
        #expect(times.count == 15_000 && session.clock.repeated == 0)
        for (place, time) in times { #expect(abs(time - Double(place) / 250) < 0.003, "\(place)") }
        #expect(session.live.streams[0].segments.compactMap(\.start.gap).map(\.reason) == [.clockReset])
        try expectFileIsLive(session)
    }

    @Test("What would lie ten seconds back is not given up")
    func farAhead() throws {
        let session = Self.record(15_000, sets: [5_000]) { Double($0) / 250 - ($0 < 5_000 ? 0 : 15) }
        #expect(times(session.live).count == 15_000 && session.clock.repeated == 0)
        try expectFileIsLive(session)
    }

    /// 25 samples that were not measured come at once, with stamps of that moment.
    @Test("Samples too many are kept, and shift those that follow by as many at most")
    func samplesTooMany() throws {
        let session = Self.record(15_000) { $0 < 5_000 ? Double($0) / 250 : max(19.996, Double($0 - 25) / 250) }
        let times = times(session.live)
        #expect(times.filter { $0.key > 5_050 }.allSatisfy { abs($0.value - Double($0.key) / 250) < 0.003 })
        #expect(times.count == 15_000 && session.clock.repeated == 0)
        try expectFileIsLive(session)
    }
}
