import Devices
import Formats
import Foundation
import Glibc
import Signals
import TestSupport
import Testing

/// `simulate --serve` and the verbs that use devices, as a user meets them.
struct SimulatedDevicesTests {
    @Test(arguments: [
        (#"{"device": {"batery": 0.2}}"#, "battery"), (#"{"lnk": {}}"#, "device and link"), ("[1]", "expected JSON"),
        (#"{"link": {"loss": "much"}}"#, "link"), (#"{"device": {"clockDrift": -2000000}}"#, "parts per million"),
        (#"{"device": {"clockJumps": [{"moment": 5, "by": 1e300}]}}"#, "clockJumps"),
        (#"{"link": {"delay": [-1, 0]}}"#, "delay is -1"), (#"{"link": {"disconnectsPerHour": -1}}"#, "0 to 36000"),
        (#"{"device": {"resets": [-3]}}"#, "resets is -3"),
        (#"{"link": {"stalls": [[5, 1e9]]}}"#, "stalls is 1000000000"),
        (#"{"link": {"seed": -1}}"#, "link: seed is -1, but it is a whole number from 0 on"),
        (#"{"link": {"seed": null}}"#, "link: seed is null, but it is a whole number"),
        (#"{"link": {"delay": 0.2}}"#, "but it is two numbers of seconds"), (#"{"link": {"delay": 2}}"#, "delay is 2,"),
        (#"{"link": {"stalls": [[8, 5]]}}"#, "stalls is [[8,5]], but it is a list of beginnings and ends"),
        (#"{"device": {"clockJumps": [{"moment": 5}]}}"#, #"clockJumps is [{"moment":5}], but it is a list like"#),
        (#"{"device": {"decimalComma": "yes"}}"#, #"decimalComma is "yes", but it is true or false"#),
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

    @Test func devicesListTellsProgramsAsMuch() throws {
        struct Listed: Decodable {
            struct Kind: Decodable { var id, place: String, options: [[String: String]] }
            var devices: [Kind]
            var serialPorts: [[String: String]]
        }
        let outcome = try Program.run("devices", "list", "--json")
        #expect(outcome.status == 0)
        let listed = try JSONDecoder().decode(Listed.self, from: Data(outcome.output.utf8))
        let kinds = Dictionary(listed.devices.map { ($0.id, $0) }) { first, _ in first }
        #expect(kinds["empatica-e4"]?.place == "HOST:PORT (127.0.0.1:28000)")
        #expect(kinds["arctop"]?.place == "HOST:PORT")
        let manual = try #require(kinds["empatica-e4"]?.options.first { $0["name"] == "manual" })
        #expect(manual["default"] == "no" && manual["meaning"]?.isEmpty == false)
    }

    @Test("a table of what was measured that is there already is not replaced, unless that is wanted")
    func measuredTableThatIsThere() throws {
        try withTemporaryFolder { folder in
            let table = folder.appendingPathComponent("tr.tsv")
            try Data("of another day".utf8).write(to: table)
            // A kind of device that there is not, so that nothing is served where the table may be replaced.
            let options = ["simulate", "--serve", "abacus", "--truth", "tr.tsv"]
            let outcome = try Program.run(options, in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("tr.tsv: exists already"), "\(outcome.messages)")
            #expect(try Data(contentsOf: table) == Data("of another day".utf8))
            let forced = try Program.run(options + ["--force"], in: folder)
            #expect(forced.status == 2 && forced.messages.contains("abacus"), "\(forced.messages)")
        }
    }

    @Test(arguments: [
        // 130 Hz of ECG, 50 Hz of three axes, 55 Hz of four colours, pulse intervals, and what comes now and then.
        ("polar@A0:9E:1A:00:11:22", "polar 4.", "assuming"),
        ("polar@A0:9E:1A:00:11:22,streams=ecg", "polar 2.2 kB/s", "assuming"),
        ("cell=methodscript@/dev/null,baud=921600", "cell 131.6 kB/s, assuming all that 921600 baud carry", "64 kB/s"),
    ])
    func aSessionThatDoesNotFitSaysWhatItWasReckonedFrom(device: String, reason: String, not: String) throws {
        try withTemporaryFolder { folder in
            let outcome = try Program.run("acquire", "s.xdf", device, "--duration", "1e14", in: folder)
            #expect(outcome.status != 0)
            #expect(
                outcome.messages.contains("needs about") && outcome.messages.contains(reason), "\(outcome.messages)")
            #expect(!outcome.messages.contains(not))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aProgramSteersASessionByLinesOnStandardInput() throws {
        try withTemporaryFolder { folder in
            let served = try Beside(["simulate", "--serve", "empatica-e4"], in: folder)
            defer { served.process.terminate() }
            let place = try #require(served.line(with: "empatica-e4@"))
            let session = try Beside(["acquire", "s.xdf", "wrist=" + place, "--json", "--commands"], in: folder)
            defer { session.process.terminate() }
            _ = session.line(with: #""event":"pulse""#, "wrist-bvp")
            session.say(#"{"tag":"stimulus"}"#)
            #expect(session.line(with: #""event":"marker""#, "stimulus") != nil)
            session.say("now")
            #expect(session.line(with: #""event":"failure""#, #""device":"command""#, "tag") != nil)
            session.say(#"{"command":"pause","device":"wrist"}"#)
            #expect(session.line(with: #""paused":true"#) != nil)
            session.say(#"{"command":"resume"}"#)
            #expect(session.line(with: #""paused":false"#) != nil)
            session.say(#"{"command":"finish","device":"wrist"}"#)
            #expect(session.line(with: #""event":"failure""#, #""device":"command""#, "without a device") != nil)
            session.say(#"{"tag":"still there"}"#)
            #expect(session.line(with: #""event":"marker""#, "still there") != nil)
            session.say(#"{"command":"finish"}"#)
            #expect(session.line(with: #""event":"finished""#) != nil)
            session.process.waitUntilExit()
            #expect(session.process.terminationStatus == 0)
            let info = try Program.run("info", "s.xdf", in: folder)
            #expect(info.status == 0 && info.output.contains("wrist-bvp"))
            // Its tags are in the table next to it, also without an analysis, and are read once.
            let table = folder.appendingPathComponent("s_events.tsv")
            let lines = try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 3 && lines[1].contains("stimulus") && lines[2].contains("still there"))
            let recording = try Recording(reading: try RecordingFile.open(folder.appendingPathComponent("s.xdf")))
            #expect(recording.markers.map(\.label) == ["stimulus", "still there"] && recording.header.notes.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1)), .enabled(if: PrivateBus.isPresent, "dbus-daemon is not installed"))
    func aKilledSimulatorLeavesNoBus() throws {
        try withTemporaryFolder { folder in
            let served = try Beside(["simulate", "--serve", "heart-rate"], in: folder)
            let line = try #require(served.line(with: "DBUS_SYSTEM_BUS_ADDRESS="))
            let address = try #require(line.wholeMatch(of: /.*unix:path=([^,]+).*/)).output.1
            let socket = try BusSocket(path: String(address))
            kill(served.process.processIdentifier, SIGKILL)
            // The daemon ends, and with it the connection.
            #expect(socket.readToEnd())
        }
    }

    @Test(.timeLimit(.minutes(1))) func aSecretOnTheCommandLineIsRefused() throws {
        try withTemporaryFolder { folder in
            for verb in [["acquire", "s.xdf"], ["devices", "probe"]] {
                let outcome = try Program.run(verb + ["arctop@127.0.0.1:9,key=SECRET,scale=1"], in: folder)
                #expect(outcome.status == 2)
                #expect(outcome.messages.contains("keyFile=") && outcome.messages.contains("MAREY_ARCTOP_KEY"))
                #expect(!outcome.messages.contains("SECRET") && !outcome.output.contains("SECRET"))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1))) func probingADeviceAsWhatItIsNotFails() throws {
        try withTemporaryFolder { folder in
            let served = try Beside(["simulate", "--serve", "empatica-e4"], in: folder)
            defer { served.process.terminate() }
            let place = try #require(served.line(with: "empatica-e4@"))
            let right = try Program.run("devices", "probe", place, "--duration", "4", in: folder)
            #expect(right.status == 0 && right.output.contains("bvp"), "\(right.messages)")
            try Data("none\n".utf8).write(to: folder.appendingPathComponent("account"))
            let other = "arctop@" + place.split(separator: "@")[1] + ",keyFile=account,scale=1"
            let wrong = try Program.run("devices", "probe", other, "--duration", "4", in: folder)
            #expect(wrong.status == 3 && wrong.messages.contains("arctop"), "\(wrong.output)\(wrong.messages)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func aRunInWhichNothingArrivesHasFailed() throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("study", "init", "s", in: folder).status == 0)
            let outcome = try Program.run(
                "acquire", "--study", "s", "--subject", "01", "empatica-e4@127.0.0.1:9", "--duration", "2", in: folder)
            #expect(outcome.status == 1 && outcome.messages.contains("nothing arrived"), "\(outcome.messages)")
            let status = try Program.run("study", "status", "s", in: folder)
            #expect(status.output.contains("failed") && !status.output.contains("finished"), "\(status.output)")
            #expect(try status.column("message") == ["nothing arrived"])
        }
    }

    @Test("raw bytes that are there already are refused before there is a recording")
    func rawBytesThatAreThere() throws {
        try withTemporaryFolder { folder in
            let name = "d.empatica-e4.bytes"
            try Data("of another session".utf8).write(to: folder.appendingPathComponent(name))
            let outcome = try Program.run(
                "acquire", "d.xdf", "empatica-e4@127.0.0.1:9", "--duration", "1", "--raw-log", in: folder)
            #expect(outcome.status == 3, "\(outcome.messages)")
            #expect(outcome.messages.contains("\(name): exists already; a recording is never overwritten"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
            #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Data("of another session".utf8))
        }
    }

    @Test("in a study the next run is taken where raw bytes are there already", .timeLimit(.minutes(1)))
    func rawBytesThatAreThereInAStudy() throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("study", "init", "s", in: folder).status == 0)
            let place = folder.appendingPathComponent("s/sourcedata/sub-01")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let log = place.appendingPathComponent("sub-01_run-1.empatica-e4.bytes")
            try Data("of another session".utf8).write(to: log)
            let words = [
                "acquire", "--study", "s", "--subject", "01", "empatica-e4@127.0.0.1:9", "--duration", "1", "--raw-log",
            ]
            let outcome = try Program.run(words, in: folder)
            #expect(outcome.status == 1 && outcome.messages.contains("sub-01_run-2.xdf"), "\(outcome.messages)")
            #expect(try Data(contentsOf: log) == Data("of another session".utf8))
            let wanted = try Program.run(words + ["--run", "1"], in: folder)
            #expect(
                wanted.status != 0 && wanted.messages.contains("sub-01_run-1.empatica-e4.bytes"), "\(wanted.messages)")
            #expect(try Data(contentsOf: log) == Data("of another session".utf8))
        }
    }

    @Test(.timeLimit(.minutes(1))) func aSessionOfAStudyEndsWithWhereItIsCopiedTo() throws {
        try withTemporaryFolder { folder in
            let served = try Beside(["simulate", "--serve", "empatica-e4"], in: folder)
            defer { served.process.terminate() }
            let place = try #require(served.line(with: "empatica-e4@"))
            #expect(try Program.run("study", "init", "s", in: folder).status == 0)
            let options = ["acquire", "--study", "s", "--subject", "01", place, "--duration", "3"]
            let first = try Program.run(options, in: folder)
            #expect(first.messages.contains("marey upload s --to REMOTE:PATH"), "\(first.messages)")
            // Where there is no rclone nothing is copied, and no place is known.
            let named = try Program.run("upload", "s", "--to", "backup", in: folder)
            guard !named.messages.contains("rclone") else { return }
            let second = try Program.run(options, in: folder)
            #expect(
                second.messages.contains("queued for ") && second.messages.contains("/backup"), "\(second.messages)")
        }
    }

    @Test(arguments: [
        (["acquire", "polar@A0"], ".xdf"), (["acquire", "s.xdf"], "device"),
        (["acquire", "s.xdf", "polr@A0"], "polar"),
        (["acquire", "s.xdf", "polar@A0", "--until", "25:00"], "HH:MM"),
        (["acquire", "s.xdf", "polar@A0", "--until", "7:5"], "HH:MM"),
        (["acquire", "s.xdf", "polar@A0", "--subject", "01"], "--subject needs --study"),
        (["acquire", "s.xdf", "polar@A0", "--session", "1"], "--session needs --study"),
        (["acquire", "s.xdf", "polar@A0", "--run", "2"], "--run needs --study"),
        (["acquire", "s.xdf", "empatica-e4@127.0.0.1:9,manual=maybe"], "manual must be yes or no"),
        (["acquire", "s.xdf", "polar@A0:9E:1A:00:11:22", "h10=polar@a0:9e:1a:00:11:22"], "named twice"),
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
