import Devices
import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct MethodSCRIPTConversationTests {
    static let amperometry = """
        var p
        var c
        var t
        set_pgstat_chan 0
        set_pgstat_mode 2
        set_max_bandwidth 80
        cell_on
        timer_start
        meas_loop_ca p c 500m 100m 5000m
            timer_get t
            pck_start
            pck_add t
            pck_add p
            pck_add c
            pck_end
        endloop
        on_finished:
        cell_off

        """
    static let sweep = """
        var p
        var c
        meas_loop_lsv p c -500m 500m 10m 100m
        pck_start
        pck_add p
        pck_add c
        pck_end
        endloop
        """
    static let spectrum = """
        var f
        var r
        var j
        meas_loop_eis f r j 15m 200k 20 41 0m
        pck_start
        pck_add f
        pck_add r
        pck_add j
        pck_end
        endloop
        on_finished:
        cell_off
        """
    static let nested = """
        var i
        var p
        var c
        store_var i 0i ja
        loop i < 3i
        add_var i 1i
        meas_loop_cv p c 0 100m -100m 50m 1 nscans(2)
        pck_start
        pck_add i
        pck_add p
        pck_add c
        pck_end
        endloop
        endloop
        send_string "done"
        """

    private func dialogue(
        _ text: String, _ simulation: MethodSCRIPTSimulation = MethodSCRIPTSimulation()
    ) throws -> Dialogue<MethodSCRIPTConversation, MethodSCRIPTSimulator> {
        let script = try MethodSCRIPTScript(text: text)
        return Dialogue(
            MethodSCRIPTConversation(MethodSCRIPTSettings(simulation.link, script: script)),
            MethodSCRIPTSimulator(simulation))
    }

    @Test(arguments: [MethodSCRIPTSettings.Connection.serial, .bluetooth])
    func aScriptRunsFromFileToTable(link: MethodSCRIPTSettings.Connection) throws {
        var simulation = MethodSCRIPTSimulation()
        simulation.link = link
        simulation.junk = "\u{0}~~junk"
        var dialogue = try dialogue(Self.amperometry, simulation)
        var generator = SplitMix64(seed: 2)
        if link == .serial { dialogue.cut = { pieces(of: $0, using: &generator, upTo: 13) } }
        dialogue.run(until: 20)
        #expect(dialogue.events.failures.isEmpty && dialogue.events.malformed.isEmpty)
        let identity = dialogue.events.compactMap { if case .identity(let who) = $0 { who } else { nil } }.first
        #expect(identity?.model == "EmStat Pico" && identity?.firmware == "1.3.04")
        #expect(identity?.serialNumber == "EP21SIM0001" && identity?.details["MethodSCRIPT"] == "01.09.00")
        let current = dialogue.events.values("current")
        let truth = dialogue.measured.filter { $0.stream == "current" }
        #expect(current.count == 50 && truth.count == 50)
        #expect(current.map { Float($0.values[0]) } == truth.map { $0.block.samples[0] })
        let stream = dialogue.events.streams.first { $0.id == "current" }
        #expect(stream?.clock == .deviceTime && stream?.header.kind == .current && stream?.header.sampleRate == 0)
        // The instrument's own time, 100 ms apart.
        for (index, row) in current.enumerated() {
            #expect(abs(try #require(row.deviceTime) - 0.1 * Double(index + 1)) < 2e-3)
        }
        #expect(dialogue.events.markers == ["measurement begins: CA", "measurement ends"])
        #expect(dialogue.events.last == .finished)
        let table = dialogue.events.scriptRun.table
        #expect(table.rows.count == 50 && table.columns.map(\.name).contains("currentStatus"))
        if link == .bluetooth { #expect(dialogue.sent.allSatisfy { $0.count <= 20 }) }
        if link == .serial {
            #expect(dialogue.sent.allSatisfy { $0.last == 0x0A && $0.count { $0 == 0x0A } == 1 })
        }
    }

    @Test func impedancesFollowTheCell() throws {
        var dialogue = try dialogue(Self.spectrum)
        dialogue.run(until: 60)
        let frequencies = dialogue.events.values("frequency").map(\.values[0])
        let real = dialogue.events.values("impedanceReal").map(\.values[0])
        let imaginary = dialogue.events.values("impedanceImaginary").map(\.values[0])
        #expect(frequencies.count == 41 && real.count == 41 && imaginary.count == 41)
        for index in frequencies.indices {
            let q = 2 * Double.pi * frequencies[index] * 9_000 * 1e-6
            #expect(abs(real[index] / (1_000 + 9_000 / (1 + q * q)) - 1) < 1e-3)
            #expect(abs(imaginary[index] / (-9_000 * q / (1 + q * q)) - 1) < 1e-3)
        }
        #expect(dialogue.events.streams.first { $0.id == "impedanceReal" }?.clock == .arrival)
    }

    @Test func sweepsShowTheResistance() throws {
        var dialogue = try dialogue(Self.sweep)
        dialogue.run(until: 30)
        let potential = dialogue.events.values("appliedPotential").map(\.values[0])
        let current = dialogue.events.values("current").map(\.values[0])
        #expect(potential.count == 101 && potential.first == -0.5 && potential.last == 0.5)
        let slope = (current[100] - current[0]) / (potential[100] - potential[0])
        #expect(abs(slope * 10_000 - 1) < 1e-3)
    }

    @Test func loopsAndScansNest() throws {
        var dialogue = try dialogue(Self.nested)
        dialogue.run(until: 30)
        #expect(dialogue.events.malformed.isEmpty && dialogue.events.failures.isEmpty)
        let scans = ["scan 1 begins", "scan ends", "scan 2 begins", "scan ends"]
        let round = ["measurement begins: CV"] + scans + ["measurement ends"]
        #expect(dialogue.events.markers == ["loop begins"] + round + round + round + ["loop ends"])
        #expect(dialogue.events.logs.contains("done"))
        #expect(dialogue.events.values("generic1").map(\.values[0]).max() == 3)
        let table = dialogue.events.scriptRun.table
        #expect(table.rows.last?[1] == .integer(3) && table.rows.last?[2] == .integer(2))
    }

    @Test func abortEndsTheScriptItsOwnWay() throws {
        var dialogue = try dialogue(Self.amperometry)
        dialogue.run(until: 2)
        let before = dialogue.events.values("current").count
        #expect(before > 0 && before < 50)
        dialogue.ask(.abort)
        #expect(dialogue.sent.last == Array("Z\n".utf8))
        dialogue.run(until: 2.1)
        #expect(dialogue.events.markers.last == "measurement ends" && dialogue.events.last == .finished)
        dialogue.run(until: 10)
        #expect(dialogue.events.values("current").count == before)
        #expect(!dialogue.conversation.isRunning && !dialogue.hasClosed)
    }

    @Test func stopAbortsAndLeaves() throws {
        var dialogue = try dialogue(Self.amperometry)
        dialogue.run(until: 2)
        dialogue.ask(.stop)
        dialogue.run(until: 3)
        #expect(dialogue.hasClosed && dialogue.events.contains(.finished))
    }

    @Test func haltAndResumeLeaveAPause() throws {
        var dialogue = try dialogue(Self.amperometry)
        dialogue.run(until: 2)
        dialogue.ask(.pause)
        let before = dialogue.events.values("current").count
        dialogue.run(until: 6)
        #expect(dialogue.events.values("current").count == before)
        dialogue.ask(.resume)
        dialogue.run(until: 20)
        #expect(dialogue.events.values("current").count == 50)
        #expect(dialogue.events.statuses == [.paused(true), .paused(false)])
    }

    @Test(arguments: [
        ("var p\nfrobnicate 1", "4001", "line 2, column 1"), ("store_var x 1 ja", "4007", "line 1, column 11"),
        ("# comment\n\nvar p\nset_e 12q", "4032", "line 4, column 7"), ("var a\nloop a < 1i", "4018", "line 2"),
    ])
    func aRefusedScriptNamesItsLineInTheFile(script: String, code: String, place: String) throws {
        var dialogue = try dialogue(script)
        dialogue.run(until: 5)
        let failure = try #require(dialogue.events.failures.first)
        #expect(failure.code == code && failure.description.contains(place))
        #expect(dialogue.events.last == .finished)
    }

    @Test func aFailingScriptKeepsItsData() throws {
        var simulation = MethodSCRIPTSimulation()
        simulation.failsAfter = 10
        simulation.nanEvery = 4
        simulation.overloadEvery = 5
        var dialogue = try dialogue(Self.amperometry, simulation)
        dialogue.run(until: 20)
        #expect(dialogue.events.failures.first?.code == "0032")
        let current = dialogue.events.values("current")
        #expect(current.count == 10 && current[3].values[0].isNaN && !current[4].values[0].isNaN)
        #expect(current[4].values[1] == 2 && current[3].values[1] == 0)
        #expect(dialogue.events.count { $0 == .finished } == 1)
    }

    @Test func aScriptLeftRunningIsAbortedFirst() throws {
        var simulator = MethodSCRIPTSimulator()
        var ignored: [SimulatorAction] = []
        simulator.connect(at: 0, into: &ignored)
        simulator.receive(Array("e\n\(Self.amperometry)\n".utf8), at: .stream, at: 0, into: &ignored)
        simulator.disconnect(at: 0.1)
        let script = try MethodSCRIPTScript(text: Self.amperometry)
        var dialogue = Dialogue(
            MethodSCRIPTConversation(MethodSCRIPTSettings(.serial, script: script)), simulator)
        dialogue.run(until: 20)
        #expect(dialogue.events.logs.contains("the instrument still runs a script; it is aborted"))
        #expect(dialogue.events.values("current").count == 50 && dialogue.events.failures.isEmpty)
    }

    @Test func withoutAScriptOneThatRunsIsListenedToAndLeftRunning() throws {
        var simulator = MethodSCRIPTSimulator()
        var ignored: [SimulatorAction] = []
        simulator.connect(at: 0, into: &ignored)
        simulator.receive(Array("e\n\(Self.amperometry)\n".utf8), at: .stream, at: 0, into: &ignored)
        simulator.disconnect(at: 0.1)
        var dialogue = Dialogue(MethodSCRIPTConversation(), simulator)
        dialogue.run(until: 3)
        #expect(dialogue.events.contains(.ready) && dialogue.events.malformed.isEmpty)
        #expect(dialogue.events.logs.contains { $0.contains("not sent from here") })
        #expect(dialogue.events.values("current").count > 20)
        dialogue.ask(.stop)
        #expect(dialogue.hasClosed && !dialogue.sent.contains(Array("Z\n".utf8)))
    }

    @Test func aScriptThatSomebodyElseBeginsIsListenedTo() {
        var dialogue = Dialogue(MethodSCRIPTConversation(), MethodSCRIPTSimulator())
        dialogue.run(until: 5)
        var actions: [ConversationAction] = []
        let printed = "M0001\nPda8000000 ;ba8000001m\nPda8000001 ;ba8000002m\n*\n\njunk\n"
        dialogue.conversation.receive(Array(printed.utf8), from: .stream, at: 5, into: &actions)
        let said = actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
        #expect(said.values("current").map(\.values[0]) == [0.001, 0.002])
        #expect(said.markers == ["measurement begins: DPV", "measurement ends"])
        #expect(said.scriptRun.table.rows.count == 2)
        // Over, so that what comes then is no output.
        #expect(said.malformed.count == 1)
    }

    @Test func silenceIsToldAfterATime() {
        var conversation = MethodSCRIPTConversation()
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        var wakes = 0
        while case .wake(let due)? = actions.last, wakes < 10 {
            wakes += 1
            conversation.wake(at: due, into: &actions)
        }
        #expect(actions.last == .close && wakes < 10)
    }

    @Test(arguments: [
        ("P", 0), ("*", 1), ("+", 1), ("-", 1), ("L", 0), ("M00", 1), ("C+001", 1), ("Q", 1), ("Tany text", 0),
    ])
    func strayLinesAreToldAndSurvived(line: String, malformed: Int) throws {
        let script = try MethodSCRIPTScript(text: "var p")
        var conversation = MethodSCRIPTConversation(MethodSCRIPTSettings(.serial, script: script))
        let output = running(&conversation, "\(line)\nPda8000000 \n\n")
        #expect(output.malformed.count == malformed)
        #expect(output.values("appliedPotential").count == 1 && output.contains(.finished))
    }

    /// Brings a conversation to a running script, then feeds it `text`.
    private func running(_ conversation: inout MethodSCRIPTConversation, _ text: String) -> [DeviceEvent] {
        running(&conversation, [Array(text.utf8)])
    }

    private func running(_ conversation: inout MethodSCRIPTConversation, _ bytes: [[UInt8]]) -> [DeviceEvent] {
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        for moment in [0.11, 0.22, 0.33] { conversation.wake(at: moment, into: &actions) }
        for answer in ["tespico1304#x\nR*\n", "iX\n", "v1\n", "e\n"] {
            conversation.receive(Array(answer.utf8), from: .stream, at: 0.4, into: &actions)
        }
        actions = []
        for piece in bytes { conversation.receive(piece, from: .stream, at: 1, into: &actions) }
        return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
    }

    @Test func mutatedOutputNeitherCrashesNorGrows() throws {
        let script = try MethodSCRIPTScript(text: "var p")
        let bytes = Array(
            """
            L
            M0007
            Pda7F85F3Fu;ba48D503Dp,10,288
            C0001
            Peb     nan;ea8000003i
            PdcDF5DFF4u;cc896D904m,10,287;cd82DB1A8u,10,287
            -
            *
            +
            Ttext
            !0028: Line 4

            """.utf8)
        var generator = SplitMix64(seed: 11)
        for _ in 0..<mutants(20_000) {
            var conversation = MethodSCRIPTConversation(MethodSCRIPTSettings(.serial, script: script))
            let said = running(&conversation, [mutated(bytes, using: &generator)])
            #expect(said.count < 100)
        }
        var conversation = MethodSCRIPTConversation(MethodSCRIPTSettings(.serial, script: script))
        var packages: [[UInt8]] = []
        for first in UInt8(ascii: "a")...UInt8(ascii: "z") {
            for second in UInt8(ascii: "a")...UInt8(ascii: "z") {
                packages.append([0x50, first, second] + Array("8000000 \n".utf8))
            }
        }
        #expect(running(&conversation, packages).streams.count <= 64)
    }

    @Test func mutatedScriptsDoNotCrashTheInstrument() {
        let bytes = Array("e\n\(Self.nested)\n\n".utf8)
        var generator = SplitMix64(seed: 12)
        for _ in 0..<3_000 {
            var simulator = MethodSCRIPTSimulator()
            var actions: [SimulatorAction] = []
            simulator.connect(at: 0, into: &actions)
            simulator.receive(mutated(bytes, using: &generator), at: .stream, at: 0, into: &actions)
            simulator.advance(to: 0.05, into: &actions)
            simulator.receive(Array("\n\nZ\nt\n".utf8), at: .stream, at: 0.06, into: &actions)
        }
    }

    @Test func scriptsAreCheckedBeforeTheyAreSent() throws {
        #expect(throws: (any Error).self) { try MethodSCRIPTScript(text: "# only\n\n") }
        #expect(throws: (any Error).self) { try MethodSCRIPTScript(text: "var µ") }
        #expect(throws: (any Error).self) { try MethodSCRIPTScript(text: String(repeating: "a", count: 4_097)) }
        let script = try MethodSCRIPTScript(text: "e\r\nvar p\r\n\r\n# c\r\n  cell_off  \r\n")
        #expect(script.lines == ["var p", "cell_off"] && script.fileLines == [2, 5] && script.fileLine(2) == 5)
        #expect(script.fileLine(0) == nil && script.fileLine(3) == nil)
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.mscr")
            try Data("var p\n".utf8).write(to: file)
            #expect(try MethodSCRIPTScript(contentsOf: file).lines == ["var p"])
        }
    }
}
