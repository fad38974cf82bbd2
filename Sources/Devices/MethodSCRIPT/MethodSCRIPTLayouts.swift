import Formats

/// Which packages a script can send, by its `pck_start` and `pck_add`: where part of the output is lost, two torn lines
/// may make one that reads well and was never sent.
struct MethodSCRIPTLayouts: Sendable {
    /// How many kinds of packages the script has with so many variables; nil: not known.
    private var kinds: [Int: Int]?
    /// The types of variables met in the present measurement.
    private var known: [[String]] = []
    /// Types that came last and are none of the known.
    private var suspect: [String]?

    init() {}

    /// The packages of `script`.
    init(_ script: MethodSCRIPTScript) { kinds = Self.kinds(script) }

    /// Another measurement, whose variables may be of other types, begins or ended.
    mutating func forget() {
        known = []
        suspect = nil
    }

    /// Why the script cannot have sent this package; nil where it can. What comes twice in a row is believed.
    mutating func problem(of package: MethodSCRIPTPackage) -> String? {
        guard let kinds else { return nil }
        let types = package.variables.map(\.type)
        guard let count = kinds[types.count] else {
            let expected = kinds.keys.sorted().map { "\($0)" }.joined(separator: " or ")
            return "a package of \(types.count) variables, where the script sends \(expected)"
        }
        if known.contains(types) {
            suspect = nil
            return nil
        }
        guard known.count(where: { $0.count == types.count }) < count || suspect == types else {
            suspect = types
            return "a package of other variables than those before it"
        }
        // No script has more; what is made of garbage must not add up.
        if known.count < 256 { known.append(types) }
        suspect = nil
        return nil
    }

    /// For each number of variables, how many packages of the script have so many; nil where that depends on its run.
    private static func kinds(_ script: MethodSCRIPTScript) -> [Int: Int]? {
        var kinds: [Int: Int] = [:]
        var count: Int?
        for line in script.lines {
            switch (line.prefix { $0 != " " && $0 != "\t" && $0 != "(" }, count) {
            case ("pck_start", _): count = 0
            case ("pck_add", let found?): count = found + 1
            case ("pck_add", nil): return nil
            case ("pck_end", let found?):
                kinds[found, default: 0] += 1
                count = nil
            case ("loop", _?), ("if", _?), ("else", _?), ("elseif", _?), ("endif", _?), ("endloop", _?): return nil
            default: break
            }
        }
        return kinds.isEmpty || count != nil ? nil : kinds
    }
}
