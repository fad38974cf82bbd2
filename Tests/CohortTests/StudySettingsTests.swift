import Cohort
import Foundation
import Study
import TestSupport
import Testing

/// A check of a study looks at its file of settings too.
struct StudySettingsTests {
    private static func problems(_ yaml: String?) throws -> [String] {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let file = study.root.appendingPathComponent("study.yaml")
            try? FileManager.default.removeItem(at: file)
            if let yaml { try Data(yaml.utf8).write(to: file) }
            return study.settingsFindings().map { finding in
                #expect(finding.severity == .error && finding.path == "study.yaml")
                return finding.problem
            }
        }
    }

    @Test(arguments: [
        ("hrv: {window: 1}", "hrv.window is 1.0"), ("hrvv: {}", "unknown parameter hrvv"),
        ("cohort: {}", "cohort: lacks recordings"), ("cohort: {recordings: x.zip}", "has no {subject}"),
        ("comparisons: {conditions: stress}", "comparisons.conditions: expected a list"), ("cohort: [", "is not YAML"),
        ("{[a]: 1}", "keys must be texts"),
    ])
    func `what is wrong in it is an error`(yaml: String, words: String) throws {
        let problems = try Self.problems(yaml)
        #expect(problems.count == 1 && problems[0].contains(words), "\(problems)")
    }

    @Test(arguments: [nil, "", "hrv: {window: 60}\ncohort: {recordings: '{subject}.zip'}\n"])
    func `nothing is said where it is right or not there`(yaml: String?) throws {
        #expect(try Self.problems(yaml).isEmpty)
    }

    @Test func `each part with a mistake is told`() throws {
        let problems = try Self.problems("hrv: {window: 1}\ncohort: {}\ncomparisons: {conditions: a}\n")
        #expect(problems.count == 3, "\(problems)")
    }
}
