import Foundation
import Pipeline
import TestSupport
import Testing

/// Values that no analysis can use are refused when a file is read, by their keys.
struct ParameterRangesTests {
    private static func problem(_ yaml: String) -> String {
        do { _ = try Parameters(yaml: yaml, file: "study.yaml") } catch { return "\(error)" }
        return ""
    }

    @Test(arguments: [
        ("epochs: {length: -1}", "epochs.length is -1.0; it must be 0.1 to 3600 s"),
        ("epochs: {step: 0}", "epochs.step is 0.0"),
        ("features: {bands: {alpha: {lower: 13, upper: 8}}}", "features.bands.alpha is 13 to below 8 Hz"),
        (
            "features: {bands: {gamma: {upper: 200}}}",
            "features.bands.gamma is 30 to below 200 Hz; it must be within the frequencies that pass"
        ),
        ("features: {spectralEdge: 95}", "features.spectralEdge is 95.0; it must be between 0 and 1"),
        (
            "features: {indexes: [alphaPower, alfaPower]}",
            "features.indexes is alfaPower; it must be the name of a feature"
        ),
        (
            "features: {families: [shape], indexes: [alphaPower]}",
            "features.indexes is alphaPower; it must be of the families that are asked for (add power to families)"
        ),
        ("features: {entropyDimension: 50}", "features.entropyDimension is 50"),
        ("features: {higuchiLag: 100000}", "features.higuchiLag is 100000; it must be 2 to 64"),
        ("features: {connectivityWindow: 1e308}", "features.connectivityWindow is 1e+308"),
        ("cleaning: {highest: 0.5}", "cleaning.highest is 0.5; it must be above the lowest, 1.0 Hz"),
        ("cleaning: {lowest: 0}", "cleaning.lowest is 0.0"),
        ("cleaning: {mains: [50, -60]}", "cleaning.mains is -60.0"),
        ("cleaning: {subspace: {cutoff: -1}}", "cleaning.subspace.cutoff is -1.0"),
    ])
    func `an EEG parameter without meaning is refused by its keys`(yaml: String, words: String) {
        let problem = Self.problem("eeg: {\(yaml)}")
        #expect(problem.contains("study.yaml: eeg.\(words)"), "\(problem)")
    }

    @Test(arguments: [
        ("ecg: {refractoryPeriod: 200}", "ecg.refractoryPeriod is 200.0; it must be 0.0 to 2.0 s"),
        ("ecg: {longestBridge: -1}", "ecg.longestBridge is -1.0"),
        ("bvp: {shortestInterval: 250}", "bvp.shortestInterval is 250.0; it must be 0.05 to 5 s"),
        ("bvp: {longestInterval: 2400}", "bvp.longestInterval is 2400.0"),
        ("bvp: {shortestInterval: 2, longestInterval: 1}", "bvp.longestInterval is 1.0; it must be above"),
        ("bvp: {leastConfidence: 15}", "bvp.leastConfidence is 15.0; it must be 0 to 1"),
        ("bvp: {longestDropout: 1e300}", "bvp.longestDropout is 1e+300"),
        ("eda: {convex: {knotDistance: 10000}}", "eda.convex.knotDistance must be from 0.1 to 600 s, not 10000.0"),
        ("eda: {convex: {knotDistance: 1e19}}", "eda.convex.knotDistance"),
        ("eda: {convex: {fastTimeConstant: 3}}", "eda.convex.slowTimeConstant must be above fastTimeConstant, 3.0 s"),
        ("eda: {convex: {sparseness: -1}}", "eda.convex.sparseness"),
        ("eda: {artefacts: {lowest: 80}}", "eda.artefacts.highest must be above lowest, 80.0 µS"),
        ("eda: {artefacts: {fastestChange: 0}}", "eda.artefacts.fastestChange"),
        ("eda: {artefacts: {movement: 1e300}}", "eda.artefacts.movement"),
    ])
    func `a parameter of beats or of the skin that is outside its range is refused`(yaml: String, words: String) {
        let problem = Self.problem(yaml)
        #expect(problem.contains("study.yaml: \(words)"), "\(problem)")
    }

    @Test(arguments: [
        "ecg: {refractoryPeriod: 0.1, longestBridge: 1}", "bvp: {shortestInterval: 0.1, longestInterval: 10}",
        "eda: {convex: {knotDistance: 60, sparseness: 0}, artefacts: {lowest: 0, highest: 200}}",
        "eeg: {cleaning: {highest: 100, mains: []}, features: {bands: {gamma: {upper: 90}}, connectivityWindow: null}}",
        "eeg: {cleaning: {highest: 30}}", "eda: {responseLatency: [0.5, 5]}", "motion: {wornTemperature: [20, 45]}",
    ])
    func `what somebody may mean is taken`(yaml: String) {
        #expect(Self.problem(yaml) == "")
    }

    @Test(arguments: [
        ("eda: {responseLatency: [4, 1]}", "eda.responseLatency is [4, 1], expected a list of two numbers"),
        ("motion: {wornTemperature: [43, 24]}", "motion.wornTemperature is [43, 24], expected a list of two numbers"),
        ("eda: {responseLatency: [1, 2, 3]}", "eda.responseLatency is [1, 2, 3]"),
        ("eda: {responseLatency: 4}", "eda.responseLatency is 4"),
        ("hrv: {autoregressiveOrder: 1.5}", "hrv.autoregressiveOrder is 1.5, expected a whole number"),
        ("bvp: {leastConfidence: 1e39}", "bvp.leastConfidence is 1e+39, expected a number that is not so large"),
    ])
    func `a number that a parameter cannot hold is told with the parameter`(yaml: String, words: String) {
        let problem = Self.problem(yaml)
        #expect(problem.contains("study.yaml: \(words)"), "\(problem)")
        #expect(!problem.contains("JSON") && !problem.contains("Cannot initialize"), "\(problem)")
    }

    @Test func `a folder and a pipe are no files of parameters, and are called what they are`() throws {
        try withTemporaryFolder { folder in
            let pipe = folder.appendingPathComponent("pipe.yaml")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            for (url, words) in [(folder, "is a directory"), (pipe, "is not a regular file")] {
                let error = #expect(throws: PipelineError.self) { try Parameters(reading: url) }
                #expect(error?.problem.contains(words) == true, "\(error?.description ?? "")")
            }
        }
    }
}
