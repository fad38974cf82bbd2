import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// A recording whose file is deleted while it grows.
@Suite struct DeletedRecordingTests {
    private static let header = StreamHeader(
        name: "ecg", kind: .ecg, channels: [Channel(label: "ECG", unit: .microvolts)], sampleRate: 100)

    /// A recording of a folder of its own into which a second of signal was written and secured.
    private static func begun(_ folder: URL, _ clock: ManualClock) throws -> Recorder {
        let url = folder.appendingPathComponent("session/a.xdf")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let recorder = try Recorder(
            Recorder.Session(url: url, software: "test"), clock: clock, writesByItself: false)
        _ = recorder.record(.stream(DeviceStream(id: "ecg", header: header)), from: "strap", at: clock.now)
        second(0, recorder, clock)
        return recorder
    }

    private static func second(_ number: Int, _ recorder: Recorder, _ clock: ManualClock) {
        clock.now += 1
        let block = SampleBlock((number * 100..<(number + 1) * 100).map(Float.init))
        _ = recorder.record(
            .samples(DeviceSamples(stream: "ecg", index: number * 100, block: block)), from: "strap", at: clock.now)
        clock.now += 0.5
        recorder.pump()
    }

    private static func frames(_ file: URL) throws -> [Float] {
        try Recording(reading: XDFReader(file)).streams[0].segments.flatMap { Array($0.block.channel(0)) }
    }

    @Test("what was deleted is told, and written anew at the end, its folder too", arguments: [false, true])
    func deleted(withFolder: Bool) throws {
        try withTemporaryFolder { folder in
            let clock = ManualClock()
            let recorder = try Self.begun(folder, clock)
            let url = recorder.session.url
            #expect(recorder.state.problem == nil)
            try FileManager.default.removeItem(at: withFolder ? url.deletingLastPathComponent() : url)
            for number in 1..<4 {
                Self.second(number, recorder, clock)
                #expect(recorder.state.problem == .deleted(file: url.relativePath))
            }
            #expect(!FileManager.default.fileExists(atPath: url.path))
            try recorder.close()
            #expect(recorder.state.problem == nil)
            #expect(try Self.frames(url) == (0..<400).map(Float.init))
            let rights = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            #expect(rights == 0o600)
        }
    }

    @Test("another file of its name is left alone, and the recording is there once it is moved away")
    func another() throws {
        try withTemporaryFolder { folder in
            let clock = ManualClock()
            let recorder = try Self.begun(folder, clock)
            let url = recorder.session.url
            try FileManager.default.removeItem(at: url)
            try Data("mine".utf8).write(to: url)
            #expect {
                try recorder.close()
            } throws: { error in
                "\(error)".contains("another has its name")
            }
            #expect(try Data(contentsOf: url) == Data("mine".utf8))
            try FileManager.default.removeItem(at: url)
            try recorder.close()
            #expect(try Self.frames(url) == (0..<100).map(Float.init))
        }
    }
}
