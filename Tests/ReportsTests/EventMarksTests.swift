import Decoding
import Foundation
import Pipeline
import Reports
import Signals
import TestSupport
import Testing

/// Tags and device markers in the figures over time, and blinks as events.
struct EventMarksTests {
    private static func picture(_ id: String, in page: String) -> String {
        let start = page.range(of: "id=\"\(id)\"")?.upperBound ?? page.endIndex
        let end = page[start...].range(of: "</svg>")?.lowerBound ?? page.endIndex
        return String(page[start..<end])
    }

    private static func count(_ word: String, in text: String) -> Int { text.components(separatedBy: word).count - 1 }

    private static func events(_ count: Int, within duration: Seconds, seed: UInt64) -> [Marker] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { number in
            let onset = (Double(number) + Double.random(in: 0.2...0.8, using: &random)) * duration / Double(count)
            return Marker(onset: onset, label: "tag \(number) <&>", stream: "tags")
        }
    }

    @Test("every figure over time has a line for each tag, and the page a table of them", arguments: [1, 3, 12])
    func lines(count: Int) throws {
        let duration = 600.0
        var report = ReportFixture.recording(duration: duration)
        let events = Self.events(count, within: duration, seed: UInt64(count))
        report.events = EventMarks(events + [Marker(onset: 5, label: "task=x event=trial", stream: "calibration")])
        let page = report.html()
        for id in ["s0-tachogram-wide", "s0-tachogram-narrow", "s0-trend-wide", "quality-0-wide", "quality-1-wide"] {
            let picture = Self.picture(id, in: page)
            let panels = id.contains("trend") ? Self.count("font-weight", in: picture) : 1
            #expect(Self.count("class=\"event\"", in: picture) == count * panels, "\(id)")
        }
        let section = try #require(page.range(of: "<section id=\"events\"") ?? page.range(of: "id=\"events\""))
        #expect(page[section.upperBound...].contains("tag 0 &lt;&amp;&gt;"))
        #expect(!page.contains("task=x event=trial"))
    }

    @Test("hundreds of markers are drawn short, so that they hide nothing")
    func crowded() {
        var report = ReportFixture.recording(duration: 600)
        report.events = EventMarks(Self.events(400, within: 600, seed: 1))
        let page = report.html()
        #expect(page.contains("Short lines at the top: 400 tags and markers"))
        #expect(page.contains("The first 50 of 400 are shown"))
    }

    @Test("annotated beats are counted, not drawn or listed")
    func annotatedBeats() throws {
        var report = ReportFixture.recording(duration: 600)
        let beats = (0..<700).map { Marker(onset: Double($0) * 0.8, label: "beat N", role: .beat) }
        report.events = EventMarks(beats + [Marker(onset: 5, label: "rest begins")])
        let page = report.html()
        #expect(!page.contains("beat N"))
        #expect(page.contains("700 annotated beats of the file"))
        #expect(Self.count("class=\"event\"", in: Self.picture("s0-tachogram-wide", in: page)) == 1)
    }

    @Test("blinks are lines and a rate, and no stretch between them is missing", arguments: 0..<6 as Range<UInt64>)
    func blinks(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let length = Int.random(in: 70...400, using: &random)
        let missing = Int.random(in: 0...1, using: &random) * Int.random(in: 10...30, using: &random)
        var onsets: [Seconds] = []
        var moment = 1.0
        while moment < Double(length - missing) - 1 {
            onsets.append(moment)
            moment += Double.random(in: 1.5...8, using: &random)
        }
        let seconds: [(onset: Seconds, blink: Int?)] = (0..<length).map { second in
            (Double(second), second >= length - missing ? nil : onsets.contains { Int($0) == second } ? 1 : 0)
        }
        let values = onsets.map { PredictionValue(prediction: "blink", time: $0, value: 1) }
        var found = PredictionResults(
            series: [PredictionResults.Series(prediction: "blink", values: values)], drift: [:], notTold: [])
        found.blinkSeconds = seconds
        var report = ReportFixture.recording(duration: Double(length))
        report.predictions = PredictionSection(found, files: [])
        let page = report.html()
        let picture = Self.picture("prediction-blink-wide", in: page)
        #expect(picture.contains("Blinks, a line each") && picture.contains("Blink rate (1/min)"))
        let path = picture.split(separator: "<").first { $0.hasPrefix("path") && $0.contains("lane-blinks") } ?? ""
        let data = try #require(path.split(separator: "d=\"").dropFirst().first).prefix { $0 != "\"" }
        #expect(data.count { $0 == "M" || $0 == "m" } == onsets.count)
        #expect(picture.contains("no usable electrode") == (missing > 0))
    }

    @Test("values of an epoch are drawn at its middle by its start and length; those of a moment at the moment")
    func axes() {
        let focus = (0..<60).map {
            PredictionValue(prediction: "focus", time: Double($0) + 2, duration: 2, value: 0.5)
        }
        let rates = (0..<60).map { PredictionValue(prediction: "heartRate", time: Double($0), value: 60) }
        let found = PredictionResults(
            series: [
                PredictionResults.Series(prediction: "focus", values: focus),
                PredictionResults.Series(prediction: "heartRate", values: rates),
            ],
            drift: [:], notTold: [])
        let table = PredictionTables.table(found.series[0], smoothing: 4)
        #expect(table.columns.map(\.name) == ["onset", "duration", "focus"])
        #expect(table.rows[0][0] == .onset(0) && table.rows[0][1] == .onset(2))
        #expect(PredictionTables.table(found.series[1], smoothing: 0).columns.map(\.name) == ["onset", "heartRate"])
        var report = ReportFixture.recording(duration: 60)
        report.predictions = PredictionSection(found, files: [])
        let page = report.html()
        #expect(Self.picture("prediction-focus-wide", in: page).contains("Middle of the window, time from start"))
        let heart = Self.picture("prediction-heartRate-wide", in: page)
        #expect(heart.contains("Time from start") && !heart.contains("Middle of the window"))
    }
}
