import Foundation
import Kernels
import Reports
import Signals
import TestSupport
import Testing

/// Hatching means "no value": it may not cover a value, however much windows overlap.
struct TrendHatchingTests {
    @Test("no value lies under the hatching of missing values", arguments: 0..<20 as Range<UInt64>)
    func hatchingCoversNoValue(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let step = Double.random(in: 5...60, using: &random)
        let length = step * Double.random(in: 1...12, using: &random)
        let count = Int.random(in: 8...60, using: &random)
        var table = Table(columns: [
            Column("onset", unit: .seconds, "Start"), Column("duration", unit: .seconds, "Length"),
            Column("level", "Value"),
        ])
        var isMissing = Bool.random(using: &random)
        for place in 0..<count {
            if Double.random(in: 0...1, using: &random) < 0.3 { isMissing.toggle() }
            let value = Double.random(in: 0...1, using: &random)
            table.append([.onset(Double(place) * step), .number(length), isMissing ? .missing : .number(value)])
        }
        var report = RecordingReport(
            title: "test", duration: Double(count) * step + length,
            source: RecordingSource(fileName: "a.csv", format: "test"), software: "Marey")
        report.motion = [MotionTrend(name: "s", subject: "a", windows: table, columns: ["level"])]
        let page = PageReader(report.html())
        let picture = try DrawnPicture("motion-0-wide", on: page)
        let values = picture.places(["stroke": "#0072B2", "fill": "none"]).flatMap { picture.paths[$0].points }
        let start = try #require(page.elements.firstIndex { $0.attributes["id"] == "motion-0-wide" })
        let end = page.elements[(start + 1)...].firstIndex { $0.name == "svg" } ?? page.elements.endIndex
        let rectangles = page.elements[start..<end].filter { $0.name == "rect" && $0.attributes["fill"] == "#8a8a8a" }
        let spans: [(left: Double, right: Double)] = rectangles.compactMap { element in
            guard let x = Double(element.attributes["x"] ?? ""), let width = Double(element.attributes["width"] ?? "")
            else { return nil }
            return (x, x + width)
        }
        let missing = table.rows.count { if case .missing = $0[2] { true } else { false } }
        #expect(spans.isEmpty == (missing == 0))
        for value in values {
            let covering = spans.filter { $0.left + 0.2 < value.x && value.x < $0.right - 0.2 }
            #expect(covering.isEmpty, "a value at \(value.x) under \(covering)")
        }
    }
}
