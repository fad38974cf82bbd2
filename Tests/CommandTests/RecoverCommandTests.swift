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
            #expect(run.status == 0 && run.output.contains("are whole"))
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
            #expect(try Program.run("recover", "--in-place", folder.path).output.contains("are whole"))
            #expect(try Data(contentsOf: url) == repaired)
        }
    }

    @Test("what a stream lost with its header is told, left out of the repaired file and kept in the original")
    func aHeaderThatCannotBeRead() throws {
        try withTemporaryFolder { folder in
            let url = try Self.recording(in: folder)
            var bytes = try Data(contentsOf: url)
            // The last header is that of a signal.
            let place = try #require(bytes.range(of: Data("<channel_format>".utf8), options: .backwards))
            bytes[place.lowerBound] = UInt8(ascii: "x")
            try bytes.write(to: url)
            let told = "frames have no readable header before them and are left out"
            for options in [["--check"], ["--in-place"]] {
                let run = try Program.run(["recover"] + options + [url.path])
                #expect(run.status == 0 && run.output.contains(told), "\(run)")
                #expect(!run.output.contains("are whole"))
            }
            #expect(try Data(contentsOf: folder.appendingPathComponent("a.xdf.torn")) == bytes)
            #expect(try Program.run("recover", "--check", url.path).output.contains("are whole"))
            #expect(try Program.run("info", url.path).status == 0)
        }
    }

    @Test("a check says that the values of samples cannot be checked")
    func samplesCannotBeChecked() throws {
        try withTemporaryFolder { folder in
            let url = try Self.recording(in: folder)
            let run = try Program.run("recover", "--check", url.path)
            #expect(run.status == 0 && run.output.contains("sample values cannot be checked"), "\(run)")
        }
    }

    @Test("a check of a file without a header that can be read does not call it whole")
    func aCheckWithoutAHeader() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            try Data("XDF:".utf8).write(to: url)
            let run = try Program.run("recover", "--check", url.path)
            #expect(run.status == 3 && run.messages.contains("nothing can be recovered"), "\(run)")
        }
    }

    @Test("a finished run that was damaged is recovered for its sidecar and for its study as well, once")
    func aFinishedRunThatWasDamaged() throws {
        try withTemporaryFolder { folder in
            let whole = try Self.recording(in: folder)
            #expect(try Program.run("study", "init", "s", in: folder).status == 0)
            #expect(try Program.run("study", "add", "s", whole.path, "--subject", "01", in: folder).status == 0)
            let run = folder.appendingPathComponent("s/sourcedata/sub-01/sub-01.xdf")
            let sidecar = run.deletingPathExtension().appendingPathExtension("json")
            let said = Data(#"{"RecordingState": "finished", "RecordingDuration": 60, "Subject": "01"}"#.utf8)
            try said.write(to: sidecar)
            func fields() throws -> [String: Any] {
                let object = try JSONSerialization.jsonObject(with: Data(contentsOf: sidecar))
                return try #require(object as? [String: Any])
            }
            #expect(try Program.run("recover", "--in-place", run.path).output.contains("are whole"))
            #expect(try Data(contentsOf: sidecar) == said)
            // What is added to a study may only be read.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: run.path)
            let bytes = try Data(contentsOf: whole)
            try bytes.prefix(bytes.count * 2 / 3).write(to: run)
            #expect(try Program.run("study", "validate", "s", in: folder).output.contains("has changed"))
            let outcome = try Program.run("recover", "--in-place", run.path)
            #expect(outcome.status == 0 && outcome.output.contains("noted as recovered"), "\(outcome)")
            let mended = try fields()
            #expect(mended["RecordingState"] as? String == "recovered" && mended["Subject"] as? String == "01")
            let duration = try #require(mended["RecordingDuration"] as? Double)
            #expect(duration < 60)
            #expect(try Program.run("study", "status", "s", in: folder).column("status") == ["recovered"])
            let findings = try Program.run("study", "validate", "s", in: folder)
            #expect(!findings.output.contains("has changed"), "\(findings.output)")
            let files = try FileManager.default.contentsOfDirectory(atPath: sidecar.deletingLastPathComponent().path)
            #expect(files.sorted() == ["sub-01.json", "sub-01.xdf", "sub-01.xdf.torn"])
            #expect(try Program.run("recover", "--in-place", run.path).output.contains("are whole"))
        }
    }

    @Test("a run in which nothing arrived stays failed, with its reason")
    func nothingArrived() throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("study", "init", "s", in: folder).status == 0)
            // Nobody listens on port 9.
            let session = try Program.run(
                "acquire", "--study", "s", "--subject", "01", "empatica-e4@127.0.0.1:9", "--duration", "1", in: folder)
            #expect(session.messages.contains("nothing arrived"), "\(session)")
            let outcome = try Program.run("recover", "--in-place", "s", in: folder)
            #expect(outcome.status == 0 && outcome.output.contains("are whole"), "\(outcome)")
            #expect(!outcome.output.contains("noted as recovered"))
            let status = try Program.run("study", "status", "s", in: folder)
            #expect(try status.column("status") == ["failed"])
            #expect(try status.column("message") == ["nothing arrived"])
        }
    }
}
