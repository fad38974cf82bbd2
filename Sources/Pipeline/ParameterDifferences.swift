import Foundation

/// A parameter that is not the default.
public struct ParameterDifference: Hashable, Sendable {
    /// Its keys from the section on, joined by dots, as `study.yaml` spells them: `hrv.welchSegment`. Of a range whose ends
    /// both differ that of the range: `hrv.bands.lf`.
    public var name: String
    /// Its value in a few words, with its unit where it has one: `256 s`, `0.05 to 0.15 Hz`, `[time, frequency]`, `none`.
    public var value: String
}

extension Parameters {
    /// What is not the default, in the order of names.
    ///
    /// The encoded parameters are compared, as files have them and `marey analyze --show-parameters` prints them, so that
    /// none has to be thought of here.
    /// - Throws: `EncodingError` where a parameter is no finite number.
    public func differences() throws -> [ParameterDifference] {
        let defaults = Parameters()
        guard self != defaults else { return [] }
        var found: [ParameterDifference] = []
        Self.compare(try tree(), try defaults.tree(), at: "", into: &found)
        return found
    }

    /// All parameters, as files have them.
    func tree() throws -> ParameterTree { try JSONDecoder().decode(ParameterTree.self, from: json()) }

    /// A key that is missing on one side has no value there.
    private static func compare(
        _ value: ParameterTree, _ usual: ParameterTree, at name: String, into found: inout [ParameterDifference]
    ) {
        guard value != usual else { return }
        guard case .mapping(let own) = value, case .mapping(let others) = usual, !isOne(own, others) else {
            return found.append(ParameterDifference(name: name, value: words(value, of: name)))
        }
        for key in Set(own.keys).union(others.keys).sorted() {
            compare(
                own[key] ?? .nothing, others[key] ?? .nothing, at: name.isEmpty ? key : "\(name).\(key)", into: &found)
        }
    }

    /// Whether two mappings that differ are told as a whole: alternatives, and ranges whose ends both differ.
    private static func isOne(_ own: [String: ParameterTree], _ others: [String: ParameterTree]) -> Bool {
        if own.count == 1, others.count == 1, own.keys != others.keys { return true }
        guard let ends = ParameterTree.ends(of: own), let usual = ParameterTree.ends(of: others) else { return false }
        return ends.least != usual.least && ends.greatest != usual.greatest
    }

    private static func words(_ value: ParameterTree, of name: String) -> String {
        switch value {
        case .nothing: unlimited[name] ?? value.words
        case .flag, .text: value.words
        case .list(let list) where list.isEmpty: value.words
        default: value.words + (unit(of: name).map { $0.hasPrefix("1/") ? String($0.dropFirst()) : " " + $0 } ?? "")
        }
    }

    /// The unit of what lies under a name, or under what holds it; nil where it has none.
    private static func unit(of name: String) -> String? {
        if let unit = units[name] { return unit }
        return name.lastIndex(of: ".").flatMap { unit(of: String(name[..<$0])) }
    }

    /// The units of the parameters that have one. Of an alternative what belongs to it has its own.
    private static let units: [String: String] = {
        let own = ["eeg.features.estimator.multitaper.bandwidth": "Hz"]
        return ParameterDefinition.all.reduce(into: own) { units, one in
            // A share is a number without a unit.
            if !one.unit.isEmpty, !one.unit.hasPrefix("share") { units[one.name] = one.unit }
        }
    }()
}
