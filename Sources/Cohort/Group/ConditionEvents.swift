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
        try self.init(TextTable(reading: url), rows: nil, clock: clock, design: design)
    }

    /// The conditions in some rows of a table.
    /// - Parameter rows: true for the rows that are of the recording; nil: all are.
    init(_ table: TextTable, rows: [Bool]?, clock: BIDSEventClock, design: GroupDesign) throws {
        func own<Cell>(_ cells: [Cell]) -> [Cell] {
            rows.map { zip(cells, $0).filter { $1 }.map { $0.0 } } ?? cells
        }
        let (onsets, durations) = (own(try table.numbers("onset")), own(try table.numbers("duration")))
        guard table.has("trial_type") else { return }
        let wanted = design.conditions.map(Set.init)
        let labels = own(try table.texts("trial_type"))
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

    /// The parts of the recording in which each condition lasts and no other does, apart from each other and in order of time.
    /// Parts of one condition that touch or overlap are one.
    var parts: [String: [Range<Seconds>]] {
        let all = Dictionary(grouping: stretches, by: \.label).mapValues { Self.union($0.map { $0.onset..<$0.end }) }
        return all.reduce(into: [:]) { parts, own in
            let others = Self.union(all.filter { $0.key != own.key }.flatMap(\.value))
            parts[own.key] = own.value.flatMap { Self.rest(of: $0, without: others) }
        }
    }

    private static func union(_ ranges: [Range<Seconds>]) -> [Range<Seconds>] {
        ranges.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }.reduce(into: []) {
            union, range in
            if let last = union.last, range.lowerBound <= last.upperBound + touching {
                union[union.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                union.append(range)
            }
        }
    }

    /// The rest of a range without others, which are apart and in order of time.
    private static func rest(of range: Range<Seconds>, without others: [Range<Seconds>]) -> [Range<Seconds>] {
        var (rest, begin): ([Range<Seconds>], Seconds) = ([], range.lowerBound)
        for other in others where other.upperBound > range.lowerBound && other.lowerBound < range.upperBound {
            if other.lowerBound > begin { rest.append(begin..<other.lowerBound) }
            begin = max(begin, other.upperBound)
        }
        if begin < range.upperBound { rest.append(begin..<range.upperBound) }
        return rest
    }

    /// The time between two parts of a condition that is no time, in seconds: tables are rounded.
    private static let touching = 1e-3

    /// The same names without conditions.
    var withoutConditions: ConditionEvents {
        var events = self
        events.stretches = []
        return events
    }

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

    /// The table of events of a recording; nil where it has none.
    ///
    /// Where the design names none it is the one that applies to the recording, or to the folder of its run.
    static func table(of unit: CohortUnit, in dataset: URL, _ design: GroupDesign) -> URL? {
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
