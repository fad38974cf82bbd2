import Brain
import Formats
import Foundation
import Signals
import Simulation
import TestSupport
import Testing

private func channels(_ labels: [String]) -> [Channel] { labels.map { Channel(label: $0, unit: .microvolts) } }

private func detect(_ signal: SampleBlock, _ labels: [String], rate: Double) throws -> [EyeEvent] {
    run(try #require(EyeEventDetector(channels: channels(labels), sampleRate: rate)), signal, sampleRate: rate)
}

/// F1 of found against true moments, each within 0.15 s.
private func f1(_ found: [Double], _ truth: [Double]) -> Double {
    var open = truth
    var hits = 0
    for onset in found {
        if let place = open.firstIndex(where: { abs($0 - onset) <= 0.15 }) {
            open.remove(at: place)
            hits += 1
        }
    }
    return found.isEmpty && truth.isEmpty ? 1 : 2 * Double(hits) / Double(found.count + truth.count)
}

private func simulated(_ form: EEGParameters, seconds: Int, seed: UInt64) -> SampleBlock {
    var signal = EEGSignal(form, seed: seed)
    let frames = Int(form.sampleRate) * seconds
    return SampleBlock(
        channelCount: form.labels.count, samples: signal.render(0..<frames).flatMap { $0.map(Float.init) })
}

@Test(
    "Blinks are found in simulated EEG of any rate, size and montage",
    arguments: [
        (256.0, 150.0, 12.0, ["TP9", "AF7", "AF8", "TP10"]), (220, 60, 20, ["TP9", "AF7", "AF8", "TP10"]),
        (500, 250, 30, ["Fp1", "Fp2", "C3", "C4", "O1", "O2"]), (128, 100, 8, ["Fp1", "O1"]),
        (250, 120, 15, ["Fp2"]), (256, 60, 30, ["TP9", "AF7", "AF8", "TP10"]),
    ])
func simulatedBlinksAreFound(rate: Double, height: Double, perMinute: Double, labels: [String]) throws {
    for seed in UInt64(1)...3 {
        var form = EEGParameters()
        (form.sampleRate, form.blink, form.blinksPerMinute, form.labels) = (rate, height, perMinute, labels)
        form.eyesClosed = [100..<140]
        let events = try detect(simulated(form, seconds: 300, seed: seed), labels, rate: rate)
        let truth = EEGSignal.blinks(form, seed: seed, until: 299.6)
        let score = f1(events.filter { $0.kind == .blink }.map(\.onset), truth)
        #expect(score >= 0.95, "F1 \(score) at \(rate) Hz, \(height) µV, seed \(seed)")
    }
}

@Test("A headband referred to the forehead shows blinks as dips at the ears")
func blinksAreFoundWhateverTheReference() throws {
    var form = EEGParameters()
    form.blinksPerMinute = 15
    var signal = simulated(form, seconds: 200, seed: 4)
    let (n, forehead) = (signal.frameCount, signal.channel(1))
    for channel in 0..<4 { for frame in 0..<n { signal.samples[channel * n + frame] -= forehead[frame] } }
    let events = try detect(signal, form.labels, rate: 256)
    #expect(f1(events.filter { $0.kind == .blink }.map(\.onset), EEGSignal.blinks(form, seed: 4, until: 199.6)) >= 0.95)
}

@Test("Blinks are found while the electrode of one side is dead, and after", arguments: [1, 2])
func blinksAreFoundBesideADeadSide(channel: Int) throws {
    var form = EEGParameters()
    form.blinksPerMinute = 15
    var signal = simulated(form, seconds: 300, seed: 5)
    let (ear, rate) = (signal.channel(channel == 1 ? 0 : 3), Int(form.sampleRate))
    for frame in 100 * rate..<200 * rate {
        // Bridged to the ear of its side, it shows a fiftieth of what is between them.
        let place = channel * signal.frameCount + frame
        signal.samples[place] = ear[frame] + (signal.samples[place] - ear[frame]) / 50
    }
    let blinks = try detect(signal, form.labels, rate: form.sampleRate).filter { $0.kind == .blink }.map(\.onset)
    let truth = EEGSignal.blinks(form, seed: 5, until: 299.6)
    for stretch in [0.0..<95, 110..<195, 210..<300] {
        let score = f1(blinks.filter(stretch.contains), truth.filter(stretch.contains))
        #expect(score >= 0.9, "F1 \(score) in \(stretch)")
    }
}

@Test("Pops of one electrode, strong alpha and noise are no blinks")
func nothingElseIsABlink() throws {
    var form = EEGParameters()
    (form.blinksPerMinute, form.alpha, form.eyesClosed) = (0, 40, [20..<100])
    var signal = simulated(form, seconds: 120, seed: 9)
    for pop in stride(from: 1_000, to: 30_000, by: 2_000) {
        for frame in 0..<60 { signal.samples[signal.frameCount + pop + frame] += 200 * Float(exp(-Double(frame) / 20)) }
    }
    let blinks = try detect(signal, form.labels, rate: 256).filter { $0.kind == .blink }
    #expect(blinks.count <= 1)
}

@Test("Saccades are steps between the temples, with their direction")
func saccadesAreFound() throws {
    var form = EEGParameters()
    form.blinksPerMinute = 0
    var signal = simulated(form, seconds: 120, seed: 2)
    let n = signal.frameCount
    var truth: [(onset: Double, left: Bool)] = []
    var (gaze, side) = (Float(0), Float(1))
    for frame in 0..<n {
        let second = Double(frame) / 256
        if frame % 512 == 300 { truth.append((second, side > 0)) }
        if frame % 512 >= 300, frame % 512 < 310 { gaze += side * 8 }
        if frame % 512 == 310 { side = -side }
        signal.samples[n + frame] += gaze
        signal.samples[2 * n + frame] -= gaze
    }
    let found = try detect(signal, form.labels, rate: 256).filter { $0.kind != .blink }
    #expect(f1(found.map(\.onset), truth.map(\.onset)) >= 0.95)
    let right = found.filter { event in
        truth.contains { abs($0.onset - event.onset) < 0.15 && $0.left == (event.kind == .saccadeLeft) }
    }
    #expect(Double(right.count) >= 0.95 * Double(truth.count))
}

/// The frames of these seconds become `value` in all channels.
private func replace(_ signal: inout SampleBlock, _ seconds: Range<Double>, rate: Double, by value: Float) {
    for channel in 0..<signal.channelCount {
        for frame in Int(seconds.lowerBound * rate)..<Int(seconds.upperBound * rate) {
            signal.samples[channel * signal.frameCount + frame] = value
        }
    }
}

@Test(
    "What follows missing or still samples is not full of eye movements",
    arguments: [(5.0, Float.nan), (5, 0), (2, .nan), (2, 0), (20, .nan), (20, 0)])
func holesMakeNoEyeMovements(length: Double, value: Float) throws {
    var form = EEGParameters()
    form.labels = ["Fp1", "Fp2", "F7", "F8", "C3", "C4", "O1", "O2"]
    (form.blinksPerMinute, form.sampleRate, form.shared) = (0, 250, 0)
    for seed in UInt64(1)...3 {
        var signal = simulated(form, seconds: 60, seed: seed)
        #expect(try detect(signal, form.labels, rate: 250).isEmpty)
        replace(&signal, 20..<20 + length, rate: 250, by: value)
        #expect(try detect(signal, form.labels, rate: 250).isEmpty, "seed \(seed)")
    }
}

@Test("Blinks are found before and after missing or still samples", arguments: [Float.nan, 40])
func blinksAreFoundBesideHoles(value: Float) throws {
    var form = EEGParameters()
    form.blinksPerMinute = 15
    var signal = simulated(form, seconds: 200, seed: 5)
    replace(&signal, 60..<63, rate: 256, by: value)
    replace(&signal, 100..<120, rate: 256, by: value)
    let blinks = try detect(signal, form.labels, rate: 256).filter { $0.kind == .blink }.map(\.onset)
    let truth = EEGSignal.blinks(form, seed: 5, until: 199.6)
    for stretch in [0.0..<58.5, 65..<98.5, 122..<200] {
        #expect(f1(blinks.filter(stretch.contains), truth.filter(stretch.contains)) >= 0.95)
    }
    #expect(!blinks.contains { (60..<63).contains($0) || (100..<120).contains($0) })
}

@Test("Eye events do not depend on how the recording was cut")
func eyeEventsAreChunkInvariant() throws {
    var form = EEGParameters()
    form.blinksPerMinute = 30
    var signal = simulated(form, seconds: 40, seed: 6)
    for frame in 3_000..<3_100 { signal.samples[frame] = .nan }
    for channel in 0..<4 {
        for frame in 6_600..<7_100 { signal.samples[channel * signal.frameCount + frame] = 12 }
        for frame in 8_000..<8_600 { signal.samples[channel * signal.frameCount + frame] = .nan }
    }
    let detector = try #require(EyeEventDetector(channels: channels(form.labels), sampleRate: 256))
    let all = Array(0..<signal.frameCount)
    let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: 256) }
    let events = assertChunkInvariant(
        CutBlocks(inner: detector, signal: signal),
        [(start(0), Array(all[..<5_000])), (start(25), Array(all[5_000...5_100])), (start(30), Array(all[5_101...]))],
        cuts: 4)
    #expect(events.count > 5)
}

@Test("Blinks of a headband are found where they can be seen", .enabled(if: RealData.has("muse_eeg101/blinks.csv")))
func realBlinksAreFound() throws {
    let text = try String(contentsOf: RealData.url("muse_eeg101/blinks.csv"), encoding: .utf8)
    let rows = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").compactMap { Float($0) } }
    let samples = (0..<4).flatMap { channel in rows.map { $0[channel] } }
    let labels = ["TP9", "AF7", "AF8", "TP10"]
    let events = try detect(SampleBlock(channelCount: 4, samples: samples), labels, rate: 256)
    // Read off the plotted signal.
    let score = f1(events.filter { $0.kind == .blink }.map(\.onset), [0.24, 1.69, 1.92, 3.71])
    #expect(score >= 0.9)
}

@Test("The track of blinks has a 1 in each second with one")
func blinkTrackCountsSeconds() {
    let events = [0.2, 0.9, 3.5].map { EyeEvent(kind: .blink, onset: $0, duration: 0.1, amplitude: 100) }
    #expect(EyeEvent.secondsOfBlinks(events) == [0, 3])
    #expect(EyeEventDetector(channels: channels(["ch1", "ch2"]), sampleRate: 256) == nil)
}
