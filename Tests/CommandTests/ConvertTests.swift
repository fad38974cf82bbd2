import Foundation
import TestSupport
import Testing

/// What `marey convert` and other verbs that write files may replace, and what they say of it.
struct ConvertTests {
    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func text(_ folder: URL, _ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test(arguments: [
        ("c.hea", "c_1.dat"), ("c.hea", "c.mark"), ("sub-1_physio.tsv.gz", "sub-1_events.tsv"),
        ("sub-1_physio.tsv.gz", "sub-1_recording-bvp_physio.json"), ("c.edf", "c.edf"),
    ])
    func filesThatWouldBeReplacedAreKeptUnlessForced(output: String, companion: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.xdf", "--duration", "20", in: folder)
            try Data("precious".utf8).write(to: folder.appendingPathComponent(companion))
            let before = try names(folder)
            let refused = try Program.run("convert", "s.xdf", output, in: folder)
            #expect(refused.status == 3 && refused.messages.contains(companion), "\(refused.messages)")
            #expect(try names(folder) == before && text(folder, companion) == "precious")
            #expect(try Program.run("convert", "s.xdf", output, "--force", in: folder).status == 0)
        }
    }

    @Test func simulateKeepsTheSignalFilesThatAreThere() throws {
        try withTemporaryFolder { folder in
            try Data("precious".utf8).write(to: folder.appendingPathComponent("c_1.dat"))
            #expect(try Program.run("simulate", "c.hea", "--duration", "20", in: folder).status == 3)
            #expect(try names(folder) == ["c_1.dat"])
        }
    }

    @Test func whatIsReadIsNeverReplaced() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let bytes = try Data(contentsOf: folder.appendingPathComponent("s.edf"))
            for arguments in [
                ["convert", "s.edf", "s.edf", "--force"], ["report", "s.edf", "-o", "s.edf"],
                ["beats", "s.edf", "--annotations", "s.edf"], ["validate", "s.edf", "--report", "s.edf"],
            ] {
                let outcome = try Program.run(arguments, in: folder)
                #expect(outcome.status == 2 && outcome.messages.contains("recording"), "\(arguments)")
                #expect(try Data(contentsOf: folder.appendingPathComponent("s.edf")) == bytes, "\(arguments)")
            }
            try Data("hrv:\n  window: 60\n".utf8).write(to: folder.appendingPathComponent("p.tsv"))
            let outcome = try Program.run("hrv", "s.edf", "--config", "p.tsv", "-o", "p.tsv", in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains("p.tsv"))
            #expect(try text(folder, "p.tsv").hasPrefix("hrv"))
        }
    }

    @Test func filesOfAFolderThatIsReadAreNeverReplaced() throws {
        try withTemporaryFolder { folder in
            let e4 = folder.appendingPathComponent("e4")
            try FileManager.default.createDirectory(at: e4, withIntermediateDirectories: true)
            let rows = "1544022944.0\n4.0\n" + (0..<400).map { "\(Double($0 % 7) * 0.01 + 0.3)\n" }.joined()
            try Data(rows.utf8).write(to: e4.appendingPathComponent("EDA.csv"))
            try Data("kept".utf8).write(to: e4.appendingPathComponent("notes.csv"))
            for (name, content) in [("EDA.csv", rows), ("notes.csv", "kept")] {
                let outcome = try Program.run("convert", "e4", "e4/\(name)", "--force", in: folder)
                #expect(outcome.status == 2 && outcome.messages.contains(name), "\(outcome.messages)")
                #expect(try text(e4, name) == content)
            }
            #expect(try Program.run("report", "e4", "-o", "e4/EDA.csv", in: folder).status == 2)
            #expect(try text(e4, "EDA.csv") == rows)
            #expect(try Program.run("convert", "e4", "e4/new.csv", in: folder).status == 0)
        }
    }

    @Test(arguments: ["c.hea", "sub-1_physio.tsv.gz", "c.edf"])
    func everyFileThatWasWrittenIsNamed(output: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.xdf", "--duration", "20", in: folder)
            let before = try Set(names(folder))
            let outcome = try Program.run("convert", "s.xdf", output, in: folder)
            let line = outcome.messages.split(separator: "\n").last { $0.hasPrefix("wrote ") } ?? ""
            let named = line.dropFirst(6).components(separatedBy: ", ")
            #expect(try Set(named) == Set(names(folder)).subtracting(before), "\(outcome.messages)")
        }
    }

    @Test func notesOfTheSourceAreTold() throws {
        try withTemporaryFolder { folder in
            let text = "time [s],eda [uS],who\n" + (0..<400).map { "\(Double($0) / 4),\($0),me\n" }.joined()
            try Data(text.utf8).write(to: folder.appendingPathComponent("t.csv"))
            let outcome = try Program.run("convert", "t.csv", "t.edf", in: folder)
            #expect(outcome.status == 0 && outcome.messages.contains("note: column \"who\" holds text"))
        }
    }

    @Test func unitsAreConvertedOrRefusedWithWhatToDo() throws {
        try withTemporaryFolder { folder in
            let rows = (0..<1_200).map { "\(Double($0) / 4),\(3_000 + $0 % 40)\n" }.joined()
            for (unit, expected) in [("nS", 0), ("nanosiemens", 0), ("K", 3)] as [(String, Int32)] {
                let kind = unit == "K" ? "temperature" : "eda"
                try Data("time [s],\(kind) [\(unit)]\n\(rows)".utf8).write(to: folder.appendingPathComponent("t.csv"))
                let verb = unit == "K" ? ["motion", "t.csv", "--stream", "temperature"] : ["eda", "t.csv"]
                let outcome = try Program.run(verb, in: folder)
                #expect(outcome.status == expected, "\(outcome.messages)")
                if expected > 0 { #expect(outcome.messages.contains("; convert the values to °C")) }
            }
        }
    }
}
