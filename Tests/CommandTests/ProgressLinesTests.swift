import Foundation
import TestSupport
import Testing

/// Progress of long work whose messages go to a log.
struct ProgressLinesTests {
    private static func batch(every seconds: String?) throws -> [Substring] {
        try withTemporaryFolder { folder in
            try Program.run(
                "simulate", "cohort", "data", "--participants", "4", "--tasks", "rest", "--duration", "60", "--signals",
                "ecg", in: folder)
            let setting = seconds.map { "export MAREY_PROGRESS=\($0); " } ?? "unset MAREY_PROGRESS; "
            let outcome = try Program.run(line: setting + "marey batch data results participant --n-cpus 1", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            return outcome.messages.split(separator: "\n").filter { $0.hasPrefix("batch: ") }
        }
    }

    @Test("a log has a line of progress per interval")
    func lines() throws {
        let lines = try Self.batch(every: "0.000001")
        #expect(lines.count >= 4)
        let shares = lines.compactMap { $0.firstMatch(of: /batch: (\d+) %/).flatMap { Int($0.1) } }
        #expect(shares.count == lines.count && shares == shares.sorted() && shares.last == 100)
    }

    @Test("short work writes no line of progress", arguments: ["0", nil])
    func silence(seconds: String?) throws {
        #expect(try Self.batch(every: seconds).isEmpty)
    }
}
