import Acquisition
import DeviceTestSupport
import Devices
import Formats
import Foundation
import Pipeline
import Recorder
import Signals
import Synchronization
import TestSupport
import Testing

/// A clock whose wall clock is stepped by `step` seconds after `after` seconds; its monotonic clock is not.
private struct SetClock: HostClock {
    let base: ScaledClock
    let step: Seconds
    let after: Seconds

    var now: Seconds { base.now }
    var wallClock: Timestamp { base.wallClock + (base.now - base.start >= after ? step : 0) }
    func sleep(until moment: Seconds) async throws { try await base.sleep(until: moment) }
}

/// The length of a session follows the monotonic clock.
@Suite(.timeLimit(.minutes(1))) struct SetWallClockTests {
    @Test(
        "a session has its planned length and loses nothing when the wall clock is stepped",
        arguments: [-86_400, -3_600, 3_600, 86_400] as [Seconds])
    func lengthFollowsTheMonotonicClock(step: Seconds) async throws {
        try await withTemporaryFolder { folder in
            let clock = SetClock(base: ScaledClock(speed: 8), step: step, after: 3)
            let file = folder.appendingPathComponent("s.xdf")
            let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
            let link = ScriptedLink()
            let device = SessionDevice(
                name: "parrot", connector: ScriptedConnector([.success(link)]), conversation: ParrotConversation(),
                reconnection: Reconnection(attempts: 1))
            let session = try await LiveSession(
                recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
            ) { _ in }
            let tagging = Task {
                var next = clock.now
                while !Task.isCancelled {
                    await session.tag("tag")
                    next += 0.5
                    try? await clock.sleep(until: next)
                }
            }
            let summary = await session.run(for: 8)
            tagging.cancel()
            await tagging.value
            #expect(summary.duration >= 8 && summary.duration < 1_800)
            let recording = try Recording(reading: try RecordingFile.open(file))
            let onsets = recording.markers.map(\.onset)
            #expect(onsets.count >= 2)
            #expect(zip(onsets, onsets.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < 1_800 })
        }
    }

    @Test func aWaitThatIsFiredEndsAtOnceAndAnotherAfterItsTime() {
        let interrupt = Interrupt()
        #expect(!interrupt.wait(atMost: 0.01))
        interrupt.fire()
        // Longer than the test may take.
        #expect(interrupt.wait(atMost: 1_000))
    }
}
