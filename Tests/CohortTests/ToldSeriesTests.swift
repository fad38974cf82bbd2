import Cohort
import Formats
import Foundation
import Pipeline
import TestSupport
import Testing

/// What is told of tables while they are computed, in place of reading them again.
struct ToldSeriesTests {
    /// The files of the group, by their names.
    private static func group(
        _ cohort: SmallCohort, _ series: ToldSeries?, _ plan: BatchPlan? = nil
    ) throws -> [String: Data] {
        _ = try GroupTables(plan ?? cohort.plan(), series: series).write()
        let folder = cohort.batch.root.appendingPathComponent("group")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                FileManager.default.contents(atPath: folder.appendingPathComponent(name).path).map { (name, $0) }
            })
    }

    private static func compute(_ cohort: SmallCohort) throws -> ToldSeries {
        let series = ToldSeries()
        var run = UnitRun(cohort.batch)
        run.series = series
        for plan in try cohort.plan().work() { #expect(try run.perform(plan.unit.stem) == .done) }
        return series
    }

    @Test func theGroupIsTheSameToTheByteWhetherTablesAreToldOrRead() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder)
            let series = try Self.compute(cohort)
            let told = try Self.group(cohort, series)
            #expect(told.count > 10)
            #expect(told == (try Self.group(cohort, nil)))
            #expect(told == (try Self.group(cohort, ToldSeries())))
        }
    }

    @Test func whatIsToldIsNotRead() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 1)
            let series = try Self.compute(cohort)
            let before = try Self.group(cohort, series)
            let output = try #require(
                try cohort.batch.marker(cohort.plan().entries[0].plan.unit.stem)?.outputs.first {
                    $0.path.hasSuffix("desc-eda_physio.tsv")
                })
            let table = cohort.batch.root.appendingPathComponent(output.path)
            // Made before the table is altered, as in one command.
            let plan = try cohort.plan()
            var text = try Data(contentsOf: table)
            text[text.count - 2] = UInt8(ascii: "7")
            try text.write(to: table)
            #expect(before == (try Self.group(cohort, series, plan)))
            // Whoever reads it finds that it is another one.
            #expect(throws: CohortError.self) { try Self.group(cohort, nil, plan) }
        }
    }

    @Test func whatWasToldOfOtherTablesIsNotTaken() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 1)
            let series = try Self.compute(cohort)
            // The same recordings, computed in another way that nothing is told of.
            let other = try Parameters(yaml: "eda: { separation: median }", file: "other.yaml")
            let units = try CohortDataset(cohort.data, mapping: nil).units
            let plan = try BatchPlan(
                units, of: cohort.data, into: cohort.batch, parameters: other, hasReport: false)
            try plan.keep(parameters: other)
            for plan in plan.work() { #expect(try UnitRun(cohort.batch).perform(plan.unit.stem) == .done) }
            func tables(_ series: ToldSeries?) throws -> Data {
                let plan = try BatchPlan(
                    units, of: cohort.data, into: cohort.batch, parameters: other, hasReport: false)
                _ = try GroupTables(plan, series: series).write()
                return try Data(contentsOf: cohort.batch.root.appendingPathComponent("group/indexes_long.tsv"))
            }
            #expect(try tables(series) == tables(nil))
        }
    }
}
