import Formats

/// A script as the simulated instrument understands it: instructions in a row, with their jumps resolved.
struct MethodSCRIPTProgram: Sendable {
    struct Instruction: Sendable {
        var operation: Operation
        /// Number in the script, from 1 on.
        var line: Int
    }

    enum Operation: Sendable {
        case nothing
        case declare(String)
        case store(String, Operand, type: String)
        case change(String, Character, Operand)
        case copy(from: String, to: String)
        case setPotential(Operand)
        case cell(isOn: Bool)
        case wait(Operand)
        case measureLoop(MeasureLoop, end: Int)
        case loop(Condition, end: Int)
        case endLoop
        case branch(Condition, otherwise: Int)
        case jump(Int)
        case packageStart
        case packageAdd(String)
        case packageEnd
        case text(String)
        case timerStart
        case timerGet(String)
        case measure(String, type: String)
        case stop
    }

    /// A number of the script or a variable's name.
    enum Operand: Sendable {
        case number(Double)
        case variable(String)
    }

    struct Condition: Sendable {
        var left: Operand
        var comparison: String
        var right: Operand
    }

    struct MeasureLoop: Sendable {
        var technique: MethodSCRIPTTechnique
        /// Names of the variables that get the results.
        var results: [String]
        var arguments: [Operand]
        var scans = 1
    }

    private(set) var instructions: [Instruction] = []
    /// Where the part after `on_finished:` begins; the end when there is none.
    private(set) var finish = 0
    private var declared: Set<String> = []
    private var open: [Open] = []

    private enum Open {
        case loop(Int)
        case measure(Int)
        case branch(Int)
    }

    /// Understands a script.
    /// - Throws: what the instrument would answer.
    init(_ lines: [String]) throws(MethodSCRIPTFailure) {
        var finish: Int?
        for (index, line) in lines.enumerated() {
            let words = Self.words(line)
            guard let command = words.first, !command.text.hasPrefix("#") else { continue }
            if command.text == "on_finished:" {
                finish = instructions.count
                continue
            }
            do throws(Fault) {
                try add(command, Array(words.dropFirst()), index + 1, line)
            } catch {
                throw MethodSCRIPTFailure(command: "e", code: error.code, line: index + 1, column: error.column)
            }
        }
        guard open.isEmpty else { throw MethodSCRIPTFailure(command: "e", code: 0x4018, line: lines.count, column: 1) }
        self.finish = finish ?? instructions.count
    }

    struct Word {
        var text: String
        var column: Int
    }

    private struct Fault: Error {
        var code: Int
        var column: Int
    }

    private static func words(_ line: String) -> [Word] {
        line.split(separator: " ").map { part in
            Word(text: String(part), column: line.distance(from: line.startIndex, to: part.startIndex) + 1)
        }
    }

    private mutating func append(_ operation: Operation, _ line: Int) {
        instructions.append(Instruction(operation: operation, line: line))
    }

    private mutating func add(_ command: Word, _ words: [Word], _ line: Int, _ text: String) throws(Fault) {
        switch command.text {
        case "var", "store_var", "add_var", "sub_var", "mul_var", "div_var", "copy_var":
            append(try variableOperation(command, words), line)
        case "loop", "endloop", "if", "else", "endif": try addControl(command, words, line)
        case "pck_start": append(.packageStart, line)
        case "pck_add": append(.packageAdd(try name(words, 0, command)), line)
        case "pck_end": append(.packageEnd, line)
        case "cell_on": append(.cell(isOn: true), line)
        case "cell_off": append(.cell(isOn: false), line)
        case "set_e": append(.setPotential(try operand(words, 0, command)), line)
        case "wait": append(.wait(try operand(words, 0, command)), line)
        case "timer_start": append(.timerStart, line)
        case "timer_get": append(.timerGet(try name(words, 0, command)), line)
        case "meas": append(.measure(try name(words, 1, command), type: try type(words, 2, command)), line)
        case "send_string":
            let content = text.split(separator: "\"", omittingEmptySubsequences: false)
            guard content.count == 3 else { throw Fault(code: 0x4002, column: command.column) }
            append(.text(String(content[1])), line)
        case "abort": append(.stop, line)
        case "set_pgstat_chan", "set_pgstat_mode", "set_max_bandwidth", "set_range", "set_autoranging",
            "set_range_minmax", "set_gpio_cfg", "set_gpio", "set_acquisition_frac", "set_acquisition_frac_autoadjust":
            append(.nothing, line)
        default:
            guard command.text.hasPrefix("meas_loop_") else { throw Fault(code: 0x4001, column: command.column) }
            try addMeasureLoop(command, words, line)
        }
    }

    private mutating func variableOperation(_ command: Word, _ words: [Word]) throws(Fault) -> Operation {
        if command.text == "var" {
            guard let word = words.first else { throw Fault(code: 0x4002, column: command.column) }
            guard declared.insert(word.text).inserted else { throw Fault(code: 0x4026, column: word.column) }
            return .declare(word.text)
        }
        let target = try name(words, 0, command)
        switch command.text {
        case "store_var": return .store(target, try operand(words, 1, command), type: try type(words, 2, command))
        case "copy_var": return .copy(from: target, to: try name(words, 1, command))
        case "add_var": return .change(target, "+", try operand(words, 1, command))
        case "sub_var": return .change(target, "-", try operand(words, 1, command))
        case "mul_var": return .change(target, "*", try operand(words, 1, command))
        default: return .change(target, "/", try operand(words, 1, command))
        }
    }

    private mutating func addControl(_ command: Word, _ words: [Word], _ line: Int) throws(Fault) {
        switch command.text {
        case "loop":
            open.append(.loop(instructions.count))
            append(.loop(try condition(words, command), end: 0), line)
        case "if":
            open.append(.branch(instructions.count))
            append(.branch(try condition(words, command), otherwise: 0), line)
        case "else":
            guard case .branch(let start)? = open.popLast() else { throw Fault(code: 0x400C, column: command.column) }
            open.append(.branch(instructions.count))
            append(.jump(0), line)
            resolve(start, to: instructions.count)
        case "endif":
            guard case .branch(let start)? = open.popLast() else { throw Fault(code: 0x400C, column: command.column) }
            resolve(start, to: instructions.count)
        default:
            switch open.popLast() {
            case .loop(let start), .measure(let start):
                append(.endLoop, line)
                resolve(start, to: instructions.count)
            default: throw Fault(code: 0x400C, column: command.column)
            }
        }
    }

    private mutating func resolve(_ start: Int, to end: Int) {
        switch instructions[start].operation {
        case .loop(let condition, _): instructions[start].operation = .loop(condition, end: end)
        case .measureLoop(let loop, _): instructions[start].operation = .measureLoop(loop, end: end)
        case .branch(let condition, _): instructions[start].operation = .branch(condition, otherwise: end)
        default: instructions[start].operation = .jump(end)
        }
    }

    private mutating func addMeasureLoop(_ command: Word, _ words: [Word], _ line: Int) throws(Fault) {
        let shapes: [String: (technique: MethodSCRIPTTechnique, results: Int, arguments: Int)] = [
            "meas_loop_ca": (.ca, 2, 3), "meas_loop_lsv": (.lsv, 2, 4), "meas_loop_cv": (.cv, 2, 5),
            "meas_loop_ocp": (.ocp, 1, 2), "meas_loop_eis": (.eis, 3, 5),
        ]
        guard let shape = shapes[command.text] else { throw Fault(code: 0x4001, column: command.column) }
        for case .measure in open { throw Fault(code: 0x400B, column: command.column) }
        var loop = MeasureLoop(technique: shape.technique, results: [], arguments: [])
        for index in 0..<shape.results { loop.results.append(try name(words, index, command)) }
        for index in 0..<shape.arguments { loop.arguments.append(try operand(words, shape.results + index, command)) }
        for word in words.dropFirst(shape.results + shape.arguments) where word.text.hasPrefix("nscans(") {
            guard let count = Self.literal(String(word.text.dropFirst(7).prefix { $0 != ")" })),
                (1...1000).contains(count)
            else { throw Fault(code: 0x4008, column: word.column) }
            loop.scans = Int(count)
        }
        open.append(.measure(instructions.count))
        append(.measureLoop(loop, end: 0), line)
    }

    private func condition(_ words: [Word], _ command: Word) throws(Fault) -> Condition {
        guard words.count == 3, ["<", ">", "<=", ">=", "==", "!="].contains(words[1].text) else {
            throw Fault(code: 0x4002, column: words.count > 1 ? words[1].column : command.column)
        }
        return Condition(
            left: try operand(words, 0, command), comparison: words[1].text, right: try operand(words, 2, command))
    }

    private func name(_ words: [Word], _ index: Int, _ command: Word) throws(Fault) -> String {
        guard words.indices.contains(index) else { throw Fault(code: 0x4002, column: command.column) }
        guard declared.contains(words[index].text) else { throw Fault(code: 0x4007, column: words[index].column) }
        return words[index].text
    }

    private func operand(_ words: [Word], _ index: Int, _ command: Word) throws(Fault) -> Operand {
        guard words.indices.contains(index) else { throw Fault(code: 0x4002, column: command.column) }
        if declared.contains(words[index].text) { return .variable(words[index].text) }
        guard let number = Self.literal(words[index].text) else {
            let isName = words[index].text.first?.isLetter == true
            throw Fault(code: isName ? 0x4007 : 0x4032, column: words[index].column)
        }
        return .number(number)
    }

    private func type(_ words: [Word], _ index: Int, _ command: Word) throws(Fault) -> String {
        guard words.indices.contains(index) else { throw Fault(code: 0x4002, column: command.column) }
        guard MethodSCRIPTVariableType(code: words[index].text) != nil else {
            throw Fault(code: 0x4006, column: words[index].column)
        }
        return words[index].text
    }

    /// A literal: a whole number with an SI prefix, `i` for integer, or `0x` and hexadecimal digits.
    static func literal(_ text: String) -> Double? {
        if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map { Double($0) } }
        guard let last = text.utf8.last else { return nil }
        if let whole = Int(text) { return Double(whole) }
        guard last != UInt8(ascii: " "), let exponent = MethodSCRIPTValue.exponent(of: last),
            let whole = Int(text.dropLast()), (-134_217_728...134_217_727).contains(whole)
        else { return nil }
        return MethodSCRIPTValue(mantissa: whole, prefix: exponent == 0 ? UInt8(ascii: " ") : last).number
    }
}
