import Foundation
import TestSupport
import Testing

/// What becomes of work whose outcome cannot be printed, and of words that cannot be read.
struct UntoldWorkTests {
    @Test(arguments: [
        "marey study init made >&-", "marey study init made >/dev/full",
        "marey study add st s.edf --subject 01 >&-", "marey analyze s.edf -o out >/dev/full",
    ])
    func workThatIsDoneButCannotBeToldIsNotCalledUndone(line: String) throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            try Program.run("study", "init", "st", in: folder)
            let outcome = try Program.run(line: line, in: folder)
            #expect(outcome.status == 1 && outcome.messages.contains("was done"), "\(outcome.messages)")
            #expect(outcome.messages.contains("standard output cannot be written"))
            #expect(try Program.run("study", "validate", "st", in: folder).status == 0)
        }
    }

    @Test(arguments: [">/dev/full", "--json >/dev/full", "--json >&-", "--json | true"])
    func aBatchThatIsComputedButCannotBeToldIsNotCalledUndone(output: String) throws {
        try withTemporaryFolder { (folder: URL) throws in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            try Program.run("simulate", "01.edf", "--duration", "20", "--streams", "ecg", in: data)
            // One that fails is named all the same.
            try Data("x".utf8).write(to: data.appendingPathComponent("02.edf"))
            let settings = data.appendingPathComponent("study.yaml")
            try Data("cohort: { recordings: '{subject}.edf' }\n".utf8).write(to: settings)
            let parts = output.split(separator: "--json ").map(String.init)
            let form = output.hasPrefix("--json") ? "--json" : ""
            let command = "marey batch data results participant --n-cpus 1 \(form)"
            let outcome = try Program.run(line: "{ \(command); echo $? >code; } \(parts[0])", in: folder)
            let code = try String(contentsOf: folder.appendingPathComponent("code"), encoding: .utf8)
            #expect(code == "1\n" && outcome.messages.contains("sub-02: unreadable"), "\(outcome.messages)")
            let done = folder.appendingPathComponent("results/.marey/batch/done/sub-01.json")
            #expect(FileManager.default.fileExists(atPath: done.path))
        }
    }

    @Test(arguments: [">/dev/full", ">&-", "--json >/dev/full"])
    func aKeyThatNobodyHasSeenIsNone(output: String) throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("study", "init", "st", in: folder)
            let outcome = try Program.run(line: "marey study keys create st --name k \(output)", in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("taken back"), "\(outcome.messages)")
            #expect(try Program.run("study", "keys", "list", "st", in: folder).rows.count == 1)
            let again = try Program.run("study", "keys", "create", "st", "--name", "k", in: folder)
            #expect(again.status == 0 && again.output.hasPrefix("marey_"), "\(again.messages)")
        }
    }

    @Test(arguments: [
        #"marey info "$(printf 'na\377me.edf')""#, #"marey beats s.edf -o "$(printf 'o\377.tsv')""#,
    ])
    func aNameThatIsNotUTF8IsRefusedRatherThanTakenForAnother(line: String) throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            let outcome = try Program.run(line: line, in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains("not UTF-8"), "\(outcome.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
        }
    }

    // Whoever may read everything is refused nothing.
    @Test(.enabled(if: geteuid() != 0)) func aStudyOfSomebodyElseIsNotCalledNone() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("study", "init", "st", in: folder)
            let place = folder.appendingPathComponent("st").path
            chmod(place, 0)
            defer { chmod(place, 0o700) }
            for arguments in [["study", "status", "st"], ["analyze", "st"]] {
                let outcome = try Program.run(arguments, in: folder)
                #expect(outcome.status == 3 && outcome.messages.contains("cannot be read: Permission denied"))
                #expect(!outcome.messages.contains("study init"))
            }
        }
    }
}
