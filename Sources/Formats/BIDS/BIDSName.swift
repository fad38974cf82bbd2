import Foundation

/// The name of a BIDS file taken apart: entities `key-label`, a suffix, extensions (BIDS 1.10, "Filenames").
struct BIDSName: Hashable, Sendable {
    var entities: [String]
    var suffix: String
    /// With its dots, such as `.tsv.gz`.
    var ending: String

    /// The parts of a file's name; nil when it has no suffix.
    init?(_ name: String) {
        guard let dot = name.firstIndex(of: "."), dot > name.startIndex else { return nil }
        var parts = name[..<dot].split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard let last = parts.popLast(), !last.isEmpty else { return nil }
        entities = parts
        suffix = last
        ending = String(name[dot...])
    }

    var text: String { (entities + [suffix]).joined(separator: "_") + ending }

    /// The label of an entity.
    subscript(key: String) -> String? {
        entities.first { $0.hasPrefix(key + "-") }.map { String($0.dropFirst(key.count + 1)) }
    }

    /// The name with other suffix and extension, without the entities called so.
    func with(suffix: String, ending: String, without keys: [String] = []) -> BIDSName {
        var name = self
        name.suffix = suffix
        name.ending = ending
        name.entities.removeAll { entity in keys.contains { entity.hasPrefix($0 + "-") } }
        return name
    }

    /// The name of the events of a recording of this name, which all signals of a run share.
    var events: BIDSName { with(suffix: "events", ending: ".tsv", without: ["recording"]) }

    /// The name of one of several files that differ by an entity, which goes last.
    func adding(_ key: String, _ label: String) -> BIDSName {
        var name = self
        name.entities.removeAll { $0.hasPrefix(key + "-") }
        name.entities.append("\(key)-\(String(label.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }))")
        return name
    }
}
