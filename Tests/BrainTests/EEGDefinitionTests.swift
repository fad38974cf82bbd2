import Brain
import Foundation
import Signals
import Testing

@Suite("EEG definitions")
struct EEGDefinitionTests {
    @Test("every column of the tables of epochs and of pairs is on the page")
    func complete() throws {
        let features = try EpochFeatures(labels: ["F3", "F4"])
        for column in features.channelColumns + features.pairColumns {
            #expect(EEGDefinitions.markdown.contains("`\(column.name)`"), "\(column.name)")
        }
    }

    /// After a change of a declaration: MAREY_WRITE_DOCS=1 make test.
    @Test("the page in the documentation is what the declarations say")
    func page() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("docs/eeg-features.md")
        if ProcessInfo.processInfo.environment["MAREY_WRITE_DOCS"] != nil {
            try Data(EEGDefinitions.markdown.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == EEGDefinitions.markdown)
    }
}
