import Cardiac
import Cohort
import Formats
import Foundation
import Pipeline

/// A cohort of lists of intervals whose heart rates are set by hand, and its batch.
struct IntervalCohort {
    let data: URL
    let batch: BatchFolder
    var design = GroupDesign()
    var recordings = ["{subject}_{session}_{task}.rr"]

    init(in folder: URL) throws {
        data = folder.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        batch = BatchFolder(folder.appendingPathComponent("results"))
        try batch.make(derivedFrom: "data")
    }

    /// Two minutes of a heart that beats `rate` times a minute; with a second rate, a minute at each. The first interval differs
    /// by less than a millisecond from recording to recording, as no two are the same bytes.
    func add(_ name: String, _ rates: Double...) throws {
        var lines: [String] = []
        let own = Double(name.utf8.reduce(7) { ($0 * 31 + Int($1)) % 997 }) / 1000
        for rate in rates {
            let count = Int(2 * rate / Double(rates.count))
            for beat in 0..<count {
                let interval: Double =
                    60_000 / rate + (beat.isMultiple(of: 2) ? 12.0 : -12.0)
                    + (lines.isEmpty ? own : 0)
                lines.append(String(format: "%.3f", interval))
            }
        }
        try write(lines.joined(separator: "\n") + "\n", to: name + ".rr")
    }

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: data.appendingPathComponent(path))
    }

    func plan() throws -> BatchPlan {
        let units = try CohortMapping(recordings: recordings).units(in: data)
        let plan = try BatchPlan(units, of: data, into: batch, parameters: Self.parameters, hasReport: false)
        try plan.keep(parameters: Self.parameters)
        return plan
    }

    /// Computes what is open and gathers the group.
    /// - Returns: what was warned of.
    @discardableResult
    func compute() throws -> [String] {
        for plan in try plan().work() { _ = try UnitRun(batch).perform(plan.unit.stem) }
        return try gather()
    }

    /// - Returns: what was warned of.
    func gather() throws -> [String] {
        var warnings: [String] = []
        _ = try GroupTables(plan(), design: design, hasPages: false).write(warn: { warnings.append($0) })
        return warnings
    }

    /// A group table's rows as dictionaries, of one index.
    func rows(_ table: String, index: String? = "meanHR") throws -> [[String: String]] {
        let table = try TextTable(reading: batch.root.appendingPathComponent("group/\(table).tsv"))
        let columns = try table.names.map { ($0, try table.texts($0)) }
        return (0..<table.rowCount).map { row in
            Dictionary(uniqueKeysWithValues: columns.map { ($0.0, $0.1[row] ?? "n/a") })
        }.filter { index == nil || $0["index"] == index }
    }

    static var parameters: Parameters {
        var parameters = Parameters()
        (parameters.hrv.window, parameters.hrv.step) = (30, 30)
        for index in [\HRVMinimumSeconds.meanHR, \.meanNN, \.rmssd] {
            parameters.hrv.minimumSeconds[keyPath: index] = 20
        }
        return parameters
    }
}
