/// Every parameter on one page, written from its definition and from the defaults.
public enum ParameterPage {
    /// The defaults by their names, as a file of parameters has them.
    /// - Throws: never, where the defaults can be encoded.
    public static func defaults() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try Parameters().tree().leaves("").map { ($0.name, $0.value.yaml) })
    }

    /// The page in Markdown.
    /// - Throws: never, where the defaults can be encoded.
    public static func markdown() throws -> String {
        let defaults = try defaults()
        return sections.reduce(introduction) { text, section in
            let own = ParameterDefinition.all.filter { $0.name.prefix { $0 != "." } == section.key }
            return own.reduce(text + heading(section.title)) { $0 + row($1, defaults[$1.name] ?? "") }
        }
    }

    private static let introduction = """
        # Parameters

        Written from `Sources/Pipeline/ParameterDefinitions`, which the tests compare with the parameters there are. `marey analyze
        --show-parameters` prints them all with their defaults, and with what `--config` changes. A file of parameters (`--config FILE`,
        or `study.yaml` in a study or data set) is YAML and holds only what differs:

        ```yaml
        hrv: { window: 60, step: 30 }
        eeg: { features: { bands: { alpha: { lower: 7.5, upper: 12.5 } } } }
        ```

        A name here is the way to the key: `hrv.bands.hf` is the key `hf` of `bands` of `hrv`. A name that there is none of, or a value
        that its parameter cannot have, is refused with what would be right (exit code 3). A *share* is 0 to 1.

        """

    private static let sections: [(key: String, title: String)] = [
        ("outputs", "What is computed"), ("ecg", "Beats of an ECG"), ("bvp", "Pulses of a BVP"),
        ("correction", "Correction of intervals"), ("hrv", "Heart-rate variability"), ("rhythm", "Rhythm"),
        ("respiration", "Respiration"), ("pulseRate", "Heart rate from pulse wave and acceleration"),
        ("eda", "Skin conductance"), ("motion", "Acceleration, skin temperature"),
        ("eeg", "EEG"), ("quality", "Signal quality"),
    ]

    private static func heading(_ title: String) -> String {
        "\n## \(title)\n\n| parameter | default | unit | values | meaning |\n|---|---|---|---|---|\n"
    }

    private static func row(_ one: ParameterDefinition, _ standard: String) -> String {
        let values = values(of: one, isList: standard.hasPrefix("["))
        return "| `\(one.name)` | `\(standard)` | \(one.unit) | \(values) | \(one.meaning) |\n"
    }

    private static func values(of one: ParameterDefinition, isList: Bool) -> String {
        func text(_ number: Double) -> String { ParameterTree.number(number).words }
        switch one.values {
        case .between(let least, let most): return "\(text(least)) to \(text(most))"
        case .above(let least, nil): return "above \(text(least))"
        case .above(let least, let most?): return "above \(text(least)), at most \(text(most))"
        case .atLeast(let least): return "\(text(least)) or more"
        case .told(let words): return words
        case .words:
            let words = one.words.map { "`\($0)`" }.joined(separator: ", ")
            return "\(isList ? "any" : "one") of \(words)"
        }
    }
}

extension ParameterTree {
    /// The value as people write it in a file.
    fileprivate var yaml: String {
        switch self {
        case .number, .flag, .text: return words
        case .nothing: return "null"
        case .list(let list): return "[\(list.map(\.yaml).joined(separator: ", "))]"
        case .mapping(let mapping):
            let pairs = mapping.sorted { (Self.isEnd($0.key), $0.key) < (Self.isEnd($1.key), $1.key) }
                .map { "\($0.key): \($0.value.yaml)" }
            return pairs.isEmpty ? "{}" : "{ \(pairs.joined(separator: ", ")) }"
        }
    }

    /// 1 of the end of a range, which is told after its beginning.
    private static func isEnd(_ key: String) -> Int { key == "greatest" ? 1 : 0 }

    /// The parameters within it: a range is one, and so is one of several alternatives with what belongs to it.
    fileprivate func leaves(_ name: String) -> [(name: String, value: ParameterTree)] {
        guard case .mapping(let mapping) = self, !Self.isOne(mapping) else { return [(name, self)] }
        return mapping.flatMap { key, value in value.leaves(name.isEmpty ? key : "\(name).\(key)") }
    }

    private static func isOne(_ mapping: [String: ParameterTree]) -> Bool {
        if ends(of: mapping) != nil { return true }
        guard mapping.count == 1, case .mapping? = mapping.values.first else { return false }
        return true
    }
}
