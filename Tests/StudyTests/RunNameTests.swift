import Study
import Testing

struct RunNameTests {
    @Test(arguments: [
        ("sub-01_ses-02_task-rest_run-1_ecg.edf", "sub-01_ses-02_task-rest_run-1"),
        ("sub-A7_task-nback_desc-x_eeg.vhdr", "sub-A7_task-nback"),
        ("sub-01.xdf", "sub-01"),
    ])
    func fileNamesGiveTheirEntities(file: String, stem: String) throws {
        #expect(try #require(RunName(fileName: file)).stem == stem)
    }

    @Test(arguments: ["100.hea", "subject1.edf", "sub-_x.edf", "sub-a/b.edf", "sub-01_ses-ä.edf", ""])
    func fileNamesWithoutAValidSubjectGiveNone(file: String) {
        #expect(RunName(fileName: file) == nil)
    }

    @Test func labelsAreAcceptedWithAndWithoutTheirPrefix() {
        #expect(RunName(subject: "sub-01", session: "ses-1") == RunName(subject: "01", session: "1"))
        #expect(RunName(subject: "01", session: "1")?.folder == "sub-01/ses-1")
    }

    @Test(arguments: ["", "a b", "a-b", "../x", "a_b"])
    func labelsWithOtherThanLettersAndDigitsAreRefused(label: String) {
        #expect(RunName(subject: label) == nil)
        #expect(RunName(subject: "01", task: label) == nil)
    }

    @Test func runNumbersStartAtOne() {
        #expect(RunName(subject: "01", run: 0) == nil)
    }
}
