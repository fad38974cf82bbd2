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
