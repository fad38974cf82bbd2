import Formats
import Foundation
import Signals

/// The tables of events of a cohort: which recordings each serves, and why some serve none.
///
/// A table that serves several people has a column of participants, or is a protocol that all of them went through at the same
/// times. One without such a column that cannot be a protocol is refused.
struct EventTables {
    /// The conditions of each recording that has a table, by stem.
    private(set) var conditions: [String: ConditionEvents] = [:]
    /// Recordings without a table.
    private(set) var without: [CohortUnit] = []
    /// Tables, or recordings of them, that could not be read: a line each.
    private(set) var unread: [String] = []
    /// Warnings about tables that serve several participants.
    private(set) var warnings: [String] = []

    private let dataset: URL
    private let design: GroupDesign

    /// - Parameters:
    ///   - results: the table of events among a recording's results; nil without one.
    ///   - end: when a recording ends, in seconds from its start; nil where that is not known.
    init(
        _ units: [CohortUnit], in dataset: URL, design: GroupDesign, results: (CohortUnit) -> URL?,
        end: (CohortUnit) -> Seconds?
    ) {
        (self.dataset, self.design) = (dataset, design)
        var places: [(url: URL, units: [CohortUnit])] = []
        var known: [String: Int] = [:]
        for unit in units {
            guard let url = ConditionEvents.table(of: unit, in: dataset, design) else {
                takeResults(of: unit, results(unit))
                continue
            }
            let path = url.standardizedFileURL.path
            let place = known[path] ?? places.count
            known[path] = place
            if place == places.count { places.append((url, [])) }
            places[place].units.append(unit)
        }
        for (url, served) in places { take(url, served, of: units, end) }
    }

    /// Takes the table among a recording's results, where its data set has no table: the recording's own tags and markers, where the
    /// design names conditions or gives moments a length.
    private mutating func takeResults(of unit: CohortUnit, _ url: URL?) {
        let isAskedFor = design.events == nil && (design.conditions != nil || design.momentsLast != nil)
        guard isAskedFor, let url, FileManager.default.fileExists(atPath: url.path) else {
            without.append(unit)
            return
        }
        do { conditions[unit.stem] = try ConditionEvents(reading: url, design: design) } catch {
            unread.append("\(unit.stem): has no conditions: \(error)")
        }
    }

    private mutating func take(
        _ url: URL, _ served: [CohortUnit], of units: [CohortUnit], _ end: (CohortUnit) -> Seconds?
    ) {
        let (table, owners): (TextTable, EventOwners?)
        do {
            table = try TextTable(reading: url)
            owners = try EventOwners(table, of: units)
        } catch {
            unread += served.map { "\($0.stem): has no conditions: \(error)" }
            return
        }
        var found: [(unit: CohortUnit, events: ConditionEvents)] = []
        var rowless: Set<String> = []
        for unit in served {
            let rows = owners?.rows(of: unit)
            if rows?.contains(true) == false { rowless.insert(unit.participant) }
            do {
                let clock = try BIDSEvents.clock(of: url, in: dataset.appendingPathComponent(unit.recording))
                found.append((unit, try ConditionEvents(table, rows: rows, clock: clock, design: design)))
            } catch { unread.append("\(unit.stem): has no conditions: \(error)") }
        }
        let people = Set(served.map(\.participant))
        if let owners {
            warnings += Self.remarks(on: owners, of: url, people: people.count, rowless)
        } else if people.count > 1, let problem = Self.problem(of: found, end) {
            warnings.append(
                "comparisons: events: \(url.lastPathComponent): has no conditions for any of \(people.count) participants, as "
                    + "it has no column of participants and cannot be the protocol of all of them: \(problem); add a column "
                    + "participant_id, or name a table for each with {subject}")
            found = found.map { ($0.unit, $0.events.withoutConditions) }
        }
        for (unit, events) in found { conditions[unit.stem] = events }
    }

    private static func remarks(
        on owners: EventOwners, of url: URL, people: Int, _ rowless: Set<String>
    ) -> [String] {
        let start = "comparisons: events: \(url.lastPathComponent), column \(owners.column): "
        var remarks: [String] = []
        if !rowless.isEmpty {
            remarks.append(
                start
                    + "no row is of \(rowless.count) of \(people) participants (\(Listing.text(rowless.sorted()))), who "
                    + "have no conditions")
        }
        if !owners.unknown.isEmpty {
            remarks.append(
                start + "no participant is called \(Listing.text(owners.unknown)); rows of these are left out")
        }
        if owners.missing > 0 {
            remarks.append(
                start
                    + "\(owners.missing.counted("row")) without a participant \(owners.missing == 1 ? "is" : "are") left out"
            )
        }
        return remarks
    }

    /// Why a table cannot be a protocol that all of these recordings followed; nil where it can.
    private static func problem(
        of found: [(unit: CohortUnit, events: ConditionEvents)], _ end: (CohortUnit) -> Seconds?
    ) -> String? {
        func time(_ time: Seconds) -> String { "\(Int(time.rounded())) s" }
        for (unit, events) in found {
            let stretches = events.stretches.sorted { ($0.onset, $0.end, $0.label) < ($1.onset, $1.end, $1.label) }
            for (place, one) in stretches.enumerated() {
                let other = stretches[(place + 1)...].first { $0.label == one.label && $0.onset + 1 <= one.end }
                guard let other else { continue }
                return "\(one.label) lasts from \(time(one.onset)) to \(time(one.end)) and begins again at "
                    + time(other.onset)
            }
            guard let end = end(unit) else { continue }
            guard let late = stretches.last, late.onset + ConditionEvents.shortest > end else { continue }
            return "\(late.label) begins at \(time(late.onset)), and \(unit.stem) ends at \(time(end))"
        }
        return nil
    }
}
