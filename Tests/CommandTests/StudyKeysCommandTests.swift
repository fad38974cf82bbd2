import Foundation
import TestSupport
import Testing

/// Keys to a study's service, from the command line.
struct StudyKeysCommandTests {
    @Test func aKeyIsShownOnceListedAndTakenBack() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "s", in: folder)
            let made = try Program.run(
                "study", "keys", "create", "s", "--name", "tablet", "--rights", "read,relay", in: folder)
            #expect(made.status == 0)
            #expect(made.output.hasPrefix("marey_"))
            let again = try Program.run("study", "keys", "create", "s", "--name", "tablet", in: folder)
            #expect(again.status == 2 && again.messages.contains("tablet"))
            let list = try Program.run("study", "keys", "list", "s", in: folder)
            #expect(list.rows[1] == ["tablet", "read,relay", "all", "valid"])
            #expect(!list.output.contains(made.output.prefix(20)))
            #expect(try Program.run("study", "keys", "revoke", "s", "tablet", in: folder).status == 0)
            #expect(try Program.run("study", "keys", "revoke", "s", "tablet", in: folder).status == 3)
            #expect(try Program.run("study", "keys", "list", "s", in: folder).rows[1].last == "taken back")
        }
    }

    @Test("where a participant of the study stands is told, under either form of the label")
    func statusOfSomebodyThere() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "s", in: folder)
            try Program.run(
                "calibrate", "register", "s", "--subject", "01", "--prediction", "enjoyment", in: folder)
            for label in ["01", "sub-01"] {
                let status = try Program.run("calibrate", "status", "s", "--subject", label, in: folder)
                #expect(status.status == 0 && status.output.contains("needsCalibration"), "\(status.messages)")
            }
        }
    }

    @Test(arguments: [
        (["study", "keys", "create", "s", "--name", "x", "--rights", "all"], "read, record, relay"),
        (["study", "keys", "create", "s", "--name", "x", "--predictions", "blink,nope"], "nope"),
        (["calibrate", "block", "s", "--subject", "99", "--prediction", "enjoyment"], "99"),
        (["calibrate", "register", "s", "--subject", "99", "--prediction", "focus"], "focus"),
        (["calibrate", "status", "s", "--subject", "99"], "no participant 99"),
        (["calibrate", "status", "s", "--subject", "99", "--history"], "no participant 99"),
        (["serve", "s", "--host", "nowhere"], "address"), (["serve", "s", "--rate", "0"], "--rate"),
    ])
    func misuseSaysWhatWouldBeRight(arguments: [String], hint: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "s", in: folder)
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 2)
            #expect(outcome.messages.contains(hint), "\(outcome.messages)")
        }
    }
}
