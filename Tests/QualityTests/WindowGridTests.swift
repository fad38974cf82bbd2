import Cardiac
import Foundation
import Quality
import Signals
import Simulation
import TestSupport
import Testing

@Suite struct WindowGridTests {
    /// A noisy minute and a half with a fault or two, in runs with gaps between them.
    func runs(_ modality: SignalAssessor.Modality, rate: Double) -> [(start: SegmentStart, samples: [Float])] {
        var parameters = SimulationParameters()
        parameters.duration = 70
        parameters.ecg?.sampleRate = rate
        parameters.bvp?.sampleRate = rate
        parameters.rhythm.ventricular.perHour = 300
        parameters.ecgNoise = [NoiseLevel(.pink, snr: 15), NoiseLevel(.electrodeMotion, snr: 6)]
        parameters.bvpNoise = [NoiseLevel(.pink, snr: 15), NoiseLevel(.motion, snr: 6)]
        let kind: StreamKind = modality == .ecg ? .ecg : .bvp
        parameters.faults = [
            Fault(.gap, stream: kind, onset: 11.37, duration: 0.4),
            Fault(.missing, stream: kind, onset: 20, duration: 0.03),
            Fault(.missing, stream: kind, onset: 23, duration: 1),
            Fault(.gap, stream: kind, onset: 31, duration: 13.2),
            Fault(.flat, stream: kind, onset: 50, duration: 3), Fault(.gap, stream: kind, onset: 60, duration: 0.6),
            Fault(.gap, stream: kind, onset: 60.7, duration: 3),
        ]
        let stream = SimulatedSession(parameters).recording().streams.first { $0.header.kind == kind }
        return stream?.segments.map { ($0.start, $0.block.channel(0)) } ?? []
    }

    @Test(arguments: [125.0, 250, 333.3])
    func `ECG quality does not depend on how the input is cut`(rate: Double) {
        let runs = runs(.ecg, rate: rate)
        #expect(runs.count > 4)
        assertChunkInvariant(AssessedBeats(ECGBeatDetector(sampleRate: rate), .ecg, sampleRate: rate), runs)
    }

    @Test(arguments: [32.0, 64, 99.7])
    func `BVP quality does not depend on how the input is cut`(rate: Double) {
        assertChunkInvariant(
            AssessedBeats(BVPBeatDetector(sampleRate: rate), .bvp, sampleRate: rate), runs(.bvp, rate: rate))
    }

    @Test func `beats come before the windows that end after them, and none is lost`() {
        let runs = runs(.ecg, rate: 250)
        var stage = AssessedBeats(ECGBeatDetector(sampleRate: 250), .ecg, sampleRate: 250)
        var outputs: [AssessedBeats<ECGBeatDetector>.Output] = []
        for run in runs {
            stage.begin(run.start, into: &outputs)
            stage.push(run.samples.span, into: &outputs)
        }
        stage.finish(into: &outputs)
        let separate = judge(runs, .ecg, rate: 250)
        let beats = outputs.compactMap { if case .beat(let beat) = $0 { beat } else { nil } }
        let windows = outputs.compactMap { if case .window(let window) = $0 { window } else { nil } }
        #expect(beats == separate.beats)
        #expect(windows == separate.windows)
        var latest = -Double.infinity
        for output in outputs {
            switch output {
            case .beat(let beat): #expect(beat.onset >= latest)
            case .window(let window): latest = window.onset + window.duration
            }
        }
    }

    @Test func `windows lie on the grid and know what is missing`() {
        let windows = judge(runs(.ecg, rate: 250), .ecg, rate: 250).windows
        #expect(windows.allSatisfy { $0.onset == $0.onset.rounded() })
        #expect(windows.allSatisfy { (0...1).contains($0.quality) && (0...1).contains($0.coverage) })
        #expect(windows.allSatisfy { $0.quality <= $0.coverage })
        #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.onset < $1.onset })
        // 0.4 s of 10 are missing here, and the 0.03 s.
        let early = windows.first { $0.onset == 3 }
        #expect(abs((early?.coverage ?? 0) - 0.96) < 0.001)
        // 31…44.2 s is longer than a window: the windows wholly within it are one.
        let gap = windows.filter { $0.coverage == 0 }
        #expect(gap.count == 1)
        #expect(gap.first.map { $0.onset...$0.onset + $0.duration } == 31...44)
        #expect(gap.first?.reasons == [.gap])
        #expect(windows.last.map { $0.onset + $0.duration } == 70)
    }

    @Test func `a long gap costs nothing`() {
        let samples = [Float](repeating: 0, count: 5_000)
        let runs = [0, 1e9].map { (start: SegmentStart(onset: $0, sample: 0, sampleRate: 250), samples: samples) }
        let windows = judge(runs, .ecg, rate: 250).windows
        #expect(windows.count < 60)
        #expect(windows.contains { $0.duration > 9e8 && $0.reasons == [.gap] })
    }

    @Test(arguments: SignalAssessor.Modality.allCases)
    func `short and odd inputs are judged or left alone, never a crash`(modality: SignalAssessor.Modality) {
        #expect(judge([], modality, rate: 250).isEmpty)
        for count in [1, 2, 7, 100, 1_000] {
            let windows = judge([Float](repeating: 1, count: count), modality, rate: 250)
            #expect(windows.count == 1)
            #expect(windows.first?.isGood == false)
        }
        let nothing = judge([Float](repeating: .nan, count: 5_000), modality, rate: 250)
        #expect(nothing.allSatisfy { $0.coverage == 0 && $0.quality == 0 && $0.reasons == [.gap] })
        for value in [Float.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            let mixed = (0..<5_000).map { $0 % 7 == 0 ? value : Float($0 % 13) }
            #expect(judge(mixed, modality, rate: 250).allSatisfy { (0...1).contains($0.quality) })
        }
        for rate in [0, -1, .nan, .infinity, 0.001, 1, 19.9, 1e9] as [Double] {
            _ = judge([Float](repeating: 1, count: 300), modality, rate: rate)
        }
        for onset in [.nan, .infinity, -1e300, 1e300, -3.2] as [Double] {
            _ = judge([Float](repeating: 1, count: 3_000), modality, rate: 250, onset: onset)
        }
    }

    @Test func `a run that claims to begin before the last one ended is judged all the same`() {
        let samples = [Float](repeating: 0, count: 5_000)
        let runs = [0, 5, -100].map { (start: SegmentStart(onset: $0, sample: 0, sampleRate: 250), samples: samples) }
        let windows = judge(runs, .ecg, rate: 250).windows
        #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.onset < $1.onset })
    }

    @Test func `window and step are parameters`() throws {
        var parameters = QualityParameters()
        parameters.window = 30
        parameters.step = 5
        let windows = judge([Float](repeating: 0, count: 25_000), .ecg, rate: 250, parameters: parameters)
        #expect(windows.map(\.onset) == stride(from: 0, through: 70, by: 5).map { $0 })
        #expect(windows.allSatisfy { $0.duration == 30 })
        let data = try JSONEncoder().encode(parameters)
        #expect(try JSONDecoder().decode(QualityParameters.self, from: data) == parameters)
    }

    @Test(
        arguments: [
            (-3, 1, "quality.window"), (0, 1, "quality.window"), (.nan, 1, "quality.window"),
            (1e9, 1, "quality.window"), (1, 5, "quality.step"), (10, 0, "quality.step"), (10, -1, "quality.step"),
            (10, .nan, "quality.step"), (10, 0.01, "quality.step"), (10, 4, "quality.window"),
        ] as [(Double, Double, String)])
    func `windows and steps without meaning are refused by name`(window: Double, step: Double, name: String) {
        var parameters = QualityParameters()
        (parameters.window, parameters.step) = (window, step)
        let given = name == "quality.window" ? window : step
        #expect {
            try parameters.check()
        } throws: { error in
            guard let error = error as? InvalidParameter else { return false }
            return error.name == name && error.found == "\(given)" && error.expected.contains(" s")
        }
    }

    @Test(arguments: [(10, 1), (1, 1), (1, 0.1), (30, 5), (0.3 * 30, 0.3), (3_600, 3_600)] as [(Double, Double)])
    func `windows of whole steps are accepted`(window: Double, step: Double) throws {
        var parameters = QualityParameters()
        (parameters.window, parameters.step) = (window, step)
        try parameters.check()
    }

    @Test func `the table has the declared columns`() {
        let windows = [
            QualityWindow(onset: 0, duration: 10, coverage: 1, quality: 1),
            QualityWindow(onset: 1, duration: 10, coverage: 0.5, quality: 0.2, reasons: [.gap, .noise]),
        ]
        let table = QualityWindow.table(windows)
        #expect(table.columns.map(\.name) == ["onset", "duration", "coverage", "quality", "reasons"])
        #expect(table.rows[0].last == .missing)
        #expect(table.rows[1].last == .text("gap,noise"))
    }

    @Test func `the headband's codes are those of the wire`() {
        let codes: [Int?] = [.headbandOffHead, .motionTooHigh, .eegFailure, .noise].map { (r: QualityReason) in
            r.wireCode
        }
        #expect(codes == [1, 2, 3, nil])
        #expect(Set(QualityReason.allCases.map(\.explanation)).count == QualityReason.allCases.count)
    }
}
