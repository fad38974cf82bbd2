import Brain
import Foundation
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private let rate = 256.0

private func simulated(_ seconds: Int, scale: Double = 1, seed: UInt64 = 5) -> SampleBlock {
    var signal = EEGSignal(EEGParameters(), seed: seed)
    let channels = signal.render(0..<Int(rate) * seconds)
    return SampleBlock(channelCount: channels.count, samples: channels.flatMap { $0.map { Float($0 * scale) } })
}

private func start(_ onset: Double, _ sample: Int = 0) -> SegmentStart {
    SegmentStart(onset: onset, sample: sample, sampleRate: rate)
}

@Test(
    "A filter in blocks gives what the sum of products gives",
    arguments: [(1, 1, 16), (3, 201, 32), (9, 845, 128), (2, 60, 20)])
func blocksFilterAsSums(channels: Int, taps: Int, block: Int) throws {
    let design =
        taps == 1
        ? FIRDesign(taps: [0.7])
        : try FIRDesign.windowed(.bandpass(2, 40), taps: taps, sampleRate: rate)
    var random = RandomSource(seed: 3)
    let signals = (0..<channels).map { _ in (0..<block * 12).map { _ in Float(random.gaussian()) } }
    var filter = BlockFIR(design, channels: channels, block: block)
    var found = signals.map { _ in [Float]() }
    for first in stride(from: 0, to: block * 12, by: block) {
        var samples = signals.flatMap { Array($0[first..<first + block]) }
        var span = samples.mutableSpan
        filter.process(&span)
        for channel in 0..<channels { found[channel] += samples[channel * block..<(channel + 1) * block] }
    }
    for channel in 0..<channels {
        var direct = FIRFilter(design)
        let expected = direct.process(signals[channel])
        #expect(zip(found[channel], expected).allSatisfy { abs($0 - $1) < 1e-5 })
    }
}

@Test(
    "Blocks that follow one another in long rows come out as they do one by one",
    arguments: [(1, 1, 16), (3, 201, 32), (4, 845, 128), (2, 60, 20)])
func blocksInRowsFilterAsAlone(channels: Int, taps: Int, block: Int) throws {
    let design =
        taps == 1
        ? FIRDesign(taps: [0.7])
        : try FIRDesign.windowed(.bandpass(2, 40), taps: taps, sampleRate: rate)
    var random = RandomSource(seed: 4)
    let (blocks, frames) = (12, 12 * block + 7)
    let rows = (0..<channels * frames).map { _ in Float(random.gaussian()) }
    var (alone, together) = (
        BlockFIR(design, channels: channels, block: block), [Float](repeating: 0, count: rows.count)
    )
    var expected = together
    for first in stride(from: 0, to: blocks * block, by: block) {
        var samples = (0..<channels).flatMap { Array(rows[$0 * frames + first..<$0 * frames + first + block]) }
        var span = samples.mutableSpan
        alone.process(&span)
        for index in samples.indices { expected[index / block * frames + first + index % block] = samples[index] }
    }
    var filter = BlockFIR(design, channels: channels, block: block)
    rows.withUnsafeBufferPointer { rows in
        together.withUnsafeMutableBufferPointer { together in
            guard let rows = rows.baseAddress, let together = together.baseAddress else { return }
            var place = 0
            for count in [1, 4, 2, 5] {
                filter.process(count, of: rows + place, rowsOf: frames, into: together + place, rowsOf: frames)
                place += count * block
            }
        }
    }
    #expect(together == expected)
}

@Test("The band-pass keeps what is in the band in its place and takes the rest out")
func bandPassHasNoDelay() throws {
    let frames = Int(rate) * 20
    let tones: [(Double, Float)] = [(0, 0), (1, 1), (10, 1), (30, 1), (50, 0), (60, 0)]
    for (frequency, gain) in tones {
        let tone = (0..<frames).map { Float(100 * cos(2 * Double.pi * frequency * Double($0) / rate)) }
        let cleaner = try EEGCleaner(channels: [Channel(label: "Cz", unit: .microvolts)], sampleRate: rate)
        let cleaned = joined(run(cleaner, SampleBlock(tone), sampleRate: rate)).samples
        #expect(cleaned.count == frames)
        let middle = Int(rate) * 4..<frames - Int(rate) * 4
        #expect(
            middle.allSatisfy { abs(cleaned[$0] - gain * tone[$0]) < (frequency == 1 ? 1.5 : 0.6) }, "\(frequency) Hz")
    }
}

@Test("Cleaning does not depend on how the recording was cut", arguments: [45.0, 100])
func cleaningIsChunkInvariant(highest: Double) throws {
    var parameters = EEGCleaningParameters()
    parameters.highest = highest
    parameters.reference = .average
    var signal = simulated(14)
    for frame in 700..<730 { signal.samples[frame] = .nan }
    let channels = EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) }
    let all = Array(0..<signal.frameCount)
    let cleaner = try EEGCleaner(channels: channels, sampleRate: rate, parameters: parameters)
    assertChunkInvariant(
        CutFrames(CutBlocks(inner: cleaner, signal: signal)),
        [(start(0), Array(all[..<2000])), (start(9, 2000), Array(all[2000...2100])), (start(12), Array(all[2101...]))],
        cuts: 4, identical: isIdentical)
}

@Test("Missing samples stay missing, and what is around them is as if they had not been")
func missingStaysMissing() throws {
    let clean = simulated(12)
    var holed = clean
    for frame in 1000..<1010 { holed.samples[frame] = .nan }
    let channels = EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) }
    let cleaner = try EEGCleaner(channels: channels, sampleRate: rate)
    let (a, b) = (joined(run(cleaner, clean, sampleRate: rate)), joined(run(cleaner, holed, sampleRate: rate)))
    #expect(b.channel(0).indices.filter { !b.channel(0)[$0].isFinite } == Array(1000..<1010))
    #expect(b.channel(1) == a.channel(1))
    let apart = (0..<b.frameCount).filter { abs($0 - 1005) > 600 }
    #expect(apart.allSatisfy { abs(a.samples[$0] - b.samples[$0]) < 1 })
}

@Test("Hum that drifts in frequency is removed with its harmonics, and nothing else", arguments: [49.8, 50, 60.1])
func humIsRemoved(frequency: Double) {
    let signal = simulated(30)
    var noisy = signal
    for frame in 0..<signal.frameCount {
        let phase = 2 * Double.pi * frequency * Double(frame) / rate
        let hum = Float(40 * sin(phase) + 10 * sin(2 * phase + 1))
        for channel in 0..<4 { noisy.samples[channel * signal.frameCount + frame] += hum }
    }
    let removal = LineNoiseRemoval(highest: 125, channels: 4, sampleRate: rate)
    let left = joined(run(removal, noisy, sampleRate: rate))
    let untouched = joined(run(removal, signal, sampleRate: rate))
    #expect(isIdentical(untouched, signal) || rms(untouched, minus: signal) < 0.5)
    // From 29 µV to less than a hundredth of its power and what an EEG has in half a hertz.
    #expect(rms(left, minus: signal) < 0.8)
}

private func rms(_ a: SampleBlock, minus b: SampleBlock) -> Double {
    let squares = zip(a.samples, b.samples).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    return (squares / Double(a.samples.count)).squareRoot()
}

@Test("References are subtracted, by name or by place")
func referencesAreSubtracted() throws {
    let block = SampleBlock(channelCount: 3, samples: [1, 2, 10, 20, 4, .nan])
    let labels = ["EEG Fp1-REF", "EEG Cz", "EEG A1"]
    let average = try Rereferencing(.average, labels: labels).apply(block)
    #expect(average.samples[0] == -4 && average.samples[1] == -9)
    let named = try Rereferencing(.electrodes(["A1"]), labels: labels).apply(block)
    #expect(named.samples[0] == -3 && named.samples[1].isNaN)
    let pairs = try Rereferencing(.bipolar([.init("Fp1", "Cz")]), labels: labels)
    #expect(pairs.apply(block).samples == [-9, -18] && pairs.labels == ["Fp1-Cz"])
    #expect(throws: EEGReferenceError.noElectrode("Oz", among: labels)) {
        try Rereferencing(.electrodes(["Oz"]), labels: labels)
    }
    // A difference is not its first half.
    #expect(throws: EEGReferenceError.noElectrode("Fp1-Cz", among: labels)) {
        try Rereferencing(.electrodes(["Fp1-Cz"]), labels: labels)
    }
    let itself = try Rereferencing(.electrodes(["EEG Fp1-REF"]), labels: labels)
    #expect((0..<3).map(itself.isReference) == [true, false, false])
    let two = try Rereferencing(.electrodes(["Fp1", "Cz"]), labels: labels)
    #expect((0..<3).map(two.isReference) == [false, false, false])
}

@Test(
    "A unit that cannot be right is found out",
    arguments: [(1.0, nil), (1e-6, .volts), (1e-3, .millivolts), (1e3, .nanovolts)] as [(Double, Signals.Unit?)])
func wrongUnitsAreFound(scale: Double, truth: Signals.Unit?) {
    var check = EEGUnitCheck(unit: .microvolts, sampleRate: rate, channels: 4)
    check.push(simulated(12, scale: scale))
    switch check.verdict {
    case .plausible: #expect(truth == nil)
    case .implausible(_, let suggested): #expect(suggested == truth && truth != nil)
    case .undecided: Issue.record("10 s are enough")
    }
    let doubt = check.verdict.doubt(declared: .microvolts)
    #expect(truth == nil ? doubt == nil : doubt?.hasSuffix("an EEG varies by 0.3 to 3000 µV") == true)
}

@Test("Each channel is read in its own unit")
func channelsMayHaveUnitsOfTheirOwn() throws {
    let units: [Signals.Unit] = [.microvolts, .millivolts, .nanovolts, .volts]
    let plain = simulated(12)
    var mixed = plain
    for (channel, unit) in units.enumerated() {
        let factor = Float(try #require(Signals.Unit.microvolts.factor(to: unit)))
        for index in mixed.range(ofChannel: channel) { mixed.samples[index] *= factor }
    }
    var check = EEGUnitCheck(units: units, sampleRate: rate)
    check.push(mixed)
    #expect(check.verdict.doubt(declared: .microvolts) == nil)
    func prepared(_ block: SampleBlock, _ units: [Signals.Unit]) throws -> [Epoch] {
        let channels = units.enumerated().map { Channel(label: "\($0)", unit: $1) }
        var preparation = try EEGPreparation(channels: channels, sampleRate: rate)
        var epochs: [Epoch] = []
        preparation.begin(start(0), into: &epochs)
        preparation.push(block, into: &epochs)
        preparation.finish(into: &epochs)
        return epochs
    }
    let expected = try prepared(plain, Array(repeating: .microvolts, count: 4))
    let found = try prepared(mixed, units)
    #expect(found.count == expected.count && !found.isEmpty)
    for (one, other) in zip(found, expected) {
        #expect(one.channels.map(\.reasons) == other.channels.map(\.reasons))
        #expect(zip(one.samples, other.samples).allSatisfy { abs($0 - $1) < 1e-3 })
    }
}

@Test(
    "Epochs that cannot be are refused, not made into others",
    arguments: [(-1.0, 1.0), (0.01, 0.01), (2, 0), (2, -3), (.nan, 1), (2, .infinity)])
func senselessEpochsAreRefused(length: Double, step: Double) {
    let channels = [Channel(label: "Cz", unit: .microvolts)]
    #expect(throws: BrainError.self) {
        try EEGPreparation(
            channels: channels, sampleRate: rate, epochs: EpochParameters(length: length, step: step))
    }
}

@Test("A band that ends before it begins is refused", arguments: [0.5, 1, Double.nan])
func senselessBandsAreRefused(highest: Double) {
    var parameters = EEGCleaningParameters()
    parameters.highest = highest
    #expect(throws: (any Error).self) {
        try EEGCleaner(
            channels: [Channel(label: "Cz", unit: .microvolts)], sampleRate: rate, parameters: parameters)
    }
}

@Test("Volts called volts are an EEG; nothing is decided on nothing")
func rightUnitsPass() {
    var check = EEGUnitCheck(unit: .volts, sampleRate: rate, channels: 4)
    check.push(simulated(12, scale: 1e-6))
    #expect(check.verdict.doubt(declared: .volts) == nil)
    check = EEGUnitCheck(unit: .microvolts, sampleRate: rate, channels: 1)
    check.push(SampleBlock(Array(repeating: 850, count: 5_000)))
    #expect(check.verdictSoFar == .undecided)
}

@Test("Labels of all kinds name their places")
func labelsNamePlaces() {
    let known = ["EEG Fp1-REF": "Fp1", "AF7": "AF7", "EEG1 TP10": "TP10", "RAW_TP9": "TP9", "FCz.": "FCz", "cz": "Cz"]
    for (label, name) in known { #expect(ElectrodeName(label: label)?.name == name, "\(label)") }
    for label in ["ECG ECG", "Right AUX", "", "ch1", "F99", "EEG"] { #expect(ElectrodeName(label: label) == nil) }
}

@Test("The difference of the two ears is told from electrodes against an ear, a headband's pair and contacts in depth")
func differencesOfEarsAreKnown() {
    let labels = ["EEG A2-A1", "M1-M2", "C3-A2", "A1", "TP9-TP10", "Cz", "EEG F3 - EEG A2-A1"]
    #expect(ElectrodeName.areDifferencesOfEars(labels) == [true, true, false, false, false, false, false])
    #expect(ElectrodeName.areDifferencesOfEars(["A1-A2", "A2-A3", "A3-A4"]) == [false, false, false])
}
