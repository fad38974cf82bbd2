/// A data package of a running MethodSCRIPT: the variables of one `pck_start … pck_end`.
public struct MethodSCRIPTPackage: Hashable, Sendable {
    /// The variables in the order of the script.
    public var variables: [MethodSCRIPTVariable]

    /// A package of these variables.
    public init(_ variables: [MethodSCRIPTVariable]) {
        self.variables = variables
    }

    /// Reads a line that begins with `P`, without its end.
    /// - Throws: what is wrong with it, in words.
    public init(line: some Collection<UInt8>) throws(MethodSCRIPTProblem) {
        guard line.first == UInt8(ascii: "P") else { throw MethodSCRIPTProblem("a package begins with P") }
        variables = []
        let content = line.dropFirst()
        if content.isEmpty { return }
        for part in content.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            variables.append(try MethodSCRIPTVariable(Array(part)))
        }
    }

    /// The line, without its end.
    public var text: String { "P" + variables.map(\.text).joined(separator: ";") }

    /// The first variable of a type.
    public subscript(type: String) -> MethodSCRIPTVariable? { variables.first { $0.type == type } }
}

/// What is wrong with a text of the MethodSCRIPT protocol.
public struct MethodSCRIPTProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found and what was expected.
    public var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// One variable of a package.
public struct MethodSCRIPTVariable: Hashable, Sendable {
    /// Two letters that say what it is; see `MethodSCRIPTVariableType`.
    public var type: String
    /// Its value.
    public var value: MethodSCRIPTValue
    /// What goes with it.
    public var metadata: [MethodSCRIPTMetadata]

    /// A variable of `type`.
    public init(type: String, value: MethodSCRIPTValue, metadata: [MethodSCRIPTMetadata] = []) {
        self.type = type
        self.value = value
        self.metadata = metadata
    }

    /// Reads two letters, eight characters of value, and metadata after commas.
    init(_ bytes: [UInt8]) throws(MethodSCRIPTProblem) {
        guard bytes.count >= 10, bytes.prefix(2).allSatisfy({ (0x61...0x7A).contains($0) }) else {
            throw MethodSCRIPTProblem("a variable is two letters and eight characters of value")
        }
        type = String(decoding: bytes.prefix(2), as: UTF8.self)
        guard let value = MethodSCRIPTValue(bytes[2..<10]) else {
            let found = String(decoding: bytes[2..<10], as: UTF8.self)
            throw MethodSCRIPTProblem("\"\(found)\" is no value: seven hexadecimal digits and a prefix")
        }
        self.value = value
        metadata = []
        guard bytes.count > 10 else { return }
        guard bytes[10] == UInt8(ascii: ",") else {
            throw MethodSCRIPTProblem("a comma was expected after the value of \(type)")
        }
        for token in bytes[11...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            metadata.append(MethodSCRIPTMetadata(String(decoding: token, as: UTF8.self)))
        }
    }

    /// As it is on the wire.
    public var text: String { type + value.text + metadata.map { "," + $0.text }.joined() }

    /// The status of the measurement; nil when the device sends none.
    public var status: MethodSCRIPTStatus? {
        for case .status(let status) in metadata { return status }
        return nil
    }

    /// The index of the range it was measured in; nil when the device sends none.
    public var range: Int? {
        for case .range(let range) in metadata { return range }
        return nil
    }

    /// The noise as the device writes it, whose unit is not documented; nil when it sends none.
    public var noise: Int? {
        for case .noise(let noise, _) in metadata { return noise }
        return nil
    }
}

/// What goes with a value.
public enum MethodSCRIPTMetadata: Hashable, Sendable {
    /// `1h`: how the measurement went.
    case status(MethodSCRIPTStatus)
    /// `2hh`: index of the current or potential range.
    case range(Int)
    /// `4…`: noise, hexadecimal with so many digits, of undocumented unit.
    case noise(Int, digits: Int)
    /// Anything else, as it is.
    case other(String)

    /// Reads one token.
    public init(_ token: String) {
        let content = token.dropFirst()
        let isNumber = content.utf8.count <= 8 && content.first != "+" && content.first != "-"
        let number = isNumber ? Int(content, radix: 16) : nil
        switch (token.first, number) {
        case ("1", let bits?) where content.count == 1: self = .status(MethodSCRIPTStatus(rawValue: UInt8(bits)))
        case ("2", let index?) where content.count == 2: self = .range(index)
        case ("4", let noise?): self = .noise(noise, digits: content.count)
        default: self = .other(token)
        }
    }

    /// As it is on the wire.
    public var text: String {
        switch self {
        case .status(let status): "1" + String(status.rawValue, radix: 16, uppercase: true)
        case .range(let index):
            "2" + Self.padded(String(index, radix: 16, uppercase: true), 2)
        case .noise(let noise, let count):
            "4" + Self.padded(String(noise, radix: 16, uppercase: true), count)
        case .other(let text): text
        }
    }

    private static func padded(_ digits: String, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

/// How a measurement went: bits that may come together; none: it went well.
public struct MethodSCRIPTStatus: OptionSet, Hashable, Sendable {
    /// The bits as the device sends them.
    public let rawValue: UInt8

    /// The bits as the device sends them.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The device could not keep the interval.
    public static let timingNotMet = MethodSCRIPTStatus(rawValue: 1)
    /// Beyond the range: the value is wrong.
    public static let overload = MethodSCRIPTStatus(rawValue: 2)
    /// So small for its range that little of it is signal.
    public static let underload = MethodSCRIPTStatus(rawValue: 4)
    /// Above about 80 % of the range.
    public static let overloadWarning = MethodSCRIPTStatus(rawValue: 8)

    /// `OK`, or what was amiss.
    public var text: String {
        let names: [(MethodSCRIPTStatus, String)] = [
            (.timingNotMet, "timing not met"), (.overload, "overload"), (.underload, "underload"),
            (.overloadWarning, "overload warning"),
        ]
        let found = names.filter { contains($0.0) }.map(\.1)
        return found.isEmpty ? "OK" : found.joined(separator: ", ")
    }
}
