/// An error line of a MethodSCRIPT instrument: `e!4001: Line 3, Col 5`, `!0028: Line 4`, `Z!0006`.
public struct MethodSCRIPTFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The letter of the command that failed; nil for an error of a running script.
    public var command: String?
    /// The code.
    public var code: Int
    /// Line of the script, from 1 on, where the device tells it.
    public var line: Int?
    /// Column of the line, from 1 on, where the device tells it.
    public var column: Int?

    /// An error with its place.
    public init(command: String? = nil, code: Int, line: Int? = nil, column: Int? = nil) {
        self.command = command
        self.code = code
        self.line = line
        self.column = column
    }

    /// Reads an error line without its end; nil when it is none.
    public init?(line text: some StringProtocol) {
        guard let mark = text.firstIndex(of: "!"), text.distance(from: text.startIndex, to: mark) <= 1 else {
            return nil
        }
        let rest = text[text.index(after: mark)...]
        let digits = rest.prefix { $0 != ":" }
        guard digits.utf8.count == 4, digits.utf8.allSatisfy({ Self.isHexadecimal($0) }),
            let code = Int(digits, radix: 16)
        else { return nil }
        command = mark == text.startIndex ? nil : String(text[text.startIndex..<mark])
        self.code = code
        line = Self.number(after: "Line ", in: rest)
        column = Self.number(after: "Col ", in: rest)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func number(after word: String, in text: some StringProtocol) -> Int? {
        guard let part = text.split(separator: ":").dropFirst().first else { return nil }
        for field in part.split(separator: ",") {
            let trimmed = field.drop { $0 == " " }
            if trimmed.hasPrefix(word) { return Int(trimmed.dropFirst(word.count)) }
        }
        return nil
    }

    /// The four digits.
    public var codeText: String {
        let digits = String(code, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The line as the device writes it.
    public var text: String {
        "\(command ?? "")!\(codeText)" + (line.map { ": Line \($0)" } ?? "") + (column.map { ", Col \($0)" } ?? "")
    }

    /// What the code means.
    public var meaning: String { Self.meanings[code] ?? "an error this program has no text for" }

    /// One sentence: place, code, meaning.
    public var description: String {
        let place = line.map { "line \($0)" + (column.map { ", column \($0)" } ?? "") + " of the script: " } ?? ""
        let what = command.map { "command \($0): " } ?? ""
        return place + what + "\(meaning) (\(codeText))"
    }

    private static let meanings: [Int: String] = [
        0x0001: "unspecified error", 0x0002: "invalid type of variable", 0x0003: "unknown command",
        0x0004: "unknown register", 0x0005: "register is read-only",
        0x0006: "not possible now: nothing runs that could be aborted, or the device is busy",
        0x0007: "bad argument", 0x0008: "command too long", 0x0009: "time-out of the communication",
        0x000A: "bad reference to a variable", 0x000B: "no memory for more variables", 0x000C: "no script is loaded",
        0x000D: "the time is not possible", 0x000E: "overflow while averaging",
        0x000F: "the potential is not possible", 0x0010: "a number became NaN or infinite",
        0x0011: "the frequency is not possible", 0x0012: "the amplitude is not possible",
        0x0014: "the open circuit potential needs the cell off", 0x0015: "check sum failed",
        0x0016: "flash memory failed", 0x0017: "flash memory failed", 0x0018: "stored settings are damaged",
        0x001B: "not supported by this device", 0x001C: "the step is not possible",
        0x001D: "the pulse is not possible", 0x001E: "the amplitude is not possible",
        0x001F: "not licensed for this device", 0x0020: "more than one high-speed channel",
        0x0021: "not possible in this potentiostat mode", 0x0023: "not valid in this mode",
        0x0024: "too many variables", 0x0026: "file error", 0x0027: "file error", 0x0028: "division by zero",
        0x0032: "critical overload: the measurement was stopped", 0x0058: "timing error", 0x005A: "timing error",
        0x0080: "the counter electrode oscillates", 0x4000: "syntax error", 0x4001: "unknown command of the script",
        0x4002: "bad argument", 0x4003: "argument out of range", 0x4004: "unexpected character",
        0x4005: "the script is too large", 0x4006: "unknown type of variable", 0x4007: "variable is not declared",
        0x4008: "bad optional argument", 0x4009: "the stored script is of an older firmware",
        0x400B: "measurement loops cannot be nested", 0x400C: "not allowed here",
        0x4018: "the script ended unexpectedly", 0x401B: "pck_start, pck_add and pck_end are out of order",
        0x4026: "the variable exists already", 0x4027: "needs cell_on before it", 0x4028: "needs cell_off before it",
        0x4029: "needs at least one step", 0x4032: "bad literal", 0x4039: "bad literal",
        0x4200: "an argument breaks its rule", 0x4201: "an argument breaks its rule",
        0x4202: "an argument breaks its rule", 0x4203: "an argument breaks its rule",
        0x4204: "an argument breaks its rule", 0x4205: "an argument breaks its rule",
        0x4206: "an argument breaks its rule", 0x420B: "an argument breaks its rule",
        0x7FFF: "fatal error: the device must be reset",
    ]
}
