public import Formats
import Kernels
public import Signals
import Simulation

/// What determines a simulated MethodSCRIPT instrument.
public struct MethodSCRIPTSimulation: Hashable, Sendable {
    /// Its family; it has the family's current ranges.
    public var family = MethodSCRIPTFamily.emStatPico
    /// Four digits of the firmware's version.
    public var version = "1304"
    /// Its serial number.
    public var serialNumber = "EP21SIM0001"
    /// How it is connected.
    public var link = MethodSCRIPTSettings.Connection.serial
    /// Where all randomness comes from.
    public var seed: UInt64 = 1
    /// Series resistance of the cell in Ω.
    public var seriesResistance: Double = 1_000
    /// Charge-transfer resistance of the cell in Ω.
    public var transferResistance: Double = 9_000
    /// Double-layer capacitance of the cell in F.
    public var capacitance: Double = 1e-6
    /// By how many parts per million its timer, and with it all it measures, goes fast.
    public var drift: Double = 0
    /// Every so many packages the current is not a number; nil: never.
    public var nanEvery: Int?
    /// Every so many packages the current is said to be beyond the range; nil: never.
    public var overloadEvery: Int?
    /// After so many packages the script fails with a critical overload; nil: it does not.
    public var failsAfter: Int?
    /// The longest line of a script that it takes, in characters.
    public var longestLine = MethodSCRIPTScript.longestLine
    /// The answer to `t`, line feeds included; nil: its family and version in one line, `R*` in another.
    public var versionAnswer: String?
    /// What it sends when someone connects, as some modules do.
    public var junk = ""

    /// An EmStat Pico at a cell of 10 kΩ, undisturbed.
    public init() {}
}

/// An instrument that runs MethodSCRIPT: answers `t i v`, takes scripts, runs them in time, obeys `Z Y h H`.
///
/// Of the language it knows variables and arithmetic, `loop`, `if`, `wait`, `set_e`, `cell_on`, `cell_off`, `meas`,
/// the measurement loops `ca lsv cv ocp eis`, packages, `send_string`, the timer, and `on_finished:`; settings of the
/// potentiostat are accepted and ignored. Anything else is refused as an instrument does.
public struct MethodSCRIPTSimulator: DeviceSimulator {
    private let simulation: MethodSCRIPTSimulation
    /// Seconds of the instrument's clock, by which scripts run, in a second.
    private let clockRate: Double
    private var lines = LineBuffer(limit: 4096)
    private var isConnected = false
    /// The lines of a script that is being received; nil: none is.
    private var script: [String]?
    private var isLoadOnly = false
    private var loaded: MethodSCRIPTProgram?
    private var execution: MethodSCRIPTExecution?
    private var halted: Seconds?
    private var runs: UInt64 = 0
    private var counts: [String: Int] = [:]

    /// The instrument of `simulation`.
    public init(_ simulation: MethodSCRIPTSimulation = MethodSCRIPTSimulation()) {
        self.simulation = simulation
        clockRate = 1 + simulation.drift * 1e-6
    }

    /// When the running script goes on.
    public var due: Seconds? { halted == nil ? execution.map { $0.due / clockRate } : nil }

    /// What it offers over Bluetooth: the virtual serial port of its module.
    public var profile: GattProfile? {
        guard simulation.link == .bluetooth else { return nil }
        let service = GattService(
            MethodSCRIPTSettings.service,
            [
                GattCharacteristic(MethodSCRIPTSettings.output, [.notify]),
                GattCharacteristic(MethodSCRIPTSettings.input, [.write, .writeWithoutResponse]),
            ])
        return GattProfile(
            name: simulation.family.name, advertised: [MethodSCRIPTSettings.service], services: [service])
    }

    /// Someone connected; a script that runs, runs on.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        isConnected = true
        lines.reset()
        script = nil
        if !simulation.junk.isEmpty { send(simulation.junk, &actions) }
    }

    /// The connection is gone; a script that runs, runs on unheard.
    public mutating func disconnect(at moment: Seconds) {
        isConnected = false
    }

    /// Commands and scripts.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        advance(to: moment, into: &actions)
        for line in lines.append(bytes) {
            guard case .complete(let line) = line else { continue }
            take(String(decoding: line, as: UTF8.self), at: moment, &actions)
        }
    }

    /// Runs the script up to `moment`.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        guard let due, due <= moment, var execution else { return }
        self.execution = nil
        // What is due at this very moment is done, whatever rounding does.
        let output = execution.run(to: Swift.max(moment * clockRate, execution.due))
        self.execution = execution.isOver ? nil : execution
        report(output, &actions)
    }

    private mutating func report(_ output: [MethodSCRIPTExecution.Output], _ actions: inout [SimulatorAction]) {
        for item in output {
            switch item {
            case .line(let line): send(line + "\n", &actions)
            case .package(let package, let moment):
                send(package.text + "\n", &actions)
                for variable in package.variables where variable.type != "eb" {
                    let stream = MethodSCRIPTVariableType(anyCode: variable.type).name
                    let index = counts[stream, default: 0]
                    counts[stream] = index + 1
                    let block = SampleBlock([Float(variable.value.number)])
                    actions.append(
                        .measured(
                            MeasuredSamples(stream: stream, index: index, time: moment / clockRate, block: block)))
                }
            }
        }
    }

    private func send(_ text: String, _ actions: inout [SimulatorAction]) {
        guard isConnected else { return }
        let bytes = Array(text.utf8)
        guard simulation.link == .bluetooth else { return actions.append(.send(bytes, from: .stream)) }
        for start in stride(from: 0, to: bytes.count, by: MethodSCRIPTSettings.chunk) {
            let part = Array(bytes[start..<min(bytes.count, start + MethodSCRIPTSettings.chunk)])
            actions.append(.send(part, from: .characteristic(MethodSCRIPTSettings.output)))
        }
    }
}

/// Commands.
extension MethodSCRIPTSimulator {
    private mutating func take(_ line: String, at moment: Seconds, _ actions: inout [SimulatorAction]) {
        if var script {
            guard !line.isEmpty else {
                self.script = nil
                return load(script, at: moment, &actions)
            }
            // More than the memory of any instrument is not kept.
            if script.count < 10_000 { script.append(line) }
            self.script = script
            return
        }
        guard let command = line.first else { return }
        if execution != nil { return interrupt(line, at: moment, &actions) }
        switch line {
        case "t":
            let answer = "t\(simulation.family.rawValue)\(simulation.version)#Nov 21 2026 08:00:00\nR*\n"
            send(simulation.versionAnswer ?? answer, &actions)
        case "i": send("i\(simulation.serialNumber)\n", &actions)
        case "v": send("v01.09.00\n", &actions)
        case "e", "l":
            script = []
            isLoadOnly = line == "l"
        case "r":
            guard let loaded else { return send("r!000C\n", &actions) }
            send("r\n", &actions)
            start(loaded, at: moment)
        case "Z", "Y", "h", "H", "R": send("\(line)!0006\n", &actions)
        default: send("\(command)!0003\n", &actions)
        }
    }

    private mutating func load(_ script: [String], at moment: Seconds, _ actions: inout [SimulatorAction]) {
        let command = isLoadOnly ? "l" : "e"
        do throws(MethodSCRIPTFailure) {
            if let line = script.firstIndex(where: { $0.utf8.count > simulation.longestLine }) {
                throw MethodSCRIPTFailure(code: 0x8, line: line + 1, column: simulation.longestLine + 1)
            }
            let program = try MethodSCRIPTProgram(script)
            send(command + "\n", &actions)
            loaded = program
            if !isLoadOnly { start(program, at: moment) }
        } catch {
            var failure = error
            failure.command = command
            send(failure.text + "\n", &actions)
        }
    }

    private mutating func start(_ program: MethodSCRIPTProgram, at moment: Seconds) {
        runs += 1
        let cell = ElectrochemicalCell(
            family: simulation.family, series: simulation.seriesResistance, transfer: simulation.transferResistance,
            capacitance: simulation.capacitance, nanEvery: simulation.nanEvery,
            overloadEvery: simulation.overloadEvery, failsAfter: simulation.failsAfter)
        execution = MethodSCRIPTExecution(
            program, cell: cell, random: RandomSource(seed: simulation.seed, "cell \(runs)"), at: moment * clockRate)
        halted = nil
    }

    private mutating func interrupt(_ line: String, at moment: Seconds, _ actions: inout [SimulatorAction]) {
        switch line {
        case "Z":
            resume(at: moment)
            send("Z\n", &actions)
            report(execution?.abort(at: moment * clockRate) ?? [], &actions)
        case "Y":
            resume(at: moment)
            send("Y\n", &actions)
            report(execution?.leaveLoop(at: moment * clockRate) ?? [], &actions)
        case "h":
            if halted == nil { halted = moment }
            send("h\n", &actions)
        case "H":
            resume(at: moment)
            send("H\n", &actions)
        case "R": send("R\n", &actions)
        default: send("\(line.prefix(1))!0006\n", &actions)
        }
    }

    private mutating func resume(at moment: Seconds) {
        if let halted { execution?.delay(by: (moment - halted) * clockRate) }
        halted = nil
    }
}
