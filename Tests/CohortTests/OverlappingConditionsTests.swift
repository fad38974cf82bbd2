import Cohort
import Foundation
import TestSupport
import Testing

/// Conditions that last at the same time, or get no window, or are spelled in several ways.
struct OverlappingConditionsTests {
    /// Four people whose hearts beat at two rates, a minute each.
    private static func cohort(in folder: URL, events: (Int) -> String) throws -> IntervalCohort {
        var cohort = try IntervalCohort(in: folder)
        cohort.design.events = "{subject}.tsv"
        for person in 1...4 {
            try cohort.add("0\(person)_1_x", 70 + 1.5 * Double(person), 60 + Double(person))
            try cohort.write("onset\tduration\ttrial_type\n" + events(person), to: "0\(person).tsv")
        }
        return cohort
    }

    private static func pairs(_ cohort: IntervalCohort) throws -> [[String?]] {
        try cohort.rows("comparisons").filter { $0["factor"] == "condition" }.map { [$0["first"], $0["second"]] }
    }

    @Test func aConditionWithinAnotherIsToldUntilTheStudyNamesThoseToCompare() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder) { _ in "0\t60\tstress\n0\t30\tmath\n60\t60\trest\n" }
            let warnings = try cohort.compute()
            let told = "math lies within stress in 4 of 4 recordings: windows where both last count for neither"
            #expect(warnings.count == 2 && warnings[0].contains(told), "\(warnings)")
            #expect(warnings[0].contains("conditions: [...]"))
            #expect(warnings[1].contains("no window lies within math"), "\(warnings)")
            #expect(try Self.pairs(cohort) == [["rest", "stress"]])
            let page = cohort.batch.root.appendingPathComponent("group/report.html")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains(told) && text.contains("no window lies within math"))
            cohort.design.conditions = ["math", "rest"]
            // Half a minute is too short for breathing alone.
            let named = try cohort.gather()
            #expect(named.allSatisfy { $0.contains("no window of ibi (respirationRate) lies within math") }, "\(named)")
            #expect(try Self.pairs(cohort) == [["rest", "math"]])
        }
    }

    @Test(arguments: [
        ("0\t60", "math and stress last at the same time in 4 of 4"), ("30\t30", "math lies within stress in 4 of 4"),
        ("50\t60", "math and stress overlap in 4 of 4"), ("50\t60", "math and rest overlap in 4 of 4"),
    ])
    func howConditionsLieToOneAnotherIsTold(math: String, told: String) throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder) { _ in "0\t60\tstress\n\(math)\tmath\n60\t60\trest\n" }
            let warnings = try cohort.compute()
            #expect(warnings.contains { $0.contains(told) }, "\(warnings)")
        }
    }

    @Test func conditionsThatOverlapByAMomentAreNotToldOf() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder) { _ in "0\t60.5\tstress\n60\t60\trest\n" }
            #expect(try cohort.compute().isEmpty)
            #expect(try Self.pairs(cohort) == [["rest", "stress"]])
        }
    }

    @Test func aConditionThatIsTooShortForAWindowIsToldWhereOthersAreLongEnough() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder) { _ in "0\t30\tstress\n35\t15\tspeech\n60\t60\trest\n" }
            let warnings = try cohort.compute()
            #expect(
                warnings.contains { $0.contains("no window of ibi (respirationRate) lies within speech") },
                "\(warnings)")
            let told = warnings.first {
                $0.contains("meanNN, rmssd, meanHR of ibi: 0 of 4 participants have both rest and speech")
            }
            #expect(told?.contains("at least 20 s are needed") == true, "\(warnings)")
            #expect(warnings.contains { $0.contains("speech and rest (condition): windows") }, "\(warnings)")
            #expect(try Self.pairs(cohort) == [["rest", "stress"]])
        }
    }

    @Test func aConditionThatSomeSpellOtherwiseIsToldWithTheirNumber() throws {
        try withTemporaryFolder { folder in
            var cohort = try Self.cohort(in: folder) { person in
                "0\t60\tstress\n60\t60\t\(person > 3 ? "Rest" : "rest")\n"
            }
            let warnings = try cohort.compute().withoutMissingSides
            #expect(warnings.count == 1, "\(warnings)")
            #expect(warnings[0].contains("\"Rest\" (1 person), \"rest\" (3 people) differ in case"), "\(warnings)")
            // Who names the conditions is told of the other spelling alone.
            cohort.design.conditions = ["rest", "stress"]
            let named = try cohort.gather().withoutMissingSides
            #expect(named.count == 1 && named[0].contains("\"Rest\", such as sub-04"), "\(named)")
        }
    }

    @Test func momentsMayBeCalledWhateverTheyAreCalled() throws {
        try withTemporaryFolder { folder in
            let cohort = try Self.cohort(in: folder) { person in
                "0\t60\tstress\n60\t60\trest\n5\t1\t\(person > 2 ? "Button" : "button")\n"
            }
            let warnings = try cohort.compute()
            #expect(!warnings.contains { $0.contains("differ in case") }, "\(warnings)")
        }
    }
}
