import Formats

/// How many variables the packages of a script have, by its `pck_start` and `pck_add`: where part of the output is lost,
/// two torn lines may make a package that reads well and was never sent. Such a one has variables too many or too few, but
/// where both are torn at the same place.
struct MethodSCRIPTLayouts: Sendable {
    /// The numbers of variables; nil: not known, any will do.
    private let counts: Set<Int>?

    /// The packages of `script`; of none any.
    init(_ script: MethodSCRIPTScript? = nil) { counts = script.flatMap(Self.counts) }

    /// Why the script cannot have sent this package; nil where it can.
    func problem(of package: MethodSCRIPTPackage) -> String? {
        guard let counts, !counts.contains(package.variables.count) else { return nil }
        let expected = counts.sorted().map { "\($0)" }.joined(separator: " or ")
        return "a package of \(package.variables.count) variables, where the script sends \(expected)"
    }

    /// The numbers of variables that packages of the script have; nil where that depends on its run.
    private static func counts(_ script: MethodSCRIPTScript) -> Set<Int>? {
        var counts: Set<Int> = []
        var count: Int?
        for line in script.lines {
            switch (line.prefix { $0 != " " && $0 != "\t" && $0 != "(" }, count) {
            case ("pck_start", _): count = 0
            case ("pck_add", let found?): count = found + 1
            case ("pck_add", nil): return nil
            case ("pck_end", let found?):
                counts.insert(found)
                count = nil
            case ("loop", _?), ("if", _?), ("else", _?), ("elseif", _?), ("endif", _?), ("endloop", _?): return nil
            default: break
            }
        }
        return counts.isEmpty || count != nil ? nil : counts
    }
}
