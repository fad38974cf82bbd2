import Brain
import Foundation
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private let labels = ["Fp1", "Fp2", "C3", "C4", "O1", "O2"]
private let channels = labels.map { Channel(label: $0, unit: .microvolts) }

/// An EEG with bursts that reach all electrodes, and the same without them.
private func burstRecording(_ seconds: Int, bursts: [Int], seed: UInt64 = 3) -> (raw: SampleBlock, clean: SampleBlock) {
    var form = EEGParameters()
    (form.labels, form.blinksPerMinute) = (labels, 0)
    var signal = EEGSignal(form, seed: seed)
    let clean = signal.render(0..<256 * seconds)
    var raw = clean
    var random = RandomSource(seed: seed, "burst")
    for onset in bursts {
        let weights = labels.map { _ in 400 * random.gaussian() }
        for frame in 0..<384 {
            let value = sin(2 * .pi * Double(frame) / 13) * sin(.pi * Double(frame) / 384)
            for channel in raw.indices { raw[channel][onset * 256 + frame] += weights[channel] * value }
        }
    }
    func block(_ rows: [[Double]]) -> SampleBlock {
        SampleBlock(channelCount: rows.count, samples: rows.flatMap { $0.map(Float.init) })
    }
    return (block(raw), block(clean))
}

private func cleaner(_ removesBursts: Bool) throws -> EEGCleaner {
    var parameters = EEGCleaningParameters()
    parameters.removesBursts = removesBursts
    return try EEGCleaner(channels: channels, sampleRate: 256, parameters: parameters)
}

private func cleaned(_ block: SampleBlock, _ removesBursts: Bool) throws -> SampleBlock {
    joined(run(try cleaner(removesBursts), block, sampleRate: 256))
}

extension SampleBlock {
    fileprivate func rms(_ frames: Range<Int>, against other: SampleBlock) -> Double {
        var sum = 0.0
        for channel in 0..<channelCount {
            let (a, b) = (self.channel(channel), other.channel(channel))
            for frame in frames { sum += Double((a[frame] - b[frame]) * (a[frame] - b[frame])) }
        }
        return (sum / Double(frames.count * channelCount)).squareRoot()
    }
}

@Test("Bursts are rebuilt by what the recording's own clean seconds are like; the rest is as it was")
func burstsAreRebuiltFromOwnCleanSeconds() throws {
    let bursts = [20, 75, 100, 125, 150]
    let (raw, clean) = burstRecording(180, bursts: bursts)
    let (rebuilt, plain, truth) = (try cleaned(raw, true), try cleaned(raw, false), try cleaned(clean, false))
    #expect(rebuilt.frameCount == raw.frameCount)
    for onset in bursts {
        let frames = onset * 256..<onset * 256 + 384
        #expect(rebuilt.rms(frames, against: truth) < 0.4 * plain.rms(frames, against: truth), "burst at \(onset) s")
    }
    #expect(rebuilt.rms(30 * 256..<70 * 256, against: plain) < 0.1)
}

@Test("A dead electrode is left out, missing samples stay missing, and the report says what was done")
func burstsAreRebuiltBesideADeadElectrode() throws {
    var (raw, _) = burstRecording(120, bursts: [90])
    let n = raw.frameCount
    for frame in 0..<n { raw.samples[2 * n + frame] = 0 }
    for frame in 20_000..<20_050 { raw.samples[frame] = .nan }
    var stage = try cleaner(true)
    var blocks: [SampleBlock] = []
    stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 256), into: &blocks)
    stage.push(raw, into: &blocks)
    stage.finish(into: &blocks)
    let rebuilt = joined(blocks)
    let report = try #require(stage.reconstruction)
    #expect(report.channels == [0, 1, 3, 4, 5] && report.calibrationSeconds >= 60)
    #expect(report.rebuilt > 0 && report.rebuilt < 0.2)
    #expect(rebuilt.channel(0)[20_000..<20_050].allSatisfy { $0.isNaN })
    #expect(rebuilt.channel(0)[..<20_000].allSatisfy { $0.isFinite })
}

@Test("An EEG too short for a calibration is given as it is")
func shortRecordingsAreNotRebuilt() throws {
    let (raw, _) = burstRecording(15, bursts: [8])
    var stage = try cleaner(true)
    let rebuilt = run(stage, raw, sampleRate: 256)
    let plain = try cleaned(raw, false)
    #expect(joined(rebuilt) == plain)
    var none: [SampleBlock] = []
    stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 256), into: &none)
    stage.push(raw, into: &none)
    stage.finish(into: &none)
    #expect(stage.reconstruction?.calibrationSeconds == 0 && stage.reconstruction?.untouched ?? 0 > 14)
}

@Test("Rebuilding does not depend on how the recording was cut")
func rebuildingIsChunkInvariant() throws {
    let (raw, _) = burstRecording(90, bursts: [70, 80])
    let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: 256) }
    let all = Array(0..<raw.frameCount)
    let stage = try cleaner(true)
    let blocks = assertChunkInvariant(
        CutFrameRows(inner: CutBlocks(inner: stage, signal: raw)),
        [(start(0.3), Array(all[..<3_000])), (start(20), Array(all[3_000...]))], cuts: 2, sampleBySample: false)
    #expect(blocks.count == raw.frameCount)
}

/// The frames of blocks, one by one: how they are joined may depend on how they came.
private struct CutFrameRows: Stage {
    var inner: CutBlocks<EEGCleaner>
    var lookAhead: Seconds { inner.lookAhead }
    mutating func begin(_ segment: SegmentStart, into outputs: inout [[Float]]) {
        var blocks: [SampleBlock] = []
        inner.begin(segment, into: &blocks)
        add(blocks, to: &outputs)
    }
    mutating func push(_ chunk: Span<Int>, into outputs: inout [[Float]]) {
        var blocks: [SampleBlock] = []
        inner.push(chunk, into: &blocks)
        add(blocks, to: &outputs)
    }
    mutating func finish(into outputs: inout [[Float]]) {
        var blocks: [SampleBlock] = []
        inner.finish(into: &blocks)
        add(blocks, to: &outputs)
    }
    private func add(_ blocks: [SampleBlock], to outputs: inout [[Float]]) {
        for block in blocks {
            for frame in 0..<block.frameCount {
                outputs.append((0..<block.channelCount).map { block.samples[$0 * block.frameCount + frame] })
            }
        }
    }
}
