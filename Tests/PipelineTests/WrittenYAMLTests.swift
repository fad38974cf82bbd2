import Cardiac
import Foundation
import Pipeline
import Signals
import Testing

/// YAML whose aliases are few, and what they stand for is not.
struct WrittenYAMLTests {
    /// Each line holds the one before nine times.
    private static func laughs(_ lines: Int, as form: (String) -> String = { $0 }) -> String {
        var text = "l0: &l0 [" + Array(repeating: "l", count: 9).joined(separator: ",") + "]\n"
        for line in 1...lines {
            let aliases = Array(repeating: "*l\(line - 1)", count: 9).joined(separator: ",")
            text += "l\(line): &l\(line) \(form("[\(aliases)]"))\n"
        }
        return text
    }

    @Test func `aliases that expand beyond measure are refused at once, naming the file`() {
        for text in [
            Self.laughs(9), Self.laughs(9) { "{a: \($0)}" },
            Self.laughs(9) + "? *l9\n: 1\n", Self.laughs(9) + "{*l9 : 1}\n",
        ] {
            let start = ContinuousClock.now
            #expect {
                try Parameters(yaml: text, file: "q.yaml")
            } throws: { error in
                "\(error)".hasPrefix("q.yaml: ")
            }
            #expect(ContinuousClock.now - start < .seconds(2))
        }
        #expect(WrittenYAML.excess(of: Self.laughs(9))?.contains("aliases") == true)
    }

    @Test func `an anchor that is used anew counts as what it holds last`() {
        let text = Self.laughs(9) + "l9: &l9 1\nagain: [*l9, *l9]\n"
        #expect(WrittenYAML.excess(of: text) != nil)
        #expect(WrittenYAML.excess(of: "a: &a [1, 2]\nb: &a 1\nc: [*a, *a]\n") == nil)
    }

    @Test func `aliases as people write them are as good as what they stand for`() throws {
        let yaml = "hrv: &own\n  window: &length 120\n  step: *length\n"
        #expect(WrittenYAML.excess(of: yaml) == nil)
        let parameters = try Parameters(yaml: yaml, file: "study.yaml")
        #expect(parameters.hrv.window == 120 && parameters.hrv.step == 120)
    }

    @Test(arguments: [
        "text: \"*stars* & more\"\n", "# *a* and &b\nwindow: 3\n", "text: 'a & b * c'\nlist: [a*b, \"&c\"]\n", "",
        "* & [",
    ])
    func `stars and ampersands that are no aliases are left alone`(text: String) {
        #expect(WrittenYAML.excess(of: text)?.contains("aliases") != true)
    }

    @Test(arguments: [
        ("{[a]: 1}", "line 1: keys must be texts, and this one is a list"),
        ("hrv:\n  ? {b: 1}\n  : 2\n", "line 2: keys must be texts, and this one is a mapping"),
        ("outputs: [{[x]: 1}]\n", "keys must be texts"), ("cohort: {columns: {[x]: 1}}\n", "keys must be texts"),
        ("!!set {? [a]}\n", "keys must be texts"),
    ])
    func `a list or a mapping in the place of a key is refused with its line`(yaml: String, words: String) {
        #expect(WrittenYAML.problem(of: yaml)?.contains(words) == true)
        let error = #expect(throws: PipelineError.self) { try Parameters(yaml: yaml, file: "study.yaml") }
        #expect(error?.problem.contains("study.yaml: ") == true && error?.problem.contains(words) == true)
    }

    @Test(arguments: ["1: a\ntrue: b\n", "hrv: {window: 60}\n", "", "hrv: ["])
    func `of keys that are texts nothing is said`(yaml: String) {
        #expect(WrittenYAML.problem(of: yaml) == nil)
    }
}
