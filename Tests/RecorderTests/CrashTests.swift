import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// Recordings whose process is killed: each opens, lacks a second at most, and the rest is what was sent.
@Suite struct CrashTests {
    private static func folder(_ number: Int, of parent: Int32) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("marey-crash-\(parent)-\(number)")
    }

    /// Records in real time until it is killed at a random moment; `sent` says how far it was.
    private static func recordUntilKilled(_ number: Int) throws {
        let folder = folder(number, of: getppid())
        var random = SplitMix64(seed: UInt64(number))
        let end = Double.random(in: 0.2...2.5, using: &random)
        let feed = Feed("ecg", rate: 1_000, channels: 3)
        let recorder = try Recorder(.init(url: folder.appendingPathComponent("a.xdf"), software: "test"))
        _ = recorder.record(.stream(feed.stream), from: "d", at: recorder.startMoment)
        let log = open(folder.appendingPathComponent("sent").path, O_WRONLY | O_CREAT, 0o600)
        let clock = SystemClock()
        Thread.detachNewThread {
            usleep(UInt32(end * 1e6))
            kill(getpid(), SIGKILL)
        }
        var sent = 0
        while true {
            let due = Int((clock.now - recorder.startMoment) * feed.rate)
            while sent + 10 <= due {
                let samples = DeviceSamples(stream: "ecg", index: sent, block: feed.block(sent..<sent + 10))
                _ = recorder.record(.samples(samples), from: "d", at: clock.now)
                sent += 10
            }
            var now = [Double(sent), clock.now]
            pwrite(log, &now, 16, 0)
            usleep(5_000)
        }
    }

    @Test(arguments: 0..<50) func killed(number: Int) async throws {
        let folder = Self.folder(number, of: getpid())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [number] in
            try Self.recordUntilKilled(number)
        }
        // A slow machine may be killed before it could note anything.
        let sent = try Data(contentsOf: folder.appendingPathComponent("sent")).withUnsafeBytes {
            $0.count < 8 ? 0 : $0.load(as: Double.self)
        }
        let file = folder.appendingPathComponent("a.xdf")
        let read = try Recording(reading: XDFReader(file))
        let samples = read.streams.first?.segments.flatMap { $0.block.channel(0) } ?? []
        #expect(samples == (0..<samples.count).map { Float($0) })
        #expect(Double(samples.count) >= sent - 1_000, "\(samples.count) of \(sent)")
        let repaired = folder.appendingPathComponent("b.xdf")
        _ = try XDFRecovery.repair(file, to: repaired)
        #expect(try XDFRecovery.inspect(repaired).isIntact)
        expectSame(read, try Recording(reading: XDFReader(repaired)))
    }
}
