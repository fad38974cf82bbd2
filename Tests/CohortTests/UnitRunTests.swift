import Cardiac
import Cohort
import Formats
import Foundation
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// The work on single recordings of a batch and what its folder says of it.
struct UnitRunTests {
    /// A cohort of recordings with these names and seeds, and its batch folder.
    private static func cohort(_ names: [String], in folder: URL) throws -> (data: URL, batch: BatchFolder) {
        let data = folder.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        for (index, name) in names.enumerated() {
            try simulate(data.appendingPathComponent(name), seed: UInt64(index + 1))
        }
        let batch = BatchFolder(folder.appendingPathComponent("results"))
        try batch.make(derivedFrom: "data")
        return (data, batch)
    }

    private static func simulate(_ url: URL, seed: UInt64) throws {
        var parameters = SimulationParameters()
        (parameters.duration, parameters.seed, parameters.bvp) = (40, seed, nil)
        _ = try EDFWriter.write(to: url) { SimulatedSession(parameters).reader() }
    }

    private static func plan(
        _ cohort: (data: URL, batch: BatchFolder), parameters: Parameters = Parameters()
    ) throws -> BatchPlan {
        let units = try CohortMapping(recordings: ["{subject}.edf"]).units(in: cohort.data)
        let plan = try BatchPlan(
            units, of: cohort.data, into: cohort.batch, parameters: parameters, hasReport: false)
        try plan.keep(parameters: parameters)
        return plan
    }

    @Test func onlyWhatChangedIsComputedAgain() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf", "b.edf"], in: folder)
            let run = UnitRun(cohort.batch)
            for plan in try Self.plan(cohort).work() { #expect(try run.perform(plan.unit.stem) == .done) }
            #expect(try Self.plan(cohort).work().isEmpty)

            let b = cohort.data.appendingPathComponent("b.edf")
            try Self.simulate(b, seed: 9)
            #expect(try Self.plan(cohort).work().map(\.unit.stem) == ["sub-b"])
            #expect(try run.perform("sub-b") == .done)

            // The same bytes with another date are hashed and found unchanged.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: b.path)
            #expect(try Self.plan(cohort).work().map(\.unit.stem) == ["sub-b"])
            #expect(try run.perform("sub-b") == .unchanged)
            #expect(try Self.plan(cohort).work().isEmpty)

            var other = Parameters()
            other.hrv.window = 20
            #expect(try Self.plan(cohort, parameters: other).work().count == 2)
            #expect(try run.perform("sub-a") == .done)
        }
    }

    @Test func resultsThatWentMissingAreMadeAgain() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf"], in: folder)
            _ = try Self.plan(cohort)
            let run = UnitRun(cohort.batch)
            #expect(try run.perform("sub-a") == .done)
            let marker = try #require(cohort.batch.marker("sub-a"))
            #expect(marker.outputs.count > 5)
            let lost = cohort.batch.root.appendingPathComponent(marker.outputs[1].path)
            let content = try Data(contentsOf: lost)
            try FileManager.default.removeItem(at: lost)
            #expect(try Self.plan(cohort).entries.map(\.state) == [.pending])
            #expect(try run.perform("sub-a") == .done)
            #expect(try Data(contentsOf: lost) == content)
            #expect(cohort.batch.marker("sub-a") == marker)
        }
    }

    @Test func whatAnEarlierRunMadeIsTakenAwayAlsoAfterPublishingWasCutOff() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf"], in: folder)
            _ = try Self.plan(cohort)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .done)
            var marker = try #require(cohort.batch.marker("sub-a"))
            let quality = marker.outputs.filter { $0.path.contains("quality") }
            // As it stands while results are put in their place.
            marker.key = ""
            let file = cohort.batch.root.appendingPathComponent(".marey/batch/done/sub-a.json")
            try JSONEncoder().encode(marker).write(to: file)
            #expect(try Self.plan(cohort).entries.map(\.state) == [.pending])
            var other = Parameters()
            other.outputs = [.quality]
            _ = try Self.plan(cohort, parameters: other)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .done)
            let left = try Self.results(cohort.batch.root.appendingPathComponent("sub-a")).keys
            #expect(quality.allSatisfy { left.contains(($0.path as NSString).lastPathComponent) })
            #expect(!left.contains { $0.contains("hrv") }, "\(left)")
        }
    }

    @Test(arguments: [10_413_792_000.0, -12_000_000_000])
    func aFileOfAYearThatCannotBeCountedInNanosecondsHasAStamp(seconds: Double) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a")
            try Data("x".utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: file.path)
            #expect(FileStamp("a", in: folder)?.bytes == 1)
        }
    }

    @Test func labelsThatNoRecordingHasTogetherAreRefused() throws {
        try withTemporaryFolder { folder in
            for name in ["1_a.rr", "2_b.rr"] {
                try Data("800\n".utf8).write(to: folder.appendingPathComponent(name))
            }
            let units = try CohortMapping(recordings: ["{subject}_{session}.rr"]).units(in: folder)
            #expect(try UnitSelection(participants: ["1"], sessions: ["a"]).chosen(of: units).count == 1)
            #expect(throws: CohortError.self) {
                try UnitSelection(participants: ["1"], sessions: ["b"]).chosen(of: units)
            }
        }
    }

    @Test func aFailureIsToldOnceAndTriedAgainOnlyWhenAskedOrChanged() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf"], in: folder)
            let a = cohort.data.appendingPathComponent("a.edf")
            try Data("damaged".utf8).write(to: a)
            _ = try Self.plan(cohort)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .failed)
            let failure = try #require(cohort.batch.failure("sub-a"))
            #expect(failure.kind == .unreadable)
            #expect(failure.place?.contains("byte 0") == true)
            #expect(BatchStatus(cohort.batch).summary == "1 failed")
            #expect(try Self.plan(cohort).work().isEmpty)
            #expect(try Self.plan(cohort).work(retryFailed: true).count == 1)
            try Self.simulate(a, seed: 3)
            #expect(try Self.plan(cohort).work().count == 1)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .done)
            #expect(BatchStatus(cohort.batch).summary == "1 done")
            #expect(cohort.batch.failure("sub-a") == nil)
        }
    }

    @Test func whatNeededMoreMemoryIsTriedAgainOnlyWhereItsShareIsLarger() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf", "b.edf", "c.edf", "d.edf"], in: folder)
            /// Bytes for each of two workers that share 80 MB.
            func share(_ count: Int) -> Int? { 80_000_000 / max(1, min(2, count)) }
            func fail(_ plans: [UnitPlan]) throws {
                for plan in plans {
                    var failure = FailureRecord(plan, .memory, "needs more")
                    failure.memoryLimit = share(plans.count)
                    let file = cohort.batch.root.appendingPathComponent(".marey/batch/failed/\(plan.unit.stem).json")
                    try JSONEncoder().encode(failure).write(to: file)
                }
            }
            let first = try Self.plan(cohort).work(share: share)
            #expect(first.count == 4)
            try fail(first)
            // Four would have what they had, and so would two; one has all.
            var tried: [String] = []
            for _ in 1...4 {
                let again = try Self.plan(cohort).work(share: share)
                #expect(again.count == 1)
                tried += again.map(\.unit.stem)
                try fail(again)
            }
            #expect(tried.sorted() == ["sub-a", "sub-b", "sub-c", "sub-d"])
            let plan = try Self.plan(cohort)
            #expect(plan.work(share: share).isEmpty)
            #expect(plan.work(retryFailed: true, share: share).count == 4)
            #expect(plan.work(share: { _ in nil }).count == 4)
            #expect(plan.work(share: { 170_000_000 / min(2, $0) }).count == 4)
        }
    }

    @Test func aRecordingThatChangesAfterPlanningIsNotTaken() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf"], in: folder)
            _ = try Self.plan(cohort)
            try Self.simulate(cohort.data.appendingPathComponent("a.edf"), seed: 8)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)],
                ofItemAtPath: cohort.data.appendingPathComponent("a.edf").path)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .failed)
            #expect(cohort.batch.failure("sub-a")?.kind == .changed)
            #expect(try Self.plan(cohort).work().count == 1)
        }
    }

    @Test func aLockOfTheLivingIsRespectedAndOneOfTheDeadIsTakenOver() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf"], in: folder)
            let plan = try Self.plan(cohort).entries[0].plan
            let lock = cohort.batch.root.appendingPathComponent(".marey/batch/locks/sub-a.lock")
            func write(pid: Int32, start: String, host: String) throws {
                let fields =
                    ["host": host, "pid": pid, "processStart": start, "started": "2026-01-01T00:00:00Z"]
                    as [String: Any]
                try JSONSerialization.data(withJSONObject: fields).write(to: lock)
            }
            // Another machine's lock that was touched just now.
            try write(pid: 1, start: "1", host: "elsewhere")
            #expect(cohort.batch.state(of: plan) == .running)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .busy)
            // The same, not touched for an hour.
            try FileManager.default.setAttributes([.modificationDate: Date() - 3_600], ofItemAtPath: lock.path)
            #expect(cohort.batch.state(of: plan) == .lost)
            #expect(BatchStatus(cohort.batch).table.rows[0].contains(.text("elsewhere")))
            // The same, by a clock that was an hour ahead.
            try FileManager.default.setAttributes([.modificationDate: Date() + 3_600], ofItemAtPath: lock.path)
            #expect(cohort.batch.state(of: plan) == .lost)
            // This machine's lock of a process whose number now belongs to another.
            try write(pid: getpid(), start: "1", host: ProcessInfo.processInfo.hostName)
            #expect(cohort.batch.state(of: plan) == .lost)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .done)
            #expect(cohort.batch.state(of: plan) == .done)
        }
    }

    @Test func resultsJoinWhatAFolderHoldsAlready() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(["a.edf"], in: folder)
            _ = try Self.plan(cohort)
            let place = cohort.batch.root.appendingPathComponent("sub-a")
            // As another recording of the same person leaves them, and one of which nothing is left.
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            let other = place.appendingPathComponent("sub-a_task-other_provenance.json")
            try Data("{}".utf8).write(to: other)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .done)
            let joined = try Self.results(place)
            #expect(try Data(contentsOf: other) == Data("{}".utf8))

            try FileManager.default.removeItem(at: place)
            #expect(try UnitRun(cohort.batch).perform("sub-a") == .done)
            var alone = try Self.results(place)
            #expect(alone.count == joined.count - 1)
            alone[other.lastPathComponent] = Data("{}".utf8)
            #expect(alone == joined)
            let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
            let partial = cohort.batch.root.appendingPathComponent(".marey/batch/partial")
            #expect(try FileManager.default.contentsOfDirectory(atPath: partial.path).isEmpty)
            let marker = try #require(cohort.batch.marker("sub-a"))
            for output in marker.outputs {
                let hash = try InputHash(of: cohort.batch.root.appendingPathComponent(output.path))
                #expect(hash.sha256 == output.sha256 && hash.bytes == output.bytes)
            }
        }
    }

    /// The files of a folder, by their names.
    private static func results(_ folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }
}
