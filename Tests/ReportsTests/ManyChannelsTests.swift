import Pipeline
import Reports
import Signals
import TestSupport
import Testing

/// What figures of an EEG of many channels come to on paper.
struct ManyChannelsTests {
    private static let made = Result { () throws -> RecordingReport in
        var source = SplitMix64(seed: 6)
        let channels = (0..<20).map { Channel(label: "EEG E\($0)", unit: .microvolts) }
        let header = StreamHeader(name: "eeg", kind: .eeg, channels: channels, sampleRate: 128)
        let samples = (0..<128 * 40 * 20).map { _ in Float.random(in: -20...20, using: &source) }
        let block = SampleBlock(channelCount: 20, samples: samples)
        let segment = Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: 128), block: block)
        let recording = Recording(
            header: RecordingHeader(duration: 40, format: "test"),
            streams: [Signals.Stream(header: header, segments: [segment])])
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        return try RecordingReport(
            analysis, provenance: Provenance(inputs: [], parameters: Parameters()), title: "test"
        ) { RecordedEvents(recording) }
    }

    @Test func manySpectraAreSeveralPicturesOfWhichEachFitsAPage() throws {
        let reader = PageReader(try Self.made.get().html())
        let pictures = reader.elements.filter {
            $0.name == "svg" && $0.attributes["id"]?.hasPrefix("eeg-0-spectrum-wide") == true
        }
        #expect(pictures.compactMap { $0.attributes["id"] } == ["eeg-0-spectrum-wide", "eeg-0-spectrum-wide-2"])
        for picture in pictures {
            let size = (picture.attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
            // 184 by 275 mm of an A4 page are within its margins; heading and caption need some of them.
            #expect(size.count == 4 && size[3] / size[2] < 235.0 / 184, "\(size)")
        }
        let figure = reader.elements.first { $0.name == "figure" && $0.attributes["id"] == "eeg-0-spectrum" }
        #expect(figure?.attributes["class"] == "wide tall")
    }

    @Test func titlesOfSpectraStandAboveTheirPlots() throws {
        let page = PageReader(try Self.made.get().html())
        let frames = try DrawnPicture("eeg-0-spectrum-wide", on: page).frames.map(\.frame)
        let start = try #require(page.elements.firstIndex { $0.attributes["id"] == "eeg-0-spectrum-wide" })
        let texts = page.elements[(start + 1)...].prefix { $0.name != "svg" }.filter { $0.name == "text" }
        let titles = texts.filter { $0.attributes["font-size"] == "12" }
        #expect(titles.count == 16 && frames.count == 16)
        for (title, frame) in zip(titles, frames) {
            let (x, y) = (Double(title.attributes["x"] ?? "") ?? 0, Double(title.attributes["y"] ?? "") ?? 999)
            #expect(x == frame.left && y < frame.top && y > frame.top - 15)
        }
    }

    @Test func whatIsCutOffOfATraceIsSaid() throws {
        var report = try Self.made.get()
        var traces = report.brains[0].traces[0]
        for channel in traces.channels.indices {
            traces.channels[channel] = traces.channels[channel].indices.map { $0.isMultiple(of: 2) ? 5 : -5 }
        }
        report.brains[0].traces = [traces]
        #expect(!report.html().contains("is cut off"))
        traces.channels[3][40] = 400
        traces.channels[7][40] = -400
        report.brains[0].traces = [traces]
        #expect(report.html().contains("What goes beyond the middle of the next row is cut off: E3, E7."))
    }
}
