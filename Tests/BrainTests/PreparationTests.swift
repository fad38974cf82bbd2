import Brain
import Foundation
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private let rate = 256.0
private let labels = ["TP9", "AF7", "AF8", "TP10"]
private let channels = labels.map { Channel(label: $0, unit: .microvolts) }

private func simulated(_ seconds: Int, seed: UInt64 = 5) -> SampleBlock {
    var signal = EEGSignal(EEGParameters(), seed: seed)
    return SampleBlock(
        channelCount: labels.count, samples: signal.render(0..<Int(rate) * seconds).flatMap { $0.map(Float.init) })
}

private let near = ["Fp1", "F3", "F7", "Fz", "Fp2", "F4", "F8", "C3"]

private func prepared(_ signal: SampleBlock) throws -> [Epoch] {
    run(try EEGPreparation(channels: channels, sampleRate: rate), signal, sampleRate: rate)
}

/// The reasons given against a channel in the epochs wholly within a stretch of seconds.
private func reasons(_ epochs: [Epoch], _ channel: Int, _ seconds: ClosedRange<Double>) -> [[EpochReason]] {
    epochs.filter { $0.onset >= seconds.lowerBound && $0.onset + $0.duration <= seconds.upperBound }
        .map { $0.channels[channel].reasons }
}

@Test("Epochs of a clean EEG are usable, blinks and all")
func cleanEpochsAreUsable() throws {
    let epochs = try prepared(simulated(120)).filter { $0.frameCount > 0 }
    let usable = epochs.reduce(0) { $0 + $1.usableChannels.count }
    #expect(epochs.count == 119 && Double(usable) >= 0.98 * Double(4 * 119))
}

@Test("What is wrong with a channel is said of its epochs, and of no other channel")
func faultsAreNamed() throws {
    var signal = simulated(100)
    let n = signal.frameCount
    func change(_ seconds: Range<Int>, _ body: (Int, Float) -> Float) {
        for frame in Int(rate) * seconds.lowerBound..<Int(rate) * seconds.upperBound {
            signal.samples[n + frame] = body(frame, signal.samples[n + frame])
        }
    }
    var muscle = NoiseSource(.muscle, sampleRate: rate, seed: 3)
    let emg = muscle.samples(n)
    change(20..<30) { _, _ in 3 }
    change(35..<45) { frame, x in x + Float(40 * emg[frame]) }
    change(50..<60) { frame, x in x + Float(300 * sin(2 * Double.pi * 50 * Double(frame) / rate)) }
    change(65..<75) { _, _ in 825 }
    change(80..<90) { frame, x in frame % 256 == 7 ? .nan : x }
    let epochs = try prepared(signal)
    let expected: [(ClosedRange<Double>, EpochReason)] = [
        (20...30, .flat), (35...45, .muscle), (50...60, .mains), (65...75, .railed), (80...90, .missing),
    ]
    for (seconds, reason) in expected {
        #expect(reasons(epochs, 1, seconds).allSatisfy { $0.contains(reason) }, "\(reason)")
        #expect(reasons(epochs, 0, seconds).allSatisfy { $0.isEmpty }, "beside \(reason)")
    }
}

@Test("A channel of noise is found among four, and so is one that is far too large")
func badChannelsAreFoundAmongFour() throws {
    var signal = simulated(60)
    let n = signal.frameCount
    // With so few channels noise with an EEG's spectrum looks like a clean electrode far from the others.
    var noise = NoiseSource(.white, sampleRate: rate, seed: 3)
    for (frame, value) in noise.samples(n).enumerated() { signal.samples[3 * n + frame] = Float(8 * value) }
    for frame in 0..<n { signal.samples[n + frame] *= 8 }
    let epochs = try prepared(signal)
    #expect(reasons(epochs, 3, 12...60).allSatisfy { $0.contains(.uncorrelated) })
    #expect(reasons(epochs, 1, 12...60).allSatisfy { $0.contains(.deviant) })
    #expect(
        reasons(epochs, 0, 12...60).allSatisfy { $0.isEmpty } && reasons(epochs, 2, 12...60).allSatisfy { $0.isEmpty })
}

/// Channels that have nothing in common, as bipolar ones far from one another.
private func strangers(_ seconds: Int, _ labels: [String]) -> SampleBlock {
    var form = EEGParameters()
    form.labels = labels
    (form.shared, form.alpha, form.blinksPerMinute) = (0, 0, 0)
    var signal = EEGSignal(form, seed: 5)
    return SampleBlock(
        channelCount: labels.count, samples: signal.render(0..<Int(rate) * seconds).flatMap { $0.map(Float.init) })
}

@Test(
    "Channels that agree with none are refused where their reference is the same and a neighbor is near, not where they are bipolar or few",
    arguments: [
        (["Fp1-F3", "C3-P3", "O1-O2", "T4-T6"], false), (["EEG F7–T3", "EEG T3–T5", "EEG T5–O1", "EEG P3–O1"], false),
        (["Fp1-F3", "F3-C3", "C3-P3", "P3-O1", "Fp2-F4", "F4-C4", "C4-P4", "P4-O2"], false), (near, true),
        (near.map { $0 + ($0.hasSuffix("z") ? "-A1" : "-A2") }, true), (near.map { $0 + "-Cz" }, true),
        (near.map { $0 + "-REF" }, true), (["Fp1", "C3", "O1", "T4"], false),
        (["Fp1-Cz", "C3-Cz", "O2-Cz", "T4-Cz"], false),
    ])
func bipolarChannelsNeedNotAgree(labels: [String], isRefused: Bool) throws {
    let channels = labels.map { Channel(label: $0, unit: .microvolts) }
    let epochs = run(try EEGPreparation(channels: channels, sampleRate: rate), strangers(60, labels), sampleRate: rate)
    let all = labels.indices.flatMap { reasons(epochs, $0, 12...60) }
    let refused = Double(all.count { $0.contains(.uncorrelated) }) / Double(all.count)
    #expect(all.count > 150 && (isRefused ? refused >= 0.7 : refused == 0), "\(refused)")
}

@Test("Two electrodes in a label are told from one and its reference")
func pairsOfElectrodesAreRead() {
    for label in ["Fp1-F3", "EEG Fp1-F3", "EEG-Fp1-F3", "FP1–F3", "Fp1 \u{2212} F3", "FP1-F3-0"] {
        let pair = ElectrodePair(label: label)
        #expect(pair?.first.name == "Fp1" && pair?.second.name == "F3", "\(label)")
    }
    for label in ["Fp1", "EEG Fp1", "Fp1-REF", "EEG Fp1-LE", "RAW_AF7", "ch1-ch2", ""] {
        #expect(ElectrodePair(label: label) == nil, "\(label)")
    }
    #expect(ElectrodePair.areComparable(["Fp1", "C3", "O2", "A2-A1"]) == [true, true, true, false])
}

@Test("Samples marked as missing say nothing of the EEG after them, as a gap does not", arguments: [5, 15, 25])
func missingSamplesSayNothing(seconds: Int) throws {
    let signal = simulated(120)
    let hole = Int(rate) * 60..<Int(rate) * (60 + seconds)
    var marked = signal
    for channel in 0..<4 { for frame in hole { marked.samples[channel * signal.frameCount + frame] = .nan } }
    var preparation = try EEGPreparation(channels: channels, sampleRate: rate)
    var epochs: [Epoch] = []
    for frames in [0..<hole.lowerBound, hole.upperBound..<signal.frameCount] {
        let onset = Double(frames.lowerBound) / rate
        let start = SegmentStart(onset: onset, sample: frames.lowerBound, sampleRate: rate)
        preparation.begin(start, into: &epochs)
        preparation.push(signal.frames(frames), into: &epochs)
    }
    preparation.finish(into: &epochs)
    let after = Double(60 + seconds)...120
    let expected = (0..<4).map { reasons(epochs, $0, after) }
    let found = try prepared(marked)
    #expect(expected.allSatisfy { $0.count > 30 } && (0..<4).map { reasons(found, $0, after) } == expected)
}

@Test("An electrode that is its own reference is not used, and says why")
func referenceHasNoValues() throws {
    var cleaning = EEGCleaningParameters()
    cleaning.reference = .electrodes(["AF7"])
    let preparation = try EEGPreparation(channels: channels, sampleRate: rate, cleaning: cleaning)
    let epochs = run(preparation, simulated(20), sampleRate: rate).filter { $0.frameCount > 0 }
    #expect(!epochs.isEmpty && epochs.allSatisfy { $0.channels[1].reasons == [.reference] })
    #expect(epochs.allSatisfy { $0.usableChannels.count == 3 })
}

@Test("Of a channel whose only companions are missing nothing is said")
func missingCompanionsSayNothing() throws {
    var signal = simulated(60)
    let n = signal.frameCount
    for channel in 1..<4 { for frame in 15 * 256..<40 * 256 { signal.samples[channel * n + frame] = .nan } }
    #expect(reasons(try prepared(signal), 0, 0...60).allSatisfy { $0.isEmpty })
}

@Test("Preparation, seconds and motion do not depend on how the recording was cut")
func preparationIsChunkInvariant() throws {
    var signal = simulated(40)
    for frame in 2_000..<2_200 { signal.samples[frame] = .nan }
    let all = Array(0..<signal.frameCount)
    let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: rate) }
    let runs = [
        (start(0.1), Array(all[..<5_000])), (start(21), Array(all[5_000...5_100])), (start(25), Array(all[5_101...])),
    ]
    let preparation = try EEGPreparation(channels: channels, sampleRate: rate)
    assertChunkInvariant(
        CutBlocks(inner: preparation, signal: signal), runs, cuts: 3, sampleBySample: false, identical: isSame)
    let seconds = EEGSeconds(channels: channels, sampleRate: rate)
    assertChunkInvariant(CutBlocks(inner: seconds, signal: signal), runs, cuts: 3, identical: isSame)
    let motion = HeadMotion(channels: channels, sampleRate: rate)
    assertChunkInvariant(CutBlocks(inner: motion, signal: signal), runs, cuts: 3)
}

private func isSame(_ a: Epoch, _ b: Epoch) -> Bool {
    guard a.onset == b.onset, a.channels == b.channels else { return false }
    return a.samples.map(\.bitPattern) == b.samples.map(\.bitPattern)
}

private func isSame(_ a: EEGSecond, _ b: EEGSecond) -> Bool {
    guard a.onset == b.onset, a.coverage == b.coverage, a.agreement == b.agreement else { return false }
    return a.channels.map(\.eeg) == b.channels.map(\.eeg)
}

@Test("A nodding head moves, a still one does not, in any unit of acceleration")
func headMotionIsMeasured() {
    let count = 52 * 20
    var samples = [Float](repeating: 0, count: 3 * count)
    for frame in 0..<count {
        let tilt = frame > 10 * 52 ? 0.5 * sin(2 * Double.pi * Double(frame) / 52) : 0
        samples[frame] = Float(9.80665 * sin(tilt))
        samples[2 * count + frame] = Float(9.80665 * cos(tilt))
    }
    let axes = ["x", "y", "z"].map { Channel(label: $0, unit: Unit("m/s^2")) }
    let seconds = run(
        HeadMotion(channels: axes, sampleRate: 52), SampleBlock(channelCount: 3, samples: samples), sampleRate: 52)
    #expect(seconds.prefix(10).allSatisfy { ($0.movement ?? 1) < 0.01 })
    #expect(seconds[12...18].allSatisfy { ($0.movement ?? 0) > HeadMotion.limit })
}

@Test("Epochs in which the head moved say so, once the accelerometer has been heard")
func motionIsAReason() {
    var gate = HeadGate(hasMotion: true)
    var epochs: [Epoch] = []
    for onset in 0..<5 {
        gate.take(
            Epoch(
                onset: Double(onset), duration: 2, sampleRate: 4, samples: Array(repeating: 0, count: 8),
                channels: [.init()]),
            into: &epochs)
    }
    #expect(epochs.isEmpty)
    for second in 0..<6 {
        gate.take(HeadMotion.Second(onset: Double(second), movement: second == 3 ? 0.4 : 0.01), into: &epochs)
    }
    gate.finish(into: &epochs)
    #expect(epochs.map { $0.channels[0].reasons == [.motion] } == [false, false, true, true, false])
}

@Test("Epochs say which channels have an electrode without contact, once accelerometer and headband have been heard")
func looseElectrodesAreAReason() {
    var gate = HeadGate(hasMotion: true, electrodes: [[0, 1], [2], [3]])
    var epochs: [Epoch] = []
    for onset in 0..<5 {
        gate.take(
            Epoch(
                onset: Double(onset), duration: 2, sampleRate: 4, samples: Array(repeating: 0, count: 24),
                channels: Array(repeating: .init(), count: 3)),
            into: &epochs)
    }
    for second in 0..<6 {
        gate.take(
            HeadContact.Second(onset: Double(second), isOff: second == 5, isLoose: [false, second == 2, nil]),
            into: &epochs)
    }
    #expect(epochs.isEmpty)
    for second in 0..<6 { gate.take(HeadMotion.Second(onset: Double(second), movement: 0.01), into: &epochs) }
    let isOff = epochs.map { $0.channels.map { $0.reasons == [.offBody] } }
    let (none, one, all) = ([false, false, false], [true, false, false], [true, true, true])
    #expect(isOff == [none, one, one, none, all])
}

@Test("A headband that stays silent is waited for no longer than patience")
func silentHeadbandIsNotWaitedForForEver() {
    var gate = HeadGate(hasMotion: false, electrodes: [[0]])
    var epochs: [Epoch] = []
    for onset in 0..<50 {
        gate.take(
            Epoch(onset: Double(onset), duration: 2, sampleRate: 4, samples: [], channels: [.init()]), into: &epochs)
    }
    #expect(epochs.last.map { $0.onset + 2 } == 51 - HeadGate.patience)
    gate.finish(into: &epochs)
    #expect(epochs.count == 50)
}

@Test("A channel that is at a rail for half of the time is railed however small the rest is; coarse steps are no rail")
func halfARailIsARail() throws {
    var signal = simulated(60)
    let n = signal.frameCount
    for frame in 20 * 256..<40 * 256 {
        // Six of thirteen samples at the rail, which is too short a time for a flat line.
        signal.samples[n + frame] = frame % 13 < 6 ? 1_020 : 1_000 + max(-15, min(15, signal.samples[n + frame] / 3))
    }
    for frame in 0..<n { signal.samples[3 * n + frame] = (signal.samples[3 * n + frame] / 8).rounded() * 4 }
    let epochs = try prepared(signal)
    #expect(reasons(epochs, 1, 20...40).allSatisfy { $0.contains(.railed) })
    #expect(reasons(epochs, 3, 0...60).allSatisfy { !$0.contains(.railed) })
    let second = try #require(
        run(EEGSeconds(channels: channels, sampleRate: rate), signal, sampleRate: rate).first { $0.onset == 30 })
    #expect(second.channels[1].clipped > 0.4 && second.channels[1].peak < 50 && second.channels[0].clipped < 0.03)
}

@Test("A bad channel has no part in the average that the others are measured against", arguments: [0, 1, 2, 3, 4])
func averageDoesWithoutBadChannels(fault: Int) throws {
    let (seconds, names) = (60, ["Fp1", "Fp2", "C3", "C4", "O1", "O2"])
    let four = simulated(seconds, seed: 11)
    // Channels that have something in common with each other, as those of a head do.
    let mixture: [[Float]] = [
        [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0.6, 0.5, 0, 0], [0, 0, 0.5, 0.6],
    ]
    let good = mixture.map { weights -> [Float] in
        (0..<four.frameCount).map { frame in
            weights.indices.reduce(0) { $0 + weights[$1] * four.samples[$1 * four.frameCount + frame] }
        }
    }
    var noise = NoiseSource(.muscle, sampleRate: rate, seed: 3)
    var random = RandomSource(seed: 4, "white")
    let emg = noise.samples(good[0].count)
    let bad = good[2].indices.map { frame -> Float in
        switch fault {
        case 0: 60 * Float(emg[frame])
        case 1: 400 * Float(random.gaussian())
        case 2: 300 * Float(sin(2 * Double.pi * 50 * Double(frame) / rate))
        case 3: 5
        default: 825
        }
    }
    func epochs(_ samples: [[Float]], _ labels: [String]) throws -> [Epoch] {
        var cleaning = EEGCleaningParameters()
        cleaning.reference = .average
        let stage = try EEGPreparation(
            channels: labels.map { Channel(label: $0, unit: .microvolts) }, sampleRate: rate, cleaning: cleaning)
        let block = SampleBlock(channelCount: labels.count, samples: samples.flatMap { $0 })
        return run(stage, block, sampleRate: rate)
    }
    var spoilt = good
    spoilt[2] = bad
    let found = try epochs(spoilt, names)
    let without = try epochs(good.indices.filter { $0 != 2 }.map { good[$0] }, names.filter { $0 != "C3" })
    #expect(found.count == without.count && found.count > 50)
    for (one, other) in zip(found, without) where one.frameCount > 0 && !one.channels[2].isUsable {
        for (channel, alone) in [(0, 0), (1, 1), (3, 2), (4, 3), (5, 4)] where one.channels[channel].isUsable {
            let pairs = zip(one.samples[one.range(ofChannel: channel)], other.samples[other.range(ofChannel: alone)])
            #expect(pairs.allSatisfy { abs($0 - $1) < 0.05 })
        }
    }
    #expect(found.count { !$0.channels[2].isUsable } > found.count * 9 / 10)
    #expect(found.count { $0.channels[0].isUsable } > found.count * 8 / 10)
}

@Test("Nothing is measured against named electrodes while one of them is bad, nor against an average of a few")
func badReferencesAreTold() throws {
    let names = ["Fp1", "C3", "O1", "M2"]
    var signal = simulated(60)
    let n = signal.frameCount
    for frame in Int(rate) * 20..<Int(rate) * 40 { signal.samples[3 * n + frame] = 4 }
    var cleaning = EEGCleaningParameters()
    cleaning.reference = .electrodes(["C3", "M2"])
    let channels = names.map { Channel(label: $0, unit: .microvolts) }
    let named = run(
        try EEGPreparation(channels: channels, sampleRate: rate, cleaning: cleaning), signal, sampleRate: rate)
    #expect(reasons(named, 0, 21...39).allSatisfy { $0.contains(.flat) })
    #expect(reasons(named, 0, 2...18).allSatisfy { $0.isEmpty })
    cleaning.reference = .average
    for channel in 1...2 { for frame in Int(rate) * 20..<Int(rate) * 40 { signal.samples[channel * n + frame] = 4 } }
    let few = run(
        try EEGPreparation(channels: channels, sampleRate: rate, cleaning: cleaning), signal, sampleRate: rate)
    #expect(reasons(few, 0, 21...39).allSatisfy { $0.contains(.reference) })
}
