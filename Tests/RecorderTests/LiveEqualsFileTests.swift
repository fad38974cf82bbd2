import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// A session with everything that can happen to streams, recorded in memory.
struct SimulatedSession {
    var bytes: [UInt8] = []
    var live: Recording
    var feeds: [Feed] = []

    /// - Parameter fault: what happens to a packet: nil to lose it.
    init(
        _ feeds: [Feed], duration: Seconds, restarts: [Seconds] = [],
        losing lost: (Feed, Seconds) -> Bool = { _, _ in false }
    ) throws {
        var assembler = RecordingAssembler(
            .init(start: Timestamp(secondsSince1970: 1_790_000_000.25), subject: "01", task: "rest", software: "test 1")
        )
        var events: [RecordingEvent] = []
        var packets = feeds.flatMap { feed in
            feed.packets(duration).map { (feed: feed, samples: $0.samples, arrival: $0.arrival) }
        }
        packets.sort { $0.arrival < $1.arrival }
        for feed in feeds { assembler.take(.stream(feed.stream), from: "device", at: 0.01, into: &events) }
        let ibi = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        assembler.take(.stream(DeviceStream(id: "ibi", header: ibi)), from: "strap", at: 0.02, into: &events)
        var pending = restarts
        var bases: [String: Int] = [:]
        var fresh: Set<String> = []
        var beat = 1.0
        for packet in packets where !lost(packet.feed, packet.arrival) {
            if let restart = pending.first, restart <= packet.arrival {
                pending.removeFirst()
                assembler.interrupt("device", .deviceLost, at: packet.arrival)
                fresh = Set(feeds.map(\.stream.id))
            }
            var samples = packet.samples
            if fresh.remove(samples.stream) != nil {
                samples.restarted = true
                bases[samples.stream] = samples.index
            }
            samples.index -= bases[samples.stream] ?? 0
            assembler.take(.samples(samples), from: "device", at: packet.arrival, into: &events)
            if packet.arrival > beat {
                assembler.take(
                    .values(
                        stream: "ibi",
                        [DeviceValue([0.81], age: 0.4), DeviceValue([beat.truncatingRemainder(dividingBy: 1)])]),
                    from: "strap", at: packet.arrival, into: &events)
                assembler.take(
                    .marker(label: "tag \(beat)", deviceTime: nil), from: "device", at: packet.arrival, into: &events)
                assembler.take(.status(.battery(0.5)), from: "device", at: packet.arrival, into: &events)
                beat += 7.3
            }
            bytes += assembler.bytes(at: packet.arrival)
        }
        assembler.mark(Marker(onset: 3, duration: 2, label: "baseline", stream: "device-ecg"), into: &events)
        bytes += assembler.finish()
        self.feeds = feeds
        var iterator = events.makeIterator()
        let collected = Recording.collect(assembler.header.streams) { iterator.next() }
        live = Recording(header: assembler.header, streams: collected.streams, markers: collected.markers)
    }

    static func faulty(_ duration: Seconds = 300) throws -> SimulatedSession {
        var ecg = Feed("ecg", rate: 250)
        (ecg.drift, ecg.seed) = (50, 3)
        var eeg = Feed("eeg", kind: .eeg, rate: 256, channels: 4)
        (eeg.drift, eeg.seed) = (50, 4)
        var eda = Feed("eda", kind: .eda, rate: 4)
        (eda.drift, eda.packet, eda.seed) = (50, 1, 5)
        return try SimulatedSession([ecg, eeg, eda], duration: duration, restarts: [120, 220]) { feed, arrival in
            let isLong =
                (40..<52).contains(arrival) || (120..<123.7).contains(arrival) || (220..<220.4).contains(arrival)
            return isLong || feed.stream.id == "ecg" && Int(arrival * 10) % 97 == 0
        }
    }
}

func expectSame(_ live: Recording, _ read: Recording, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(live.header.start == read.header.start, sourceLocation: sourceLocation)
    #expect(live.markers == read.markers, sourceLocation: sourceLocation)
    #expect(live.streams.count == read.streams.count, sourceLocation: sourceLocation)
    for (a, b) in zip(live.streams, read.streams) {
        let name = a.header.name
        #expect(name == b.header.name && a.header.channels == b.header.channels, sourceLocation: sourceLocation)
        #expect(
            a.header.sampleRate == b.header.sampleRate && a.header.kind == b.header.kind, sourceLocation: sourceLocation
        )
        #expect(a.segments.map(\.start) == b.segments.map(\.start), "\(name)", sourceLocation: sourceLocation)
        for (left, right) in zip(a.segments, b.segments) {
            #expect(
                left.block.samples.map(\.bitPattern) == right.block.samples.map(\.bitPattern), "\(name)",
                sourceLocation: sourceLocation)
        }
        #expect(a.values == b.values, "\(name)", sourceLocation: sourceLocation)
    }
}

@Suite struct LiveEqualsFileTests {
    @Test func theFileGivesWhatWasSeenLive() throws {
        let session = try SimulatedSession.faulty()
        #expect(session.live.streams.map(\.segments.count) == [4, 4, 4, 0])
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(session.bytes).write(to: url)
            let reader = try XDFReader(url)
            #expect(reader.header.notes.isEmpty, "\(reader.header.notes)")
            expectSame(session.live, try Recording(reading: reader))
        }
    }

    @Test func equalMarkersOfTwoDevicesSayWhoseTheyAre() throws {
        var assembler = RecordingAssembler(.init(start: nil, software: "test 1"))
        var events: [RecordingEvent] = []
        for (moment, device) in [(1, "anna"), (2, "ben"), (3, "anna")] as [(Seconds, String)] {
            assembler.take(.marker(label: "tag", deviceTime: nil), from: device, at: moment, into: &events)
        }
        assembler.mark(Marker(onset: 4, label: "tag", stream: "tags"), into: &events)
        let live = events.compactMap { event -> Marker? in
            if case .marker(let marker) = event { marker } else { nil }
        }
        #expect(live.map(\.stream) == ["anna", "ben", "anna", "tags"])
        #expect(Set(live.map(\.label)) == ["tag"])
        let bytes = assembler.finish()
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(bytes).write(to: url)
            #expect(try Recording(reading: XDFReader(url)).markers == live)
        }
    }

    /// Segments placed by the clocks of the whole recording are right to a millisecond throughout.
    @Test func hostTimesAreTrue() throws {
        let session = try SimulatedSession.faulty()
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(session.bytes).write(to: url)
            let recording = try Recording(reading: XDFReader(url, clock: .host))
            for (stream, feed) in zip(recording.streams, session.feeds) where feed.rate > 100 {
                for segment in stream.segments {
                    for (offset, value) in segment.block.channel(0).enumerated() where !value.isNaN {
                        let error = segment.start.onset(ofOffset: offset) - feed.time(Int(value)) - feed.leastDelay
                        guard abs(error) >= 0.001 else { continue }
                        Issue.record("\(feed.stream.id): \(error) s at \(segment.start.onset(ofOffset: offset)) s")
                        break
                    }
                }
            }
        }
    }

    /// pyxdf reads every frame, at the right time: 50 ppm over ten minutes, packets late by 10 to 40 ms, reconnections.
    @Test(.enabled(if: Python.isThere), arguments: [false, true])
    func pyxdfReadsTheRightTimes(isFaulty: Bool) throws {
        var feed = Feed("ecg", rate: 250)
        feed.drift = 50
        let session = try isFaulty ? SimulatedSession.faulty() : SimulatedSession([feed], duration: 600)
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data(session.bytes).write(to: url)
            let streams = try Python.read(url)
            for feed in session.feeds {
                let stream = try #require(streams.first { $0.name == "device-" + feed.stream.id })
                // Four frames a second leave little to tell a clock by.
                let bound = feed.rate > 100 ? 0.001 : 0.03
                var worst = 0.0
                var frames = 0
                for (stamp, value) in zip(stream.stamps, stream.values) {
                    guard let value else { continue }
                    frames += 1
                    worst = max(worst, abs(stamp - feed.time(Int(value)) - feed.leastDelay))
                }
                let kept = session.live.streams[session.feeds.firstIndex { $0.stream.id == feed.stream.id } ?? 0]
                #expect(frames == kept.segments.reduce(0) { $0 + $1.block.channel(0).count { !$0.isNaN } })
                #expect(worst < bound, "\(feed.stream.id): \(worst)")
            }
        }
    }
}

/// pyxdf, in the environment of the reference scripts.
enum Python {
    struct Stream: Decodable {
        var name: String
        var stamps: [Double]
        var values: [Double?]
    }

    private struct Oracle: Decodable {
        var python: String
    }

    static var isThere: Bool { OracleData.has("formats_xdf/cases.json") }

    private static let program = """
        import json, logging, sys, numpy as np, pyxdf
        logging.disable(logging.CRITICAL)
        streams, _ = pyxdf.load_xdf(sys.argv[1])
        def first(s):
            if s['info']['channel_format'][0] == 'string': return [None] * len(s['time_stamps'])
            return [None if np.isnan(x) else float(x) for x in np.asarray(s['time_series'], float)[:, 0]] \
                if len(s['time_stamps']) else []
        print(json.dumps([dict(name=s['info']['name'][0], stamps=np.asarray(s['time_stamps']).tolist(), values=first(s))
                          for s in streams]))
        """

    /// All streams of a file, first channels only.
    static func read(_ url: URL) throws -> [Stream] {
        let oracle = try JSONDecoder().decode(
            Oracle.self, from: Data(contentsOf: OracleData.url("formats_xdf/cases.json")))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: oracle.python)
        process.arguments = ["-c", program, url.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([Stream].self, from: text)
    }
}
