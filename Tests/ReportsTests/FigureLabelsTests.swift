import GroupStatistics
import Reports
import Testing

/// Names in figures stay apart from one another and within the picture.
struct FigureLabelsTests {
    private static let index = GroupReport.Index(signal: "ecg", name: "meanHR", unit: "1/min")

    private static func spread(_ conditions: [String]) -> String {
        var report = GroupReport(title: "t", software: "Marey")
        report.spreads = [
            .init(
                index: index, factor: "condition", conditions: conditions,
                values: (0..<5).map { person in
                    ("s\(person)", conditions.indices.map { Double(60 + person + $0) })
                })
        ]
        return report.html()
    }

    @Test func conditionsWhoseNamesDoNotFitSideBySideStandUprightAcrossThePage() {
        let names = ["baseline", "anger", "joy", "neutral 0", "neutral 1", "stress (speech)", "recovery 10 min"]
        let conditions = names + ["recovery 20 min", "sadness", "fear", "surprise", "end"]
        let page = Self.spread(conditions)
        let ids = expectSound(page).values(of: "id")
        #expect(ids.contains("spaghetti-0-wide") && ids.contains("spaghetti-0-narrow"))
        #expect(!ids.contains("spaghetti-0-svg"))
        for name in conditions {
            let texts = page.split(separator: "<text").filter { $0.contains(">\(name)</text>") }
            #expect(texts.count == 2 && texts.allSatisfy { $0.contains("rotate(-90") }, "\(name)")
        }
    }

    @Test(arguments: [["rest", "stress"], ["1", "2", "3"], (0..<6).map { "c\($0)" }])
    func shortNamesOfConditionsStayInHalfAPage(_ conditions: [String]) {
        let page = Self.spread(conditions)
        #expect(page.contains("id=\"spaghetti-0-svg\"") && !page.contains("id=\"spaghetti-0-wide\""))
        for name in conditions { #expect(page.contains(">\(name)</text>")) }
    }

    private static func forest(_ indices: [(signal: String, name: String)]) throws -> String {
        let found = try Comparison.paired([1, 2, 3, 4, 5, 6], [2, 4, 3, 6, 7, 7])
        var report = GroupReport(title: "t", software: "Marey")
        report.contrasts = [
            .init(
                title: "b − a",
                rows: indices.map {
                    .init(index: .init(signal: $0.signal, name: $0.name, unit: "1"), comparison: found, q: found.p)
                })
        ]
        return report.html()
    }

    @Test func labelsOfEffectsAreWhole() throws {
        let pairs = ["eeg:AF8 - TP9", "eeg:AF8 - TP10"].map { (signal: $0, name: "lowBetaImaginaryCoherence") }
        let page = try Self.forest(pairs)
        for pair in pairs {
            let label = ">lowBetaImaginaryCoherence, \(pair.signal)</text>"
            let texts = page.split(separator: label, omittingEmptySubsequences: false)
            #expect(texts.count == 3, "in both pictures")
        }
    }

    /// Cut in the middle these would be alike: they differ there alone.
    @Test func labelsOfEffectsThatAreTooLongStayDistinct() throws {
        let long = String(repeating: "n", count: 40)
        let page = try Self.forest((0..<3).map { (signal: "eeg", name: "\(long)Channel\($0)\(long)") })
        let labels = page.split(separator: "</text>").compactMap { $0.split(separator: ">").last }.filter {
            $0.hasPrefix("nnn") && $0.contains("…")
        }
        #expect(labels.count == 6 && Set(labels).count == 6, "\(labels)")
        #expect(labels.allSatisfy { $0.count <= 60 })
    }

    @Test func columnsOfTheMatrixDoNotRepeatTheKindOfTheirChannels() {
        var report = GroupReport(title: "t", software: "Marey")
        report.presence = .init(
            signals: ["ecg", "eeg:EEG F3 - EEG A2-A1", "eeg:EEG F7 - EEG A2-A1", "eeg:EEG Cz"],
            recordings: [("sub-1", [1, 1, 1, 1])])
        let page = report.html()
        for name in ["ecg", "eeg:F3 - A2-A1", "eeg:F7 - A2-A1", "eeg:Cz"] {
            #expect(page.contains(">\(name)</text>"), "\(name)")
        }
        #expect(page.contains("eeg%3AEEG%20F3%20-%20EEG%20A2-A1"), "whole in the data behind the figure")
    }

    @Test func longReasonsOfALaneTakeTwoLinesOnAPhone() {
        var report = ReportFixture.recording(duration: 300)
        for place in report.quality[0].windows.indices {
            report.quality[0].windows[place].reasons = ["lowTemplateCorrelation"]
        }
        let page = report.html()
        #expect(page.contains(">low template correlation 100 %</text>"), "in one line where there is room")
        #expect(page.contains(">low template</text>") && page.contains(">correlation 100 %</text>"))
    }

    /// The curve would cross them within.
    @Test func namesOfBandsStandAboveThePlot() throws {
        let page = PageReader(ReportFixture.recording(duration: 300).html())
        let frame = try #require(DrawnPicture("s0-spectrum-0-svg", on: page).frames.first).frame
        let start = try #require(page.elements.firstIndex { $0.attributes["id"] == "s0-spectrum-0-svg" })
        let rest = page.elements[(start + 1)...].prefix { $0.name != "svg" }
        let names = rest.filter { $0.name == "text" && $0.attributes["font-weight"] == "600" }
        #expect(names.count == 3)
        for name in names { #expect(name.attributes["y"].flatMap { Double($0) } ?? 999 < frame.top) }
    }

    @Test func cellsOfTheTableOfStreamsHaveTheirHeadingsOnAPhone() {
        let reader = expectSound(ReportFixture.recording(duration: 300).html())
        #expect(reader.values(of: "data-heading").count { $0 == "Channels" } == 3)
        let table = reader.elements.first {
            $0.name == "table" && $0.attributes["aria-label"] == "Streams in the file"
        }
        #expect(table?.attributes["class"] == "stack")
    }
}
