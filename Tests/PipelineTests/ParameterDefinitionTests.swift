import Foundation
import Pipeline
import Testing

@Suite("Parameter definitions")
struct ParameterDefinitionTests {
    @Test("every parameter is told, once, and none that there is not")
    func complete() throws {
        let names = ParameterDefinition.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names) == Set(try ParameterPage.defaults().keys))
        for one in ParameterDefinition.all {
            #expect(one.meaning.count > 10 && one.meaning.hasSuffix("."), "\(one.name)")
            #expect(one.values != .words || !one.words.isEmpty, "\(one.name)")
        }
    }

    @Test("what lies beyond the values that are told is refused")
    func bounds() {
        for one in ParameterDefinition.all {
            for value in Self.beyond(one.values) {
                #expect(throws: PipelineError.self, "\(one.name) of \(value)") {
                    try Parameters(yaml: Self.yaml(one.name, value), file: "f")
                }
            }
        }
    }

    /// After a change of a declaration: MAREY_WRITE_DOCS=1 make test.
    @Test("the page in the documentation is what the definitions and the defaults say")
    func page() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("docs/parameters.md")
        let page = try ParameterPage.markdown()
        for one in ParameterDefinition.all { #expect(page.contains("| `\(one.name)` |"), "\(one.name)") }
        if ProcessInfo.processInfo.environment["MAREY_WRITE_DOCS"] != nil { try Data(page.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == page)
    }

    private static func beyond(_ values: ParameterDefinition.Values) -> [Double] {
        func little(_ value: Double) -> Double { max(0.01, value.magnitude / 100) }
        switch values {
        case .between(let least, let most): return [least - little(least), most + little(most)]
        case .above(let least, let most): return [least] + [most].compactMap(\.self).map { $0 + little($0) }
        case .atLeast(let least): return [least - little(least)]
        case .words, .told: return []
        }
    }

    private static func yaml(_ name: String, _ value: Double) -> String {
        name.split(separator: ".").reversed().reduce("\(value)") { "{ \($1): \($0) }" }
    }
}
