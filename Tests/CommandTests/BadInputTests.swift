import Foundation
import TestSupport
import Testing

/// What the command line does with files that are not what they should be: one clear line that names the file, exit
/// code 3, and nothing left behind.
struct BadInputTests {
    private static let verbs = ["info", "beats", "hrv", "quality", "analyze", "report", "convert"]

    /// Names of bad inputs, and how to make each in a folder.
    private static let inputs: [String: @Sendable (URL) throws -> String] = [
        "missing": { _ in "nowhere.edf" },
        "empty": { try write($0, "empty.edf", []) },
        "wrong magic": { try write($0, "wrong.edf", Array("this is no recording at all\n".utf8)) },
        "random bytes": {
            var random = SplitMix64(seed: 3)
            return try write($0, "random.dat", (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        },
        "directory": { _ in "." },
        "lone header": { try write($0, "lone.hea", Array("lone 1 250 1000\nlone.dat 16 200 16 0 0 0 0 ECG\n".utf8)) },
        "zero rate": {
            _ = try write($0, "zero.dat", Array(repeating: 0, count: 2_000))
            return try write($0, "zero.hea", Array("zero 1 0 1000\nzero.dat 16 200 16 0 0 0 0 ECG\n".utf8))
        },
        "a thousand million channels": {
            try write($0, "many.hea", Array("many 1000000000 250 1000\nmany.dat 16 200 16 0 0 0 0 ECG\n".utf8))
        },
        "broken zip": { try write($0, "broken.zip", [0x50, 0x4B, 3, 4] + Array(repeating: 7, count: 300)) },
        "truncated header": { try write($0, "cut.edf", Array("0       X X X X".utf8)) },
        "NaN and infinity": { try write($0, "nan.txt", Array("nan\ninf\n-inf\nnan\n".utf8)) },
    ]

    private static func write(_ folder: URL, _ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
        return name
    }

    @Test(arguments: inputs.keys.sorted(), verbs)
    func badInputIsOneClearLineAndExitCodeThree(input: String, verb: String) throws {
        try withTemporaryFolder { folder in
            let make = try #require(Self.inputs[input])
            let file = try make(folder)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            let arguments = verb == "convert" ? [verb, file, "out.edf"] : [verb, file]
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 3, "\(outcome.messages)")
            #expect(outcome.output.isEmpty)
            let lines = outcome.messages.split(separator: "\n")
            #expect(lines.count == 1, "\(outcome.messages)")
            #expect(lines.first?.contains(file == "." ? "folder" : file) == true, "\(outcome.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
        }
    }

    /// Volts whose header says microvolts.
    @Test func anEEGAloneWhoseUnitIsWrongIsRefusedAndTheWayOutIsNamed() throws {
        try withTemporaryFolder { folder in
            let rows = (0..<128 * 60).map { row in
                let time = Double(row) / 128
                let values = (0..<4).map {
                    2e-5 * sin(63 * time + Double($0)) + 1e-5 * sin(20.1 * time * Double($0 + 1))
                }
                return ([time] + values).map { "\($0)" }.joined(separator: ",")
            }
            let text = (["time,TP9 [uV],AF7 [uV],AF8 [uV],TP10 [uV]"] + rows).joined(separator: "\n")
            let name = try Self.write(folder, "eeg.csv", Array(text.utf8))
            let outcome = try Program.run("analyze", name, in: folder)
            #expect(outcome.status == 3, "\(outcome.messages)")
            #expect(outcome.messages.contains("eeg.csv") && outcome.messages.contains("marey eeg --unit"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
            #expect(try Program.run("eeg", name, "--unit", "V", in: folder).status == 0)
        }
    }

    @Test func oneBadFileAmongGoodOnesIsNamedAndGivesExitCodeOne() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "good.edf", "--duration", "60", in: folder)
            let outcome = try Program.run("analyze", "good.edf", "nowhere.edf", "--output", "results", in: folder)
            #expect(outcome.status == 1)
            #expect(outcome.messages.contains("nowhere.edf"))
            #expect(outcome.output.contains("good.edf"))
        }
    }

    @Test(arguments: [
        ["no-such-verb"], ["beats"], ["beats", "x.edf", "--window", "soon"], ["hrv", "x.edf", "--step", "-1"],
        ["simulate", "x.edf", "--heart-rate", "900"], ["simulate", "x.mp3"], ["validate", ".", "--tolerance", "wide"],
        ["simulate", "x.edf", "--duration", "-5"], ["study", "add", "x", "y", "--subject", "../z"],
    ])
    func misuseIsExitCodeTwo(arguments: [String]) throws {
        try withTemporaryFolder { folder in
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 2, "\(outcome.messages)")
            #expect(!outcome.messages.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }
}
