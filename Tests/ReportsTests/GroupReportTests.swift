import Foundation
import GroupStatistics
import Kernels
import Reports
import Signals
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
        let captions = reader.elements.count { $0.name == "p" && $0.attributes["class"] == "caption" }
        #expect(captions == reader.count("table") && captions > 0, "every table says what it is")
    }

    @Test func theTestsThatACorrectionIsOverAreCountedSignalBySignal() throws {
        var report = try Self.report(people: 12)
        var row = try #require(report.contrasts[0].rows.first)
        row.index.signal = "ecg"
        report.contrasts[0].rows = [row]
        for pair in ["AF7:AF8", "TP9:TP10"] {
            row.index.signal = "eeg:\(pair)"
            report.contrasts[0].rows.append(row)
        }
        #expect(report.html().contains("over all tests of this comparison: 3 (ecg 1, eeg 2)."))
    }

    @Test func ofElectrodesThoseOverTheMidlineAreLookedAtFirst() {
        func headline(_ signals: [String]) -> [String] {
            let indices = signals.map { GroupReport.Index(signal: $0, name: "alphaRelative", unit: "1") }
            return GroupReport.Index.headline(indices).map(\.signal)
        }
        let all = ["eeg:EEG C3", "eeg:EEG Cz", "eeg:EEG Fz", "eeg:EEG Pz", "eeg:EEG T3"]
        #expect(headline(all) == ["eeg:EEG Cz", "eeg:EEG Pz"])
        #expect(headline(["eeg:AF7", "eeg:TP9", "eeg:AF8"]) == ["eeg:AF7", "eeg:TP9"], "else in their order")
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

    @Test func anIntervalThatGoesOnBeyondTheAxisEndsInAnArrow() throws {
        var report = try Self.report(people: 12)
        var row = try #require(report.contrasts[0].rows.first)
        report.contrasts[0].rows += Array(repeating: row, count: 4)
        let plain = report.html()
        #expect(!plain.contains("Arrows:") && !plain.contains("class=\"beyond\""))
        // Draws without the last person hardly differ, so that their effect is hundreds of times as large.
        let close = (0..<7).map { 1 + 0.001 * Double($0) } + [3]
        row.comparison = try Comparison.paired(close.map { _ in 0 }, close)
        try #require(row.comparison.hedgesG < 2 && row.comparison.gHigh > 50)
        report.contrasts[0].rows.append(row)
        let reader = expectSound(report.html(), neighbours: Self.neighbours(12))
        #expect(reader.text.contains("Arrows: the interval goes on beyond the axis."))
        #expect(!reader.text.contains("at its edge"), "the effect itself is within")
        #expect(reader.values(of: "class").count { $0 == "beyond" } == 2, "one per picture")
    }

    @Test func effectsWithoutAnIntervalAreNotSaidToHaveOne() throws {
        var report = try Self.report(people: 12)
        #expect(!report.html().contains("no interval could be computed"))
        let whole = try #require(report.contrasts[0].rows.first)
        var row = whole
        row.comparison = try Comparison.paired([0, 0, 0], [1, 2, 4])
        try #require(row.comparison.hedgesG.isFinite && !row.comparison.gLow.isFinite)
        report.contrasts[0].rows = [whole, row]
        #expect(report.html().contains("For 1 of 2 no interval could be computed."))
        report.contrasts[0].rows = [row]
        let page = report.html()
        #expect(page.contains("largest first; no interval could be computed."))
        #expect(!page.contains("with its 95 % bootstrap interval"))
    }

    @Test func valuesThatNoLineReachesAreSeenAndWhoHasNoneIsNotCounted() throws {
        var report = GroupReport(title: "Sessions", software: "Marey")
        report.spreads = [
            .init(
                index: .init(signal: "ecg", name: "meanHR", unit: "1/min"), factor: "session",
                conditions: ["1", "2", "3"],
                values: [
                    ("a", [60, 70, 65]), ("b", [61, 72, 66]), ("c", [62, nil, 66]), ("d", [nil, 64, nil]),
                    ("e", [nil, .nan, nil]),
                ])
        ]
        let page = report.html()
        #expect(page.contains("a value is a dot where the sessions beside it have none"))
        #expect(page.contains("n = 4 participants, 1 more without any value."))
        let picture = try DrawnPicture("spaghetti-0-svg", on: PageReader(page))
        let dots = try #require(picture.places(["class": "alone"]).first)
        #expect(picture.paths[dots].runs.count == 3)
        // Nothing of the mean is drawn over them, and they are wider than its limits.
        let limits = picture.places(["stroke-width": "4"])
        #expect(limits.count == 3 && limits.allSatisfy { $0 < dots })
        #expect(picture.paths[dots].attributes["stroke-width"] == "6")
    }

    @Test func longLabelsOfParticipantsStayWithinThePicture() throws {
        var report = GroupReport(title: "Long", software: "Marey")
        let people = ["Maximiliane-von-Hohenheim", "anna", "W" + String(repeating: "m", count: 60) + "7"]
        let index = GroupReport.Index(signal: "ecg", name: "meanHR", unit: "1/min")
        report.spreads = [
            .init(index: index, conditions: ["a", "b"], values: people.map { ($0, [60, 70]) })
        ]
        let page = report.html()
        let start = try #require(page.range(of: "id=\"caterpillar-0-svg\"")).upperBound
        let end = try #require(page[start...].range(of: "</svg>")).lowerBound
        let picture = page[start..<end]
        #expect(picture.contains(">anna<") && picture.contains(">Maximil") && picture.contains("ohenheim<"))
        #expect(!picture.contains(people[2]) && picture.contains("m7<"))
        let drawn = try DrawnPicture("caterpillar-0-svg", on: PageReader(page))
        let frame = try #require(drawn.frames.first).frame
        #expect(frame.left > 100 && frame.left < 160, "as much room as the labels take, up to a third")
        report.spreads[0].values = (0..<60).map { ("s\($0)", [60, 70]) }
        #expect(report.html().contains("too many to be named here"))
    }

    @Test func rowsAndColumnsOfTheMatrixThatHaveNoNameAreSaidToHaveNone() throws {
        var report = GroupReport(title: "Large", software: "Marey")
        func page(rows: Int, columns: Int) -> String {
            report.presence = .init(
                signals: (0..<columns).map { "signal-of-electrode-number-\($0)" },
                recordings: (0..<rows).map { ("sub-\($0)", Array(repeating: 1, count: columns)) })
            return report.html()
        }
        let small = page(rows: 4, columns: 4)
        #expect(!small.contains("too many to be named") && small.contains("signal-of…e-number-3"))
        #expect(page(rows: 96, columns: 4).contains("Rows are too many to be named each"))
        #expect(page(rows: 4, columns: 191).contains("Columns are too many to be named each"))
        #expect(page(rows: 96, columns: 191).contains("Rows and columns are too many to be named each"))
        #expect(page(rows: 4, columns: 30).contains("On a narrow screen columns are too many to be named each"))
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
        #expect(page.contains("a value is a dot where the conditions beside it have none"))
    }

    @Test func everyColumnBehindAFigureIsDeclared() throws {
        var report = try Self.report(people: 12)
        report.presence = .init(signals: ["ecg", "state"], recordings: [("sub-1", [1, 0.5])])
        let tables = report.figureTables()
        #expect(tables.count > 4)
        for table in tables {
            let header = table.text.prefix { $0 != "\n" }.split(separator: "\t").map(String.init)
            #expect(table.columns.map(\.name) == header && Set(header).count == header.count, "\(table.name)")
            #expect(table.columns.allSatisfy { !$0.definition.isEmpty }, "\(table.name)")
        }
        let drawn = try #require(tables.first { $0.name == "caterpillar-0.tsv" })
        #expect(drawn.columns.dropFirst().allSatisfy { $0.unit.rawValue == report.spreads[0].index.unit })
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

    @Test func rowsOfTheMatrixKeepWhatTellsThemApart() throws {
        var report = GroupReport(title: "Long", software: "Marey")
        report.presence = .init(
            signals: ["ecg"],
            recordings: [
                ("sub-01_ses-baseline_task-mentalarithmetic", [1]), ("sub-02_ses-followup_task-relaxation", [1]),
                ("sub-03_ses-1_task-rest", [1]), ("sub-03_ses-2_task-rest", [1]),
            ])
        let page = report.html()
        for name in ["01 baseline mentalarithmetic", "02 followup relaxation", "sub-03_ses-1_task-rest"] {
            #expect(page.contains(">\(name)<"), "\(name)")
        }
        for name in ["01 basel…ithmetic", "03 1 rest", "03 2 rest"] {
            #expect(page.contains(">\(name)<"), "\(name) on a telephone")
        }
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
