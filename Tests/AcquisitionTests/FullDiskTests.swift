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

/// A disk that takes so many bytes, until there is room.
private final class SmallDisk: RecordingDisk {
    private let content = Mutex((bytes: [UInt8](), room: 0))

    init(room: Int) {
        content.withLock { $0.room = room }
    }

    func append(_ bytes: [UInt8]) throws {
        try content.withLock { content in
            guard content.bytes.count + bytes.count <= content.room else { throw RecorderError.diskFull(file: "disk") }
            content.bytes += bytes
        }
    }

    func makeRoom() { content.withLock { $0.room = .max } }
    func sync() throws {}
    var freeBytes: Int? { content.withLock { $0.room - $0.bytes.count } }
    func close() {}
    var bytes: [UInt8] { content.withLock { $0.bytes } }
}

/// A disk that fills up in the midst of a session.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    private static let frames = 800

    private struct Outcome {
        var summary: SessionSummary
        var events: [SessionEvent]
        var disk: SmallDisk

        /// Frames of the stream that a reader finds in the file.
        func recorded() throws -> Int {
            try withTemporaryFolder { folder in
                let url = folder.appendingPathComponent("a.xdf")
                try Data(disk.bytes).write(to: url)
                let recording = try Recording(reading: XDFReader(url))
                return recording.streams.first?.segments.reduce(0) { $0 + $1.block.frameCount } ?? 0
            }
        }

        /// The names of events of the disk and of the end, in order.
        var told: [String] {
            events.compactMap {
                switch $0 {
                case .disk(let problem, _): problem.map { "\($0)" } ?? "fine"
                case .finished: "finished"
                default: nil
                }
            }
        }
    }

    /// When there is room again.
    private enum Room { case never, beforeTheRest, afterTheEnd }

    /// Records three quarters of the frames on a disk that is too small for them, and the rest when that was told; before
    /// them, if wanted, there is room again, and that was told, or only when the device has long ended.
    private func record(_ room: Room) async throws -> Outcome {
        let clock = ScaledClock(speed: 10)
        let disk = SmallDisk(room: 6_000)
        var plan = Recorder.Session(url: URL(fileURLWithPath: "/nowhere/a.xdf"), software: "test")
        plan.hasSidecar = false
        let recorder = try Recorder(plan, clock: clock, disk: disk)
        let source = FrameSource(channels: 2, rate: 100, framesPerMessage: 10)
        let link = ScriptedLink()
        func send(_ frames: Range<Int>) {
            for first in stride(from: frames.lowerBound, to: frames.upperBound, by: 10) {
                link.deliver(source.message(from: first), at: recorder.startMoment + Double(first + 10) / 100)
            }
        }
        send(0..<Self.frames * 3 / 4)
        let device = SessionDevice(
            name: "amplifier", connector: ScriptedConnector([.success(link)]), conversation: FrameConversation(source),
            reconnection: Reconnection(attempts: 1))
        let events = Mutex<[SessionEvent]>([])
        let (told, tell) = AsyncStream.makeStream(of: Bool.self)
        let session = try await LiveSession(
            recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
        ) { event in
            events.withLock { $0.append(event) }
            if case .disk(let problem, _) = event { tell.yield(problem != nil) }
        }
        async let running = session.run()
        for await isFull in told {
            guard isFull, room == .beforeTheRest else { break }
            disk.makeRoom()
        }
        send(Self.frames * 3 / 4..<Self.frames)
        link.end(nil)
        if room == .afterTheEnd {
            try await clock.sleep(until: clock.now + 5)
            disk.makeRoom()
        }
        return Outcome(summary: await running, events: events.withLock { $0 }, disk: disk)
    }

    @Test func aFullDiskIsToldAtOnceAndTheEndCountsWhatIsInTheFile() async throws {
        let outcome = try await record(.never)
        let full = RecorderError.diskFull(file: "disk").description
        #expect(outcome.told == [full, "finished"])
        #expect(outcome.summary.problem == full)
        let recorded = try outcome.recorded()
        #expect(recorded < Self.frames)
        #expect(outcome.summary.streams.map(\.count) == [recorded])
        #expect(outcome.summary.unwritten == Self.frames - recorded)
    }

    @Test(arguments: [true, false])
    func aDiskWithRoomAgainIsToldAndNothingIsMissing(whileDevicesSend: Bool) async throws {
        let outcome = try await record(whileDevicesSend ? .beforeTheRest : .afterTheEnd)
        #expect(outcome.told == [RecorderError.diskFull(file: "disk").description, "fine", "finished"])
        #expect(outcome.summary.problem == nil)
        #expect(try outcome.recorded() == Self.frames)
        #expect(outcome.summary.streams.map(\.count) == [Self.frames])
        #expect(outcome.summary.unwritten == 0)
    }

    @Test func programsReadOfTheDiskInALineOfItsOwn() {
        let full = RecorderError.diskFull(file: "a.xdf")
        let line = SessionLine(streams: [])
        #expect(
            line.text(.disk(problem: full, at: 3))
                == #"{"event":"disk","problem":"\#(full.description)","t":3}"#)
        #expect(line.text(.disk(problem: nil, at: 4)) == #"{"event":"disk","problem":null,"t":4}"#)
    }
}
