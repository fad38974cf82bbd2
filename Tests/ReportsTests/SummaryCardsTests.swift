import Brain
import Foundation
import Kernels
import Pipeline
import Reports
import Signals
import Simulation
import Testing

/// What is to be read at a glance of signals other than the heart's.
struct SummaryCardsTests {
    private static func report() -> RecordingReport {
        RecordingReport(
            title: "test", duration: 60, source: RecordingSource(fileName: "a.csv", format: "test"), software: "Marey")
    }

    private static func windows(_ columns: [(name: String, unit: Signals.Unit)], _ rows: [[Double?]]) -> Table {
        Table(
            columns: columns.map { Column($0.name, unit: $0.unit, "What it is") },
            rows: rows.map { $0.map(Cell.optional) })
    }

    /// The words of the page after a card's label.
    private static func words(after label: String, on page: PageReader) -> [String] {
        let words = page.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return words.firstIndex { $0 == label }.map { Array(words[$0...].dropFirst()) } ?? []
    }

    @Test func levelAndResponsesAreTheMeansOfTheWindowsThatHaveThem() {
        var report = Self.report()
        let table = Self.windows(
            [("meanSCL", .microsiemens), ("rateSCR", Unit("1/min"))], [[2, 1], [4, nil], [nil, 4.5]])
        report.skin = [SkinConductanceSeries(name: "eda", samples: [], responses: [], windows: table, method: "none")]
        let page = expectSound(report.html())
        #expect(Self.words(after: "eda: Mean level (SCL)", on: page).prefix(2) == ["3", "µS"])
        #expect(Self.words(after: "eda: Rate of responses (SCR)", on: page).prefix(2) == ["2.75", "1/min"])
        #expect(page.values(of: "title").contains("What it is; here the mean of all windows."))
    }

    @Test func whereNoWindowHasAValueTheReasonIsTold() {
        var report = Self.report()
        let table = Self.windows([("meanSCL", .microsiemens)], [[nil], [nil]])
        report.skin = [SkinConductanceSeries(name: "eda", samples: [], responses: [], windows: table, method: "none")]
        let page = expectSound(report.html())
        #expect(Self.words(after: "eda: Mean level (SCL)", on: page).prefix(2) == ["n/a", "no window has a value"])
        #expect(Self.words(after: "eda: Rate of responses (SCR)", on: page).isEmpty)
    }

    @Test func stepsAreAddedUpAndAccelerationIsNot() {
        var report = Self.report()
        let table = Self.windows([("enmo", .g), ("steps", .dimensionless)], [[0.125, 10], [0.375, 12], [nil, nil]])
        let belt = Self.windows([("respirationRate", Unit("1/min"))], [[12], [15]])
        report.motion = [MotionTrend(name: "acc", subject: "activity", windows: table, columns: ["enmo", "steps"])]
        report.belts = [RespirationTrend(name: "belt", method: "a belt", windows: belt)]
        let page = expectSound(report.html())
        #expect(Self.words(after: "acc: ENMO", on: page).prefix(2) == ["0.250", "g"])
        #expect(Self.words(after: "acc: Steps", on: page).first == "22")
        #expect(Self.words(after: "belt: Respiration rate", on: page).prefix(2) == ["13.5", "1/min"])
    }

    @Test("an index that the whole recording lacks is shown as the median of its windows", arguments: [1, 3, 4])
    func medianOfWindows(count: Int) {
        var report = Self.report()
        let all: [Double?] = [40, nil, 10, 20, 30]
        let values = Array(all.prefix(count + 1))
        let table = Self.windows([("onset", .seconds), ("rmssd", .milliseconds)], values.map { [0, $0] })
        let column = Column("rmssd", unit: .milliseconds, "What it is")
        var series = BeatSeries(name: "bvp", indices: [IndexValue(column, nil, reason: "coverage 50 % is below 80 %")])
        series.windows = table
        report.series = [series]
        let page = expectSound(report.html())
        let present = values.compactMap(\.self)
        let median = [1: "40", 3: "20", 4: "25"][present.count] ?? ""
        #expect(
            Self.words(after: "RMSSD", on: page).prefix(3)
                == [median, "ms", "median of \(present.count) of \(values.count) windows"])
        series.windows = Self.windows([("onset", .seconds), ("rmssd", .milliseconds)], [[0, nil]])
        report.series = [series]
        let none = expectSound(report.html())
        #expect(Self.words(after: "RMSSD", on: none).prefix(2) == ["n/a", "coverage 50 % is below 80 %"])
    }

    /// What is found in a recording of an EEG alone, and its report.
    private static func eeg(_ samples: [Float]) throws -> (analysis: RecordingAnalysis, report: RecordingReport) {
        let labels = EEGParameters().labels
        let duration = Double(samples.count / labels.count) / 256
        let header = StreamHeader(
            name: "eeg", kind: .eeg, channels: labels.map { Channel(label: $0, unit: .microvolts) }, sampleRate: 256)
        let segment = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: 256),
            block: SampleBlock(channelCount: labels.count, samples: samples))
        let recording = Recording(
            header: RecordingHeader(duration: duration, format: "test"),
            streams: [Signals.Stream(header: header, segments: [segment])])
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let provenance = try Provenance(inputs: [], parameters: Parameters())
        let report = try RecordingReport(analysis, provenance: provenance, title: "test") { RecordedEvents(recording) }
        return (analysis, report)
    }

    @Test func featuresOfAnEEGAreTheMiddleOfItsChannelsMeans() throws {
        var signal = EEGSignal(EEGParameters(), seed: 4)
        let (analysis, report) = try Self.eeg(signal.render(0..<60 * 256).flatMap { $0.map { Float($0) } })
        let result = try #require(analysis.brains.first)
        let features = try EpochFeatures(labels: result.labels).features
        let place = try #require(features.firstIndex { $0.name == "alphaRelative" })
        let means = result.labels.indices.map { channel in
            Statistics.mean(result.epochs.map { $0.values[channel, place] }.filter(\.isFinite))
        }
        #expect(result.epochs.count > 20 && Set(means).count == 4)
        let own = try #require(report.brains.first)
        let index = try #require(own.indices.first { $0.column.name == "alphaRelative" })
        let value = try #require(index.value)
        #expect(abs(value - Statistics.median(means)) < 1e-12)
        #expect(own.indices.map(\.column.name) == ["engagement", "thetaBeta", "alphaRelative", "aperiodicExponent"])
        let page = expectSound(report.html())
        let shown = try #require(Self.words(after: "eeg: Relative alpha power", on: page).first.map { Double($0) })
        #expect(abs((shown ?? .nan) - Statistics.median(means)) < 0.0005)
        #expect(!Self.words(after: "eeg: usable epochs", on: page).isEmpty)
    }

    @Test func anEEGWithoutUsableEpochsSaysWhyInPlaceOfItsFeatures() throws {
        let (_, report) = try Self.eeg(Array(repeating: 0, count: 4 * 30 * 256))
        let absence = try #require(report.brains.first?.absence)
        let page = expectSound(report.html())
        #expect(report.brains[0].indices.isEmpty)
        #expect(Self.words(after: "eeg: usable epochs", on: page).prefix(2) == ["0 %", absence])
    }
}
