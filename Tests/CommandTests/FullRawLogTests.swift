import Devices
import Foundation
import TestSupport
import Testing

/// `acquire --raw-log` on a disk that has room for the recording but not for the raw bytes.
@Suite(.timeLimit(.minutes(1))) struct FullRawLogTests {
    /// A log of a board that sends two amplitudes, and between them much that is none: the raw bytes are far more than what
    /// is recorded of them.
    private static func write(to url: URL) throws {
        let data = KardiaConversation.data
        func said(_ text: String, _ moment: Double) -> ByteLogEntry {
            ByteLogEntry(.received(Array(text.utf8), from: .characteristic(data)), at: moment)
        }
        let writer = try ByteLogWriter(
            url, header: ByteLogHeader(device: "kardia", place: "A0:9E:1A:00:11:22", clock: SystemClock()))
        let noise = String(repeating: "x", count: 60_000)
        try writer.append(ByteLogEntry(.opened, at: 1))
        try writer.append(ByteLogEntry(.subscribed(data), at: 1))
        try writer.append(said("4.995", 1.5))
        for number in 0..<20 { try writer.append(said(noise, 2 + Double(number) * 0.05)) }
        try writer.append(said("4.985", 3.5))
        try writer.append(ByteLogEntry(.closed(nil), at: 4))
        try writer.close()
    }

    @Test func `a session is recorded though its events cannot be told, and that is told at the end`() throws {
        try withTemporaryFolder { folder in
            try Self.write(to: folder.appendingPathComponent("board.bytes"))
            let words = "marey acquire s.xdf board=replay@board.bytes --speed max --json"
            let full = try Program.run(line: "\(words) > /dev/full", in: folder)
            #expect(full.status == 1 && full.messages.contains("its events could not be told"), "\(full.messages)")
            #expect(try Program.run("info", "s.xdf", in: folder).output.contains("board-ecg"))
            // Who reads may go away.
            let again = words.replacing("s.xdf", with: "t.xdf")
            let gone = try Program.run(line: "{ \(again); echo $? >&2; } | true", in: folder)
            #expect(gone.messages.contains("0\n") && !gone.messages.contains("could not"), "\(gone.messages)")
        }
    }

    @Test func `a session is concluded though its raw bytes cannot be written, and how much they lack is told`() throws
    {
        try withTemporaryFolder { folder in
            try Self.write(to: folder.appendingPathComponent("board.bytes"))
            let words = ["acquire", "s.xdf", "board=replay@board.bytes", "--speed", "max", "--raw-log"]
            let outcome = try Program.run(words, in: folder, fileLimit: 200)
            #expect(outcome.status == 1, "\(outcome.messages)")
            // The summary, as of any session.
            #expect(
                outcome.messages.contains("s.xdf: ") && outcome.messages.contains("board-ecg: "), "\(outcome.messages)")
            #expect(
                outcome.messages.contains("s.board.bytes: cannot be written: ")
                    && outcome.messages.contains("bytes are missing"), "\(outcome.messages)")
        }
    }
}
