import Formats
import Foundation

/// The conditions of a recording: stretches of time with a name, told by a table of events (BIDS 1.10, "Events").
struct ConditionEvents {
    private struct Stretch {
        var onset: Double, end: Double
        var label: String
    }

    private var stretches: [Stretch] = []

    /// The conditions of `unit`; none where it has no table of events.
    /// - Throws: `FormatError` when the table cannot be read, `CohortError` when it lacks a column.
    init(of unit: CohortUnit, in dataset: URL, design: GroupDesign) throws {
        guard let url = Self.table(of: unit, in: dataset, design) else { return }
        let table = try TextTable(reading: url)
        guard table.has("onset"), table.has("duration"), table.has("trial_type") else {
            throw CohortError(url, "lacks a column of onset, duration, trial_type")
        }
        let wanted = design.conditions.map(Set.init)
        let (onsets, durations) = (try table.numbers("onset"), try table.numbers("duration"))
        for (row, label) in try table.texts("trial_type").enumerated() {
            guard let label, wanted?.contains(label) ?? true, onsets[row].isFinite, durations[row] > 0 else { continue }
            stretches.append(Stretch(onset: onsets[row], end: onsets[row] + durations[row], label: label))
        }
    }

    /// How far a window may reach over the ends of a condition, in seconds: less than a sample of the slowest signals.
    private static let tolerance = 0.1

    /// The condition of the window whose start and length a table gives: the one that lasts over all of it; nil where it
    /// is in none, or in several with different names.
    func condition(onset: String?, duration: String?) -> String? {
        guard !stretches.isEmpty, let onset = onset.flatMap(Double.init),
            let duration = duration.flatMap(Double.init)
        else { return nil }
        let around = stretches.filter {
            $0.onset <= onset + Self.tolerance && onset + duration <= $0.end + Self.tolerance
        }
        guard let first = around.first, around.allSatisfy({ $0.label == first.label }) else { return nil }
        return first.label
    }

    private static func table(of unit: CohortUnit, in dataset: URL, _ design: GroupDesign) -> URL? {
        let url: URL
        if let pattern = design.events {
            url = dataset.appendingPathComponent(path(pattern, unit))
        } else {
            let recording = dataset.appendingPathComponent(unit.recording)
            let stem = recording.lastPathComponent.split(separator: "_").dropLast().joined(separator: "_")
            url = recording.deletingLastPathComponent().appendingPathComponent(stem + "_events.tsv")
        }
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    private static func path(_ pattern: String, _ unit: CohortUnit) -> String {
        let labels = [
            ("subject", unit.participant), ("session", unit.session ?? ""), ("task", unit.task ?? ""),
            ("run", unit.run.map(String.init) ?? ""),
        ]
        return labels.reduce(pattern) { $0.replacing("{\($1.0)}", with: $1.1) }
    }
}
