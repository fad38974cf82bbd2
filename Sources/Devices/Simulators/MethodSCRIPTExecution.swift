import Formats
import Foundation
import Kernels
import Signals
import Simulation

/// A running script of the simulated instrument.
struct MethodSCRIPTExecution: Sendable {
    /// What running it gives.
    enum Output: Sendable {
        case line(String)
        /// A package, with the moment it was measured.
        case package(MethodSCRIPTPackage, at: Seconds)
    }

    private let program: MethodSCRIPTProgram
    private let cell: ElectrochemicalCell
    private var random: RandomSource
    private var variables: [String: MethodSCRIPTVariable] = [:]
    private var frames: [Frame] = []
    private var place = 0
    private var package: [MethodSCRIPTVariable]?
    private var potential = 0.0
    private var timer: Seconds
    private var isFinishing = false
    private var packages = 0
    private(set) var isOver = false
    /// When the next instruction is due.
    private(set) var due: Seconds
    /// An instruction takes this long, so that no script runs for ever at one moment.
    private static let step: Seconds = 20e-6

    private struct Frame: Sendable {
        var start: Int
        var end: Int
        var measure: Measure?
    }

    private struct Measure: Sendable {
        var loop: MethodSCRIPTProgram.MeasureLoop
        var points: [ElectrochemicalCell.Point]
        var pointsPerScan: Int
        var next = 0
        var begin: Seconds
    }

    init(_ program: MethodSCRIPTProgram, cell: ElectrochemicalCell, random: RandomSource, at moment: Seconds) {
        self.program = program
        self.cell = cell
        self.random = random
        due = moment
        timer = moment
    }

    /// Runs everything due up to `moment`.
    mutating func run(to moment: Seconds) -> [Output] {
        var output: [Output] = []
        while !isOver, due <= moment {
            guard place < program.instructions.count else {
                end(&output)
                break
            }
            if !isFinishing, place == program.finish { isFinishing = true }
            let instruction = program.instructions[place]
            place += 1
            let now = due
            due += Self.step
            do throws(MethodSCRIPTFailure) {
                try perform(instruction.operation, line: instruction.line, at: now, &output)
            } catch {
                output.append(.line(error.text))
                end(&output)
            }
        }
        return output
    }

    /// Stops the script: closes its loops and goes on with what it does at the end.
    mutating func abort(at moment: Seconds) -> [Output] {
        var output: [Output] = []
        while let frame = frames.popLast() { close(frame, &output) }
        place = program.finish
        isFinishing = true
        package = nil
        due = moment
        return output
    }

    /// Leaves the innermost loop.
    mutating func leaveLoop(at moment: Seconds) -> [Output] {
        var output: [Output] = []
        guard let frame = frames.popLast() else { return output }
        close(frame, &output)
        place = frame.end
        due = moment
        return output
    }

    /// The script was halted for so long.
    mutating func delay(by duration: Seconds) {
        due += duration
        timer += duration
        for index in frames.indices { frames[index].measure?.begin += duration }
    }

    private mutating func end(_ output: inout [Output]) {
        while let frame = frames.popLast() { close(frame, &output) }
        output.append(.line(""))
        isOver = true
    }

    private func close(_ frame: Frame, _ output: inout [Output]) {
        guard let measure = frame.measure else { return output.append(.line("+")) }
        if measure.loop.scans > 1, measure.next > 0 { output.append(.line("-")) }
        output.append(.line("*"))
    }
}

/// The instructions.
extension MethodSCRIPTExecution {
    private mutating func perform(
        _ operation: MethodSCRIPTProgram.Operation, line: Int, at now: Seconds, _ output: inout [Output]
    ) throws(MethodSCRIPTFailure) {
        switch operation {
        case .nothing: break
        case .declare(let name): set(name, .init(0.0), "aa")
        case .store(let name, let operand, let type): set(name, wire(value(operand), type), type)
        case .change(let name, let sign, let operand): try change(name, sign, operand, line)
        case .copy(let from, let to): variables[to] = variables[from]
        case .setPotential(let operand): potential = value(operand)
        case .cell(let isOn): if !isOn { potential = 0 }
        case .wait(let operand): due = now + max(0, min(value(operand), 86_400))
        case .measureLoop(let loop, let end): begin(loop, end: end, at: now, &output)
        case .loop(let condition, let end): repeatLoop(condition, end: end, &output)
        case .endLoop: endLoop(&output)
        case .branch(let condition, let otherwise): if !holds(condition) { place = otherwise }
        case .jump(let target): place = target
        case .packageStart: package = []
        case .packageAdd(let name):
            guard package != nil else { throw MethodSCRIPTFailure(code: 0x401B, line: line) }
            package?.append(variables[name] ?? MethodSCRIPTVariable(type: "aa", value: .nan))
        case .packageEnd:
            guard let package else { throw MethodSCRIPTFailure(code: 0x401B, line: line) }
            packages += 1
            self.package = nil
            output.append(.package(MethodSCRIPTPackage(cell.spoiled(package, number: packages)), at: now))
            if let failure = cell.failure(afterPackages: packages, line: line) { throw failure }
        case .text(let text): output.append(.line("T" + text))
        case .timerStart: timer = now
        case .timerGet(let name): set(name, MethodSCRIPTValue(now - timer), "eb")
        case .measure(let name, let type): measure(name, type)
        case .stop:
            while let frame = frames.popLast() { close(frame, &output) }
            place = program.finish
        }
    }

    private mutating func set(_ name: String, _ value: MethodSCRIPTValue, _ type: String) {
        variables[name] = MethodSCRIPTVariable(type: type, value: value)
    }

    private func wire(_ number: Double, _ type: String) -> MethodSCRIPTValue {
        let isCount = ["ja", "jb", "jc", "jd", "ea", "ec", "ee"].contains(type)
        return isCount
            ? Int(exactly: number).map { MethodSCRIPTValue(integer: $0) } ?? MethodSCRIPTValue(number)
            : MethodSCRIPTValue(number)
    }

    private func value(_ operand: MethodSCRIPTProgram.Operand) -> Double {
        switch operand {
        case .number(let number): number
        case .variable(let name): variables[name]?.value.number ?? 0
        }
    }

    private mutating func change(
        _ name: String, _ sign: Character, _ operand: MethodSCRIPTProgram.Operand, _ line: Int
    ) throws(MethodSCRIPTFailure) {
        let type = variables[name]?.type ?? "aa"
        let (left, right) = (variables[name]?.value.number ?? 0, value(operand))
        let result: Double
        switch sign {
        case "+": result = left + right
        case "-": result = left - right
        case "*": result = left * right
        default:
            guard right != 0 else { throw MethodSCRIPTFailure(code: 0x28, line: line) }
            result = left / right
        }
        set(name, wire(result, type), type)
    }

    private func holds(_ condition: MethodSCRIPTProgram.Condition) -> Bool {
        let (left, right) = (value(condition.left), value(condition.right))
        return switch condition.comparison {
        case "<": left < right
        case ">": left > right
        case "<=": left <= right
        case ">=": left >= right
        case "==": left == right
        default: left != right
        }
    }

    private mutating func repeatLoop(
        _ condition: MethodSCRIPTProgram.Condition, end: Int, _ output: inout [Output]
    ) {
        let start = place - 1
        let isOpen = frames.last.map { $0.start == start && $0.measure == nil } ?? false
        if !isOpen {
            frames.append(Frame(start: start, end: end))
            output.append(.line("L"))
        }
        if !holds(condition) {
            frames.removeLast()
            output.append(.line("+"))
            place = end
        }
    }

    private mutating func measure(_ name: String, _ type: String) {
        let noise = random.gaussian()
        variables[name] =
            type.hasPrefix("a")
            ? MethodSCRIPTVariable(type: type, value: MethodSCRIPTValue(potential + 1e-5 * noise))
            : cell.measured(type, current: potential / cell.resistance, noise: noise)
    }

    private mutating func begin(
        _ loop: MethodSCRIPTProgram.MeasureLoop, end: Int, at now: Seconds, _ output: inout [Output]
    ) {
        let number = String(loop.technique.rawValue, radix: 16, uppercase: true)
        output.append(.line("M" + String(repeating: "0", count: 4 - number.count) + number))
        let points = cell.points(loop.technique, loop.arguments.map { value($0) })
        let all = Array(repeatElement(points, count: loop.scans).joined())
        frames.append(
            Frame(
                start: place, end: end,
                measure: Measure(loop: loop, points: all, pointsPerScan: max(1, points.count), begin: now)))
        nextPoint(&output)
    }

    private mutating func endLoop(_ output: inout [Output]) {
        guard let frame = frames.last else { return }
        if frame.measure == nil {
            place = frame.start
        } else {
            nextPoint(&output)
        }
    }

    /// Goes on to the next point of the innermost measurement loop, or leaves it.
    private mutating func nextPoint(_ output: inout [Output]) {
        guard let last = frames.indices.last, var measure = frames[last].measure else { return }
        guard measure.next < measure.points.count else {
            let frame = frames.removeLast()
            close(frame, &output)
            place = frame.end
            return
        }
        let index = measure.next
        let point = measure.points[index]
        if measure.loop.scans > 1, index % measure.pointsPerScan == 0 {
            if index > 0 { output.append(.line("-")) }
            let scan = String(index / measure.pointsPerScan + 1, radix: 16, uppercase: true)
            output.append(.line("C" + String(repeating: "0", count: max(0, 4 - scan.count)) + scan))
        }
        measure.next += 1
        measure.begin += point.duration
        due = max(due, measure.begin)
        for (name, variable) in zip(measure.loop.results, cell.variables(point, noise: random.gaussian())) {
            variables[name] = variable
        }
        potential = point.potential
        frames[last].measure = measure
        place = frames[last].start
    }
}
