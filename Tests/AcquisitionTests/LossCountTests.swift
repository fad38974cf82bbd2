import Acquisition
import DeviceTestSupport
import Devices
import Formats
import Foundation
import Pipeline
import Recorder
import Signals
import TestSupport
import Testing

/// What a session says is lost is what is missing in its recording.
@Suite(.timeLimit(.minutes(1))) struct LossCountTests {
    /// Three electrodes at 100 Hz in messages of ten frames. The sixth message lacks an electrode, the eighth four whole
    /// frames, and the tenth and eleventh never come.
    private struct LeakyConversation: Conversation {
        private static let channels = 3
        private static let frames = 10

        mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
            let channels = (0..<Self.channels).map { Channel(label: "E\($0)", unit: .microvolts) }
            let header = StreamHeader(name: "leaky", kind: .eeg, channels: channels, sampleRate: 100)
            actions.emit(.stream(DeviceStream(id: "leaky", header: header, clock: .counter)))
        }

        mutating func receive(
            _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
        ) {
            let index = (0..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
            var samples = [Float](repeating: 1, count: Self.channels * Self.frames)
            switch index / Self.frames {
            case 5: for frame in 0..<Self.frames { samples[Self.frames + frame] = .nan }
            case 7: for place in samples.indices where place % Self.frames < 4 { samples[place] = .nan }
            case 9, 10: return
            default: break
            }
            let block = SampleBlock(channelCount: Self.channels, samples: samples)
            actions.emit(.samples(DeviceSamples(stream: "leaky", index: index, block: block)))
        }

        mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}
        mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {
            if request == .stop { actions.append(.close) }
        }
        mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {}
    }

    @Test func framesWithoutAnythingAreLostAndSingleChannelsMissing() async throws {
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 4)
            let file = folder.appendingPathComponent("leaky.xdf")
            let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
            let source = FrameSource(channels: 3, rate: 100, framesPerMessage: 10)
            let link = FrameLink(source, seconds: 2, clock: clock, begin: clock.now + 0.1)
            let device = SessionDevice(
                name: "amplifier", connector: link, conversation: LeakyConversation(),
                reconnection: Reconnection(attempts: 1))
            let session = try await LiveSession(
                recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
            ) { _ in }
            let summary = await session.run()
            let pulse = try #require(summary.streams.first)
            #expect(pulse.count == 200)
            // Four frames that came empty, twenty that never came; ten values of one electrode.
            #expect(pulse.lost == 24)
            #expect(pulse.missing == 10)
            let recording = try Recording(reading: try RecordingFile.open(file))
            let absent = recording.streams[0].segments.reduce(0) { $0 + $1.block.samples.count(where: \.isNaN) }
            #expect(absent == pulse.lost * 3 + pulse.missing)
        }
    }
}
