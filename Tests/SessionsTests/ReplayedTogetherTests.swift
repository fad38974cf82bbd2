import Acquisition
import Devices
import Foundation
import Pipeline
import Sessions
import Signals
import TestSupport
import Testing

/// Several logs that one session replays.
@Suite(.timeLimit(.minutes(3))) struct ReplayedTogetherTests {
    /// A log begun at a moment of the clock, with a connection and a message so many seconds later.
    private func write(_ log: URL, begun: Seconds, connected: Seconds) throws {
        var header = ByteLogHeader(device: "empatica-e4", place: log.lastPathComponent, clock: SystemClock())
        (header.hostTime, header.wallClock) = (begun, 1_700_000_000 + begun)
        let writer = try ByteLogWriter(log, header: header)
        try writer.append(ByteLogEntry(.opened, at: begun + connected))
        try writer.append(ByteLogEntry(.received([1], from: .stream), at: begun + connected + 1))
        try writer.close()
    }

    /// When the first message comes; the log is played to its end.
    private static func firstMessage(of device: SessionDevice) async throws -> Seconds? {
        let link = try await device.connector.connect()
        var first: Seconds?
        while let event = await link.next() {
            if case .received(_, _, let moment) = event, first == nil { first = moment }
        }
        return first
    }

    @Test(
        "logs of one session lie as they did then, others begin together",
        arguments: [(0.001, 7.501), (3_600, 0)] as [(Seconds, Seconds)])
    func distances(begunLater: Seconds, apart: Seconds) async throws {
        try await withTemporaryFolder { folder in
            let logs = ["a.bytes", "b.bytes"].map { folder.appendingPathComponent($0) }
            try write(logs[0], begun: 1_000, connected: 0.5)
            try write(logs[1], begun: 1_000 + begunLater, connected: 8)
            // Whichever is named first.
            for order in [logs, Array(logs.reversed())] {
                let plan = try SessionPlan(
                    SessionTarget(file: folder.appendingPathComponent("s.xdf")),
                    devices: order.map { "replay@\($0.path)" }, parameters: Parameters())
                let devices = try plan.devices(ReplayClock())
                async let one = Self.firstMessage(of: devices[0])
                async let other = Self.firstMessage(of: devices[1])
                let moments = try await (one, other)
                let first = try #require(moments.0)
                let second = try #require(moments.1)
                #expect(abs(abs(second - first) - apart) < 1e-6)
            }
        }
    }
}
