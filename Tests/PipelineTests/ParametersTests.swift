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

    @Test func theirOwnJSONGivesThemBack() throws {
        var parameters = Parameters()
        parameters.hrv.step = 10
        parameters.hrv.window = 60
        let text = String(decoding: try parameters.json(), as: UTF8.self)
        // JSON is YAML too.
        #expect(try Parameters(yaml: text, file: "provenance") == parameters)
    }

    @Test(arguments: [
        ("hrv:\n  windw: 120\n", "hrv.windw"), ("hvr: {}\n", "hvr"), ("- 1\n", "mapping"), ("hrv: [\n", "YAML"),
        ("hrv:\n  window: wide\n", "hrv.window"), ("correction:\n  method: magic\n", "correction.method"),
    ])
    func mistakesAreNamed(text: String, expected: String) {
        #expect {
            try Parameters(yaml: text, file: "study.yaml")
        } throws: { error in
            "\(error)".contains("study.yaml") && "\(error)".contains(expected)
        }
    }
}
