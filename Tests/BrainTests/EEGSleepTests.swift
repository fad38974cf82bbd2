import Brain
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private func night(_ labels: [String], hours: Double) -> EEGParameters {
    var form = EEGParameters()
    (form.labels, form.sampleRate, form.background) = (labels, 128, 10)
    let kinds: [(SleepStretch.Kind?, Double)] = [
        (nil, 20), (.light, 15), (.deep, 25), (.light, 10), (.rem, 12), (nil, 6), (.light, 20), (.deep, 12), (.rem, 20),
        (nil, 3), (.light, 25), (.rem, 20), (nil, 15),
    ]
    let stretch = hours * 60 / kinds.reduce(0) { $0 + $1.1 }
    var time = 0.0
    for (kind, minutes) in kinds {
        let end = time + (minutes * stretch * 2).rounded() * 30
        if let kind {
            form.sleep.append(SleepStretch(kind, time..<end))
        } else {
            form.eyesClosed.append(time + 60..<end)
        }
        time = end
    }
    return form
}

private func measures(
    _ form: EEGParameters, seconds: Int, seed: UInt64, cleaning: EEGCleaningParameters = EEGCleaningParameters()
) throws -> [SleepMeasure] {
    var signal = EEGSignal(form, seed: seed)
    let channels = form.labels.map { Channel(label: $0, unit: .microvolts) }
    var preparation = try EEGPreparation(channels: channels, sampleRate: form.sampleRate, cleaning: cleaning)
    var stage = SleepMeasures(labels: form.labels, lowest: cleaning.lowest)
    var (epochs, found) = ([Epoch](), [SleepMeasure]())
    preparation.begin(SegmentStart(onset: 0, sample: 0, sampleRate: form.sampleRate), into: &epochs)
    let size = Int(form.sampleRate) * 60
    for first in stride(from: 0, to: Int(form.sampleRate) * seconds, by: size) {
        let rows = signal.render(first..<first + size)
        preparation.push(
            SampleBlock(channelCount: rows.count, samples: rows.flatMap { $0.map(Float.init) }), into: &epochs)
        stage.push(epochs.span, into: &found)
        epochs.removeAll(keepingCapacity: true)
    }
    preparation.finish(into: &epochs)
    stage.push(epochs.span, into: &found)
    stage.finish(into: &found)
    return found
}

@Test("What a filter took away says neither sleep nor wake", arguments: [(0.3, 35.0), (0.5, 30), (5, 45)])
func filteredEEGTellsNoSleep(lowest: Double, highest: Double) throws {
    var cleaning = EEGCleaningParameters()
    (cleaning.lowest, cleaning.highest) = (lowest, highest)
    let found = try measures(night(["Cz"], hours: 1), seconds: 3_600, seed: 2, cleaning: cleaning)
    #expect(found.count == 120 && found.allSatisfy { $0.reason == .filtered })
    #expect(EEGSleep.epochs(found).allSatisfy { $0.asleep == nil && $0.reason == .filtered })
}

@Test(
    "Sleep and wake of simulated nights are told from one channel as from four",
    arguments: [(["Fpz"], 1), (["Cz"], 2), (["TP9", "AF7", "AF8", "TP10"], 3)] as [([String], UInt64)])
func simulatedNightsAreTold(labels: [String], seed: UInt64) throws {
    let form = night(labels, hours: 3)
    let found = EEGSleep.epochs(try measures(form, seconds: 3 * 3_600, seed: seed))
    #expect(found.map(\.onset) == (0..<360).map { Double($0) * 30 })
    var (right, told, wakeFound, wake, rem, remFound) = (0, 0, 0, 0, 0, 0)
    for epoch in found {
        let kind = form.sleep.first { $0.range.contains(epoch.onset + 15) }?.kind
        guard let asleep = epoch.asleep else { continue }
        told += 1
        if (kind != nil) == (asleep == 1) { right += 1 }
        if kind == nil { (wake, wakeFound) = (wake + 1, wakeFound + 1 - asleep) }
        if kind == .rem { (rem, remFound) = (rem + 1, remFound + asleep) }
    }
    #expect(told >= 350)
    #expect(Double(right) >= 0.95 * Double(told), "\(right) of \(told)")
    #expect(Double(wakeFound) >= 0.9 * Double(wake), "wake: \(wakeFound) of \(wake)")
    #expect(Double(remFound) >= 0.9 * Double(rem), "REM: \(remFound) of \(rem)")
}

@Test("Who did not sleep is not said to have slept", arguments: [6.0, 20], [UInt64(4), 5])
func wakeIsNoSleep(blinks: Double, seed: UInt64) throws {
    var form = EEGParameters()
    (form.labels, form.sampleRate, form.blinksPerMinute) = (["AF7", "AF8"], 128, blinks)
    form.eyesClosed = [300..<900]
    let found = EEGSleep.epochs(try measures(form, seconds: 1_800, seed: seed))
    #expect(!found.contains { $0.asleep == 1 })
    #expect(found.count { $0.asleep == 0 } >= 55)
}

@Test("A night in which nobody woke is sleep throughout")
func sleepWithoutWakeIsSleep() throws {
    var form = EEGParameters()
    (form.labels, form.sampleRate) = (["Fpz"], 128)
    form.sleep = [
        SleepStretch(.light, -60..<1_800), SleepStretch(.deep, 1_800..<2_700), SleepStretch(.light, 2_700..<3_660),
    ]
    let found = EEGSleep.epochs(try measures(form, seconds: 3_600, seed: 6))
    #expect(found.count { $0.asleep == 1 } >= 118)
}

// What a single electrode's motion gives has the spectrum of light sleep; quality tells it from EEG by other channels.
@Test("Pure noise is nobody's sleep", arguments: NoiseKind.allCases.filter { $0 != .electrodeMotion })
func noiseIsNoSleep(kind: NoiseKind) throws {
    var source = NoiseSource(kind, sampleRate: 128, seed: 7, label: "sleep test")
    let samples = source.samples(128 * 1_200).map { Float(20 * $0) }
    var preparation = try EEGPreparation(
        channels: [Channel(label: "Fpz", unit: .microvolts)], sampleRate: 128)
    var (epochs, found) = ([Epoch](), [SleepMeasure]())
    preparation.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 128), into: &epochs)
    preparation.push(SampleBlock(channelCount: 1, samples: samples), into: &epochs)
    preparation.finish(into: &epochs)
    var stage = SleepMeasures(channels: 1)
    stage.push(epochs.span, into: &found)
    stage.finish(into: &found)
    #expect(!EEGSleep.epochs(found).contains { $0.asleep == 1 })
}

@Test("Measures of sleep do not depend on how epochs come, and a gap is one")
func sleepMeasuresAreChunkInvariant() throws {
    var random = RandomSource(seed: 8)
    let epochs = (0..<200).map { index in
        let isTorn = (60..<95).contains(index)
        return Epoch(
            onset: Double(index), duration: 2, sampleRate: 100,
            samples: isTorn ? [] : (0..<400).map { _ in Float(random.gaussian()) },
            channels: Array(
                repeating: Epoch.ChannelState(coverage: isTorn ? 0 : 1, reasons: isTorn ? [.gap] : []), count: 2))
    }
    let found = assertChunkInvariant(
        SleepMeasures(channels: 2), [(SegmentStart(onset: 0, sample: 0, sampleRate: 100), epochs)])
    #expect(found.map(\.onset) == [0, 30, 60, 90, 120, 150, 180])
    #expect(found.map(\.reason) == [nil, nil, .gap, nil, nil, nil, nil].map { $0 as SleepEpoch.Reason? })
    #expect(EEGSleep.epochs([SleepMeasure]()).isEmpty)
}
