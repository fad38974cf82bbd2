import Foundation
import TestSupport
import Testing

/// What the verbs say of a recording whose source told no times: its onsets are numbers, no seconds.
struct UntimedLogTests {
    /// A MethodSCRIPT log of 40 packages with a potential and a current each.
    private static let log =
        (["e", "M0007"] + Array(repeating: "Pda807A120u;ba80003E8p,10,288", count: 40) + ["*", ""])
        .joined(separator: "\n")

    private func withLog(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder in
            try Data(Self.log.utf8).write(to: folder.appendingPathComponent("log.txt"))
            try body(folder)
        }
    }

    @Test func infoTellsNoDurationAndNoOnsets() throws {
        try withLog { folder in
            let text = try Program.run("info", "log.txt", in: folder)
            #expect(text.status == 0 && text.output.contains("duration  n/a"), "\(text.output)")
            #expect(try Program.run("info", "log.txt", "--tsv", in: folder).column("onset") == ["n/a", "n/a"])
            let json = try Program.run("info", "log.txt", "--json", in: folder).output
            let fields = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let header = try #require(fields["header"] as? [String: Any])
            #expect(header["hasTimes"] as? Bool == false && header["duration"] == nil)
            let streams = try #require(fields["streams"] as? [[String: Any]])
            #expect(streams.count == 2 && streams.allSatisfy { $0["onset"] == nil })
        }
    }

    @Test(arguments: ["a.edf", "a.bdf", "a.hea", "a.xdf", "a.rr", "sub-1_physio.tsv.gz"])
    func nothingThatTellsTimesIsWritten(output: String) throws {
        try withLog { folder in
            let outcome = try Program.run("convert", "log.txt", output, "--stream", "0", in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("no times"), "\(outcome.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.txt"])
        }
    }

    @Test func textNumbersItsRecords() throws {
        try withLog { folder in
            #expect(try Program.run("convert", "log.txt", "a.tsv", "--stream", "0", in: folder).status == 0)
            let text = try String(contentsOf: folder.appendingPathComponent("a.tsv"), encoding: .utf8)
            let lines = text.split(separator: "\n")
            #expect(lines.count == 41 && lines[0].hasPrefix("record\t") && lines[40].hasPrefix("39.0\t"), "\(text)")
        }
    }

    @Test func aLogOfPotentialsAloneSaysThatACurrentIsMissing() throws {
        try withTemporaryFolder { folder in
            let lines = ["e", "M000B"] + (0..<50).map { "Peb800000\($0 % 10)m;ab80003E8u,10" } + ["*", ""]
            try Data(lines.joined(separator: "\n").utf8).write(to: folder.appendingPathComponent("ocp.txt"))
            let outcome = try Program.run("analyze", "ocp.txt", "-o", "out", in: folder)
            #expect(outcome.status != 0 && outcome.messages.contains("stream potential"), "\(outcome.messages)")
            #expect(outcome.messages.contains("neither a current nor an impedance"), "\(outcome.messages)")
            #expect(!outcome.messages.contains("--as ecg"))
        }
    }

    @Test func theReportTellsNoLength() throws {
        try withLog { folder in
            #expect(try Program.run("report", "log.txt", "-o", "r.html", in: folder).status == 0)
            let page = try String(contentsOf: folder.appendingPathComponent("r.html"), encoding: .utf8)
            #expect(!page.contains("lasted") && page.contains("no times, so its length is not known"))
        }
    }
}
