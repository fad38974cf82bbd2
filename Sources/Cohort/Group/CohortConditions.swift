import Foundation
import Signals

/// The conditions of all recordings of a cohort, read before anything is written: what is wrong with one table of events
/// is told and takes the conditions from that recording alone.
struct CohortConditions {
    private var conditions: [String: ConditionEvents] = [:]
    /// Tables that could not be read, entries of the design that match nothing, conditions that are spelled otherwise
    /// or last at the same time.
    private(set) var warnings: [String] = []

    /// - Parameters:
    ///   - results: the table of events among a recording's results; nil without one.
    ///   - end: when a recording ends, in seconds from its start; nil where that is not known.
    init(
        _ units: [CohortUnit], in dataset: URL, design: GroupDesign, results: (CohortUnit) -> URL? = { _ in nil },
        end: (CohortUnit) -> Seconds? = { _ in nil }
    ) {
        let tables = EventTables(units, in: dataset, design: design, results: results, end: end)
        let (without, unread) = (tables.without, tables.unread)
        conditions = tables.conditions
        let names = conditions.values.reduce(into: Set<String>()) { $0.formUnion($1.names) }
        warnings = Array(unread.prefix(Self.told))
        if unread.count > Self.told {
            warnings.append("\(unread.count - Self.told) more recordings have no conditions for such a reason")
        }
        warnings += tables.warnings
        if let pattern = design.events, let first = without.first {
            let path = ConditionEvents.paths(pattern, first)[0]
            warnings.append(
                "comparisons: events: \(without.count) of \(units.count) recordings have no such file; "
                    + "\(first.stem) would have \(path)")
        }
        let untimed = units.filter { conditions[$0.stem]?.untimed.isEmpty == false }
        if let first = untimed.first {
            let labels = Set(untimed.flatMap { conditions[$0.stem]?.untimed ?? [] }).sorted()
            warnings.append(
                "comparisons: conditions: events called \(Listing.text(labels)) have no duration of 10 s or more in \(untimed.count) of "
                    + "\(units.count) recordings, such as \(first.stem), and are no conditions there: write how long they last"
                    + (design.conditions == nil
                        ? ", or, of moments that are none, name those that are: comparisons: { conditions: [...] }"
                        : "")
                    + "; give tags a length with comparisons: { momentsLast: untilNext } or { momentsLast: SECONDS }")
        }
        if let wanted = design.conditions {
            warnings += Self.misspelled(wanted, conditions.mapValues(\.names))
        } else {
            warnings += Self.spelledApart(units, conditions)
        }
        warnings += Self.overlapping(units.compactMap { conditions[$0.stem] }, of: units.count, design)
        let unknown = (design.conditions ?? []).filter { !names.contains($0) }
        if !unknown.isEmpty {
            let known = names.isEmpty ? "no events are named" : "events are named \(Listing.text(names.sorted()))"
            warnings.append("comparisons: conditions: no event is called \(unknown.joined(separator: ", ")); \(known)")
        }
    }

    /// How many tables, or pairs of conditions, are told of one by one.
    static let told = 5

    /// The conditions of a recording.
    func events(of unit: CohortUnit) -> ConditionEvents { conditions[unit.stem] ?? ConditionEvents() }
}
