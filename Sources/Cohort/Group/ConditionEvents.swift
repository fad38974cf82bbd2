import Formats
import Foundation
import Signals

/// The conditions of a recording: stretches of time with a name, told by a table of events (BIDS 1.10, "Events").
struct ConditionEvents {
    /// A time in which a condition lasts, in seconds.
    struct Stretch {
        var onset: Double, end: Double
        var label: String
    }

    private(set) var stretches: [Stretch] = []
    /// All that its events are called, conditions or not.
    private(set) var names: Set<String> = []
    /// Names of events without a duration, or too short a one, that the design calls conditions; of all, where it names none.
    private(set) var untimed: Set<String> = []

    /// No conditions.
    init() {}

    /// The conditions that a table tells: its events that last at least `shortest` seconds; none where it names no
    /// types of trials.
    /// - Parameter clock: how its times are to be taken in the recording.
    /// - Throws: `FormatError` when the table cannot be read or lacks a column that BIDS demands.
    init(reading url: URL, clock: BIDSEventClock = BIDSEventClock(), design: GroupDesign) throws {
        let table = try TextTable(reading: url)
        let (onsets, durations) = (try table.numbers("onset"), try table.numbers("duration"))
        guard table.has("trial_type") else { return }
        let wanted = design.conditions.map(Set.init)
        let labels = try table.texts("trial_type")
        // The moments at which a condition that a moment began is over.
        let ends = labels.indices.filter { row in
            guard let label = labels[row], onsets[row].isFinite else { return false }
            return wanted?.contains(label) ?? true || design.momentsEnd.contains(label)
        }.map { onsets[$0] }.sorted()
        for (row, label) in labels.enumerated() {
            guard let label else { continue }
            names.insert(label)
            guard wanted?.contains(label) ?? true, !design.momentsEnd.contains(label) else { continue }
            let duration = Self.duration(durations[row], from: onsets[row], ends, design)
            if !(duration >= Self.shortest) { untimed.insert(label) }
            guard onsets[row].isFinite, duration >= Self.shortest else { continue }
            let (onset, end) = (clock.time(onsets[row]), clock.time(onsets[row] + duration))
            stretches.append(Stretch(onset: onset, end: end, label: label))
        }
        // Short events of a condition that lasts elsewhere lie within it.
        untimed.subtract(stretches.map(\.label))
    }

    /// The duration of an event: that of the table, or, for a moment, that of the design.
    private static func duration(
        _ stated: Double, from onset: Double, _ ends: [Double], _ design: GroupDesign
    ) -> Double {
        guard !(stated > 0), onset.isFinite else { return stated }
        return switch design.momentsLast {
        case .untilNext: (ends.first { $0 > onset } ?? onset + longest) - onset
        case .seconds(let seconds): seconds
        case nil: stated
        }
    }

    /// The length of a condition that nothing ends before the recording does, in seconds.
    private static let longest = 1e7
    /// What is shorter, in seconds, is an event within a condition: nothing is averaged over it.
    static let shortest = 10.0
    /// How far a window may reach over the ends of a condition, in seconds: less than a sample of the slowest signals.
    static let tolerance = 0.1

    /// Whether it tells none.
    var isEmpty: Bool { stretches.isEmpty }

    /// What its conditions are called.
    var labels: Set<String> { Set(stretches.map(\.label)) }

    /// The condition of the window whose start and length a table gives: the one that lasts over all of it; nil where it
    /// is in none, or in several with different names.
    func condition(onset: String?, duration: String?) -> String? {
        guard !stretches.isEmpty, let onset = onset.flatMap(Double.init),
            let duration = duration.flatMap(Double.init)
        else { return nil }
        return condition(onset: onset, duration: duration)
    }

    /// The condition of a window, an epoch or, without a length, a sample.
    func condition(onset: Double, duration: Double) -> String? {
        var found: String?
        for stretch in stretches
        where stretch.onset <= onset + Self.tolerance && onset + duration <= stretch.end + Self.tolerance {
            if let found, found != stretch.label { return nil }
            found = stretch.label
        }
        return found
    }

    /// The conditions of a recording; nil where it has no table of events. A recording whose data set has no table for it
    /// has that of its results, its own tags and markers, where the design names conditions or gives moments a length.
    /// - Parameter results: the table of events among its results, whose times count from the recording's start.
    /// - Throws: `FormatError` when the table cannot be used, or when it cannot be told what its times count from.
    static func told(
        of unit: CohortUnit, in dataset: URL, results: URL?, _ design: GroupDesign
    ) throws -> ConditionEvents? {
        guard let url = table(of: unit, in: dataset, design) else {
            let isAskedFor = design.events == nil && (design.conditions != nil || design.momentsLast != nil)
            guard isAskedFor, let results, FileManager.default.fileExists(atPath: results.path) else {
                return nil
            }
            return try ConditionEvents(reading: results, design: design)
        }
        let recording = dataset.appendingPathComponent(unit.recording)
        return try ConditionEvents(reading: url, clock: BIDSEvents.clock(of: url, in: recording), design: design)
    }

    /// The table of events of a recording; nil where it has none.
    ///
    /// Where the design names none it is the one that applies to the recording, or to the folder of its run.
    private static func table(of unit: CohortUnit, in dataset: URL, _ design: GroupDesign) -> URL? {
        if let pattern = design.events {
            return paths(pattern, unit).map { dataset.appendingPathComponent($0) }.first {
                // Where it is a link to content that was not fetched, reading it says how to get it.
                (try? FileManager.default.attributesOfItem(atPath: $0.path)) != nil
            }
        }
        let parts = unit.recording.split(separator: "/").map(String.init)
        let places = parts.indices.reversed().filter { place in
            place == parts.count - 1 || (parts[place].hasPrefix("sub-") && parts[place].contains("_"))
        }
        return places.lazy.compactMap { place in
            BIDSEvents.file(for: dataset.appendingPathComponent(parts[...place].joined(separator: "/")))
        }.first
    }

    /// Where a pattern says that a recording's events are, as the data set spells its labels, else as results do.
    static func paths(_ pattern: String, _ unit: CohortUnit) -> [String] {
        func filled(_ labels: [String: String]) -> String {
            labels.reduce(pattern) { $0.replacing("{\($1.key)}", with: $1.value) }
        }
        let spelled = unit.labels.merging(unit.spelling ?? [:]) { _, spelling in spelling }
        return [filled(spelled), filled(unit.labels)]
    }
}
