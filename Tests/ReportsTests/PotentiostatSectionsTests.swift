import Electrochemistry
import Reports
import Signals
import Testing

/// What the page of a recording says of several potentiostats, and of one that was unplugged.
struct PotentiostatSectionsTests {
    private static func held(_ current: Double, from start: Double = 0) -> [ElectrochemicalPoint] {
        (0..<100).map {
            ElectrochemicalPoint(
                onset: start + Double($0) / 20, potential: 0.5, current: current * (1 + Double($0) / 100))
        }
    }

    private static func page(_ sections: [ElectrochemistrySection]) -> String {
        var report = RecordingReport(
            title: "pot", duration: 20, source: RecordingSource(fileName: "a.xdf", format: "XDF"), software: "Marey")
        report.electrochemistry = sections
        return report.html()
    }

    @Test func `each potentiostat has its own figures and tables`() {
        let sections = [("Potentiostat a", 1e-6), ("Potentiostat b", -7e-6)].map { name, current in
            let points = Self.held(current)
            return ElectrochemistrySection(name: name, points: points, steps: PotentialStep.steps(points))
        }
        let reader = expectSound(Self.page(sections))
        let ids = reader.values(of: "id")
        #expect(ids.filter { $0 == "electrochemistry" }.count == 1)
        #expect(ids.contains("current") && ids.contains("potentiostat-2-current"))
        for text in [
            "Potentiostat a: current over time", "Potentiostat b: current over time",
            "Steps of potential, Potentiostat a", "Steps of potential, Potentiostat b",
        ] { #expect(reader.text.contains(text), "\(text)") }
    }

    @Test func `no line is drawn across a gap`() throws {
        let points = Self.held(1e-6) + Self.held(3e-6, from: 12.55)
        let section = ElectrochemistrySection(points: points, steps: PotentialStep.steps(points))
        let page = expectSound(Self.page([section]))
        #expect(page.text.contains("No line is drawn across gaps"))
        let picture = try DrawnPicture("current-half", on: page)
        let lines = picture.places(["stroke": "#0072B2"]).map { picture.paths[$0] }
        #expect(lines.flatMap(\.runs).count == 2)
        let unbroken = Self.held(1e-6) + Self.held(3e-6, from: 5)
        let whole = expectSound(Self.page([ElectrochemistrySection(points: unbroken)]))
        #expect(!whole.text.contains("across gaps"))
        let drawn = try DrawnPicture("current-half", on: whole)
        #expect(drawn.places(["stroke": "#0072B2"]).count == 1)
    }
}
