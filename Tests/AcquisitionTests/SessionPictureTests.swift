import Acquisition
import Cardiac
import Devices
import Formats
import Foundation
import Pipeline
import Quality
import Signals
import Testing

@Suite struct SessionPictureTests {
    private static func picture() -> SessionPicture {
        var picture = SessionPicture(file: "/a/folder/with/a/long/name/sub-01_ses-01_task-rest.xdf", planned: 600)
        for device in 0..<3 {
            picture.take(.connection(device: "band\(device)", .connected, reason: nil, at: 0))
        }
        for number in 0..<18 {
            let header = StreamHeader(
                name: "band\(number % 3)-stream\(number)", kind: number < 9 ? .ibi : .ecg,
                channels: [Channel(label: "x", unit: .millivolts)], sampleRate: number < 9 ? 0 : 100)
            picture.take(.stream(number, device: "band\(number % 3)", header, at: 0))
            picture.take(.update(.heartRate(stream: number, onset: 1, 60 + Double(number))))
        }
        return picture
    }

    @Test(arguments: [6, 12, 24, 30, 60], [40, 79, 120])
    func fitsIntoItsWindow(height: Int, width: Int) {
        let lines = Self.picture().lines(width: width, height: height, hasColour: false)
        #expect(lines.count <= height)
        #expect(lines.allSatisfy { $0.count <= width })
        #expect(lines.first?.contains("0:10:00") == true)
    }

    @Test func `rhythm stands beside the stream that it is told from`() {
        var picture = Self.picture()
        for (stream, kind) in [(3, RhythmKind.regular), (10, .tachycardia)] {
            picture.take(.update(.rhythm(stream: stream, RhythmChange(onset: 1, kind: kind, previous: nil))))
        }
        let text = picture.lines(width: 4_000, hasColour: false).first { $0.contains("bpm") } ?? ""
        let parts = text.components(separatedBy: "   ")
        #expect(parts.count == 18)
        #expect(parts.filter { $0.contains(RhythmKind.regular.rawValue) }.map { $0.contains("stream3 ") } == [true])
        let fast = parts.filter { $0.contains(RhythmKind.tachycardia.rawValue) }
        #expect(fast.map { $0.contains("stream10 ") } == [true])
    }

    /// The streams that have a line.
    private static func shown(_ lines: [String]) -> [Substring] {
        lines.filter { !$0.contains("bpm") }.compactMap { $0.split(separator: " ").first }
            .filter { $0.contains("-stream") }
    }

    @Test func streamsThatFitAreSampledOnesAndGoDeviceByDevice() {
        let names = Self.shown(Self.picture().lines(width: 400, hasColour: false))
        #expect(names.count == 18)
        #expect(names.map { $0.prefix(5) } == names.map { $0.prefix(5) }.sorted())
        let few = Self.picture().lines(width: 400, height: 20, hasColour: false)
        let kept = Self.shown(few)
        #expect(!kept.isEmpty && kept.count < 18)
        #expect(kept.allSatisfy { (Int($0.drop { $0 != "m" }.dropFirst()) ?? 0) >= 9 || kept.count > 9 })
        #expect(few.contains { $0.contains("\(18 - kept.count) more streams") })
    }

    /// As on a telephone, by SSH.
    @Test func aSmallWindowShowsStreamsWithTheirQuality() {
        var picture = Self.picture()
        for second in 0..<30 {
            for stream in 9..<18 {
                let window = QualityWindow(
                    onset: Double(second), duration: 10, coverage: 1, quality: second < 28 ? 1 : 0, reasons: [])
                picture.take(.update(.quality(stream: stream, window)))
            }
        }
        let lines = picture.lines(width: 40, height: 10, hasColour: false)
        #expect(lines.count == 10 && lines.allSatisfy { $0.count <= 40 })
        #expect(Self.shown(lines).count == 3)
        #expect(lines.filter { $0.hasSuffix("▆▂▂") }.count == 3)
        #expect(lines.contains { $0.contains("15 more streams") } && lines.contains { $0.contains("bpm") })
        #expect(lines.last?.contains("t tag") == true)
    }

    @Test(arguments: [40, 79, 81, 100, 140]) func theNewestQualityIsSeenWhateverTheWidth(width: Int) {
        var picture = Self.picture()
        for second in 0..<100 {
            let window = QualityWindow(
                onset: Double(second), duration: 10, coverage: 1, quality: second < 98 ? 1 : 0, reasons: [])
            picture.take(.update(.quality(stream: 9, window)))
        }
        let line = picture.lines(width: width, height: 40, hasColour: false).first { $0.contains("▆") }
        #expect(line?.hasSuffix("▆▂▂") == true)
    }

    @Test func everyHeartRateIsShownWhole() {
        let text = Self.picture().lines(width: 60, hasColour: false).joined(separator: "\n")
        for number in 0..<18 { #expect(text.contains("band\(number % 3)-stream\(number) \(60 + number).0 bpm")) }
    }

    @Test func aPausedDeviceIsShownAsSuch() {
        var picture = Self.picture()
        func isPaused() -> Bool { picture.lines(width: 200, hasColour: false).contains { $0.hasSuffix("paused") } }
        picture.take(.status(device: "band1", .paused(true), at: 1))
        #expect(isPaused())
        picture.take(.status(device: "band1", .paused(false), at: 2))
        #expect(!isPaused())
    }

    @Test func aScriptShowsItsLogAndItsTable() throws {
        var picture = Self.picture()
        #expect(!picture.lines(width: 200, hasColour: false).contains { $0.contains("x stop") })
        let lines =
            ["e", "M0007"] + (0..<40).map { "Pda7F85F3F\($0 % 2 == 0 ? "m" : "u");ba48D503Dp,10,20B" } + ["*", ""]
        for (number, line) in lines.enumerated() {
            let output = try MethodSCRIPTOutput(Array(line.utf8))
            picture.take(.script(device: "cell", output, at: Double(number)))
        }
        let streams = picture.lines(width: 200, height: 24, hasColour: false)
        #expect(streams.contains { $0.contains("-stream") } && streams.last?.contains("s script · x stop") == true)
        picture.toggleScripts()
        let shown = picture.lines(width: 200, height: 24, hasColour: false)
        #expect(shown.count <= 24 && !shown.contains { $0.contains("Hz") })
        #expect(shown.contains { $0.contains("cell script, 40 packages") })
        #expect(shown.contains { $0.contains("measurement ends") } && shown.contains { $0.contains("script ended") })
        let title = try #require(shown.firstIndex { $0.contains("current (A)") })
        #expect(shown[title].contains("appliedPotential (V)"))
        let rows = shown[(title + 1)...].prefix { $0.contains("–") || $0.contains("µ") }
        #expect(rows.count >= 3 && rows.last?.contains("41.00") == true)
        picture.toggleScripts()
        #expect(picture.lines(width: 200, height: 24, hasColour: false) == streams)
    }

    @Test(arguments: [("EmStat Pico", "currentRange (A)", " 5 m"), ("", "currentRange", " 11 ")])
    func rangesAreFullScalesOfAnInstrumentThatIsKnown(model: String, title: String, range: String) throws {
        var picture = SessionPicture(file: "x.xdf", planned: nil)
        var identity = DeviceIdentity()
        identity.model = model
        picture.take(.identity(device: "cell", identity, at: 0))
        for line in ["e", "Pda7F85F3Fu;ba48D503Dp,10,20B"] {
            picture.take(.script(device: "cell", try MethodSCRIPTOutput(Array(line.utf8)), at: 0))
        }
        picture.toggleScripts()
        let shown = picture.lines(width: 200, hasColour: false)
        #expect(shown.contains { $0.contains(title) } && shown.contains { $0.contains(range) }, "\(shown)")
    }

    @Test func aScriptBegunAnewBeginsItsTableAnew() throws {
        var picture = SessionPicture(file: "x.xdf", planned: nil)
        for line in ["e", "Pda7F85F3Fu", "", "e", "Pda7F85F3Fu"] {
            picture.take(.script(device: "cell", try MethodSCRIPTOutput(Array(line.utf8)), at: 0))
        }
        picture.toggleScripts()
        #expect(picture.lines(width: 90, hasColour: false).contains { $0.contains("1 package") })
    }
}
