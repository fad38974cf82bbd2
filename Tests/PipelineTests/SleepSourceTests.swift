import Brain
import Formats
import Foundation
import Kernels
import Pipeline
import Signals
import TestSupport
import Testing

/// Milliseconds between beats, a line each: eight hours of wake, eight of sleep, two of wake.
private func dayOfIntervals(hours: Double = 18) -> String {
    var random = RandomSource(seed: 3, "day of intervals")
    var (time, lines, level, until) = (0.0, [String](), 78.0, 0.0)
    while time < hours * 3_600 {
        let isAsleep = (8..<16.0).contains(time / 3_600)
        if time >= until {
            level = isAsleep ? random.uniform(60...65) : random.uniform(72...94)
            until = time + random.uniform(200...1_500)
        }
        if isAsleep, level > 70 { until = time }
        let duration = (60_000 / level * (1 + 0.03 * random.gaussian())).rounded()
        time += duration / 1_000
        lines.append(String(Int(duration)))
    }
    return lines.joined(separator: "\n") + "\n"
}

private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marey-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

private func made(
    _ name: String, _ kind: StreamKind, _ labels: [String], _ unit: Signals.Unit, _ rate: Double, seconds: Int
) -> Signals.Stream {
    var random = RandomSource(seed: 4, name)
    let samples = (0..<labels.count * Int(rate) * seconds).map { _ in Float(20 * random.gaussian()) }
    let header = StreamHeader(
        name: name, kind: kind, channels: labels.map { Channel(label: $0, unit: unit) }, sampleRate: rate)
    let start = SegmentStart(onset: 0, sample: 0, sampleRate: rate)
    return Signals.Stream(
        header: header,
        segments: [Segment(start: start, block: SampleBlock(channelCount: labels.count, samples: samples))])
}

private func header(_ streams: [Signals.Stream]) -> RecordingHeader {
    RecordingHeader(
        start: Timestamp(secondsSince1970: 1_700_000_000), duration: 60, streams: streams.map(\.header), format: "test")
}

@Test("Sleep of a day of intervals is told from the heart, and its table says so")
func sleepIsToldFromTheHeart() throws {
    try inFolder { folder in
        let file = folder.appendingPathComponent("rr.txt")
        try Data(dayOfIntervals().utf8).write(to: file)
        let analysis = try RecordingAnalysis(RecordingFile.open(file), parameters: Parameters(), file: "rr.txt")
        let epochs = try #require(analysis.results.first).sleep
        let right = epochs.count { ($0.asleep == 1) == (8..<16.0).contains($0.onset / 3_600) }
        #expect(epochs.count > 2_100)
        // The last has some seconds.
        #expect(epochs.dropLast().allSatisfy { $0.asleep != nil })
        #expect(Double(right) >= 0.95 * Double(epochs.count), "\(right) of \(epochs.count)")
        let same = try CardiacReading.result(of: file, computing: .sleep).sleep
        #expect(same == epochs)
        let out = folder.appendingPathComponent("out")
        let files = try ResultFolder(out, stem: "sub-1").write(analysis)
        #expect(files.contains { $0.hasSuffix("desc-sleep_physio.tsv") })
        let name = try #require(files.first { $0.hasSuffix("desc-sleep_physio.json") })
        let sidecar = try String(contentsOf: out.appendingPathComponent(name), encoding: .utf8)
        #expect(sidecar.contains("heart rate") && sidecar.contains("Perez-Pozuelo"))
    }
}

@Test("What is too short for it is undecided, and no table is made of that")
func shortRecordingsAreUndecided() throws {
    try inFolder { folder in
        let file = folder.appendingPathComponent("rr.txt")
        try Data(dayOfIntervals(hours: 12).utf8).write(to: file)
        let analysis = try RecordingAnalysis(RecordingFile.open(file), parameters: Parameters(), file: "rr.txt")
        let epochs = try #require(analysis.results.first).sleep
        #expect(epochs.count > 1_400)
        #expect(epochs.dropLast().allSatisfy { $0.asleep == nil && $0.reason == .undecided })
        let out = folder.appendingPathComponent("out")
        let files = try ResultFolder(out, stem: "sub-1").write(analysis)
        #expect(!files.contains { $0.contains("sleep") })
    }
}

@Test("Half an hour of ECG holds no sleep that could be told", .enabled(if: RealData.has("mitdb/100.hea")))
func laboratoryECGIsUndecided() throws {
    let result = try CardiacReading.result(of: RealData.url("mitdb/100.hea"), computing: .sleep)
    #expect(result.sleep.count >= 60)
    #expect(result.sleep.allSatisfy { $0.asleep == nil })
}

@Test("Where there is acceleration it tells sleep, and the heart does not")
func accelerationGoesBeforeTheHeart() throws {
    let streams = [
        made("ecg", .ecg, ["ECG"], .millivolts, 128, seconds: 60),
        made("acc", .acceleration, ["x", "y", "z"], .g, 32, seconds: 60),
    ]
    let both = RecordingHeader(
        start: Timestamp(secondsSince1970: 1_700_000_000), duration: 60, streams: streams.map(\.header), format: "test")
    #expect(BodySource.all(in: both).contains { $0.kind == .acceleration })
    try inFolder { folder in
        let file = folder.appendingPathComponent("both.edf")
        _ = try EDFWriter.write(Recording(header: both, streams: streams), to: file)
        let analysis = try RecordingAnalysis(EDFReader(file), parameters: Parameters(), file: "both.edf")
        #expect(analysis.results.count == 1 && analysis.results[0].sleep.isEmpty)
        #expect(!analysis.motion.flatMap(\.sleep).isEmpty)
    }
}

@Test("The chin's channel beside an EEG is found, a leg's and a slow one are not")
func chinIsFound() throws {
    let eeg = made("eeg", .eeg, ["Fpz"], .microvolts, 128, seconds: 60)
    func muscle(_ streams: [Signals.Stream]) -> MuscleSource? {
        BrainSource.all(in: header([eeg] + streams)).first?.muscle
    }
    let others = made("other", .other, ["EOG left", "EMG LAT", "EMG submental"], .microvolts, 128, seconds: 60)
    #expect(muscle([others])?.label == "EMG submental")
    #expect(muscle([others])?.channel == 2)
    #expect(muscle([made("EMG", .other, ["1"], .microvolts, 256, seconds: 60)])?.stream == 1)
    #expect(muscle([made("other", .other, ["EMG submental"], .microvolts, 1, seconds: 60)]) == nil)
    #expect(muscle([made("other", .other, ["EMG LAT", "EOG"], .microvolts, 128, seconds: 60)]) == nil)
    #expect(muscle([]) == nil)
    let within = made("eeg", .eeg, ["Cz", "HEOG", "Chin"], .microvolts, 128, seconds: 60)
    #expect(BrainSource.all(in: header([within])).first?.muscle?.channel == 2)
}

@Test("Sleep of an EDF file with EEG, eyes and chin is told from the EEG with both, and its table says so")
func sleepHearsTheChin() throws {
    let streams = [
        made("eeg", .eeg, ["EEG Fpz-Cz"], .microvolts, 128, seconds: 90),
        made("other", .other, ["EOG horizontal", "EMG submental"], .microvolts, 128, seconds: 90),
    ]
    try inFolder { folder in
        let file = folder.appendingPathComponent("night.edf")
        let head = RecordingHeader(
            start: Timestamp(secondsSince1970: 1_700_000_000), duration: 90, streams: streams.map(\.header),
            format: "test")
        _ = try EDFWriter.write(Recording(header: head, streams: streams), to: file)
        let result = try BrainReading.result(of: file, computing: .sleep)
        #expect(result.source.muscle?.label == "EMG submental")
        #expect(result.source.eyes?.leads == [EyeSource.Lead(lead: .horizontal, channel: 0)])
        #expect(result.sleepSource == .eeg([.muscle, .eyes]))
        let told = SleepEpoch.columns(result.sleepSource).map(\.definition).joined()
        #expect(told.contains("the muscle tone of the chin and the movements of the eyes"))
        #expect(result.sleep.count == 3)
    }
}

@Test("The eyes' channels beside an EEG are found, two sides as their difference, which holds nothing of the brain")
func eyesAreFound() throws {
    let eeg = made("eeg", .eeg, ["Fpz"], .microvolts, 128, seconds: 60)
    func eyes(_ labels: [String], _ unit: Signals.Unit = .microvolts, rate: Double = 128) -> EyeSource? {
        let other = made("other", .other, labels, unit, rate, seconds: 60)
        return BrainSource.all(in: header([eeg, other])).first?.eyes
    }
    let both = [EyeSource.Lead(lead: .both, channel: 1, against: 2)]
    #expect(eyes(["EMG", "LOC-A2", "ROC-A1"])?.leads == both && eyes(["EMG", "EOG L", "EOG right"])?.leads == both)
    #expect(
        eyes(["HEOG", "VEOG"])?.leads == [
            EyeSource.Lead(lead: .vertical, channel: 1), EyeSource.Lead(lead: .horizontal, channel: 0),
        ])
    #expect(eyes(["EOG", "Chin"])?.leads == [EyeSource.Lead(lead: .both, channel: 0)])
    #expect(eyes(["Chin"]) == nil && eyes(["EOG"], rate: 1) == nil && eyes(["EOG"], .g) == nil)
    let source = try #require(eyes(["LOC", "ROC"], Signals.Unit("mV")))
    let wave = (0..<200).map { Float(sin(Double($0) / 20)) }
    let leads = source.leads(in: SampleBlock(channelCount: 2, samples: wave.map { $0 + 0.05 } + wave))
    #expect(leads.channelCount == 1 && leads.samples.allSatisfy { abs($0 - 50) < 0.01 })
}
