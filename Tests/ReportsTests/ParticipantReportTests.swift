import Reports
import Testing

@Suite struct ParticipantReportTests {
    private static let methods = Methods(
        paragraph: "Recordings were analyzed one by one.", references: [.init("Iglewicz & Hoaglin 1993")])

    @Test func aPageWithoutFailuresSaysSoAndHowItWasMade() {
        var page = ParticipantReport(title: "Participant 01", software: "Marey", groupPage: "../group/report.html")
        page.recordings = [.init(label: "task-rest", quality: 1, coverage: 1, remark: "", report: nil)]
        page.methods = Self.methods
        let reader = expectSound(page.html(), neighbours: ["../group/report.html"])
        for text in ["No recording failed", "analyzed one by one", "Iglewicz"] {
            #expect(reader.text.contains(text), "\(text)")
        }
        #expect(!reader.text.contains("ithout results yet"))
    }

    @Test func numbersOfOneRowHaveAsManyDecimals() {
        var page = ParticipantReport(title: "Participant 01", software: "Marey", groupPage: "../group/report.html")
        typealias Standing = ParticipantReport.Standing
        func standing(_ name: String, _ unit: String, _ mean: Double, _ quartiles: [Double]) -> Standing {
            .init(
                index: .init(signal: "ecg", name: name, unit: unit),
                values: [(recording: "task-rest", value: mean, share: 0.5)], quartiles: quartiles)
        }
        page.standings = [
            standing("rateSCR", "1/min", 3, [2.5, 4.5, 6]), standing("steps", "1", 120, [80, 100, 140]),
            standing("stressIndex", "s^-1", 0.5, [0.001, 12.25, 13]),
            standing("power", "V^2", 1.5e-6, [1.2e-6, 1.8e-6, 2e-6]),
        ]
        let cells = page.html()
        _ = expectSound(cells, neighbours: ["../group/report.html"])
        for text in ["2.500 … 6.000", "80 … 140", "0.001 … 13.000", "1.200e-6 … 2.000e-6", "stressIndex (s⁻¹), ecg"] {
            #expect(cells.contains(text), "\(text)")
        }
        #expect(cells.contains("3.000") && cells.contains("4.500"))
    }

    @Test func whatHasNoResultsYetIsNamed() {
        var page = ParticipantReport(title: "Participant 01", software: "Marey", groupPage: "../group/report.html")
        page.failures = [.init(recording: "sub-01_task-rest", kind: "unreadable", message: "is empty", place: nil)]
        page.unfinished = ["task-work (pending)"]
        page.methods = Self.methods
        let text = expectSound(page.html(), neighbours: ["../group/report.html"]).text
        for part in ["is empty", "Without results yet: task-work (pending)", "recordings without results yet"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("No recording failed"))
    }
}
