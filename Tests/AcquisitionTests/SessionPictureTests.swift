import Acquisition
import Devices
import Pipeline
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

    @Test func everyHeartRateIsShownWhole() {
        let text = Self.picture().lines(width: 60, hasColour: false).joined(separator: "\n")
        for number in 0..<18 { #expect(text.contains("band\(number % 3)-stream\(number) \(60 + number).0 bpm")) }
    }
}
