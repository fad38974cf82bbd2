import Foundation
import Reports
import Signals
import Testing

/// The numbers beside the lanes of a trend.
struct TrendAxesTests {
    /// The texts of a picture of one lane whose values are these.
    private static func texts(_ values: [Double?], _ column: String, unit: Signals.Unit = .dimensionless) -> [String] {
        var table = Table(columns: [
            Column("onset", unit: .seconds, "Start"), Column("duration", unit: .seconds, "Length"),
            Column(column, unit: unit, "Value"),
        ])
        for (place, value) in values.enumerated() {
            table.append([.onset(Double(place) * 60), .number(60), value.map { .number($0) } ?? .missing])
        }
        var report = ReportFixture.recording(duration: 300)
        report.motion = [MotionTrend(name: "s", subject: "a", windows: table, columns: [column])]
        let page = report.html()
        let start = page.range(of: "id=\"motion-0-wide\"")?.upperBound ?? page.endIndex
        let end = page[start...].range(of: "</svg>")?.lowerBound ?? page.endIndex
        return page[start..<end].split(separator: "</text>").compactMap { part in
            part.split(separator: ">").last.map { String($0) }
        }
    }

    @Test(
        arguments: [
            (0, ["0.0", "0.5"]), (70, ["68", "70", "72"]), (-70, ["\u{2212}70"]), (3e-7, ["3.00e-7"]),
        ] as [(Double, [String])])
    func aFlatLaneHasTicksNearItsValue(value: Double, wanted: [String]) {
        let texts = Self.texts([value, value, value], "level")
        #expect(wanted.allSatisfy(texts.contains), "\(texts)")
    }

    @Test func aLaneWithoutValuesHasNoNumbers() {
        let texts = Self.texts([nil, nil, nil], "level")
        #expect(texts.contains("no value"))
        #expect(!texts.contains { Double($0) != nil }, "\(texts)")
    }

    @Test(arguments: ["respirationQuality", "quality", "coverage", "usableShare"])
    func qualitiesAndSharesHaveTheirWholeRange(_ column: String) {
        for values in [[0, 0, 0], [0.4, 0.5, 0.45], [1, 1, 1]] {
            let texts = Self.texts(values, column)
            #expect(["0.0", "0.5", "1.0"].allSatisfy(texts.contains), "\(texts)")
        }
        #expect(!Self.texts([40, 50, 45], column).contains("1.0"), "what is no share after all is drawn as it is")
    }
}
