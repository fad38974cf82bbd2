/// One line of the output of a running script.
public enum MethodSCRIPTOutput: Hashable, Sendable {
    /// `e`: the script was accepted.
    case accepted
    /// `M0007`: a measurement loop begins.
    case measurement(MethodSCRIPTTechnique)
    /// `*`: it ends.
    case measurementEnd
    /// `L`: a loop begins.
    case loop
    /// `+`: it ends.
    case loopEnd
    /// `C0001`: a scan begins, with its number.
    case scan(Int)
    /// `-`: it ends.
    case scanEnd
    /// A data package.
    case package(MethodSCRIPTPackage)
    /// `T`: a text the script sends.
    case text(String)
    /// An error; the script ends with it.
    case failure(MethodSCRIPTFailure)
    /// `Z`, `Y`, `h`, `H`, `R`: the device obeys.
    case obeyed(String)
    /// An empty line: the script has ended.
    case end

    /// Reads a line without its end.
    /// - Throws: what is wrong with it.
    public init(_ line: [UInt8]) throws(MethodSCRIPTProblem) {
        guard let first = line.first else {
            self = .end
            return
        }
        let text = String(decoding: line, as: UTF8.self)
        switch first {
        case UInt8(ascii: "P"): self = .package(try MethodSCRIPTPackage(line: line))
        case UInt8(ascii: "T"): self = .text(String(text.dropFirst()))
        case UInt8(ascii: "M"): self = .measurement(MethodSCRIPTTechnique(rawValue: try Self.number(line)))
        case UInt8(ascii: "C"): self = .scan(try Self.number(line))
        default:
            if let simple = Self.simple[text] {
                self = simple
            } else if let failure = MethodSCRIPTFailure(line: text) {
                self = .failure(failure)
            } else {
                throw MethodSCRIPTProblem("no line of a script's output")
            }
        }
    }

    private static let simple: [String: MethodSCRIPTOutput] = [
        "e": .accepted, "*": .measurementEnd, "L": .loop, "+": .loopEnd, "-": .scanEnd, "Z": .obeyed("Z"),
        "Y": .obeyed("Y"), "h": .obeyed("h"), "H": .obeyed("H"), "R": .obeyed("R"),
    ]

    private static func number(_ line: [UInt8]) throws(MethodSCRIPTProblem) -> Int {
        let digits = String(decoding: line.dropFirst(), as: UTF8.self)
        guard line.count == 5, digits.first != "+", digits.first != "-", let number = Int(digits, radix: 16) else {
            throw MethodSCRIPTProblem("M and C are followed by four hexadecimal digits")
        }
        return number
    }
}

/// What a measurement loop measures.
public struct MethodSCRIPTTechnique: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: Int

    /// The technique with this number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Linear sweep voltammetry.
    public static let lsv = MethodSCRIPTTechnique(rawValue: 0)
    /// Cyclic voltammetry.
    public static let cv = MethodSCRIPTTechnique(rawValue: 5)
    /// Chronoamperometry.
    public static let ca = MethodSCRIPTTechnique(rawValue: 7)
    /// Open circuit potentiometry.
    public static let ocp = MethodSCRIPTTechnique(rawValue: 0xB)
    /// Electrochemical impedance spectroscopy.
    public static let eis = MethodSCRIPTTechnique(rawValue: 0xD)

    /// The usual abbreviation, or the number.
    public var description: String {
        Self.names[rawValue] ?? "technique \(String(rawValue, radix: 16, uppercase: true))"
    }

    /// The technique of the measurement that begins where a marker says this, in a log or in a session; nil where it
    /// says something else.
    public init?(markerLabel label: String) {
        let beginnings = ["measurement begins: ", "measurement "]
        guard let beginning = beginnings.first(where: { label.hasPrefix($0) }) else { return nil }
        let name = String(label.dropFirst(beginning.count))
        let number = name.hasPrefix("technique ") ? Int(name.dropFirst("technique ".count), radix: 16) : nil
        guard let code = number ?? Self.names.first(where: { $0.value == name })?.key else { return nil }
        self.init(rawValue: code)
    }

    private static let names: [Int: String] = [
        0x0: "LSV", 0x1: "DPV", 0x2: "SWV", 0x3: "NPV", 0x4: "ACV", 0x5: "CV", 0x6: "stripping CP", 0x7: "CA",
        0x8: "PAD", 0x9: "fast CA", 0xA: "CP", 0xB: "OCP", 0xD: "EIS", 0xE: "GEIS", 0xF: "LSP", 0x10: "fast CV",
    ]
}
