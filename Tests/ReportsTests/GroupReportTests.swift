import Foundation
import GroupStatistics
import Kernels
import Reports
import Testing

@Suite struct GroupReportTests {
    @Test func aCohortFillsEverySection() throws {
        let page = try Self.report(people: 24).html()
        let reader = expectSound(page, neighbours: Self.neighbours(24))
        let sections = reader.elements.filter { $0.name == "section" }.compactMap { $0.attributes["id"] }
        #expect(
            sections == [
                "summary", "contrast-0", "people", "missing", "participants", "calibrations", "failures", "methods",
            ])
        for id in ["contrast-0-forest", "spaghetti-0", "caterpillar-0", "missingness", "ladder"] {
            #expect(reader.values(of: "id").contains(id), "\(id)")
        }
        for text in ["Not a medical device", "export it again", "95 % interval", "quality far below the others"] {
            #expect(reader.text.contains(text), "\(text)")
        }
        #expect(reader.values(of: "href").contains("../sub-3/report.html"))
        #expect(reader.count("caption") == reader.count("table"), "every table says what it is")
    }

    @Test func aThousandParticipantsStaySmall() throws {
        let page = try Self.report(people: 1_000).html()
        _ = expectSound(page, neighbours: Self.neighbours(1_000))
        #expect(page.utf8.count < 3_000_000, "\(page.utf8.count) bytes")
    }

    @Test func aThousandParticipantsDrawnOverEveryFactorStayBelowTenMegabytes() throws {
        var report = try Self.report(people: 1_000)
        var random = RandomSource(seed: 9)
        report.spreads = (0..<16).map { place in
            let conditions = (0..<(place < 8 ? 2 : 6)).map { "c\($0)" }
            let values = (0..<1_000).map {
                (person: "s\($0)", values: conditions.map { _ -> Double? in random.gaussian() })
            }
            return GroupReport.Spread(
                index: .init(signal: "ecg", name: "x\(place)", unit: "1"), factor: place < 8 ? "task" : "condition",
                conditions: conditions, values: values)
        }
        let page = report.html()
        let figures = (0..<16).flatMap { ["figures/spaghetti-\($0).tsv", "figures/caterpillar-\($0).tsv"] }
        _ = expectSound(page, neighbours: Self.neighbours(1_000).union(figures))
        #expect(page.utf8.count < 10_000_000, "\(page.utf8.count) bytes")
        #expect(page == report.html())
    }

    @Test func theWorstSignalComesFirst() throws {
        let page = try Self.report(people: 9).html()
        let table = try #require(page.range(of: "id=\"participants\""))
        let after = page[table.upperBound...]
        let worst = try #require(after.range(of: ">s8<") ?? after.range(of: ">s8 "))
        let best = try #require(after.range(of: ">s0<") ?? after.range(of: ">s0 "))
        #expect(worst.lowerBound < best.lowerBound)
    }

    @Test func anEmptyCohortSaysSo() {
        let reader = expectSound(GroupReport(title: "", software: "Marey").html())
        for text in ["Nothing was compared", "There are no recordings", "No recording failed"] {
            #expect(reader.text.contains(text), "\(text)")
        }
    }

    @Test func whatIsToBeKnownOfTheCohortIsInTheSummary() throws {
        var report = try Self.report(people: 6)
        report.notes = ["events: 3 of 6 recordings have no such file"]
        report.people[2].isApart = true
        let reader = expectSound(report.html(), neighbours: Self.neighbours(6))
        #expect(reader.text.contains("3 of 6 recordings have no such file"))
        #expect(reader.text.filter { !$0.isWhitespace }.contains("participantsstandingapart1"))
    }

    @Test func oneHugeEffectDoesNotHideTheOthers() throws {
        var report = try Self.report(people: 12)
        var row = try #require(report.contrasts[0].rows.first)
        #expect(!report.html().contains("at its edge"))
        row.index.name = "sdnn"
        report.contrasts[0].rows += Array(repeating: row, count: 4)
        let steady = (0..<12).map { 5 + 0.01 * Double($0 % 3) }
        row.comparison = try Comparison.paired(steady.map { _ in 0 }, steady)
        row.index.name = "meanSCL"
        report.contrasts[0].rows.append(row)
        #expect(report.html().contains("at its edge"))
    }

    @Test func theBoldMeanIsOfThoseTheTableCompares() throws {
        let report = try Self.report(people: 24)
        let text = try #require(report.figureTables().first { $0.name == "spaghetti-0.tsv" }?.text)
        let rows = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        let whole = report.spreads[0].values.compactMap { _, values in
            values[0].flatMap { a in values[1].map { (a, $0) } }
        }
        let found = try Comparison.paired(whole.map(\.0), whole.map(\.1))
        let mean = try #require(rows.first { $0[0] == "mean of 21" })
        #expect(abs((Double(mean[1]) ?? .nan) - found.firstMean) < 1e-3)
        #expect(abs((Double(mean[2]) ?? .nan) - found.secondMean) < 1e-3)
        #expect(rows.contains { $0[0] == "lower 95 % limit of the mean" && $0.count == 3 })
        #expect(rows.count == 24 + 4, "people, header, mean and limits")
        let page = report.html()
        #expect(page.contains("in bold the mean of the 21 participants with all conditions"))
        #expect(page.contains("a dot where there is a value for one condition alone"))
    }

    @Test func limitsBeyondTheValuesAreWithinTheFrame() throws {
        var report = GroupReport(title: "Two", software: "Marey")
        let index = GroupReport.Index(signal: "ecg", name: "meanHR", unit: "1/min")
        // Of two people the 95 % limits lie 12.7 standard errors from the mean.
        report.spreads = [
            .init(
                index: index, factor: "task", conditions: ["rest", "stress", "after"],
                values: [("a", [60, 70, 65]), ("b", [61, 72, nil]), ("c", [62, 74, 66])])
        ]
        let page = report.html()
        let bars = PageReader(page).elements.filter { $0.name == "path" && $0.attributes["stroke-width"] == "4" }
        #expect(bars.count == 3)
        for bar in bars {
            // "m x y l dx dy", a minus in place of a blank
            let text = (bar.attributes["d"] ?? "").replacing("m", with: "").replacing("l", with: " ")
            let numbers = text.replacing("-", with: " -").split(separator: " ").compactMap { Double($0) }
            let (first, last) = (numbers[1], numbers[1] + numbers[3])
            #expect(min(first, last) > 10.1 && max(first, last) < 307.9, "\(text)")
        }
        let text = try #require(report.figureTables().first { $0.name == "spaghetti-0.tsv" }?.text)
        #expect(text.contains("lower 95 % limit of the mean\t48.2") && text.contains("mean of 2\t61\t72\t65.5"))
        #expect(page.contains("Mean heart rate (1/min), ecg by task"))
    }

    @Test func recordingsWithoutResultsAreRowsOfWhatIsMissing() throws {
        var report = try Self.report(people: 6)
        report.presence.others = [("sub-9_task-rest", "failed"), ("sub-9_task-work", "pending")]
        report.people[4].unfinished = 1
        let reader = expectSound(report.html(), neighbours: Self.neighbours(6))
        for text in ["sub-9_task-rest, failed", "n = 8 recordings", "1 failed, 1 pending", "no results"] {
            #expect(reader.text.contains(text), "\(text)")
        }
        #expect(reader.text.filter { !$0.isWhitespace }.contains("recordingswithoutresultsyet1"))
        let table = try #require(report.figureTables().first { $0.name == "missingness.tsv" }?.text)
        #expect(table.contains("recording\tecg\teda\tstate\n") && table.contains("sub-9_task-rest\tn/a\tn/a\tfailed\n"))
        #expect(table.contains("\tdone\n"))
        let whole = try Self.report(people: 6).html()
        #expect(!whole.contains("no results"))
    }

    @Test func rowsOfTheMatrixKeepTheParticipant() throws {
        var report = GroupReport(title: "Long", software: "Marey")
        report.presence = .init(
            signals: ["ecg"],
            recordings: [
                ("sub-01_ses-baseline_task-mentalarithmetic", [1]), ("sub-02_ses-followup_task-relaxation", [1]),
            ])
        let page = report.html()
        #expect(page.contains("sub-01_ses-bas…entalarithmetic") && page.contains("sub-02_ses-fol…task-relaxation"))
        #expect(page.contains("sub-01_s…ithmetic"), "on a telephone")
    }

    @Test func whoStandsApartComesFirstThenTheLowestQuality() throws {
        var report = try Self.report(people: 9)
        for (place, z) in [(1, -4.0), (0, -5.8)] {
            report.people[place].isApart = true
            report.people[place].z = z
        }
        let page = report.html()
        let start = try #require(page.range(of: "<section id=\"participants\""))
        let rows = page[start.upperBound...].components(separatedBy: "<tr>").dropFirst(2).prefix(9)
        let order = rows.compactMap { row in
            row.components(separatedBy: ">").dropFirst().first.map { String($0.prefix { $0 != "<" && $0 != " " }) }
        }
        #expect(order == ["s0", "s1", "s8", "s7", "s6", "s5", "s4", "s3", "s2"], "\(order)")
        #expect(page.contains("Participants, worst first"))
    }

    @Test func whatWasTriedAndToldNothingIsSaid() throws {
        var report = GroupReport(title: "One", software: "Marey")
        report.notCompared = ["work and rest (task): only one participant was recorded on both sides; two are needed"]
        let alone = expectSound(report.html()).text
        #expect(alone.contains("This was tried:") && alone.contains("only one participant"))
        #expect(!alone.contains("one condition and no groups"))
        var others = try Self.report(people: 6)
        others.notCompared = report.notCompared
        let text = expectSound(others.html(), neighbours: Self.neighbours(6)).text
        #expect(text.contains("tried as well and not compared") && text.contains("only one participant"))
    }

    private static func neighbours(_ people: Int) -> Set<String> {
        Set(
            (0..<people).map { "../sub-\($0)/report.html" } + [
                "figures/missingness.tsv", "figures/contrast-0-forest.tsv",
            ])
    }

    private static func report(people: Int) throws -> GroupReport {
        var random = RandomSource(seed: 4)
        var report = GroupReport(title: "Cohort", software: "Marey")
        report.people = (0..<people).map { place in
            var person = GroupReport.Person(label: "s\(place)")
            (person.done, person.failed) = (2, place == 3 ? 1 : 0)
            (person.quality, person.coverage) = (1 - Double(place) / Double(people), 0.9)
            person.reports = ["../sub-\(place)/report.html"]
            if place == people - 1 { person.remarks = ["quality far below the others"] }
            return person
        }
        let rest = (0..<people).map { _ in 60 + 5 * random.gaussian() }
        let stress = rest.map { $0 + 2 + 3 * random.gaussian() }
        let index = GroupReport.Index(signal: "ecg", name: "meanHR", unit: "1/min")
        let found = try Comparison.paired(rest, stress, bootstrap: Bootstrap(resamples: 200))
        report.contrasts = [.init(title: "stress − rest", rows: [.init(index: index, comparison: found, q: found.p)])]
        report.spreads = [
            .init(
                index: index, conditions: ["rest", "stress"],
                values: (0..<people).map { ("s\($0)", [rest[$0], $0 % 11 == 0 ? nil : stress[$0]]) })
        ]
        report.presence = .init(
            signals: ["ecg", "eda"],
            recordings: (0..<people).map { ("sub-\($0)", [random.uniform(), $0 % 5 == 0 ? nil : 1]) })
        report.failures = [
            .init(
                recording: "sub-3_task-rest", kind: "format", message: "export it again", place: "sub-3.edf, byte 256")
        ]
        report.calibrations = [.init(prediction: "focus", counts: [3, 1, 10, 4, 6])]
        return report
    }
}
