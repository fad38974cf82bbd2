import Cardiac
import Cohort
import Foundation
import Pipeline
import Simulation

/// A small simulated cohort and its batch, for tests.
struct SmallCohort {
    let data: URL
    let batch: BatchFolder

    /// Two people at rest and under stress for a minute, with every signal.
    init(in folder: URL, participants: Int = 2, seed: UInt64 = 5) throws {
        var parameters = CohortParameters()
        (parameters.participants, parameters.sessions, parameters.duration) = (participants, 1, 60)
        (parameters.seed, parameters.hasFaults) = (seed, false)
        data = folder.appendingPathComponent("data")
        try SimulatedDataset(SimulatedCohort(parameters), in: data).write()
        batch = BatchFolder(folder.appendingPathComponent("results"))
        try batch.make(derivedFrom: "data")
    }

    /// What there is to do.
    func plan(hasReport: Bool = false) throws -> BatchPlan {
        let units = try CohortDataset(data, mapping: nil).units
        let plan = try BatchPlan(units, of: data, into: batch, parameters: Self.parameters, hasReport: hasReport)
        try plan.keep(parameters: Self.parameters)
        return plan
    }

    /// Does it, and gathers the group.
    func compute(hasReport: Bool = false) throws {
        for plan in try plan(hasReport: hasReport).work() { _ = try UnitRun(batch).perform(plan.unit.stem) }
        _ = try GroupTables(plan(hasReport: hasReport)).write()
    }

    static var parameters: Parameters {
        var parameters = Parameters()
        (parameters.hrv.window, parameters.hrv.step) = (30, 30)
        return parameters
    }
}
