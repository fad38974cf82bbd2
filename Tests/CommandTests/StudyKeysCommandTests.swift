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
            #expect(list.rows[1].prefix(4) == ["tablet", "read,relay", "all", "valid"])
            #expect(try list.column("lastUsed") == ["n/a"] && list.column("expires") == ["n/a"])
            #expect(try list.column("created")[0].hasSuffix("Z"))
            #expect(!list.output.contains(made.output.prefix(20)))
            #expect(try Program.run("study", "keys", "revoke", "s", "tablet", in: folder).status == 0)
            #expect(try Program.run("study", "keys", "revoke", "s", "tablet", in: folder).status == 3)
            #expect(try Program.run("study", "keys", "list", "s", in: folder).column("state") == ["taken back"])
        }
    }

    @Test("a key ends by itself: after days, or with a day", arguments: ["30d", "2999-01-31"])
    func expiry(text: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "s", in: folder)
            let create = ["study", "keys", "create", "s", "--name", "guest", "--expires"]
            for wrong in ["0d", "d", "30", "2001-01-01", "soon", "-1d", "2999-13-01"] {
                #expect(try Program.run(create + [wrong], in: folder).status == 2)
            }
            #expect(try Program.run(create + [text], in: folder).status == 0)
            let list = try Program.run("study", "keys", "list", "s", in: folder)
            let end = try list.column("expires")[0]
            #expect(text == "30d" ? end.hasSuffix("Z") : end.hasPrefix("2999-02-01T00:00:00"))
            #expect(try list.column("state") == ["valid"])
        }
    }

    @Test("places of devices are added, listed and removed")
    func places() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "s", in: folder)
            let add = ["study", "places", "add", "s"]
            #expect(try Program.run(add + ["polar@A0:9E:1A:00:11:22", "muse@*"], in: folder).status == 0)
            for wrong in ["kettle@1", "polar@A0,streams=ecg", ""] {
                #expect(try Program.run(add + [wrong], in: folder).status == 2)
            }
            #expect(try Program.run("study", "places", "remove", "s", "muse@*", in: folder).status == 0)
            #expect(try Program.run("study", "places", "remove", "s", "muse@*", in: folder).status == 3)
            let list = try Program.run("study", "places", "list", "s", in: folder)
            #expect(try list.column("place") == ["polar@A0:9E:1A:00:11:22"])
        }
    }

    @Test("lists as JSON name what their tables name: a key's state, the code of a calibration's status")
    func listsAsJSON() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "s", in: folder)
            for name in ["tablet", "phone"] {
                try Program.run("study", "keys", "create", "s", "--name", name, in: folder)
            }
            try Program.run("study", "keys", "revoke", "s", "phone", in: folder)
            let keys = try Self.objects("study", "keys", "list", "s", "--json", in: folder)
            #expect(keys.map { $0["state"] as? String } == ["valid", "taken back"])
            #expect(keys.map { $0["name"] as? String } == ["tablet", "phone"])
            try Program.run(
                "calibrate", "register", "s", "--subject", "01", "--prediction", "enjoyment", in: folder)
            let status = ["calibrate", "status", "s", "--subject", "01", "--history"]
            let changes = try Self.objects(status + ["--json"], in: folder)
            let told = try Program.run(status, in: folder).column("code").map { Int($0) }
            #expect(changes.map { $0["code"] as? Int } == told && changes.map { $0["status"] as? Int } == told)
        }
    }

    private static func objects(_ arguments: String..., in folder: URL) throws -> [[String: Any]] {
        try objects(arguments, in: folder)
    }

    private static func objects(_ arguments: [String], in folder: URL) throws -> [[String: Any]] {
        let output = try Program.run(arguments, in: folder).output
        return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
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
