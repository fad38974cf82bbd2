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
