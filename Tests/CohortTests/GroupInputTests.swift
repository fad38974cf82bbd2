import Cohort
import Formats
import Foundation
import TestSupport
import Testing

/// What a study says of its conditions and groups, and what is wrong with it.
struct GroupInputTests {
    private static let events = "onset\tduration\ttrial_type\n0\t60\tcalm\n60\t60\tbusy\n"

    private static func cohort(in folder: URL, people: Int = 4) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.design.events = "{subject}.tsv"
        for person in 1...people {
            try cohort.add("0\(person)_1_rest", 60 + Double(person), 70 + 1.5 * Double(person))
            try cohort.write(events, to: "0\(person).tsv")
        }
        return cohort
    }

    private static func conditions(_ cohort: IntervalCohort) throws -> [[String: String]] {
        try cohort.rows("comparisons").filter { $0["factor"] == "condition" }
    }

    @Test(arguments: [
        ("", "is empty"), ("onset\tduration\ttrial_type\n0\t60\n", "line 2"), ("onset\tvalue\n0\t1\n", "duration"),
    ])
    func whatIsWrongWithOnePersonsEventsIsToldAndTheOthersGoOn(text: String, told: String) throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.write(text, to: "02.tsv")
            let warnings = try cohort.compute()
            let other = warnings.withoutMissingSides
            #expect(other.count == 1 && other[0].contains("sub-02") && other[0].contains(told), "\(warnings)")
            #expect(warnings.contains { $0.contains("3 of 4 participants have both busy and calm") }, "\(warnings)")
            #expect(try Self.conditions(cohort).first?["nFirst"] == "3")
        }
    }

    @Test func eventsWithoutTypesOfTrialsAreNoConditions() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.write("onset\tduration\tvalue\n0\t60\t1\n", to: "01.tsv")
            #expect(try cohort.compute().withoutMissingSides.isEmpty)
            #expect(try Self.conditions(cohort).first?["nFirst"] == "3")
        }
    }

    @Test func aDesignThatMatchesNothingIsToldOf() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            cohort.design.events = "told/{subject}.tsv"
            #expect(try cohort.compute().contains { $0.contains("4 of 4") && $0.contains("told/01.tsv") })
            cohort.design.events = "{subject}.tsv"
            cohort.design.conditions = ["Calm", "busy"]
            #expect(try cohort.gather().contains { $0.contains("no event is called Calm") && $0.contains("calm") })
            (cohort.design.conditions, cohort.design.reference) = (nil, "nosuch")
            #expect(try cohort.gather().contains { $0.contains("called nosuch") && $0.contains("busy") })
            cohort.design.reference = "CALM"
            #expect(try cohort.gather().isEmpty)
        }
    }

    @Test func conditionsThatDoNotLastOrAreSpelledOtherwiseAreToldOf() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            (cohort.design.conditions, cohort.design.reference) = (["calm", "busy"], "calm")
            try cohort.write("onset\tduration\ttrial_type\n0\tn/a\tcalm\n60\tn/a\tbusy\n", to: "02.tsv")
            try cohort.write("onset\tduration\ttrial_type\n0\t60\tCalm\n60\t60\tbusy \n", to: "03.tsv")
            let warnings = try cohort.compute()
            #expect(
                warnings.contains {
                    $0.contains("busy, calm have no duration of 10 s or more in 1 of 4") && $0.contains("sub-02")
                })
            #expect(warnings.contains { $0.contains("called \"Calm\"") && $0.contains("sub-03") }, "\(warnings)")
            for person in 1...4 {
                try cohort.write("onset\tduration\ttrial_type\n0\tn/a\tcalm\n60\tn/a\tbusy\n", to: "0\(person).tsv")
            }
            #expect(
                try cohort.gather().contains { $0.contains("have no duration of 10 s or more in 4 of 4 recordings") })
        }
    }

    @Test func conditionsThatNoWindowFitsIntoAreToldOf() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            let short = "onset\tduration\ttrial_type\n0\t25\tcalm\n60\t25\tbusy\n"
            for person in 1...4 { try cohort.write(short, to: "0\(person).tsv") }
            let warnings = try cohort.compute()
            #expect(warnings.count == 1 && warnings[0].contains("no window of ibi"), "\(warnings)")
        }
    }

    @Test func indexesThatNoConditionIsLongEnoughForAreNamed() throws {
        try withTemporaryFolder { folder in
            let cohort = try SmallCohort(in: folder, participants: 2)
            for unit in try CohortDataset(cohort.data, mapping: nil).units {
                let place = cohort.data.appendingPathComponent(unit.recording).deletingLastPathComponent()
                try Data("onset\tduration\ttrial_type\n0\t30\tcalm\n30\t30\tbusy\n".utf8)
                    .write(to: place.appendingPathComponent(unit.stem + "_events.tsv"))
            }
            for plan in try cohort.plan().work() { _ = try UnitRun(cohort.batch).perform(plan.unit.stem) }
            var warnings: [String] = []
            _ = try GroupTables(cohort.plan(), hasPages: false).write(warn: { warnings.append($0) })
            // Respiration is computed in windows of a minute.
            let told = try #require(warnings.first { $0.contains("lies within a condition") })
            #expect(told.contains("(respirationRate") && told.contains("respiration: { window: …"), "\(told)")
            #expect(!told.contains("meanSCL") && !told.contains("sdnn"), "\(told)")
        }
    }

    @Test(arguments: [
        ("participant_id,sex\nsub-01,m\nsub-02,f\n", "separated by tabs"),
        ("participant_id\tsex\nsub-01\n", "line 2"),
        ("participant_id\tsex\nsub-01\tm\nsub-02\tf\nsub-03\tf\n", "no row for 04"),
        ("participant_id\tsex\nsub-01\tm\nsub-02\tf\nsub-03\tm\nsub-04\tf\n02\tm\n", "more than one row for 02"),
        ("participant_id\tgroup\nsub-01\ta\nsub-02\tb\nsub-03\tc\nsub-04\tc\n", "3 levels (a, b, c)"),
    ])
    func whatKeepsGroupsFromBeingComparedIsTold(text: String, told: String) throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.write(text, to: "participants.tsv")
            let warnings = try cohort.compute()
            #expect(warnings.count == 1 && warnings[0].contains(told), "\(warnings)")
            #expect(try cohort.rows("descriptives").count == 1)
        }
    }

    @Test func labelsAreFoundAsTheDataSetSpellsThem() throws {
        try withTemporaryFolder { folder in
            var cohort = try IntervalCohort(in: folder)
            cohort.recordings = ["{subject}.rr"]
            cohort.design.events = "{subject}.tsv"
            for (place, name) in ["VP_01", "VP_02", "Bär", "Bür"].enumerated() {
                try cohort.add(name, 60 + Double(place), 70 + 1.5 * Double(place))
                try cohort.write(Self.events, to: name + ".tsv")
            }
            try cohort.write(
                "participant_id\tsex\nVP_01\tm\nVP_02\tf\nsub-Bär\tf\nBür\tm\n", to: "participants.tsv")
            #expect(try cohort.compute().isEmpty)
            #expect(try cohort.plan().entries.map(\.plan.unit.participant) == ["Baer", "Buer", "VP01", "VP02"])
            #expect(try Self.conditions(cohort).first?["nFirst"] == "4")
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "sex" })
            #expect(row["nFirst"] == "2" && row["nSecond"] == "2")
        }
    }

    @Test func aResultThatSomebodyAlteredIsComputedAgain() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let marker = try #require(cohort.batch.marker("sub-02_ses-1_task-rest"))
            let path = try #require(marker.outputs.first { $0.path.hasSuffix("desc-hrv_physio.tsv") }?.path)
            let url = cohort.batch.root.appendingPathComponent(path)
            let before = try Data(contentsOf: url)
            var altered = before
            altered[altered.count - 3] ^= 1
            try altered.write(to: url)
            #expect(throws: CohortError.self) { try cohort.gather() }
            #expect(try cohort.plan().work().map(\.unit.participant) == ["02"])
            try cohort.compute()
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test func aDescriptionThatSomebodyAlteredTakesNoIndexesAway() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let first = try #require(cohort.plan().entries.first?.plan.unit.stem)
            let marker = try #require(cohort.batch.marker(first))
            let path = try #require(marker.outputs.first { $0.path.hasSuffix("desc-hrv_physio.json") }?.path)
            let url = cohort.batch.root.appendingPathComponent(path)
            var altered = try Data(contentsOf: url)
            altered[0] ^= 1
            try altered.write(to: url)
            #expect(throws: CohortError.self) { try cohort.gather() }
            // The recording is not done any more then.
            func exported(to name: String) throws -> Int {
                try BIDSExport(cohort.batch, to: folder.appendingPathComponent(name)).write()
            }
            #expect(try exported(to: "without") == 3)
            try cohort.compute()
            #expect(try exported(to: "with") == 4)
        }
    }

    @Test(arguments: [(nil, "control"), ("adhd", "ADHD")])
    func groupsOfPeopleAreComparedWithTheReferenceToo(reference: String?, first: String) throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder)
            cohort.design.reference = reference
            try cohort.write(
                "participant_id\tgroup\n01\tcontrol\n02\tcontrol\n03\tADHD\n04\tADHD\n", to: "participants.tsv")
            #expect(try cohort.compute().allSatisfy { !$0.contains("reference") })
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "group" })
            #expect(row["first"] == first)
        }
    }

    @Test func resultsOfRecordingsThatAreGoneAreTakenUpNoMore() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            try FileManager.default.removeItem(at: cohort.data.appendingPathComponent("03_1_rest.rr"))
            let rest = try CohortDataset(cohort.data, mapping: CohortMapping(recordings: cohort.recordings))
            #expect(try cohort.batch.noteOrphans(besides: rest) == ["sub-03_ses-1_task-rest"])
            #expect(BatchStatus(cohort.batch).rows.map(\.state) == [.done, .done, .orphaned, .done])
            let target = folder.appendingPathComponent("bids")
            #expect(try BIDSExport(cohort.batch, to: target).write() == 3)
            #expect(!FileManager.default.fileExists(atPath: target.appendingPathComponent("sub-03").path))
            try cohort.add("03_1_rest", 63)
            let all = try CohortDataset(cohort.data, mapping: CohortMapping(recordings: cohort.recordings))
            #expect(try cohort.batch.noteOrphans(besides: all).isEmpty)
        }
    }

    @Test func whatKilledProcessesLeftIsSweptAway() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let state = cohort.batch.root.appendingPathComponent(".marey/batch")
            let (dead, alive) = (Int32.max, getpid())
            let left = [
                "partial/.\(ProcessInfo.processInfo.hostName).\(dead).0.messages",
                "partial/sub-01_ses-1_task-rest.\(dead)",
                "failed/.sub-01_ses-1_task-rest.json.\(dead).7.partial",
            ]
            let used = ["failed/.sub-02_ses-1_task-rest.json.\(alive).7.partial", "failed/.now.\(dead).8.partial"]
            for path in left + used {
                let url = state.appendingPathComponent(path)
                try Data("x".utf8).write(to: url)
                let age: TimeInterval = path.contains(".now.") ? 0 : -3_600
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: age)], ofItemAtPath: url.path)
            }
            cohort.batch.sweep()
            func exists(_ path: String) -> Bool {
                FileManager.default.fileExists(atPath: state.appendingPathComponent(path).path)
            }
            #expect(left.filter(exists).isEmpty && used.allSatisfy(exists))
            #expect(try cohort.plan().work().isEmpty)
        }
    }

    @Test func anotherDateOfTheSameRecordingDoesNotKeepTheGroupFromItsTables() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder)
            try cohort.compute()
            let recording = cohort.data.appendingPathComponent("02_1_rest.rr")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: recording.path)
            #expect(try cohort.batch.state(of: cohort.plan().entries[1].plan) == .pending)
            #expect(try cohort.gather().isEmpty)
            #expect(try cohort.rows("indexes_wide", index: nil).count == 4)
            #expect(BatchStatus(cohort.batch).summary == "4 done")
            #expect(try cohort.plan().work().isEmpty)
            // Another content of the same length is another recording.
            let text = try String(contentsOf: recording, encoding: .utf8)
            try Data(text.replacing("9", with: "8").utf8).write(to: recording)
            #expect(throws: CohortError.self) { try cohort.gather() }
        }
    }

    @Test func theFirstInOrderIsTheSmallestNumber() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...4 {
                for (session, rate) in [("2", 60.0), ("10", 70), ("9", 65)] {
                    try cohort.add("0\(person)_\(session)_x", rate + Double(person) + Double(person % 2) * rate / 60)
                }
            }
            try cohort.compute()
            let rows = try cohort.rows("comparisons").filter { $0["factor"] == "session" }
            #expect(rows.map { [$0["first"], $0["second"]] } == [["2", "9"], ["2", "10"]])
            #expect(rows.allSatisfy { (Double($0["difference"] ?? "") ?? .nan) > 4 })
            #expect(try cohort.rows("reliability").first?["sessionLabels"] == "2, 9, 10")
            #expect(try cohort.rows("descriptives").map { $0["session"] } == ["2", "9", "10"])
        }
    }

    @Test func tasksOfTheTablesAreInTheOrderOfTheirNumbers() throws {
        try withTemporaryFolder { folder in
            let cohort = try IntervalCohort(in: folder)
            for person in 1...3 {
                for session in 1...2 {
                    for task in ["block10", "block2"] {
                        try cohort.add("0\(person)_\(session)_\(task)", 60 + Double(3 * person + session))
                    }
                }
            }
            try cohort.compute()
            #expect(try cohort.rows("reliability").map { $0["task"] } == ["block2", "block10"])
            #expect(try cohort.rows("descriptives").map { $0["task"] } == ["block2", "block10", "block2", "block10"])
        }
    }

    @Test func whatOtherProgramsWriteForMissingIsNoGroup() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder, people: 9)
            let words = ["m", "f", "m", "f", "NA", "NaN", "N/A", "", "n/a"]
            let rows = words.enumerated().map { "sub-0\($0 + 1)\t\($1)\n" }
            try cohort.write("participant_id\tsex\n" + rows.joined(), to: "participants.tsv")
            #expect(try cohort.compute().isEmpty)
            let row = try #require(try cohort.rows("comparisons").first { $0["factor"] == "sex" })
            #expect(row["nFirst"] == "2" && row["nSecond"] == "2")
        }
    }
}
