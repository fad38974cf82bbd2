import Devices
import Foundation
import Signals
import Simulation
import Testing

@Suite struct DeviceFaultTests {
    private func bearers(_ models: [String]) throws -> [FaultBearer] {
        try models.map { try #require(DeviceModel.named($0)).bearer }
    }

    @Test func everyFaultHasAName() throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let encoded = try JSONSerialization.jsonObject(with: encoder.encode(DeviceFaults())) as? [String: Any]
        #expect(encoded.map { Set($0.keys) } == Set(DeviceFault.allCases.map(\.rawValue)))
        #expect(DeviceFaults().kinds.isEmpty)
    }

    @Test(
        "a fault that no device can have is refused with both names",
        arguments: [
            ("empatica-e4", "frozenStamps"), ("methodscript", "contactLost"), ("heart-rate", "clockJumps"),
            ("muse", "tags"), ("arctop", "clockDrift"), ("lsl", "tags"),
        ])
    func refused(model: String, fault: String) throws {
        var faults = DeviceFaults()
        faults.clockDrift = fault == "clockDrift" ? 50 : 0
        faults.clockJumps = fault == "clockJumps" ? [DeviceFaults.ClockJump(at: 1, by: 2)] : []
        faults.frozenStamps = fault == "frozenStamps" ? [1..<2] : []
        faults.contactLost = fault == "contactLost" ? [1..<2] : []
        faults.tags = fault == "tags" ? [1] : []
        let devices = try bearers([model])
        #expect { _ = try devices.shortcomings(faults, LinkFaults()) } throws: { error in
            "\(error)".contains(model) && "\(error)".contains(fault)
        }
    }

    @Test func ofSeveralDevicesThoseThatGoWithoutAreTold() throws {
        var faults = DeviceFaults()
        faults.clockDrift = 50
        faults.clockJumps = [DeviceFaults.ClockJump(at: 1, by: 2)]
        let lines = try bearers(["heart-rate", "polar", "muse", "muse"]).shortcomings(faults, LinkFaults())
        #expect(lines == ["heart-rate, muse cannot have the fault “clockJumps” and go without"])
        faults.clockJumps = []
        #expect(
            try bearers(["heart-rate", "polar", "muse", "methodscript"]).shortcomings(faults, LinkFaults()).isEmpty)
    }

    @Test func whatHasNoLinkHasNoFaultsOfOne() throws {
        var link = LinkFaults()
        (link.seed, link.spared) = (7, [BluetoothUUID(high: 1, low: 2)])
        let devices = try bearers(["lsl"])
        #expect(try devices.shortcomings(DeviceFaults(), link).isEmpty)
        link.loss = 0.1
        #expect(throws: DeviceFailure.self) { try devices.shortcomings(DeviceFaults(), link) }
        #expect(try bearers(["lsl", "empatica-e4"]).shortcomings(DeviceFaults(), link).count == 1)
    }

    @Test func aWristbandOffTheSkinShowsNeitherPulseNorConductance() {
        var simulation = EmpaticaSimulation()
        simulation.contactLost = [40..<60]
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator(simulation))
        dialogue.run(until: 80)
        for (stream, rate) in [("bvp", 64.0), ("eda", 4), ("temperature", 4)] {
            let got = dialogue.events.samples(stream).flatMap { $0.block.channel(0) }
            let truth = dialogue.measured.filter { $0.stream == stream }.flatMap { $0.block.channel(0) }
            #expect(got == truth)
            let off: Float = stream == "temperature" ? 22 : 0
            #expect(got[Int(40 * rate)..<Int(60 * rate)].allSatisfy { $0 == off })
            #expect(Set(got[Int(20 * rate)..<Int(40 * rate)]).count > 5)
            #expect(Set(got[Int(60 * rate)...]).count > 5)
        }
        let beats = dialogue.measured.filter { $0.stream == "ibi" }
        #expect(dialogue.events.values("ibi").count == beats.count)
        #expect(beats.contains { $0.time < 40 } && beats.contains { $0.time > 60 })
        // Neither end of an interval is off the skin.
        let spans = beats.map { ($0.time - Double($0.block.samples[0]), $0.time) }
        #expect(spans.allSatisfy { $0.1 < 40.02 || $0.0 > 59.98 })
    }

    @Test func anInstrumentsTimerGoesFast() throws {
        let script = try MethodSCRIPTScript(
            text: """
                var t
                var p
                var c
                timer_start
                meas_loop_ca p c 500m 200m 60
                timer_get t
                pck_start
                pck_add t
                pck_add c
                pck_end
                endloop
                """)
        func run(_ drift: Double) throws -> (times: [Seconds], stamps: [Seconds]) {
            var faults = DeviceFaults()
            faults.clockDrift = drift
            let model = try #require(DeviceModel.named("methodscript"))
            let make = try #require(model.simulator)
            var dialogue = Dialogue(
                MethodSCRIPTConversation(MethodSCRIPTSettings(.serial, script: script)),
                try #require(make(SimulationParameters(), faults) as? MethodSCRIPTSimulator))
            dialogue.run(until: 70)
            #expect(dialogue.events.failures.isEmpty)
            let times = dialogue.measured.filter { $0.stream == "current" }.map(\.time)
            return (times, dialogue.events.values("current").compactMap(\.deviceTime))
        }
        let (exact, fast) = (try run(0), try run(50))
        #expect(exact.times.count == 300 && fast.times.count == 300 && fast.stamps.count == 300)
        // A minute by its timer is 3 ms less than a minute.
        let elapsed = [exact.times, fast.times].map { ($0.last ?? 0) - ($0.first ?? 0) }
        #expect(abs(elapsed[0] - elapsed[1] * 1.00005) < 1e-6)
        #expect(zip(exact.stamps, fast.stamps).allSatisfy { abs($0 - $1) < 1e-6 })
    }
}
