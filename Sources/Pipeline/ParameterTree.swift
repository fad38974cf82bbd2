/// Parameters as a file has them: mappings of keys to values, lists and values.
enum ParameterTree: Hashable, Decodable {
    case mapping([String: ParameterTree])
    case list([ParameterTree])
    case number(Double)
    case flag(Bool)
    case text(String)
    case nothing

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([ParameterTree].self) {
            self = .list(list)
        } else {
            self = .mapping(try container.decode([String: ParameterTree].self))
        }
    }

    /// How many values of a list are told; a list of all indexes would be longer than what it is told in.
    private static let mostTold = 12

    /// The value in a few words: `256`, `[50, 60]`, `0.04 to 0.15`, `welch (overlap 0.5, segment 2)`.
    var words: String {
        switch self {
        case .mapping(let mapping): return Self.words(mapping)
        case .list(let list):
            let told = list.prefix(Self.mostTold).map(\.words).joined(separator: ", ")
            return "[\(told)\(list.count > Self.mostTold ? " and \(list.count - Self.mostTold) more" : "")]"
        case .number(let number):
            return number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .flag(let flag): return String(flag)
        case .text(let text): return text
        case .nothing: return "none"
        }
    }

    private static func words(_ mapping: [String: ParameterTree]) -> String {
        if let ends = ends(of: mapping) { return "\(ends.least.words) to \(ends.greatest.words)" }
        let isChoice = mapping.count == 1
        let parts = mapping.sorted { $0.key < $1.key }.compactMap { key, value -> String? in
            if isChoice, value == .mapping([:]) { return key }
            // What an alternative holds without a name is encoded under its place: `_0`.
            return key.hasPrefix("_") ? value.words : "\(key) \(value.words)"
        }
        let text = parts.joined(separator: ", ")
        return isChoice ? text : "(\(text))"
    }

    /// The ends of a range: of frequencies, or of numbers of beats; nil where a mapping is none.
    static func ends(of mapping: [String: ParameterTree]) -> (least: ParameterTree, greatest: ParameterTree)? {
        guard mapping.count == 2 else { return nil }
        for (least, greatest) in [("lower", "upper"), ("least", "greatest")] {
            if let first = mapping[least], let last = mapping[greatest] { return (first, last) }
        }
        return nil
    }
}
