import Brain
import Foundation
import Kernels
import Signals

/// brain-benchmark TASK FILE: runs one task over the raw samples in FILE (`Float`, channel-major) and prints the CPU
/// seconds it took, reading left out, and a number that depends on the result. `scripts/bench-brain` compares.
@main
struct BrainBenchmark {
    static func main() throws {
        guard CommandLine.arguments.count == 3, let task = tasks[CommandLine.arguments[1]] else {
            print("usage: brain-benchmark \(tasks.keys.sorted().joined(separator: "|")) FILE")
            exit(2)
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[2]))
        var samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let start = cpuSeconds()
        let result = try task(&samples)
        print(cpuSeconds() - start, result)
    }

    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    static let tasks: [String: @Sendable (inout [Float]) throws -> Double] = [
        "bandpass": bandPass, "linearphase": { try linearPhase($0) }, "asr": { try reconstruction($0) },
        "bandpowers": { bandPowers($0) }, "multitaper": { multitaper($0) }, "sampleentropy": { sampleEntropy($0) },
        "permutation": { permutation($0) }, "higuchi": { higuchi($0) }, "aperiodic": { try aperiodic($0) },
        "connectivity": { connectivity($0) }, "features": { try features($0) },
    ]

    /// 32 channels at 256 Hz, Butterworth of fourth order, forwards and backwards, in place.
    @Sendable static func bandPass(_ samples: inout [Float]) throws -> Double {
        let cascade = try BiquadCascade.butterworth(.bandpass(1, 40), order: 4, sampleRate: 256)
        let length = samples.count / 32
        cascade.zeroPhase(&samples, channels: 32)
        return samples[3 * length + 1_000..<3 * length + 2_000].reduce(0) { $0 + Double($1) }
    }

    /// 32 channels at 256 Hz, the streaming band-pass that EEG is cleaned with, in blocks of four seconds.
    static func linearPhase(_ samples: [Float]) throws -> Double {
        let (length, size) = (samples.count / 32, 1_024)
        var filter = LinearPhaseFilter(
            try EEGCleaningParameters().design(sampleRate: 256), channels: 32, sampleRate: 256)
        var (blocks, sum) = ([SampleBlock](), 0.0)
        filter.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 256), into: &blocks)
        for first in stride(from: 0, to: length, by: size) {
            filter.push(block(of: samples, first..<min(first + size, length)), into: &blocks)
            for block in blocks { sum += Double(block.samples[block.range(ofChannel: 3).lowerBound]) }
            blocks.removeAll(keepingCapacity: true)
        }
        filter.finish(into: &blocks)
        return sum
    }

    /// The samples of 32 channels at some places.
    private static func block(of samples: [Float], _ places: Range<Int>) -> SampleBlock {
        let length = samples.count / 32
        var rows: [Float] = []
        rows.reserveCapacity(32 * places.count)
        for channel in 0..<32 {
            rows += samples[channel * length + places.lowerBound..<channel * length + places.upperBound]
        }
        return SampleBlock(channelCount: 32, samples: rows)
    }

    /// 32 channels at 256 Hz, calibrated on the first minute, in blocks of four seconds.
    static func reconstruction(_ samples: [Float]) throws -> Double {
        let length = samples.count / 32
        var stage = SubspaceReconstruction(
            try SubspaceCalibration(block(of: samples, 0..<60 * 256), sampleRate: 256))
        var (blocks, cleaned) = ([SampleBlock](), [Float]())
        func take() {
            for block in blocks { cleaned += block.samples[block.range(ofChannel: 3)] }
            blocks.removeAll(keepingCapacity: true)
        }
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 256), into: &blocks)
        for first in stride(from: 0, to: length, by: 1_024) {
            stage.push(block(of: samples, first..<min(first + 1_024, length)), into: &blocks)
            take()
        }
        stage.finish(into: &blocks)
        take()
        return cleaned[1_000..<2_000].reduce(0) { $0 + Double($1) }
    }

    /// 32 channels at 256 Hz, 4-s Hann windows every 2 s, five bands.
    static func bandPowers(_ samples: [Float]) -> Double {
        let (channels, frames, hop) = (32, 1024, 512)
        let length = samples.count / channels
        var spectra = EpochSpectra(.welch(segment: 4, overlap: 0), frames: frames, sampleRate: 256)
        let bands = BandIntegration(EEGBands(), frequencies: spectra.frequencies)
        var (density, sum) = ([Double](), 0.0)
        for first in stride(from: 0, through: length - frames, by: hop) {
            spectra.densities(of: samples.span, from: first, channels: channels, stride: length, into: &density)
            for channel in 0..<channels {
                let row = density.span.extracting(channel * spectra.bins..<(channel + 1) * spectra.bins)
                let powers = bands.powers(row)
                sum += powers.delta + powers.theta + powers.alpha + powers.beta + powers.gamma
            }
        }
        return sum
    }

    /// Epochs of 1,024 samples at 256 Hz, as many as there are, in batches of 64.
    static func multitaper(_ samples: [Float]) -> Double {
        var spectra = EpochSpectra(.multitaper(bandwidth: 2), frames: 1024, sampleRate: 256)
        var (density, sum) = ([Double](), 0.0)
        for first in stride(from: 0, to: samples.count, by: 64 * 1024) {
            let count = min(64, (samples.count - first) / 1024)
            spectra.densities(
                of: samples.span.extracting(first..<first + count * 1024), channels: count, into: &density)
            for epoch in 0..<count { sum += density[epoch * spectra.bins + 40] }
        }
        return sum
    }

    private static func eachEpoch(_ samples: [Float], _ value: (Span<Float>) -> Double) -> Double {
        stride(from: 0, to: samples.count, by: 1024).reduce(0) { sum, first in
            sum + value(samples.span.extracting(first..<first + 1024))
        }
    }

    static func sampleEntropy(_ samples: [Float]) -> Double {
        eachEpoch(samples) { epoch in
            var values = [Double](repeating: 0, count: epoch.count)
            for index in epoch.indices { values[index] = Double(epoch[index]) }
            return SampleEntropy.of(epoch, deviation: Statistics.standardDeviation(values, ddof: 0))
        }
    }

    static func permutation(_ samples: [Float]) -> Double {
        eachEpoch(samples) { epoch in
            var values = [Double](repeating: 0, count: epoch.count)
            for index in epoch.indices { values[index] = Double(epoch[index]) }
            return PermutationEntropy.of(values.span)
        }
    }

    static func higuchi(_ samples: [Float]) -> Double {
        eachEpoch(samples) { HiguchiDimension.of($0) }
    }

    /// Spectra of 129 densities 0.5 Hz apart, fitted from 2 to 40 Hz.
    static func aperiodic(_ samples: [Float]) throws -> Double {
        let frequencies = (0..<129).map { Double($0) * 0.5 }
        guard let model = AperiodicModel(AperiodicParameters(), frequencies: frequencies) else { return .nan }
        let density = samples.map(Double.init)
        return stride(from: 0, to: density.count, by: 129).reduce(0) { sum, first in
            sum + (model.fit(density.span.extracting(first..<first + 129))?.exponent ?? 0)
        }
    }

    /// 32 channels at 256 Hz in epochs of 2 s, all measures of all pairs at every bin from 1 to 45 Hz.
    static func connectivity(_ samples: [Float]) -> Double {
        let (channels, frames) = (32, 512)
        let length = samples.count / channels
        var spectra = EpochCrossSpectra(
            channels: channels, frames: frames, sampleRate: 256, range: 1...45, capacity: length / frames)
        var epoch = [Float](repeating: 0, count: channels * frames)
        for first in stride(from: 0, through: length - frames, by: frames) {
            for channel in 0..<channels {
                let from = channel * length + first
                epoch.replaceSubrange(channel * frames..<(channel + 1) * frames, with: samples[from..<from + frames])
            }
            spectra.append(epoch.span, usable: Array(repeating: true, count: channels))
        }
        let pairs = (0..<channels).flatMap { first in
            (first + 1..<max(first + 1, channels)).map { ChannelPair(first: first, second: $0) }
        }
        var values: [Double] = []
        spectra.measure(pairs[...], into: &values)
        return pairs.indices.reduce(0) { $0 + values[$1 * spectra.valuesPerPair + 20] }
    }

    /// 4 channels at 256 Hz, all features of epochs of 2 s every second.
    static func features(_ samples: [Float]) throws -> Double {
        let (channels, frames, hop) = (4, 512, 256)
        let length = samples.count / channels
        var stage = try EpochFeatures(labels: ["TP9", "AF7", "AF8", "TP10"])
        var (outputs, rows) = ([EEGValues](), 0)
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 256), into: &outputs)
        for first in stride(from: 0, through: length - frames, by: hop) {
            var epoch: [Float] = []
            for channel in 0..<channels {
                epoch += samples[channel * length + first..<channel * length + first + frames]
            }
            let states = [Epoch.ChannelState](repeating: Epoch.ChannelState(), count: channels)
            stage.push(
                [Epoch(onset: Double(first) / 256, duration: 2, sampleRate: 256, samples: epoch, channels: states)]
                    .span,
                into: &outputs)
            rows += outputs.count
            outputs.removeAll(keepingCapacity: true)
        }
        stage.finish(into: &outputs)
        return Double(rows)
    }
}
