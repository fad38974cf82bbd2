import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct RecordingFileTests {
    @Test func formatsAreToldByContentNotByName() throws {
        let folder = try TemporaryFolder()
        let edf = EDFFixture.counting().bytes
        let cases: [(name: String, bytes: [UInt8], format: String)] = [
            ("a.edf", edf, "EDF"), ("b.dat", edf, "EDF"), ("c", edf, "EDF"), ("d.csv", edf, "EDF"),
            ("e.zip", ZipFixture(EmpaticaTests.session).bytes, "Empatica E4"),
            ("f.bin", ZipFixture(EmpaticaTests.session).bytes, "Empatica E4"),
            ("g.txt", Array((0..<50).map { "\(800 + 40 * ($0 * 7 % 5))\n" }.joined().utf8), "RR text"),
        ]
        for (name, bytes, format) in cases {
            #expect(try RecordingFile.open(folder.file(name, bytes)).header.format == format, "\(name)")
        }
        let session = try EmpaticaTests.folder()
        #expect(try RecordingFile.open(session.url).header.format == "Empatica E4")
    }

    @Test(.enabled(if: RealData.has("mitdb/100.hea")))
    func recordsAreFoundByAnyOfTheirNames() throws {
        for name in ["mitdb/100", "mitdb/100.hea", "mitdb/100.dat"] {
            #expect(try RecordingFile.open(RealData.url(name)).header.format == "WFDB")
            let files = try RecordingFile.files(of: RealData.url(name)).map(\.lastPathComponent)
            #expect(files.prefix(2) == ["100.hea", "100.dat"])
        }
    }

    @Test func columnsThatAreToldAreThoseOfTextAlone() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<8).map { "\($0),\(20 + $0)" }.joined(separator: "\n")
        let map = ColumnMap(sampleRate: 4, columns: [.init(column: "2", kind: .temperature)])
        func header(_ name: String, _ bytes: [UInt8]) throws -> RecordingHeader {
            try RecordingFile.open(folder.file(name, bytes), columnsOfText: map).header
        }
        for name in ["a.csv", "b.tsv", "c.txt", "d.dat"] {
            #expect(try header(name, Array(rows.utf8)).streams.map(\.kind) == [.temperature], "\(name)")
        }
        let edf = EDFFixture.counting().bytes
        for name in ["a.edf", "b.csv"] { #expect(try header(name, edf).format == "EDF", "\(name)") }
        for (name, bytes) in [("z.edf", edf), ("z.csv", Array(rows.utf8))] {
            let plain = try folder.file(name, bytes)
            try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-n", plain.path]).waitUntilExit()
            let found = try RecordingFile.open(plain.appendingPathExtension("gz"), columnsOfText: map).header
            #expect(name == "z.edf" ? found.format == "EDF" : found.streams.map(\.kind) == [.temperature], "\(name)")
        }
        let session = try EmpaticaTests.folder()
        #expect(try RecordingFile.open(session.url, columnsOfText: map).header.format == "Empatica E4")
        #expect(throws: FormatError.self) { try header("none.csv", Array("1\n2\n3\n".utf8)) }
    }

    @Test func filesOfARecording() throws {
        let session = try EmpaticaTests.folder()
        let names = try RecordingFile.files(of: session.url).map(\.lastPathComponent)
        #expect(names == ["ACC.csv", "BVP.csv", "EDA.csv", "HR.csv", "IBI.csv", "TEMP.csv", "tags.csv"])
        let edf = try session.file("x.edf", EDFFixture.counting().bytes)
        #expect(try RecordingFile.files(of: edf) == [edf])
    }

    @Test func oneFileOfASessionIsNotTakenForATable() throws {
        let session = try EmpaticaTests.folder()
        let message = formatError { try RecordingFile.open(session.url.appendingPathComponent("BVP.csv")) }
        #expect(message?.contains("is one file of an Empatica E4 session; give the folder") == true)
    }

    /// Each of these ends with one line that names the file and says what is wrong.
    @Test func badInputIsOneClearLine() throws {
        let folder = try TemporaryFolder()
        let edf = EDFFixture.counting().bytes
        var zeroRate = EDFFixture.counting()
        zeroRate.duration = "0"
        var wrong = EDFFixture.counting()
        wrong.version = Array("EDF     ".utf8)
        var manyChannels = EDFFixture.counting()
        manyChannels.signalCount = "9999"
        let zip = ZipFixture(EmpaticaTests.session).bytes
        let cases: [(name: String, bytes: [UInt8], text: String)] = [
            ("empty.edf", [], "is empty"), ("empty.zip", [], "is empty"), ("empty", [], "is empty"),
            ("cut.edf", Array(edf.prefix(250)), "byte 250: ends within the header"),
            ("lone.edf", Array(edf.prefix(512)), "byte 512: ends after the header"),
            ("zero.edf", zeroRate.bytes, "byte 244 (duration of a data record): found 0"),
            ("wrong.edf", wrong.bytes, "byte 0 (version): found 'EDF'"),
            ("wrong.bdf", Array("junk".utf8), "byte 0 (version): found 'junk'"),
            ("many.edf", manyChannels.bytes, "ends within the header, which for 9999 signals"),
            ("cut.zip", Array(zip.prefix(zip.count / 2)), "is no whole zip archive"),
            ("noise.zip", [UInt8](repeating: 7, count: 5_000), "is no whole zip archive"),
            ("noise", [UInt8](repeating: 7, count: 5_000), "is of no readable format; these are read: EDF"),
        ]
        for (name, bytes, text) in cases {
            let file = try folder.file(name, bytes)
            let message = formatError { try Recording(reading: RecordingFile.open(file)) }
            #expect(message?.hasPrefix(file.relativePath) == true && message?.contains("\n") == false)
            #expect(message?.contains(text) == true, "\(name): \(message ?? "no error")")
        }
        let missing = folder.url.appendingPathComponent("nothing.edf")
        #expect(formatError { try RecordingFile.open(missing) }?.contains("No such file or directory") == true)
        #expect(
            formatError { try RecordingFile.open(folder.url) }?.contains("is a folder of") == true)
        #expect(
            formatError { try RecordingFile.open(URL(fileURLWithPath: "/dev/null")) }?.contains("not a regular file")
                == true)
        let locked = try folder.file("locked.edf", edf)
        chmod(locked.path, 0)
        // Root may read everything.
        if getuid() != 0 {
            #expect(formatError { try RecordingFile.open(locked) }?.contains("Permission denied") == true)
        }
    }

    private static let annexed =
        "holds only the name of its content, which git-annex keeps elsewhere; get it: datalad get "

    @Test(arguments: [
        ("../.git/annex/objects/x/MD5E-s1--a.edf", annexed),
        ("/nowhere/a.edf", "is a link to /nowhere/a.edf, which is not there"),
    ])
    func linksThatLeadNowhereAreTold(target: String, problem: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("sub-01_eeg.edf")
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
        #expect(formatError { try RecordingFile.open(url) }?.contains(problem) == true)
    }

    @Test(arguments: [
        ("/annex/objects/MD5E-s22--1.eeg\n", annexed),
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 6000\n",
            "Git LFS keeps; get it: git lfs pull"
        ),
    ])
    func filesThatOnlyNameTheirContentAreTold(content: String, problem: String) throws {
        let folder = try TemporaryFolder()
        for name in ["a.edf", "a.bdf", "a.csv", "a.zip", "a.xdf", "a", "a.edf.gz"] {
            let url = try folder.file(name, content)
            #expect(formatError { try RecordingFile.open(url) }?.contains(problem) == true, "\(name)")
        }
        let header = try BrainVisionFixture().write(to: folder)
        let samples = try folder.file("a.eeg", content)
        let error = formatError { try Recording(reading: RecordingFile.open(header)) }
        #expect(
            error?.hasPrefix(samples.relativePath) == true && error?.contains(problem) == true, "\(error ?? "none")")
    }
}
