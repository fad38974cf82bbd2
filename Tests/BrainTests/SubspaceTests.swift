import Brain
import Foundation
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

private let rate = 256.0

/// Eight channels that mix five sources, as a head does.
private func mixed(_ seconds: Int, seed: UInt64) -> SampleBlock {
    let frames = Int(rate) * seconds
    var sources = (0..<5).map { index -> [Double] in
        var source = NoiseSource(.pink, sampleRate: rate, seed: seed, label: "\(index)")
        return source.samples(frames)
    }
    for frame in 0..<frames { sources[0][frame] += 1.5 * sin(2 * Double.pi * 10 * Double(frame) / rate) }
    var random = RandomSource(seed: 77)
    var samples: [Float] = []
    for channel in 0..<8 {
        let weights = sources.map { _ in 6 * random.gaussian() }
        var own = NoiseSource(.pink, sampleRate: rate, seed: seed, label: "own \(channel)")
        let noise = own.samples(frames)
        samples += (0..<frames).map { frame in
            Float(weights.indices.reduce(2 * noise[frame]) { $0 + weights[$1] * sources[$1][frame] })
        }
    }
    return SampleBlock(channelCount: 8, samples: samples)
}

private func power(_ block: SampleBlock, minus other: SampleBlock, _ frames: Range<Int>) -> Double {
    var sum = 0.0
    for channel in 0..<block.channelCount {
        for frame in frames {
            let difference =
                Double(block.samples[channel * block.frameCount + frame])
                - Double(other.samples[channel * block.frameCount + frame])
            sum += difference * difference
        }
    }
    return sum / Double(frames.count)
}

private func burst(_ signal: SampleBlock, _ frames: Range<Int>) -> SampleBlock {
    var random = RandomSource(seed: 5)
    let direction = (0..<8).map { _ in random.gaussian() }
    var muscle = NoiseSource(.muscle, sampleRate: rate, seed: 4)
    let wave = muscle.samples(frames.count)
    var result = signal
    for (index, frame) in frames.enumerated() {
        for channel in 0..<8 {
            result.samples[channel * signal.frameCount + frame] += Float(600 * direction[channel] * wave[index])
        }
    }
    return result
}

@Test("A clean EEG passes to the bit, a burst is rebuilt and what is around it stays")
func burstsAreRebuilt() throws {
    let calibration = try SubspaceCalibration(mixed(60, seed: 1), sampleRate: rate)
    let clean = mixed(40, seed: 2)
    let stage = SubspaceReconstruction(calibration)
    #expect(joined(run(stage, clean, sampleRate: rate)).samples == clean.samples)
    let frames = 5_000..<5_500
    let noisy = burst(clean, frames)
    let repaired = joined(run(stage, noisy, sampleRate: rate))
    #expect(repaired.frameCount == clean.frameCount)
    // More than 25 dB of the burst is gone.
    #expect(power(repaired, minus: clean, frames) < 0.003 * power(noisy, minus: clean, frames))
    #expect(
        power(repaired, minus: clean, 0..<4_500) == 0 && power(repaired, minus: clean, 6_000..<clean.frameCount) == 0)
}

/// Bursts along several directions at once, each with a wave of its own, on 24 channels.
@Test("Many artefacts at once are taken out together, one as well as ten", arguments: [1, 3, 10])
func severalDirectionsAreRebuilt(directions: Int) throws {
    let channels = 24
    func background(seed: UInt64) -> [[Float]] {
        (0..<channels).map { channel in
            var source = NoiseSource(.pink, sampleRate: rate, seed: seed, label: "\(channel)")
            return source.samples(Int(rate) * 40).map { Float(10 * $0) }
        }
    }
    func block(_ rows: [[Float]]) -> SampleBlock { SampleBlock(channelCount: channels, samples: rows.flatMap { $0 }) }
    let clean = background(seed: 2)
    var (noisy, random) = (clean, RandomSource(seed: 9))
    let frames = 5_000..<5_400
    for direction in 0..<directions {
        var muscle = NoiseSource(.muscle, sampleRate: rate, seed: 50, label: "\(direction)")
        let wave = muscle.samples(frames.count)
        for channel in 0..<channels {
            let weight = random.gaussian()
            for (index, frame) in frames.enumerated() { noisy[channel][frame] += Float(800 * weight * wave[index]) }
        }
    }
    let stage = SubspaceReconstruction(try SubspaceCalibration(block(background(seed: 1)), sampleRate: rate))
    let repaired = joined(run(stage, block(noisy), sampleRate: rate))
    let inside = 5_040..<5_360
    #expect(power(repaired, minus: block(clean), inside) < 0.01 * power(block(noisy), minus: block(clean), inside))
}

@Test("Calibration is not spoilt by some bad seconds")
func calibrationIsRobust() throws {
    let spoilt = burst(mixed(60, seed: 1), 3_000..<3_600)
    let stage = SubspaceReconstruction(try SubspaceCalibration(spoilt, sampleRate: rate))
    let clean = mixed(40, seed: 2)
    let frames = 5_000..<5_500
    let noisy = burst(clean, frames)
    let repaired = joined(run(stage, noisy, sampleRate: rate))
    #expect(power(repaired, minus: clean, frames) < 0.01 * power(noisy, minus: clean, frames))
}

@Test("Reconstruction does not depend on how the recording was cut")
func reconstructionIsChunkInvariant() throws {
    let stage = SubspaceReconstruction(try SubspaceCalibration(mixed(30, seed: 1), sampleRate: rate))
    let signal = burst(mixed(30, seed: 2), 3_000..<3_300)
    let all = Array(0..<signal.frameCount)
    let start = { (onset: Double) in SegmentStart(onset: onset, sample: 0, sampleRate: rate) }
    assertChunkInvariant(
        CutBlocks(inner: stage, signal: signal),
        [(start(0), Array(all[..<4_000])), (start(20), Array(all[4_000..<4_050])), (start(30), Array(all[4_050...]))],
        cuts: 3, sampleBySample: false, identical: isIdentical)
}

@Test("What is too short, missing or flat cannot calibrate")
func badCalibrationIsRefused() {
    #expect(throws: BrainError.self) { try SubspaceCalibration(mixed(5, seed: 1), sampleRate: rate) }
    var holed = mixed(30, seed: 1)
    holed.samples[7] = .nan
    #expect(throws: BrainError.self) { try SubspaceCalibration(holed, sampleRate: rate) }
    let flat = SampleBlock(channelCount: 2, samples: Array(repeating: 1, count: 20_000))
    #expect(throws: BrainError.self) { try SubspaceCalibration(flat, sampleRate: rate) }
}
