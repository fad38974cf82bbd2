import Brain
import Cardiac
import Foundation
import Pipeline
import TestSupport
import Testing

struct ParametersTests {
    @Test func anEmptyFileGivesTheDefaults() throws {
        #expect(try Parameters(yaml: "", file: "study.yaml") == Parameters())
        #expect(try Parameters(yaml: "# nothing\n", file: "study.yaml") == Parameters())
    }

    @Test func onlyWhatIsNamedChanges() throws {
        let parameters = try Parameters(yaml: "hrv:\n  window: 120\ncorrection:\n  method: none\n", file: "study.yaml")
        var expected = Parameters()
        expected.hrv.window = 120
        expected.correction.method = .none
        #expect(parameters == expected)
        #expect(try parameters.hash() != Parameters().hash())
    }

    @Test(arguments: [
        ("quality: { tolerated: [clipped] }", "quality.tolerated[1]", "saturated"),
        ("correction: { method: kubios }", "correction.method", "quotient"),
        ("eda: { separation: cvxEDA }", "eda.separation", "highPass"),
    ])
    func aWordThatIsNoneIsToldWithThoseThatAre(yaml: String, place: String, known: String) {
        #expect {
            try Parameters(yaml: yaml, file: "study.yaml")
        } throws: { error in
            let text = "\(error)"
            return text.contains("\(place): ") && text.contains("known here: ") && text.contains(known)
        }
    }

    @Test func oneAlternativeTakesThePlaceOfAnother() throws {
        let yaml = "eeg:\n  features:\n    estimator: { welch: { segment: 2, overlap: 0.5 } }\n"
        let parameters = try Parameters(yaml: yaml, file: "study.yaml")
        #expect(parameters.eeg.features.estimator == .welch(segment: 2, overlap: 0.5))
        #expect {
            try Parameters(yaml: yaml.replacing("welch", with: "magic"), file: "study.yaml")
        } throws: { error in
            "\(error)".contains("eeg.features.estimator")
        }
    }

    @Test func bipolarPairsAreAParameter() throws {
        let pairs = "{ bipolar: { _0: [{ first: F3, second: C3 }] } }"
        let parameters = try Parameters(yaml: "eeg: { cleaning: { reference: \(pairs) } }", file: "study.yaml")
        #expect(parameters.eeg.cleaning.reference == .bipolar([.init("F3", "C3")]))
    }

    @Test func theirOwnJSONGivesThemBack() throws {
        var parameters = Parameters()
        parameters.hrv.step = 10
        parameters.hrv.window = 60
        let text = String(decoding: try parameters.json(), as: UTF8.self)
        // JSON is YAML too.
        #expect(try Parameters(yaml: text, file: "provenance") == parameters)
    }

    @Test(arguments: ["{ window: -3 }", "{ window: 0 }", "{ window: 1, step: 5 }"])
    func windowsOfQualityWithoutMeaningAreRefused(text: String) throws {
        let error = #expect(throws: PipelineError.self) {
            try Parameters(yaml: "quality: \(text)", file: "study.yaml")
        }
        #expect(error?.problem.hasPrefix("study.yaml: quality.") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (
            "hrv: { window: .inf }",
            "hrv.window is infinite (.inf), expected a finite number; 'whole' says that there is no limit"
        ),
        ("hrv: { step: .nan }", "hrv.step is not a number (.nan), expected a finite number"),
        ("hrv: { indexes: [rmssd, -.inf] }", "hrv.indexes[2] is infinite"),
        ("hrv: { window: 2020-01-01 }", "hrv.window is a date, expected a number"),
        ("eeg: { features: { estimator: { welch: { segment: .inf, overlap: 0.5 } } } }", "welch.segment is infinite"),
        ("hrv: { window: -1 }", "hrv.window is -1.0; it must be 10 to 10000000 s"),
        ("respiration: { step: 0 }", "respiration.step is 0.0; it must be"),
    ])
    func valuesWithoutMeaningAreNamedWithFileAndKey(text: String, words: String) {
        let error = #expect(throws: PipelineError.self) { try Parameters(yaml: text, file: "study.yaml") }
        #expect(error?.problem.hasPrefix("study.yaml: ") == true, "\(error?.description ?? "")")
        #expect(error?.problem.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("hrv:\n  windw: 120\n", "hrv.windw"), ("hvr: {}\n", "hvr"), ("- 1\n", "mapping"), ("hrv: [\n", "YAML"),
        ("hrv:\n  window: wide\n", "hrv.window"), ("correction:\n  method: magic\n", "correction.method"),
        ("outputs: [hrv, magic]\n", "outputs"),
    ])
    func mistakesAreNamed(text: String, expected: String) {
        #expect {
            try Parameters(yaml: text, file: "study.yaml")
        } throws: { error in
            "\(error)".contains("study.yaml") && "\(error)".contains(expected)
        }
    }
}
