import Foundation
import Pipeline
import Testing

/// What differs from the defaults, as a file of parameters would say it.
struct ParameterDifferencesTests {
    private static func words(_ yaml: String) throws -> [String] {
        try Parameters(yaml: yaml, file: "study.yaml").differences().map { "\($0.name) = \($0.value)" }
    }

    @Test(arguments: [
        ("hrv: {window: whole}", "hrv.window = whole"),
        ("hrv: {indexes: [rmssd, sampEn]}", "hrv.indexes = [rmssd, sampEn]"),
        ("hrv: {bands: {lf: {lower: 0.05}}}", "hrv.bands.lf.lower = 0.05 Hz"),
        ("hrv: {bands: {lf: {lower: 0.05, upper: 0.14}}}", "hrv.bands.lf = 0.05 to 0.14 Hz"),
        ("hrv: {dfaShort: {least: 5, greatest: 11}}", "hrv.dfaShort = 5 to 11 beats"),
        ("bvp: {polarity: inverted}", "bvp.polarity = inverted"),
        ("eda: {responseLatency: [1, 5]}", "eda.responseLatency = [1, 5] s"),
        ("eda: {convex: {sparseness: 0.005}}", "eda.convex.sparseness = 0.005"),
        ("motion: {stepHeight: 0.1}", "motion.stepHeight = 0.1 g"),
        ("eeg: {cleaning: {mains: []}}", "eeg.cleaning.mains = []"),
        ("eeg: {cleaning: {removesBursts: true}}", "eeg.cleaning.removesBursts = true"),
        ("eeg: {features: {connectivityWindow: null}}", "eeg.features.connectivityWindow = none"),
        (
            "eeg: {features: {estimator: {welch: {segment: 2, overlap: 0.5}}}}",
            "eeg.features.estimator = welch (overlap 0.5, segment 2)"
        ),
        (
            "eeg: {features: {estimator: {multitaper: {bandwidth: 3}}}}",
            "eeg.features.estimator.multitaper.bandwidth = 3 Hz"
        ),
        ("eeg: {cleaning: {reference: {average: {}}}}", "eeg.cleaning.reference = average"),
        ("eeg: {cleaning: {reference: {electrodes: {_0: [A1, A2]}}}}", "eeg.cleaning.reference = electrodes [A1, A2]"),
    ])
    func aParameterIsToldByItsKeys(yaml: String, told: String) throws {
        #expect(try Self.words(yaml) == [told])
    }

    @Test func theDefaultsDifferInNothing() throws {
        #expect(try Parameters().differences().isEmpty)
        #expect(try Self.words("hrv: {window: 300}\nquality: {step: 1}\n").isEmpty)
    }

    @Test func aLongListIsToldByItsFirst() throws {
        let names = "rmssd, sdnn, meanNN, meanHR, pnn50, lf, hf, lfHf, sd1, sd2, sampEn, apEn, hfd, kfd"
        let told = try Self.words("hrv: {indexes: [\(names)]}")
        let first = names.components(separatedBy: ", ").prefix(12).joined(separator: ", ")
        #expect(told == ["hrv.indexes = [\(first) and 2 more]"])
    }
}
