/// Families of instruments that run MethodSCRIPT, by the beginning of their firmware's name.
public enum MethodSCRIPTFamily: String, Hashable, Sendable, Codable, CaseIterable {
    case emStatPico = "espico"
    case sensitWearable = "senswb"
    case emStat4LR = "es4_lr"
    case emStat4HR = "es4_hr"
    case multiEmStat4LR = "mes4lr"
    case multiEmStat4HR = "mes4hr"
    case nexus = "nexus1"
    case bootloader = "espbl"

    /// What people call it.
    public var name: String {
        switch self {
        case .emStatPico: "EmStat Pico"
        case .sensitWearable: "Sensit Wearable"
        case .emStat4LR: "EmStat4S LR"
        case .emStat4HR: "EmStat4S HR"
        case .multiEmStat4LR: "MultiEmStat4 LR"
        case .multiEmStat4HR: "MultiEmStat4 HR"
        case .nexus: "Nexus"
        case .bootloader: "boot loader"
        }
    }

    /// The family that people call so; nil for another name.
    public init?(name: String) {
        guard let family = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = family
    }

    /// Symbols per second on its serial port.
    public var baudRate: Int {
        switch self {
        case .emStatPico, .sensitWearable, .bootloader: 230_400
        case .emStat4LR, .emStat4HR, .multiEmStat4LR, .multiEmStat4HR, .nexus: 921_600
        }
    }

    /// Full scale in A of the current range `index`; nil for an index the family does not have.
    public func currentRange(_ index: Int) -> Double? {
        switch self {
        case .emStatPico, .sensitWearable: Self.pico[index]
        case .emStat4LR, .multiEmStat4LR: Self.emStat4LowRange[index]
        case .emStat4HR, .multiEmStat4HR: Self.emStat4HighRange[index]
        case .nexus: Self.nexusRanges[index]
        case .bootloader: nil
        }
    }

    /// Full scale in V of the potential range `index`; nil for an index the family does not have.
    public func potentialRange(_ index: Int) -> Double? {
        switch self {
        case .emStat4LR, .multiEmStat4LR, .emStat4HR, .multiEmStat4HR:
            [2: 0.05, 3: 0.1, 4: 0.2, 5: 0.5, 6: 1][index]
        case .nexus: [0: 1, 1: 0.1, 2: 0.01, 3: 0.001][index]
        case .emStatPico, .sensitWearable, .bootloader: nil
        }
    }

    /// Current ranges in use, the smallest first, with their indices.
    public var currentRanges: [(index: Int, fullScale: Double)] {
        (0..<256).compactMap { index in currentRange(index).map { (index, $0) } }.sorted { $0.1 < $1.1 }
    }

    private static let pico: [Int: Double] = [
        0: 100e-9, 1: 2e-6, 2: 4e-6, 3: 8e-6, 4: 16e-6, 5: 32e-6, 6: 63e-6, 7: 125e-6, 8: 250e-6, 9: 500e-6, 10: 1e-3,
        11: 5e-3, 128: 100e-9, 129: 1e-6, 130: 6e-6, 131: 13e-6, 132: 25e-6, 133: 50e-6, 134: 100e-6, 135: 200e-6,
        136: 1e-3, 137: 5e-3,
    ]
    private static let emStat4: [Int: Double] = [9: 100e-9, 12: 1e-6, 15: 10e-6, 18: 100e-6, 21: 1e-3, 24: 10e-3]
    private static let emStat4LowRange = emStat4.merging([3: 1e-9, 6: 10e-9]) { first, _ in first }
    private static let emStat4HighRange = emStat4.merging([27: 100e-3]) { first, _ in first }
    private static let nexusRanges: [Int: Double] = [
        16: 100e-12, 0: 1e-9, 1: 10e-9, 2: 100e-9, 3: 1e-6, 4: 10e-6, 5: 100e-6, 6: 1e-3, 7: 10e-3, 8: 1e-3, 9: 10e-3,
        10: 100e-3, 11: 1, 32: 1e-9, 33: 10e-9, 34: 100e-9, 35: 1e-6, 36: 10e-6, 37: 100e-6, 38: 1e-3, 39: 10e-3,
        40: 1e-3, 41: 10e-3, 42: 100e-3, 43: 1,
    ]
}

/// What an instrument's answer to `t` says.
public struct MethodSCRIPTFirmware: Hashable, Sendable {
    /// Its family; nil for an unknown name.
    public var family: MethodSCRIPTFamily?
    /// The name as it is.
    public var name: String
    /// The version, such as `1.3.04`; empty when there is none.
    public var version: String
    /// Date and time of its making, as it is.
    public var built: String

    /// Reads a line such as `tespico1304#Oct 22 2021 14:38:26`, also with the `*` that ends an answer of one line; nil when
    /// it is no answer to `t`.
    public init?(line: some StringProtocol) {
        guard line.contains("#") else { return nil }
        self.init(answer: line)
    }

    /// Reads the first line of what an instrument answered to `t`, also without the date of its making; nil when nothing
    /// follows the letter.
    public init?(answer: some StringProtocol) {
        let line = answer.last == "*" ? answer.dropLast() : answer[...]
        guard line.first == "t", line.count > 1 else { return nil }
        let mark = line.firstIndex(of: "#") ?? line.endIndex
        let full = String(line[line.index(after: line.startIndex)..<mark])
        built = mark == line.endIndex ? "" : String(line[line.index(after: mark)...])
        if let family = MethodSCRIPTFamily.allCases.first(where: { full.hasPrefix($0.rawValue) }) {
            self.family = family
            name = family.rawValue
        } else {
            family = nil
            name = String(full.reversed().drop { $0.isNumber }.reversed())
        }
        let digits = Array(full.dropFirst(name.count))
        let isVersion = digits.count == 4 && digits.allSatisfy { $0.isASCII && $0.isNumber }
        version = isVersion ? "\(digits[0]).\(digits[1]).\(String(digits[2...3]))" : String(digits)
    }
}
