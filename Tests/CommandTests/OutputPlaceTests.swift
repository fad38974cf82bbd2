import Foundation
import TestSupport
import Testing

/// Where `-o` may write: never over the recording that is read, nor over a JSON file that came with it.
struct OutputPlaceTests {
    private func contents(_ folder: URL, _ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    @Test func theRecordingItselfIsNeverReplaced() throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("simulate", "s.hea", "--duration", "20", in: folder).status == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".hea") || $0.hasSuffix(".dat") }
            let before = try names.map { try contents(folder, $0) }
            for name in names + ["./s.hea", "../\(folder.lastPathComponent)/s.hea"] {
                for force in [[], ["--force"]] {
                    let outcome = try Program.run(["beats", "s.hea", "-o", name] + force, in: folder)
                    #expect(outcome.status == 2 && outcome.messages.contains("recording"), "\(name)")
                }
            }
            #expect(names.count > 1 && zip(names, before).allSatisfy { (try? contents(folder, $0)) == $1 })
        }
    }

    @Test func aTableIsNotItsOwnSidecar() throws {
        try withTemporaryFolder { (folder: URL) throws in
            #expect(try Program.run("simulate", "s.edf", "--duration", "20", in: folder).status == 0)
            #expect(try Program.run("beats", "s.edf", "-o", "t.json", in: folder).status == 2)
            #expect(try Program.run("beats", "s.edf", "--json", "-o", "t.json", in: folder).status == 0)
        }
    }

    @Test(arguments: ["s.json", "other.json"]) func aForeignSidecarIsKept(name: String) throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("simulate", "s.edf", "--duration", "20", in: folder).status == 0)
            let precious = Data(#"{"SamplingFrequency": 4, "Columns": ["eda"]}"#.utf8)
            try precious.write(to: folder.appendingPathComponent(name))
            let table = name.replacingOccurrences(of: ".json", with: ".tsv")
            let refused = try Program.run("beats", "s.edf", "-o", table, in: folder)
            #expect(refused.status == 3 && refused.messages.contains(name) && refused.messages.contains("--force"))
            #expect(try contents(folder, name) == precious)
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent(table).path))
            #expect(try Program.run("beats", "s.edf", "-o", table, "--force", in: folder).status == 0)
            // A table's own sidecar is replaced with it.
            #expect(try Program.run("beats", "s.edf", "-o", table, in: folder).status == 0)
        }
    }
}
