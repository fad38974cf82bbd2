import Cohort
import Formats
import Foundation
import Pipeline
import Simulation
import TestSupport
import Testing

/// Who stands apart in a cohort whose faults are known.
struct QualityOutlierTests {
    @Test(arguments: [7, 11]) func recordingsWithFaultsAreMarkedAndNoOthers(seed: UInt64) throws {
        try withTemporaryFolder { folder in
            var parameters = CohortParameters()
            (parameters.sessions, parameters.duration, parameters.seed) = (1, 60, seed)
            parameters.signals = ["ecg", "eda"]
            let data = folder.appendingPathComponent("data")
            try SimulatedDataset(SimulatedCohort(parameters), in: data).write()
            let batch = BatchFolder(folder.appendingPathComponent("results"))
            try batch.make(derivedFrom: "data")
            let units = try CohortDataset(data, mapping: nil).units
            func plan() throws -> BatchPlan {
                try BatchPlan(units, of: data, into: batch, parameters: Parameters(), hasReport: false)
            }
            try plan().keep(parameters: Parameters())
            for unit in units { #expect(try UnitRun(batch).perform(unit.stem) == .done) }
            _ = try GroupTables(plan(), hasPages: false).write()
            let (outliers, remarked) = try Self.marked(batch)
            #expect(outliers == (try Self.faulty(data, ["deadBattery", "lostStretch", "sensorOff"])))
            #expect(remarked.isSuperset(of: try Self.faulty(data, ["badClock", "emptyIBI"])))
        }
    }

    private static func marked(_ batch: BatchFolder) throws -> (outliers: Set<String>, remarked: Set<String>) {
        let table = try TextTable(reading: batch.root.appendingPathComponent("group/outliers.tsv"))
        let (marks, remarks) = (try table.numbers("outlier"), try table.texts("remarks"))
        let names = try zip(table.texts("participant"), table.texts("task")).map { "\($0 ?? "") \($1 ?? "")" }
        return (
            Set(names.indices.filter { marks[$0] == 1 }.map { names[$0] }),
            Set(names.indices.filter { remarks[$0] != nil }.map { names[$0] })
        )
    }

    private static func faulty(_ data: URL, _ faults: Set<String>) throws -> Set<String> {
        let truth = try TextTable(reading: data.appendingPathComponent("truth.tsv"))
        let names = try zip(truth.texts("participant"), truth.texts("task")).map { "\($0 ?? "") \($1 ?? "")" }
        return Set(try zip(names, truth.texts("fault")).compactMap { faults.contains($1 ?? "") ? $0 : nil })
    }
}
