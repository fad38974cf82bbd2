import Formats
public import Foundation

/// What a data set says of a recording beside its beats.
enum RecordingGroups {
    /// `noise` and `activity` where the recording's name, header comments or simulation say so, and the columns of
    /// `table`.
    static func values(of subject: ValidationSubject, kind: CardiacSource.Kind, _ table: GroupTable?) -> [String:
        String]
    {
        var groups: [String: String] = [:]
        let comments = (try? WFDBHeader(reading: subject.stem.appendingPathExtension("hea")))?.comments ?? []
        groups["noise"] =
            noise(inName: subject.stem.lastPathComponent) ?? comments.lazy.compactMap(noise(inComment:)).first
            ?? simulatedNoise(subject.stem, kind)
        groups["activity"] = comments.lazy.compactMap { value(of: ["activity", "condition", "task"], in: $0) }.first
        groups.merge(table?.values(of: subject) ?? [:]) { $1 }
        return groups
    }

    /// `6 dB` of `118e06` and `-6 dB` of `118e_6` (Moody, Muldrow & Mark 1984, the MIT-BIH Noise Stress Test Database).
    static func noise(inName name: String) -> String? {
        guard let match = name.wholeMatch(of: /\d+[a-z]*e(_?)(\d{1,2})/), let level = Int(match.2) else { return nil }
        return decibels(match.1.isEmpty ? Double(level) : -Double(level))
    }

    /// `12 dB` of `SNR = 12 dB`.
    static func noise(inComment comment: String) -> String? {
        guard let match = comment.firstMatch(of: /(?i)\bSNR\b[^-+\d]{0,12}([-+]?\d+(?:\.\d+)?)/) else { return nil }
        return Double(match.1).map(decibels)
    }

    /// The value of `activity: walking`.
    static func value(of keys: [String], in comment: String) -> String? {
        guard let match = comment.firstMatch(of: /^[\s#<]*([A-Za-z]+)>?\s*[:=]\s*(\S.*?)\s*$/),
            keys.contains(match.1.lowercased())
        else { return nil }
        return String(match.2)
    }

    private static func simulatedNoise(_ stem: URL, _ kind: CardiacSource.Kind) -> String? {
        let file = stem.deletingLastPathComponent().appendingPathComponent(stem.lastPathComponent + "_simulation.json")
        guard let data = try? Data(contentsOf: file),
            let tree = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let noises = tree["\(kind.rawValue)Noise"] as? [[String: Any]], noises.count == 1,
            let level = noises[0]["snr"] as? Double
        else { return nil }
        return decibels(level)
    }

    private static func decibels(_ level: Double) -> String {
        level == level.rounded() && level.magnitude < 1e6 ? "\(Int(level)) dB" : "\(level) dB"
    }
}

/// A table that says which groups recordings belong to.
public struct GroupTable: Sendable {
    /// The names of the groupings: every column but `record`.
    public let names: [String]
    private var rows: [String: [String: String]] = [:]

    /// Reads a tab-separated table with a column `record` and one column per grouping.
    /// - Throws: `FormatError` when it cannot be read or has no such column.
    public init(reading url: URL) throws {
        let table = try TextTable(reading: url)
        names = table.names.filter { $0 != "record" }
        let records = try table.texts("record")
        guard !names.isEmpty else {
            throw FormatError(url, "has no column beside record", advice: "add a column such as activity")
        }
        for name in names {
            for (record, value) in zip(records, try table.texts(name)) {
                if let record, let value { rows[record, default: [:]][name] = value }
            }
        }
    }

    /// What is said of a recording by its name within the set or by its file's name.
    func values(of subject: ValidationSubject) -> [String: String] {
        rows[subject.name] ?? rows[subject.stem.lastPathComponent] ?? [:]
    }
}
