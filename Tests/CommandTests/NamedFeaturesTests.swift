import TestSupport
import Testing

@Suite struct NamedFeaturesTests {
    @Test func theTableOfEpochsHasTheFeaturesThatAreNamedAndNoOthers() throws {
        try withTemporaryFolder { folder in
            let made = try Program.run(
                "simulate", "cohort", "data", "--participants", "1", "--sessions", "1", "--tasks", "rest", "--duration",
                "60", "--signals", "eeg, ecg", "--no-faults", in: folder)
            #expect(made.status == 0, "\(made.messages)")
            let file = "data/sub-01/ses-1/eeg/sub-01_ses-1_task-rest_eeg.edf"
            let all = try Program.run("eeg", file, in: folder)
            let named = try Program.run("eeg", file, "--indexes", "thetaBeta,alphaPower", in: folder)
            #expect(named.status == 0, "\(named.messages)")
            let columns = ["onset", "duration", "channel", "coverage", "reasons", "alphaPower", "thetaBeta"]
            #expect(named.rows.first == columns)
            for name in ["alphaPower", "thetaBeta"] {
                let values = try named.column(name)
                #expect(try !values.isEmpty && values == all.column(name))
            }
        }
    }
}
