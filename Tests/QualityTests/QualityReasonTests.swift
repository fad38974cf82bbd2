import Foundation
import Quality
import Testing

struct QualityReasonTests {
    @Test func theDocumentationTellsOfEveryReason() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("docs/README.md"), encoding: .utf8)
        for reason in QualityReason.allCases {
            #expect(page.contains("\n| `\(reason.rawValue)` | \(reason.explanation) | "), "\(reason)")
        }
    }
}
