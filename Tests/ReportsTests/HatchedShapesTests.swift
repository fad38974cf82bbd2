import Foundation
import Reports
import Testing

/// Printing makes a bitmap of every shape that an SVG pattern fills: rectangles are hatched with lines instead.
struct HatchedShapesTests {
    @Test func noRectangleIsFilledByAPattern() {
        for duration in [300.0, 86_400] {
            let reader = expectSound(ReportFixture.recording(duration: duration).html())
            let rectangles = reader.elements.filter { $0.name == "rect" && $0.attributes["fill"] != nil }
            #expect(rectangles.contains { $0.attributes["class"] == "span" })
            // A pattern has its own ground, of six by six.
            #expect(rectangles.allSatisfy { $0.attributes["fill"]?.hasPrefix("url") == false })
            #expect(reader.elements.contains { $0.name == "path" && $0.attributes["class"] == "span-lines" })
        }
    }

    @Test(arguments: ["strip-1-wide", "strip-1-narrow"])
    func linesOfWhatIsMissingFillItsRectangleAndNothingElse(_ id: String) throws {
        let page = PageReader(ReportFixture.recording(duration: 300).html())
        let start = try #require(page.elements.firstIndex { $0.attributes["id"] == id })
        let span = try #require(page.elements[start...].first { $0.attributes["class"] == "span" }).attributes
        let sizes = ["x", "y", "width", "height"].compactMap { span[$0].flatMap { Double($0) } }
        try #require(sizes.count == 4)
        let lines = try DrawnPicture(id, on: page).path(["class": "span-lines"])
        let (right, bottom) = (sizes[0] + sizes[2], sizes[1] + sizes[3])
        for point in lines.points {
            #expect(point.x > sizes[0] - 0.11 && point.x < right + 0.11, "\(point)")
            #expect(point.y > sizes[1] - 0.11 && point.y < bottom + 0.11, "\(point)")
        }
        // Lines every six units of x + y, so that neighbouring rectangles meet without a seam.
        let sums = lines.runs.map { $0[0].x + $0[0].y }
        #expect(sums.allSatisfy { abs(($0 / 6).rounded() * 6 - $0) < 0.21 })
        #expect(abs(Double(sums.count) - (sizes[2] + sizes[3]) / 6) <= 1)
    }

    /// What is read by people who see colours differently rests on the marks, so these differ.
    @Test func fillsOfTheLaneOfQualityDifferInTheirLines() throws {
        let page = PageReader(ReportFixture.recording(duration: 900).html())
        let picture = try DrawnPicture("quality-0-wide", on: page)
        func directions(_ color: String) -> Set<String> {
            let places = picture.places(["stroke": color, "pointer-events": "none"])
            let runs = places.flatMap { picture.paths[$0].runs }
            return Set(
                runs.compactMap { run in
                    guard run.count == 2, run[0] != run[1] else { return nil }
                    return run[0].x == run[1].x ? "upright" : run[0].y == run[1].y ? "level" : "slanted"
                })
        }
        #expect(directions("#E69F00") == ["upright"], "usable")
        #expect(directions("#D55E00") == ["upright", "level"], "unusable")
        #expect(directions("#8a8a8a") == ["slanted"], "missing")
    }
}
