import Devices
import Formats
import Signals
import Testing

/// An instrument part of whose output is lost on the way.
@Suite struct MethodSCRIPTLossTests {
    private static let sweep = MethodSCRIPTConversationTests.sweep

    /// What is said, and what is sent, when the answers are these, `nil` being silence until all time-outs are over.
    private func talk(
        _ script: String, _ answers: [String?], last request: DeviceRequest? = nil
    ) throws -> (said: [DeviceEvent], sent: String) {
        var conversation = MethodSCRIPTConversation(
            MethodSCRIPTSettings(.bluetooth, script: try MethodSCRIPTScript(text: script)))
        var actions: [ConversationAction] = []
        var now = 0.0
        func wakeUp(until end: Double) {
            while case .wake(let due)? = actions.last(where: { if case .wake = $0 { true } else { false } }), due > now,
                due <= end
            {
                now = due
                conversation.wake(at: due, into: &actions)
            }
        }
        conversation.open(at: 0, into: &actions)
        wakeUp(until: 0.5)
        for answer in ["tespico1304#x\nR*\n", "iX\n", "v1\n"] + answers {
            if let answer {
                let output = Endpoint.characteristic(MethodSCRIPTSettings.output)
                conversation.receive(Array(answer.utf8), from: output, at: now, into: &actions)
            } else {
                wakeUp(until: now + 60)
            }
        }
        if let request { conversation.perform(request, at: now, into: &actions) }
        let sent = actions.flatMap { if case .send(let bytes, _, _) = $0 { bytes } else { [UInt8]() } }
        return (
            actions.compactMap { if case .emit(let event) = $0 { event } else { nil } },
            String(decoding: sent, as: UTF8.self)
        )
    }

    @Test func aLostAcceptanceLosesNothingElse() throws {
        let run = try talk(Self.sweep, ["M0001\nPda8000000 ;ba8000001m\n", "Pda8000001 ;ba8000002m\n*\n\n"])
        #expect(run.said.failures.isEmpty && run.said.malformed.isEmpty)
        #expect(run.said.values("current").count == 2)
        #expect(run.said.contains(.ready) && run.said.last == .finished)
        #expect(run.said.scriptRun.table.rows.count == 2)
    }

    @Test func anInstrumentThatDoesNotSayWhetherItTookTheScriptIsAborted() throws {
        let silent = try talk(Self.sweep, [nil])
        #expect(silent.said.failures.count == 2 && silent.said.last == .finished)
        #expect(silent.sent.hasSuffix("\n\nZ\n"))
        let idle = try talk(Self.sweep, [nil, "Z!0006\n"])
        #expect(idle.said.failures.count == 2 && idle.said.count { $0 == .finished } == 1)
        // One that never answered is told once more.
        #expect(try talk(Self.sweep, [nil], last: .stop).sent.hasSuffix("Z\nZ\n"))
        #expect(try talk(Self.sweep, [nil], last: .abort).sent.hasSuffix("Z\nZ\n"))
        #expect(try talk(Self.sweep, ["e\n\n"], last: .abort).sent.hasSuffix("Z\n"))
        #expect(try !talk(Self.sweep, ["e\n\n"], last: .stop).sent.hasSuffix("Z\n"))
    }

    @Test func abortingWhatDoesNotRunSaysSo() throws {
        let run = try talk(Self.sweep, ["e\n\n"], last: .abort)
        #expect(run.said.count { $0 == .finished } == 1)
        var conversation = MethodSCRIPTConversation(MethodSCRIPTSettings(.bluetooth))
        var actions: [ConversationAction] = []
        let output = Endpoint.characteristic(MethodSCRIPTSettings.output)
        conversation.open(at: 0, into: &actions)
        for moment in [0.11, 0.22, 0.33] { conversation.wake(at: moment, into: &actions) }
        for answer in ["tespico1304#x\nR*\n", "iX\n", "v1\n"] {
            conversation.receive(Array(answer.utf8), from: output, at: 0.4, into: &actions)
        }
        actions = []
        conversation.perform(.abort, at: 2, into: &actions)
        conversation.receive(Array("Z!0006\n".utf8), from: output, at: 2.1, into: &actions)
        let told = actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
        #expect(told.logs == ["no script runs that could be aborted"] && !told.contains(.finished))
    }

    @Test(arguments: [
        ("Pda8000000 ;ba8000001m,10;ba8000002m", "3 variables"), ("Pda8000000 ", "1 variables"),
    ])
    func twoTornLinesAreNoPackage(line: String, problem: String) throws {
        let whole = (0..<3).map { "Pda800000\($0) ;ba8000001m\n" }.joined()
        let run = try talk(Self.sweep, ["e\nM0001\n\(whole)\(line)\n\(whole)*\n\n"])
        #expect(run.said.malformed.count == 1 && run.said.malformed.first?.problem.contains(problem) == true)
        #expect(run.said.streams.map(\.id).sorted() == ["appliedPotential", "current"])
        #expect(run.said.values("current").count == 6)
        #expect(run.said.scriptRun.table.columns.count { $0.name.hasPrefix("current") } == 5)
    }

    @Test func aPackageMayHoldNowOneVariableAndNowAnother() throws {
        let both = (0..<20).map { _ in "Pda8000000 ;ba8000001m\nPda8000000 ;da8000001m\n" }.joined()
        let run = try talk(Self.sweep, ["e\nM0001\n\(both)*\n\n"])
        #expect(run.said.malformed.isEmpty && run.said.scriptRun.table.rows.count == 40)
    }

    @Test func packagesOfEachMeasurementAreItsOwn() throws {
        let script = Self.sweep + "\n" + MethodSCRIPTConversationTests.spectrum.replacing("pck_add j\n", with: "")
        let run = try talk(
            script,
            ["e\nM0000\nPda8000000 ;ba8000001m\n*\nM000D\nPdc8000000 ;cc8000001m\nPdc8000000 ;cc8000001m\n*\n\n"])
        #expect(run.said.malformed.isEmpty && run.said.values("impedanceReal").count == 2)
    }
}
