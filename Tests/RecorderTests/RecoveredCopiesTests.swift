import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// The repair of a recording with copies of what was received.
@Suite struct RecoveredCopiesTests {
    private static let base: Seconds = 5_000

    /// A recording of an LSL sender.
    private static func recording(rate: Double, seconds: Int) -> [UInt8] {
        var conversation = LSLConversation()
        var assembler = RecordingAssembler(
            .init(start: Timestamp(secondsSince1970: 1_790_000_000), software: "test 1"), hostOrigin: base)
        var (events, bytes): ([RecordingEvent], [UInt8]) = ([], [])
        func take(_ message: LSLMessage, at moment: Seconds) {
            var actions: [ConversationAction] = []
            conversation.receive(message.bytes, from: .stream, at: moment, into: &actions)
            for case .emit(let event) in actions {
                assembler.take(event, from: "lsl", at: moment - base, into: &events)
            }
            bytes += assembler.bytes(at: moment - base)
        }
        let info = LSLStreamInfo(
            name: "amp", type: "EEG", channels: [Channel(label: "A", unit: .microvolts)], sampleRate: rate,
            format: .float32, sourceID: "s")
        take(.info(info), at: base)
        for second in 0..<seconds * 4 {
            let indexes = (0..<Int(rate / 4)).map { second * Int(rate / 4) + $0 }
            let stamps = indexes.map { base + Double($0) / rate }
            take(.chunk(stamps: stamps, values: indexes.map(Double.init)), at: (stamps.last ?? base) + 0.02)
            if second % 8 == 0 { take(.correction(Double(second) * 1e-6), at: base + Double(second) / 4) }
        }
        return bytes + assembler.finish()
    }

    @Test(
        "a repaired file has a footer for every copy of what was received, which counts its samples", arguments: 1...20)
    func footers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let whole = Self.recording(rate: 100, seconds: 20)
        let cut = Array(whole[..<Int.random(in: whole.count / 4..<whole.count - 1, using: &random)])
        try withTemporaryFolder { folder in
            let (torn, repaired) = (folder.appendingPathComponent("torn.xdf"), folder.appendingPathComponent("a.xdf"))
            try Data(cut).write(to: torn)
            let report = try XDFRecovery.repair(torn, to: repaired)
            #expect(!report.isIntact && !report.isClosed)
            #expect(try XDFRecovery.inspect(repaired).isIntact)
            let streams = XDFRawStream.all(in: Array(try Data(contentsOf: repaired)))
            let copy = try #require(streams["lsl-amp-received"])
            #expect(copy.footerCount == copy.values.count && !copy.values.isEmpty)
            #expect(streams.values.allSatisfy { $0.footerCount != nil })
        }
    }

    @Test func aFileWhoseCopyAloneHasNoFooterIsNotClosed() throws {
        let whole = Self.recording(rate: 50, seconds: 5)
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.xdf")
            try Data(whole).write(to: file)
            #expect(try XDFRecovery.inspect(file).isIntact)
        }
    }
}
