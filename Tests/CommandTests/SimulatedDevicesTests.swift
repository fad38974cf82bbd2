import Foundation
import TestSupport
import Testing

/// `simulate --serve` and the verbs that use devices, as a user meets them.
struct SimulatedDevicesTests {
    @Test(arguments: [
        (#"{"device": {"batery": 0.2}}"#, "battery"), (#"{"lnk": {}}"#, "device and link"), ("[1]", "expected JSON"),
        (#"{"link": {"loss": "much"}}"#, "link"),
    ])
    func aFaultThatMakesNoSenseNamesWhatWould(text: String, hint: String) throws {
        try withTemporaryFolder { folder in
            try Data(text.utf8).write(to: folder.appendingPathComponent("faults.json"))
            let outcome = try Program.run("simulate", "--serve", "polar", "--faults", "faults.json", in: folder)
            #expect(outcome.status == 2)
            #expect(outcome.messages.contains(hint), "\(outcome.messages)")
        }
    }

    @Test func devicesListNamesEveryKind() throws {
        let outcome = try Program.run("devices", "list")
        #expect(outcome.status == 0)
        for kind in ["heart-rate", "polar", "muse", "empatica-e4", "methodscript", "arctop", "lsl"] {
            #expect(outcome.output.contains(kind))
        }
    }

    @Test(arguments: [
        (["acquire", "polar@A0"], ".xdf"), (["acquire", "s.xdf"], "device"),
        (["acquire", "s.xdf", "polr@A0"], "polar"),
        (["acquire", "s.xdf", "polar@A0", "--until", "25:00"], "HH:MM"),
    ])
    func misuseOfAcquireSaysWhatWouldBeRight(arguments: [String], hint: String) throws {
        try withTemporaryFolder { folder in
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 2)
            #expect(outcome.messages.contains(hint), "\(outcome.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }
}
