import Cardiac
import Formats
import Foundation
import Quality
import Signals
import TestSupport
import Testing

/// Recordings in which it is known, from something else than the signal's own quality, where it is bad.
@Suite struct KnownStretchTests {
    /// A stretch of one signal, and what is known of it.
    struct Stretch: Sendable, CustomTestStringConvertible {
        /// File below the folder of data sets.
        var file: String
        /// Kind of the stream, and the channel's label where the stream has several.
        var kind: StreamKind
        var label: String?
        /// What is judged, in seconds from the recording's start.
        var judged: ClosedRange<Seconds>
        /// Where it is bad. Windows count that lie within it, or that it lies within where it is shorter than they are.
        var bad: ClosedRange<Seconds>?
        /// The right reasons.
        var reasons: Set<QualityReason> = []
        /// Where it is good: windows within it.
        var good: ClosedRange<Seconds>?
        /// How that is known.
        var source: String

        var testDescription: String { "\(file) \(label ?? kind.rawValue): \(source)" }

        func isBad(_ window: QualityWindow) -> Bool {
            guard let bad else { return false }
            let span = window.onset...window.onset + window.duration
            return bad.upperBound - bad.lowerBound >= window.duration ? bad.holds(span) : span.holds(bad)
        }
    }

    static let holter = "holter_ishne/holter.ecg.gz"
    static let calibration = "README: begins with calibration pulses; the Holter software's list has them until 98 s"
    static let removed = "both the skin's conductance and its temperature say at once that nothing is under the sensor"
    static let floating = "README: Right AUX floats, there is nothing at its end"

    static let stretches: [Stretch] =
        ["lead 1", "lead 3"].map {
            Stretch(
                file: holter, kind: .ecg, label: $0, judged: 0...300, bad: 0...98,
                reasons: [.flat, .saturated, .lowTemplateCorrelation], good: 104...300, source: calibration)
        } + [
            Stretch(
                file: holter, kind: .ecg, label: "lead 2", judged: 0...110, bad: 0...98,
                reasons: [.flat, .saturated, .lowTemplateCorrelation], source: calibration),
            Stretch(
                file: "e4_stress_predict/S28.zip", kind: .eda, judged: 0...3_300, bad: 3_228...3_300,
                reasons: [.lowConductance], good: 100...1_500, source: removed),
            Stretch(
                file: "e4_stress_predict/S28.zip", kind: .temperature, judged: 0...3_300, bad: 3_228...3_300,
                reasons: [.offBody], good: 100...3_200, source: removed),
            Stretch(
                file: "e4_devicely", kind: .eda, judged: 0...60, bad: 0...60, reasons: [.lowConductance],
                source: removed),
            Stretch(
                file: "e4_devicely", kind: .temperature, judged: 0...60, bad: 0...60, reasons: [.offBody],
                source: removed),
            Stretch(
                file: "eegmat/Subject13_1.edf", kind: .ecg, judged: 0...180, bad: 0...180,
                reasons: [.lowTemplateCorrelation, .detectorsDisagree],
                source: "follows the EEG (r = 0.54 with Fp2) and nothing in it comes again (r = 0.11 at most)"),
            Stretch(
                file: "eegmat/Subject07_1.edf", kind: .ecg, judged: 0...180, good: 1...180,
                source: "comes again (r = 0.46 after 0.76 s) and has nothing of the EEG (|r| <= 0.06)"),
            Stretch(
                file: "eegmat/Subject10_1.edf", kind: .ecg, judged: 0...180, good: 1...180,
                source: "all 180 beats are right; T waves 0.34 s after them stand out a ninth as far"),
            Stretch(
                file: "mitdb/208.hea", kind: .ecg, label: "MLII", judged: 1_100...1_320, bad: 1_271.1...1_273.8,
                reasons: [.noBeats, .lowTemplateCorrelation], source: "the annotators call it unreadable"),
            Stretch(
                file: "mitdb/208.hea", kind: .ecg, label: "V1", judged: 1_100...1_320, bad: 1_271.1...1_273.8,
                reasons: [.noBeats, .lowTemplateCorrelation], source: "the annotators call it unreadable"),
        ]
        + [
            "N170_subject1_session1_data_2017-09-13-15.30.01", "N170_subject1_session1_data_2017-09-13-15.32.50",
            "P300_subject1_session1_data_2017-02-04-15_45_13", "P300_subject1_session1_data_2017-02-04-15_47_49",
            "P300_subject1_session1_data_2017-02-04-15_51_07", "P300_subject1_session1_data_2017-02-04-15_55_07",
        ].map {
            Stretch(
                file: "muse_lsl/visual_\($0).csv.gz", kind: .other, label: "Right AUX", judged: 0...(.infinity),
                bad: 0...(.infinity),
                reasons: [.noise, .uncorrelated, .mains], source: floating)
        }

    static func windows(_ stretch: Stretch) throws -> [QualityWindow] {
        let recording = try Recording(reading: RecordingFile.open(RealData.url(stretch.file)))
        let stream = try #require(
            recording.streams.first { stream in
                stream.header.kind == stretch.kind
                    && (stretch.label == nil || stream.header.channels.contains { $0.label == stretch.label })
            })
        let channel = stream.header.channels.firstIndex { $0.label == stretch.label } ?? 0
        let rate = stream.header.sampleRate
        if stretch.kind == .other { return try floating(stream, beside: recording) }
        let runs = stream.segments.compactMap { segment -> (start: SegmentStart, samples: [Float])? in
            let samples = segment.block.channel(channel)
            let first = min(max(0, Int((stretch.judged.lowerBound - segment.start.onset) * rate)), samples.count)
            let last = min(max(first, Int((stretch.judged.upperBound - segment.start.onset) * rate)), samples.count)
            guard first < last else { return nil }
            var start = segment.start
            start.onset += Double(first) / rate
            return (start, Array(samples[first..<last]))
        }
        switch stretch.kind {
        case .ecg, .bvp: return judge(runs, stretch.kind == .ecg ? .ecg : .bvp, rate: rate).windows
        default:
            var assessor = BodySignalAssessor(stretch.kind == .eda ? .eda : .temperature)
            var windows: [QualityWindow] = []
            for run in runs {
                assessor.begin(run.start, into: &windows)
                assessor.push(run.samples.span, into: &windows)
            }
            assessor.finish(into: &windows)
            return windows
        }
    }

    /// The windows of a headband's free input as a channel of its EEG, the last.
    static func floating(_ input: Signals.Stream, beside recording: Recording) throws -> [QualityWindow] {
        let eeg = try #require(recording.streams.first { $0.header.kind == .eeg })
        var assessor = BrainAssessor(
            channels: eeg.header.channels + input.header.channels, sampleRate: eeg.header.sampleRate)
        var windows: [BrainWindow] = []
        for (segment, free) in zip(eeg.segments, input.segments) {
            assessor.begin(segment.start, into: &windows)
            let count = eeg.header.channels.count + input.header.channels.count
            let samples = segment.block.samples + free.block.samples
            assessor.push(SampleBlock(channelCount: count, samples: samples), into: &windows)
        }
        assessor.finish(into: &windows)
        return windows.compactMap(\.channels.last)
    }

    @Test(arguments: stretches)
    func `what is known to be bad is flagged for the right reason, what is known to be good is not`(
        stretch: Stretch
    ) throws {
        guard RealData.has(stretch.file) else { return }
        let windows = try Self.windows(stretch)
        let bad = windows.filter(stretch.isBad)
        let good = windows.filter { window in
            stretch.good?.holds(window.onset...window.onset + window.duration) ?? false
        }
        #expect(!(bad + good).isEmpty && bad.isEmpty == (stretch.bad == nil) && good.isEmpty == (stretch.good == nil))
        if !bad.isEmpty { #expect(bad.flagged(stretch.reasons) >= 0.95) }
        #expect(good.flagged() <= 0.05)
    }
}

extension ClosedRange<Seconds> {
    fileprivate func holds(_ other: Self) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
