import Devices
import Formats
import Foundation
import Recorder
import Signals
import Synchronization
import TestSupport
import Testing

/// A clock that goes when it is told.
final class ManualClock: HostClock {
    private let time = Mutex(1_000.0)

    var now: Seconds {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    var wallClock: Timestamp { Timestamp(secondsSince1970: 1_790_000_000 + now) }

    func sleep(until moment: Seconds) async throws {}
}

/// A disk in memory that fills up when told.
final class MemoryDisk: RecordingDisk {
    struct Content {
        var bytes: [UInt8] = []
        var secured = 0
        var room = Int.max
        var isClosed = false
    }

    let content = Mutex(Content())

    func append(_ bytes: [UInt8]) throws {
        try content.withLock { content in
            guard content.bytes.count + bytes.count <= content.room else {
                throw RecorderError.diskFull(file: "memory")
            }
            content.bytes += bytes
        }
    }

    func sync() throws { content.withLock { $0.secured = $0.bytes.count } }
    var freeBytes: Int? { content.withLock { $0.room - $0.bytes.count } }
    func close() { content.withLock { $0.isClosed = true } }
    var bytes: [UInt8] { content.withLock { $0.bytes } }
}

@Suite struct RecorderTests {
    private static func session(_ folder: URL, sidecar: Bool = true) -> Recorder.Session {
        var session = Recorder.Session(
            url: folder.appendingPathComponent("sub-01_task-rest.xdf"), subject: "01", task: "rest", software: "test 1")
        session.hasSidecar = sidecar
        return session
    }

    /// Nothing more comes, and nobody asks: what was held is in the file all the same.
    @Test func whatIsHeldIsWrittenWhenItIsDue() throws {
        try withTemporaryFolder { folder in
            let (clock, disk) = (ManualClock(), MemoryDisk())
            let recorder = try Recorder(Self.session(folder), clock: clock, disk: disk, writesByItself: false)
            let header = StreamHeader(
                name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
            _ = recorder.record(
                .stream(DeviceStream(id: "ibi", header: header, clock: .deviceTime)), from: "band", at: clock.now)
            let value = DeviceValue([0.8125], deviceTime: 77)
            #expect(recorder.record(.values(stream: "ibi", [value]), from: "band", at: clock.now).isEmpty)
            clock.now += 0.4
            recorder.pump()
            #expect(recorder.state.counts == [0])
            clock.now += 0.2
            recorder.pump()
            clock.now += 0.1
            recorder.pump()
            #expect(recorder.state.counts == [1])
            // The live computation is given it, once.
            #expect(recorder.release(at: clock.now).count == 1 && recorder.release(at: .infinity).isEmpty)
        }
    }

    /// Feeds packets to a recorder whose clock goes with them.
    private static func feed(
        _ recorder: Recorder, _ clock: ManualClock, _ feed: Feed, _ duration: Seconds,
        each: (Seconds) -> Void = { _ in }
    ) -> [RecordingEvent] {
        var events: [RecordingEvent] = []
        for (samples, arrival) in feed.packets(duration) {
            clock.now = 1_000 + arrival
            events += recorder.record(.samples(samples), from: "h10", at: clock.now)
            recorder.pump()
            each(arrival)
        }
        return events
    }

    @Test func recordsASession() throws {
        try withTemporaryFolder { folder in
            let (clock, feed) = (ManualClock(), Feed())
            let recorder = try Recorder(Self.session(folder), clock: clock, writesByItself: false)
            var identity = DeviceIdentity()
            identity.serialNumber = "A1B2"
            _ = recorder.record(.identity(identity), from: "h10", at: clock.now)
            _ = recorder.record(.stream(feed.stream), from: "h10", at: clock.now)
            var events = Self.feed(recorder, clock, feed, 30)
            events += recorder.mark("stimulus", at: 1_012.345678)
            try recorder.close()
            try recorder.close()
            let url = recorder.session.url
            let read = try Recording(reading: XDFReader(url))
            #expect(read.markers == [Marker(onset: 1_012.345678 - 1_000, label: "stimulus")])
            var iterator = events.makeIterator()
            let live = Recording.collect(recorder.header.streams) { iterator.next() }
            expectSame(Recording(header: recorder.header, streams: live.streams, markers: live.markers), read)
            #expect(read.header.subject == "01" && read.header.task == "rest" && read.header.notes.isEmpty)
            for file in [url, recorder.session.sidecar] {
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            let sidecar = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: recorder.session.sidecar)) as? [String: Any])
            #expect(sidecar["RecordingState"] as? String == "finished" && sidecar["TaskName"] as? String == "rest")
            #expect(((sidecar["Streams"] as? [[String: Any]])?.first?["Clock"] as? [String: Any])?["jitter"] != nil)
            #expect(throws: RecorderError.exists(url.relativePath)) { try Recorder(Self.session(folder), clock: clock) }
        }
    }

    @Test func whatADeviceSaysOfItselfIsAddedToWhatItSaidBefore() throws {
        try withTemporaryFolder { folder in
            let clock = ManualClock()
            let recorder = try Recorder(Self.session(folder), clock: clock, writesByItself: false)
            var (first, later) = (DeviceIdentity(), DeviceIdentity())
            (first.manufacturer, first.model, first.details["systemID"]) = ("Polar", "H9", "1-2")
            (later.model, later.details["sensorLocation"]) = ("H10", "chest")
            for identity in [first, later] {
                _ = recorder.record(.identity(identity), from: "strap", at: clock.now)
            }
            try recorder.close()
            let sidecar = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: recorder.session.sidecar)) as? [String: Any])
            let known = try #require((sidecar["Devices"] as? [String: Any])?["strap"] as? [String: Any])
            #expect(known["manufacturer"] as? String == "Polar" && known["model"] as? String == "H10")
            let details = known["details"] as? [String: String]
            #expect(details == ["systemID": "1-2", "sensorLocation": "chest"])
        }
    }

    @Test func aSidecarReplacesOnlyASidecar() throws {
        try withTemporaryFolder { folder in
            let (clock, url) = (ManualClock(), Self.session(folder).url)
            let sidecar = Self.session(folder).sidecar
            try Data("{\"mine\": 1}".utf8).write(to: sidecar)
            #expect(throws: RecorderError.exists(sidecar.relativePath)) {
                try Recorder(Self.session(folder), clock: clock)
            }
            #expect(try Data(contentsOf: sidecar) == Data("{\"mine\": 1}".utf8))
            #expect(!FileManager.default.fileExists(atPath: url.path))
            try Data("{\"RecordingState\": \"recording\"}".utf8).write(to: sidecar)
            try Recorder(Self.session(folder), clock: clock, writesByItself: false).close()
            #expect(try String(contentsOf: sidecar, encoding: .utf8).contains("finished"))
        }
    }

    /// At any moment all but the last half second is in the file, and all but the last second is secured.
    @Test func littleWaits() throws {
        try withTemporaryFolder { folder in
            let (clock, feed, disk) = (ManualClock(), Feed(), MemoryDisk())
            let recorder = try Recorder(
                Self.session(folder, sidecar: false), clock: clock, disk: disk, writesByItself: false)
            _ = recorder.record(.stream(feed.stream), from: "h10", at: clock.now)
            let perSecond = Int(feed.rate * 5)
            var given = 0
            _ = Self.feed(recorder, clock, feed, 20) { _ in
                given += feed.packet * 5
                let content = disk.content.withLock { $0 }
                #expect(given - content.bytes.count < perSecond / 2)
                #expect(given - content.secured < perSecond + 2_000)
            }
            let boundaries = disk.bytes.indices.count {
                disk.bytes[$0...].starts(with: [0x43, 0xA5, 0x46, 0xDC, 0xCB, 0xF5])
            }
            #expect(boundaries >= 1)
        }
    }

    /// A full disk: what is in the file stays whole, the recorder says so, and goes on when there is room. What could not
    /// be kept was not computed either.
    @Test func aFullDiskIsSurvived() throws {
        try withTemporaryFolder { folder in
            let (clock, feed, disk) = (ManualClock(), Feed(), MemoryDisk())
            var session = Self.session(folder, sidecar: false)
            session.mostWaiting = 20_000
            let recorder = try Recorder(session, clock: clock, disk: disk, writesByItself: false)
            _ = recorder.record(.stream(feed.stream), from: "h10", at: clock.now)
            var sawProblem = false
            let events = Self.feed(recorder, clock, feed, 60) { arrival in
                if arrival > 20 { disk.content.withLock { $0.room = arrival < 45 ? $0.bytes.count : .max } }
                let state = recorder.state
                if arrival > 21, arrival < 45 {
                    #expect(state.problem == .diskFull(file: "memory") && (state.problemSince ?? 0) < 21)
                    sawProblem = sawProblem || state.isRefusing
                }
                if arrival > 46 { #expect(state.problem == nil && !state.isRefusing) }
            }
            #expect(sawProblem && recorder.state.refused > 1_000)
            try recorder.close()
            let url = folder.appendingPathComponent("b.xdf")
            try Data(disk.bytes).write(to: url)
            let read = try Recording(reading: XDFReader(url))
            #expect(read.header.notes.isEmpty && read.streams[0].segments.count == 2)
            #expect(read.streams[0].gaps.map(\.reason) == [.bufferOverrun])
            var iterator = events.makeIterator()
            let live = Recording.collect(recorder.header.streams) { iterator.next() }
            expectSame(Recording(header: recorder.header, streams: live.streams, markers: live.markers), read)
        }
    }

    /// A real small file system that is really full.
    @Test(.enabled(if: SmallDisk.isPossible))
    func aFullFileSystemIsSurvived() throws {
        try SmallDisk.with(kilobytes: 256) { folder in
            let (clock, feed) = (ManualClock(), Feed())
            let recorder = try Recorder(Self.session(folder), clock: clock, writesByItself: false)
            _ = recorder.record(.stream(feed.stream), from: "h10", at: clock.now)
            let filler = folder.appendingPathComponent("filler")
            _ = Self.feed(recorder, clock, feed, 60) { arrival in
                if arrival > 20, arrival < 20.1 {
                    // As much as there is room for.
                    // A process that another test begins meanwhile must not hold it, nor its room.
                    let file = open(filler.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                    while write(file, [UInt8](repeating: 1, count: 512), 512) > 0 {}
                    close(file)
                }
                if arrival > 40 { unlink(filler.path) }
                if arrival > 30, arrival < 39 {
                    #expect(recorder.state.problem == .diskFull(file: recorder.session.url.relativePath))
                    #expect((try? XDFReader(recorder.session.url).header.notes.isEmpty) == true)
                }
            }
            try recorder.close()
            let read = try Recording(reading: XDFReader(recorder.session.url))
            #expect(read.streams[0].segments.flatMap { $0.block.channel(0) } == (0..<15_000).map { Float($0) })
        }
    }

    @Test func refusesASessionThatDoesNotFit() throws {
        try withTemporaryFolder { folder in
            let streams = [Feed("eeg", kind: .eeg, rate: 1_000, channels: 32).stream]
            let rate = DiskEstimate.bytesPerSecond(streams)
            #expect(rate > 129_000 && rate < 131_000)
            try DiskEstimate.check(folder, bytesPerSecond: rate, duration: 10)
            #expect(throws: RecorderError.self) {
                try DiskEstimate.check(folder, bytesPerSecond: rate, duration: 1e12)
            }
        }
    }

    /// Many devices at once on the recorder's own thread.
    @Test func takesFromManyThreads() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let recorder = try Recorder(Self.session(folder))
        await withTaskGroup { group in
            for device in 0..<16 {
                group.addTask {
                    let feed = Feed("ecg", rate: 500, channels: 4)
                    _ = recorder.record(.stream(feed.stream), from: "d\(device)", at: recorder.startMoment)
                    for (samples, arrival) in feed.packets(20) {
                        _ = recorder.record(.samples(samples), from: "d\(device)", at: recorder.startMoment + arrival)
                    }
                }
            }
        }
        try recorder.close()
        let read = try Recording(reading: XDFReader(recorder.session.url))
        #expect(read.streams.count == 16)
        for stream in read.streams {
            #expect(stream.segments.flatMap { $0.block.channel(0) } == (0..<10_008).map { Float($0) })
        }
    }
}

/// A file system of a few kilobytes, for those who may mount one.
enum SmallDisk {
    static let isPossible: Bool = {
        guard getuid() == 0 else {
            print("skipped: a full file system: needs root to mount a small one")
            return false
        }
        guard (try? with(kilobytes: 64) { _ in }) != nil else {
            print("skipped: a full file system: mounting is not permitted here")
            return false
        }
        return true
    }()

    static func with(kilobytes: Int, _ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder in
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
                throw RecorderError.refused(file: folder.path, reason: String(cString: strerror(errno)))
            }
            defer { umount2(folder.path, 2) }
            try body(folder)
        }
    }
}
