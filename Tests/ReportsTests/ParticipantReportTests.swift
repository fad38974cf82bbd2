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
