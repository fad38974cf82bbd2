import Foundation
import TestSupport
import Testing

@Suite struct RecoverCommandTests {
    private static func recording(in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent("a.xdf")
        let run = try Program.run("simulate", folder.appendingPathComponent("a.hea").path, "--duration", "60")
        #expect(run.status == 0, "\(run.messages)")
        #expect(try Program.run("convert", folder.appendingPathComponent("a.hea").path, url.path).status == 0)
        return url
    }

    @Test func aWholeFileIsLeftAlone() throws {
        try withTemporaryFolder { folder in
            let url = try Self.recording(in: folder)
            let before = try Data(contentsOf: url)
            let run = try Program.run("recover", "--in-place", url.path)
            #expect(run.status == 0 && run.output.contains("nothing is wrong"))
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test("what was cut off before the first sample stays as it is", arguments: [4, 60, 300])
    func nothingToRecover(bytes: Int) throws {
        try withTemporaryFolder { folder in
            let url = try Self.recording(in: folder)
            let torn = try Data(contentsOf: url).prefix(bytes)
            try torn.write(to: url)
            for options in [[], ["--in-place"]] {
                let run = try Program.run(["recover"] + options + [url.path])
                #expect(run.status == 3 && run.messages.contains("nothing can be recovered"), "\(run.messages)")
                #expect(try Data(contentsOf: url) == torn)
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0.contains(".xdf") } == 1)
            }
        }
    }

    @Test func aTornFileIsRepairedOnce() throws {
        try withTemporaryFolder { folder in
            let url = try Self.recording(in: folder)
            let torn = try Data(contentsOf: url).dropLast(5_000)
            try torn.write(to: url)
            let beside = try Program.run("recover", url.path)
            #expect(beside.status == 0 && beside.output.contains("the end is torn"), "\(beside.output)")
            #expect(try Data(contentsOf: url) == torn)
            let info = try Program.run("info", "--json", folder.appendingPathComponent("a.recovered.xdf").path)
            #expect(info.status == 0 && !info.output.contains("cut off"))
            // In place, twice.
            #expect(try Program.run("recover", "--in-place", folder.path).status == 0)
            let repaired = try Data(contentsOf: url)
            #expect(try Data(contentsOf: folder.appendingPathComponent("a.xdf.torn")) == torn)
            #expect(try Program.run("recover", "--in-place", folder.path).output.contains("nothing is wrong"))
            #expect(try Data(contentsOf: url) == repaired)
        }
    }
}
