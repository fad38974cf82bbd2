import Foundation
import TestSupport
import Testing

/// A study on a disk that can only be read, such as an archive or a cluster's data.
@Suite struct ReadOnlyStudyTests {
    /// Runs a command for which the folder it runs in cannot be written.
    private static let withoutWriting = [
        "unshare", geteuid() == 0 ? "-m" : "-rm", "sh", "-c",
        "mount --bind . \"$PWD\" && mount -o remount,bind,ro \"$PWD\" && cd \"$PWD\" && exec \"$0\" \"$@\"",
    ]
    private static let hasOwnMounts: Bool = {
        let line = (withoutWriting + ["true"]).map { "'\($0)'" }.joined(separator: " ")
        return (try? withTemporaryFolder { try Program.run(line: line, in: $0).status == 0 }) ?? false
    }()

    private func run(_ words: [String], in folder: URL, writes: Bool = true) throws -> Program.Outcome {
        let line = ((writes ? [] : Self.withoutWriting) + [Program.url.path] + words).map { "'\($0)'" }
        return try Program.run(line: line.joined(separator: " "), in: folder)
    }

    @Test(
        "is told of as anywhere, and refuses to be changed",
        .enabled(if: hasOwnMounts, "needs the right to mount in a name space of its own (unshare -m)"))
    func isToldOf() throws {
        try withTemporaryFolder { (folder: URL) throws in
            for words in [
                ["study", "init", "s"], ["calibrate", "register", "s", "--subject", "01", "--prediction", "enjoyment"],
            ] {
                let outcome = try run(words, in: folder)
                #expect(outcome.status == 0, "\(words) \(outcome.messages)")
            }
            for words in [
                ["study", "status", "s"], ["study", "validate", "s"], ["study", "keys", "list", "s"],
                ["calibrate", "list", "s"], ["calibrate", "status", "s", "--subject", "01"],
            ] {
                let expected = try run(words, in: folder)
                let outcome = try run(words, in: folder, writes: false)
                #expect(outcome.status == 0 && outcome.output == expected.output, "\(words) \(outcome.messages)")
            }
            for words in [
                ["calibrate", "block", "s", "--subject", "01", "--prediction", "enjoyment"],
                ["study", "erase", "s", "01", "--yes"],
            ] {
                let outcome = try run(words, in: folder, writes: false)
                #expect(outcome.status == 3, "\(words) \(outcome.status)")
                #expect(
                    outcome.messages.contains("can be written") || outcome.messages.contains("Read-only"),
                    "\(outcome.messages)")
            }
        }
    }
}
