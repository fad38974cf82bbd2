import Brain
import Foundation
import Kernels
import Signals
import Simulation
import TestSupport
import Testing

/// Agreement between electrodes that lie far from one another.
@Suite struct SparseMontageTests {
    private let rate = 256.0

    /// EEG of these electrodes; what two have in common fades with their distance.
    private func epochs(_ labels: [String], noise: String? = nil, seed: UInt64) throws -> [Epoch] {
        let names = try labels.map { try #require(ElectrodeName(label: $0)?.name) }
        let frames = 60 * Int(rate)
        var sources: [[Float]] = []
        for (place, name) in names.enumerated() {
            var own = NoiseSource(.pink, sampleRate: rate, seed: seed, label: name)
            // Front and back of the head have nothing in common.
            let region = name.hasPrefix("T") || name.hasPrefix("O") || name.hasPrefix("P") ? "back" : "front"
            var near = NoiseSource(
                .pink, sampleRate: rate, seed: seed, label: region + (place % 2 == 0 ? "left" : "right"))
            var values = zip(own.samples(frames), near.samples(frames)).map { Float(8 * (0.4 * $0 + 0.9 * $1)) }
            if name == noise {
                var random = RandomSource(seed: seed, "noise")
                values = (0..<frames).map { _ in Float(6 * random.gaussian()) }
            }
            sources.append(values)
        }
        var preparation = try EEGPreparation(
            channels: labels.map { Channel(label: $0, unit: .microvolts) }, sampleRate: rate)
        var found: [Epoch] = []
        preparation.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &found)
        preparation.push(SampleBlock(channelCount: labels.count, samples: sources.flatMap { $0 }), into: &found)
        preparation.finish(into: &found)
        return found.filter { $0.onset >= 12 && $0.frameCount > 0 }
    }

    @Test(
        "clean electrodes far apart are usable",
        arguments: [
            ["Fp1", "Fp2", "T5", "T6"], ["AF7", "AF8", "TP9", "TP10"], ["Fp1", "C4", "O1"],
            ["F3", "F4", "O1", "O2", "Cz"],
        ])
    func clean(labels: [String]) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let all = try epochs(labels, seed: seed)
            #expect(all.count > 40)
            #expect(!all.contains { $0.channels.contains { $0.reasons.contains(.uncorrelated) } })
        }
    }

    @Test("an electrode of white noise among them is not usable", arguments: ["Fp1", "T6"])
    func noise(label: String) throws {
        let labels = ["Fp1", "Fp2", "T5", "T6"]
        let name = try #require(ElectrodeName(label: label)?.name)
        let all = try epochs(labels, noise: name, seed: 4)
        let place = try #require(labels.firstIndex(of: label))
        #expect(all.allSatisfy { !$0.channels[place].isUsable })
    }
}
