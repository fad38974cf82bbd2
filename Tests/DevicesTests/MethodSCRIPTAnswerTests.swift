import Devices
import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What instruments of other firmware answer, and scripts with long lines.
@Suite struct MethodSCRIPTAnswerTests {
    private static let script = "var p\nset_e 0\n"

    private func events(
        _ simulation: MethodSCRIPTSimulation, _ script: String = Self.script, largest: Int? = nil
    ) throws -> [DeviceEvent] {
        var dialogue = Dialogue(
            MethodSCRIPTConversation(MethodSCRIPTSettings(.serial, script: try MethodSCRIPTScript(text: script))),
            MethodSCRIPTSimulator(simulation))
        var generator = SplitMix64(seed: 5)
        if let largest { dialogue.cut = { pieces(of: $0, using: &generator, upTo: largest) } }
        dialogue.run(until: 20)
        return dialogue.events
    }

    @Test(
        "an answer to t of one line or several, with its end or without, is taken in whatever pieces it comes",
        arguments: [
            ("tespico1201#Apr 16 2019 16:18:13*\n", "EmStat Pico", "1.2.01", "Apr 16 2019 16:18:13", nil),
            ("testpico#Aug 2 2019 11:06:07\n", "estpico", "", "Aug 2 2019 11:06:07", nil),
            ("tespico1304#Oct 22 2021 14:38:26\nR*\n", "EmStat Pico", "1.3.04", "Oct 22 2021 14:38:26", "R"),
            ("tespico1304#Oct 22 2021 14:38:26\nbeta\nR*\n", "EmStat Pico", "1.3.04", "Oct 22 2021 14:38:26", "beta R"),
            ("tespico1304#Oct 22 2021 14:38:26\nR\n", "EmStat Pico", "1.3.04", "Oct 22 2021 14:38:26", "R"),
            ("tes4_lr1500#Mar 12 2026 14:28:01*", "EmStat4S LR", "1.5.00", "Mar 12 2026 14:28:01", nil),
            ("tes4_hr1100*\n", "EmStat4S HR", "1.1.00", "", nil), ("tfoo9999#x\n", "foo", "9.9.99", "x", nil),
        ] as [(String, String, String, String, String?)], [1, 3, 64])
    func version(
        answer: (text: String, model: String, firmware: String, built: String, release: String?), largest: Int
    ) throws {
        var simulation = MethodSCRIPTSimulation()
        simulation.versionAnswer = answer.text
        let events = try events(simulation, largest: largest)
        let identity = try #require(events.compactMap { if case .identity(let who) = $0 { who } else { nil } }.first)
        #expect(identity.model == answer.model && identity.firmware == answer.firmware)
        #expect(identity.details["built"] == answer.built && identity.details["release"] == answer.release)
        #expect(identity.serialNumber == "EP21SIM0001")
        #expect(events.failures.isEmpty && events.malformed.isEmpty && events.last == .finished)
    }

    @Test("an echo and junk before the answer are passed over")
    func junk() throws {
        var simulation = MethodSCRIPTSimulation()
        simulation.versionAnswer = "t\n\u{1}junk\ntespico1304#x\nR*\n"
        #expect(try events(simulation).last == .finished)
    }

    @Test("silence is still told as such")
    func silence() throws {
        var simulation = MethodSCRIPTSimulation()
        simulation.versionAnswer = ""
        #expect(try events(simulation).failures.first?.code == "timeout")
    }

    @Test(
        "lines of scripts are sent as long as they are; the instrument says if it cannot", arguments: [129, 194, 1_024])
    func longLines(length: Int) throws {
        let line = "send_string \"" + String(repeating: "x", count: length - 14) + "\""
        #expect(line.utf8.count == length)
        let events = try events(MethodSCRIPTSimulation(), "var p\n\(line)\n")
        #expect(events.failures.isEmpty && events.last == .finished)
        #expect(events.logs.contains { $0.contains("line 2") && $0.contains("\(length) characters") })
        #expect(events.logs.contains(String(repeating: "x", count: length - 14)))
        var strict = MethodSCRIPTSimulation()
        strict.longestLine = MethodSCRIPTScript.documentedLine
        let refused = try self.events(strict, "var p\n\(line)\n").failures.first
        #expect(refused?.code == "0008" && refused?.description.contains("line 2") == true)
    }

    @Test("a line that is none of a script is refused before anything is sent")
    func endlessLine() {
        #expect(throws: FormatError.self) {
            try MethodSCRIPTScript(text: "var " + String(repeating: "p", count: MethodSCRIPTScript.longestLine))
        }
    }

    @Test("the high-speed flag of a current range stays in streams and tables", arguments: 0..<256)
    func highSpeed(index: Int) throws {
        let digits = String(index, radix: 16, uppercase: true)
        let range = "2" + (digits.count < 2 ? "0" : "") + digits
        let line = "Pab8000000 ;ba48D503Dp,10,\(range)"
        let package = try MethodSCRIPTPackage(line: Array(line.utf8))
        let current = try #require(package["ba"])
        for family in [MethodSCRIPTFamily.emStatPico, .sensitWearable] {
            let labels = MethodSCRIPTVariableType(anyCode: "ba").channels(of: family).map(\.label)
            let numbers = current.numbers(of: family)
            #expect(labels.last == "highSpeed" && labels.count == numbers.count)
            let isKnown = family.currentRange(index) != nil
            #expect(isKnown ? numbers[4] == (index >= 128 ? 1 : 0) : numbers[4].isNaN)
            var run = MethodSCRIPTRun(family: family)
            run.add(.package(package), at: 0)
            let column = try #require(run.table.columns.firstIndex { $0.name == "currentHighSpeed" })
            #expect(run.table.rows[0][column] == (isKnown ? .integer(index >= 128 ? 1 : 0) : .missing))
            // A potential has no such range.
            #expect(MethodSCRIPTVariableType(anyCode: "ab").channels(of: family).last?.label == "noise")
        }
        for family in [nil, MethodSCRIPTFamily.emStat4LR, .nexus] {
            #expect(current.numbers(of: family).count == 4)
            #expect(MethodSCRIPTVariableType(anyCode: "ba").channels(of: family).count == 4)
        }
    }
}
