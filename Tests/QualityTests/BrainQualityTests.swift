import Brain
import Foundation
import Quality
import Signals
import Simulation
import TestSupport
import Testing

private let rate = 256.0
private let labels = ["TP9", "AF7", "AF8", "TP10"]
private let channels = labels.map { Channel(label: $0, unit: .microvolts) }

private func simulated(_ seconds: Int, seed: UInt64 = 5, _ form: EEGParameters = EEGParameters()) -> [[Double]] {
    var signal = EEGSignal(form, seed: seed)
    return signal.render(0..<Int(rate) * seconds)
}

private func judge(
    _ signal: [[Double]], named names: [String]? = nil, motion: [HeadMotion.Second]? = nil, rate: Double = rate
) -> [BrainWindow] {
    let named = signal.indices.map { index in
        names.map { Channel(label: $0[index], unit: .microvolts) }
            ?? (index < 4 ? channels[index] : Channel(label: "ch\(index)", unit: .microvolts))
    }
    var assessor = BrainAssessor(channels: named, sampleRate: rate, hasMotion: motion != nil)
    var windows: [BrainWindow] = []
    for second in motion ?? [] { assessor.take(second, into: &windows) }
    assessor.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &windows)
    assessor.push(
        SampleBlock(channelCount: signal.count, samples: signal.flatMap { $0.map(Float.init) }), into: &windows)
    assessor.finish(into: &windows)
    return windows
}

extension [BrainWindow] {
    /// The share of windows that are not good, and for one of these reasons.
    fileprivate func flagged(_ reasons: Set<QualityReason> = Set(QualityReason.allCases)) -> Double {
        Double(count { !$0.whole.isGood && !reasons.isDisjoint(with: $0.whole.reasons) }) / Double(Swift.max(1, count))
    }
}

/// EEG of headbands: clean passes, faults are named, noise is never good.
@Suite struct BrainQualityTests {
    static var forms: [EEGParameters] {
        var closed = EEGParameters()
        closed.eyesClosed = [0..<1_000]
        var blinking = EEGParameters()
        blinking.blinksPerMinute = 25
        var small = EEGParameters()
        (small.background, small.alpha, small.blink) = (3, 6, 80)
        return [EEGParameters(), closed, blinking, small]
    }

    @Test(arguments: forms) func `a clean EEG passes, with eyes open, closed and blinking`(form: EEGParameters) {
        for seed in UInt64(1)...2 {
            let windows = judge(simulated(300, seed: seed, form))
            #expect(windows.count == 291)
            #expect(windows.flagged() <= 0.05)
            #expect(windows.filter { $0.whole.isGood }.allSatisfy { $0.wireCode == 0 })
            let bad = windows.reduce(0) { $0 + $1.channels.count { !$0.isGood } }
            #expect(Double(bad) <= 0.05 * Double(4 * windows.count))
        }
    }

    enum Fault: CaseIterable {
        case flat, railed, atRail, muscle, mains, offHead, pops, missing, drifting
    }

    static let expected: [Fault: (reasons: Set<QualityReason>, code: Int?)] = [
        .flat: ([.flat], 1), .railed: ([.flat, .saturated], 1), .atRail: ([.saturated], 1), .muscle: ([.noise], 3),
        .mains: ([.mains], 1),
        .offHead: ([.uncorrelated, .noise], nil), .pops: ([.electrodePop], nil), .missing: ([.gap], nil),
        .drifting: ([.baselineWander], nil),
    ]

    @Test(arguments: Fault.allCases) func `faults are flagged with the right reason and nothing else is`(fault: Fault) {
        var signal = simulated(900)
        let onsets = (0..<14).map { 40.3 + 60 * Double($0) }
        for channel in signal.indices {
            let noise = Self.noise(fault, signal[channel].count, channel)
            for onset in onsets {
                for frame in Int(onset * rate)..<Int((onset + 8) * rate) {
                    signal[channel][frame] = Self.faulty(fault, signal[channel][frame], noise[frame])
                }
            }
        }
        let windows = judge(signal)
        func overlap(_ window: QualityWindow) -> Seconds {
            onsets.map { min($0 + 8, window.onset + window.duration) - max($0, window.onset) }.max() ?? 0
        }
        let bad = windows.filter { overlap($0.whole) >= 6 }
        let good = windows.filter { overlap($0.whole) <= 0 }
        #expect(bad.count > 50 && good.count > 300)
        #expect(bad.flagged(Self.expected[fault]?.reasons ?? []) >= 0.95, "\(fault)")
        #expect(good.flagged() <= 0.05, "\(fault)")
        if let code = Self.expected[fault]?.code {
            #expect(Double(bad.count { $0.wireCode == code }) >= 0.95 * Double(bad.count), "\(fault)")
        }
    }

    private static func noise(_ fault: Fault, _ count: Int, _ channel: Int) -> [Double] {
        let kind: NoiseKind =
            switch fault {
            case .mains: .mains50
            case .muscle: .muscle
            case .pops: .steps
            case .drifting: .brown
            default: .white
            }
        var source = NoiseSource(kind, sampleRate: rate, seed: 8, label: fault == .mains ? "" : "\(channel)")
        return source.samples(count)
    }

    private static func faulty(_ fault: Fault, _ sample: Double, _ noise: Double) -> Double {
        switch fault {
        case .flat: 85
        case .railed: max(-6, min(6, 4 * sample)) * 100
        case .atRail: 1_682
        case .muscle: sample + 40 * noise
        case .mains: sample + 120 * noise
        case .offHead: 4 * noise
        case .pops: sample + 150 * noise
        case .missing: .nan
        case .drifting: sample + 2_000 * noise
        }
    }

    @Test(arguments: NoiseKind.allCases, [5.0, 20, 100]) func `pure noise is no EEG`(kind: NoiseKind, rms: Double) {
        let noise = (0..<4).map { channel -> [Double] in
            var source = NoiseSource(kind, sampleRate: rate, seed: 2, label: "\(channel)")
            return source.samples(Int(rate) * 300).map { $0 * rms }
        }
        let windows = judge(noise)
        #expect(windows.flagged() >= 0.95, "\(kind) on its own in each channel")
        if kind == .pink || kind == .brown {
            #expect(Double(windows.count { $0.wireCode == 1 }) >= 0.9 * Double(windows.count))
        }
        #expect(judge(Array(repeating: noise[0], count: 4)).flagged() >= 0.95, "the same \(kind) in all channels")
    }

    /// A packet is lost now and then: what is there is judged all the same.
    @Test(arguments: [NoiseKind.white, .violet, .mains50], [1, 12])
    func `pure noise is no EEG where samples are missing`(kind: NoiseKind, missing: Int) {
        let noise = (0..<4).map { channel -> [Double] in
            var source = NoiseSource(kind, sampleRate: rate, seed: 2, label: "\(channel)")
            let samples = source.samples(Int(rate) * 120)
            return samples.enumerated().map { $0.offset % Int(rate) < missing ? .nan : $0.element * 40 }
        }
        let windows = judge(noise)
        #expect(windows.flagged() >= 0.95)
        #expect(Double(windows.count { $0.whole.reasons != [.gap, .eegFailure] }) >= 0.95 * Double(windows.count))
        let flat = judge(noise.map { $0.map { $0.isNaN ? .nan : 7 } })
        #expect(flat.flagged([.flat]) == 1)
    }

    /// The same where what is lost is a gap between two runs, as in files whose rows are missing.
    @Test(arguments: [NoiseKind.white, .brown]) func `pure noise is no EEG between gaps`(kind: NoiseKind) {
        let noise = (0..<4).map { channel -> [Double] in
            var source = NoiseSource(kind, sampleRate: rate, seed: 4, label: "\(channel)")
            return source.samples(Int(rate) * 120).map { $0 * 40 }
        }
        var assessor = BrainAssessor(channels: channels, sampleRate: rate)
        var windows: [BrainWindow] = []
        // Every 1.5 s a packet of 12 samples is missing.
        let piece = Int(1.5 * rate)
        for first in stride(from: 0, to: Int(rate) * 120, by: piece) {
            assessor.begin(
                SegmentStart(onset: Double(first) / rate, sample: first, sampleRate: rate), into: &windows)
            let samples = noise.flatMap { $0[first..<first + piece - 12].map(Float.init) }
            assessor.push(SampleBlock(channelCount: 4, samples: samples), into: &windows)
        }
        assessor.finish(into: &windows)
        #expect(windows.count > 100 && windows.flagged() >= 0.95)
    }

    /// Features are told of seconds without a hole: where there are few of them the signal is of no use, however clean.
    @Test func `an EEG with a hole in each second is not usable, one with few is`() {
        var signal = simulated(120)
        for channel in signal.indices {
            for second in 0..<120 where second < 60 || second % 10 == 3 {
                for frame in 0..<12 { signal[channel][second * Int(rate) + 40 + frame] = .nan }
            }
        }
        let windows = judge(signal)
        #expect(Array(windows.prefix(45)).flagged([.gap]) == 1)
        #expect(Array(windows.suffix(45)).flagged() <= 0.05)
        #expect(windows.suffix(45).allSatisfy { $0.whole.quality <= 0.9 })
    }

    @Test(arguments: [1, 2, 4]) func `flat lines are flat, whatever their level`(count: Int) {
        for level in [0.0, 850, -1e6] {
            let windows = judge(Array(repeating: Array(repeating: level, count: Int(rate) * 60), count: count))
            #expect(windows.count == 51 && windows.flagged([.flat]) == 1)
            #expect(windows.allSatisfy { $0.wireCode == 1 && $0.whole.quality < 0.2 })
        }
    }

    @Test(arguments: [1, 2]) func `mains and fast noise are no EEG in one channel or two either`(count: Int) {
        for kind in [NoiseKind.mains50, .mains60, .white, .blue, .violet, .muscle] {
            for rms in [20.0, 500] {
                let noise = (0..<count).map { channel -> [Double] in
                    var source = NoiseSource(kind, sampleRate: rate, seed: 2, label: "\(channel)")
                    return source.samples(Int(rate) * 120).map { $0 * rms }
                }
                #expect(judge(noise).flagged() >= 0.95, "\(kind) \(rms) µV")
            }
        }
    }

    @Test(arguments: [50.0, 60], [5.0, 50, 500])
    func `mains near the end of what a low rate shows are no EEG`(frequency: Double, rms: Double) {
        let tone = (0..<128 * 60).map { rms * 2.0.squareRoot() * sin(2 * .pi * frequency * Double($0) / 128) }
        #expect(judge([tone], rate: 128).flagged() >= 0.95)
    }

    /// What cannot be told apart: an EEG without a rhythm that stands out, blinks or bursts is to every measure of one or
    /// two channels a slow noise, and slow noise is such an EEG. It is not called clean, at least, and nor is the EEG.
    @Test(arguments: [NoiseKind.pink, .brown, .baselineWander, .electrodeMotion, .motion], [1, 2])
    func `one or two channels that nothing bears out are not called clean`(kind: NoiseKind, count: Int) {
        let noise = (0..<count).map { channel -> [Double] in
            var source = NoiseSource(kind, sampleRate: rate, seed: 2, label: "\(channel)")
            return source.samples(Int(rate) * 120).map { $0 * 20 }
        }
        #expect(judge(noise).allSatisfy { $0.whole.quality <= 0.75 })
        let signal = Array(simulated(120).prefix(count))
        #expect(judge(signal).flagged() <= 0.05)
    }

    /// Bipolar channels far from one another need have nothing in common: that they have not tells nothing, nor is there
    /// anything that bears them out. Against one reference they would be noise.
    @Test(arguments: [(["Fp1-F3", "C3-P3", "O1-O2", "T4-T6"], true), (["Fp1-A1", "C3-A1", "O2-A2", "T4-A2"], false)])
    func `bipolar channels are not compared`(labels: [String], isBipolar: Bool) {
        var form = EEGParameters()
        (form.shared, form.alpha, form.blinksPerMinute) = (0, 0, 0)
        let windows = judge(simulated(120, form), named: labels)
        #expect(windows.flagged() >= (isBipolar ? 0 : 0.95) && windows.flagged() <= (isBipolar ? 0.05 : 1))
        guard isBipolar else { return }
        #expect(windows.allSatisfy { $0.whole.quality <= 0.75 && $0.whole.reasons.contains(.unconfirmed) })
    }

    @Test func `one bipolar channel among others leaves the whole as it is`() {
        let signal = simulated(120)
        let windows = judge(signal + [signal[3]], named: ["Fp1", "C3", "O2", "T4", "A2-A1"])
        #expect(windows.allSatisfy { $0.channels[4].quality <= 0.75 && $0.whole.quality > 0.75 })
        #expect(windows.allSatisfy { !$0.whole.reasons.contains(.unconfirmed) })
    }

    @Test(arguments: NoiseKind.allCases) func `two channels that are the same are no EEG`(kind: NoiseKind) {
        var source = NoiseSource(kind, sampleRate: rate, seed: 2)
        let noise = source.samples(Int(rate) * 120).map { $0 * 20 }
        #expect(judge([noise, noise]).flagged() >= 0.95)
        #expect(judge(Array(simulated(120).prefix(2))).flagged() <= 0.05)
    }

    @Test func `eyes that blink all the time are told, those that blink often are not`() {
        var form = EEGParameters()
        form.blinksPerMinute = 80
        let windows = judge(simulated(120, form))
        #expect(windows.flagged([.manyBlinks]) >= 0.95)
        form.blinksPerMinute = 40
        #expect(judge(simulated(120, form)).allSatisfy { !$0.whole.reasons.contains(.manyBlinks) })
    }

    @Test func `a head that moves is told by its accelerometer`() {
        let motion = (0..<120).map { HeadMotion.Second(onset: Double($0), movement: $0 < 60 ? 0.01 : 0.3) }
        let windows = judge(simulated(120), motion: motion)
        #expect(windows.filter { $0.whole.onset <= 50 }.flagged() <= 0.05)
        let moving = windows.filter { $0.whole.onset >= 60 }
        #expect(moving.flagged([.motionTooHigh]) == 1 && moving.allSatisfy { $0.wireCode == 2 })
    }

    @Test func `an electrode that the headband says has no contact is off, and most of them the headband`() {
        func judge(loose: Set<Int>) -> [BrainWindow] {
            var assessor = BrainAssessor(channels: channels, sampleRate: rate, hasContact: true)
            var windows: [BrainWindow] = []
            for second in 0..<60 {
                let told = (0..<4).map { second < 20 ? nil : second < 40 ? loose.contains($0) : false }
                assessor.take(
                    HeadContact.Second(onset: Double(second), isOff: false, isLoose: told), into: &windows)
            }
            assessor.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &windows)
            let samples = simulated(60).flatMap { $0.map(Float.init) }
            assessor.push(SampleBlock(channelCount: 4, samples: samples), into: &windows)
            assessor.finish(into: &windows)
            return windows
        }
        let one = judge(loose: [1])
        for window in one {
            let isLoose = window.whole.onset >= 14 && window.whole.onset <= 34
            if isLoose { #expect(window.channels[1].reasons == [.offBody] && !window.channels[1].isGood) }
            if window.whole.onset + 10 <= 20 || window.whole.onset >= 40 { #expect(window.channels[1].isGood) }
            #expect(window.whole.isGood && window.channels[0].isGood)
        }
        let most = judge(loose: [0, 1, 2]).filter { $0.whole.onset >= 14 && $0.whole.onset <= 34 }
        #expect(most.flagged([.headbandOffHead]) == 1 && most.allSatisfy { $0.wireCode == 1 })
    }

    @Test func `one bad electrode is named and leaves the EEG usable`() {
        var signal = simulated(120)
        signal[2] = Array(repeating: 0, count: signal[2].count)
        let windows = judge(signal)
        #expect(windows.allSatisfy { $0.channels[2].reasons.contains(.flat) && $0.whole.isGood })
    }

    @Test func `windows do not depend on how the recording was cut, and a gap is one window`() {
        let signal = simulated(90)
        let block = SampleBlock(channelCount: 4, samples: signal.flatMap { $0.map(Float.init) })
        let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: rate) }
        let all = Array(0..<block.frameCount)
        let windows = assertChunkInvariant(
            CutFrames(assessor: BrainAssessor(channels: channels, sampleRate: rate), signal: block),
            [(start(0.5), Array(all[..<9_000])), (start(100), Array(all[9_000...]))], cuts: 3, sampleBySample: false)
        let gaps = windows.filter { $0.whole.coverage == 0 }
        #expect(gaps.count == 1 && gaps[0].whole.reasons == [.gap] && gaps[0].whole.duration > 60)
    }
}

private struct CutFrames: Stage {
    var assessor: BrainAssessor
    let signal: SampleBlock
    var lookAhead: Seconds { assessor.lookAhead }
    mutating func begin(_ segment: SegmentStart, into outputs: inout [BrainWindow]) {
        assessor.begin(segment, into: &outputs)
    }
    mutating func push(_ chunk: Span<Int>, into outputs: inout [BrainWindow]) {
        assessor.push(signal.frames(chunk[0]..<chunk[chunk.count - 1] + 1), into: &outputs)
    }
    mutating func finish(into outputs: inout [BrainWindow]) { assessor.finish(into: &outputs) }
}
