import Brain
import Foundation
import Kernels
import TestSupport
import Testing

@Suite struct EpochMeasureTests {
    @Test("Hjorth, entropies and Higuchi are antropy's", .enabled(if: OracleData.has(FeatureOracle.file)))
    func antropy() throws {
        for recording in try FeatureOracle.all() {
            for epoch in recording.epochs {
                for (channel, expected) in epoch.channels.enumerated() {
                    let samples = Array(epoch.samples[channel * epoch.frames..<(channel + 1) * epoch.frames])
                    let mean = Statistics.mean(samples.map(Double.init))
                    let centred = samples.map { Double($0) - mean }
                    let hjorth = Hjorth(centred.span, sampleRate: recording.rate)
                    let found = [
                        hjorth.activity, hjorth.mobility, hjorth.complexity, PermutationEntropy.of(centred.span),
                        PermutationEntropy.of(centred.span, order: 5),
                        SampleEntropy.of(samples.span, deviation: hjorth.activity.squareRoot()),
                        HiguchiDimension.of(samples.span),
                    ]
                    expectRelative(
                        found,
                        [
                            expected.activity, expected.mobility, expected.complexity, expected.permutation,
                            expected.permutation5, expected.sample, expected.higuchi,
                        ], 1e-5, "\(recording.name) \(channel)")
                }
            }
        }
    }

    @Test("covariances are numpy's and scikit-learn's", .enabled(if: OracleData.has(FeatureOracle.file)))
    func covariance() throws {
        for recording in try FeatureOracle.all() {
            for epoch in recording.epochs {
                let sample = try SpatialCovariance.of(
                    epoch.samples.span, channels: recording.channels, estimator: .sample)
                expectRelative(sample.elements, epoch.covariance.flatMap { $0 }, 1e-9, recording.name)
                let shrunk = try SpatialCovariance.of(epoch.samples.span, channels: recording.channels)
                expectRelative(shrunk.elements, epoch.ledoitWolf.flatMap { $0 }, 1e-9, recording.name)
            }
        }
    }

    @Test("a sine has complexity 1 and its angular frequency as mobility")
    func hjorthOfSine() {
        let sine = (0..<5000).map { sin(2 * Double.pi * 10 * Double($0) / 1000) }
        let hjorth = Hjorth(sine.span, sampleRate: 1000)
        #expect(abs(hjorth.activity - 0.5) < 1e-9)
        #expect(abs(hjorth.mobility - 2 * Double.pi * 10) < 0.05)
        #expect(abs(hjorth.complexity - 1) < 1e-3)
    }

    @Test("rising values have no permutation entropy, noise all of it")
    func permutation() {
        let rising = (0..<100).map(Double.init)
        let ofRising = PermutationEntropy.of(rising.span)
        #expect(ofRising == 0)
        var generator = SplitMix64(seed: 1)
        let noise = (0..<100_000).map { _ in Double.random(in: 0..<1, using: &generator) }
        let (ofThree, ofFour) = (PermutationEntropy.of(noise.span), PermutationEntropy.of(noise.span, order: 4))
        #expect(ofThree > 0.9999 && ofFour > 0.999)
        let two = [1.0, 2]
        let ofTwo = PermutationEntropy.of(two.span)
        #expect(ofTwo.isNaN)
    }

    @Test("pairs of patterns are those of counting one by one", arguments: [1, 2, 3, 4])
    func templates(dimension: Int) {
        var generator = SplitMix64(seed: 7)
        for count in [3, 9, 40, 201] {
            let x = (0..<count).map { _ in Float.random(in: 0..<1, using: &generator) }
            let found = TemplateCounts(x.span, dimension: dimension, tolerance: 0.3)
            var (short, long) = (0, 0)
            for i in 0..<max(0, count - dimension) {
                for j in i + 1..<max(i + 1, count - dimension) {
                    guard (0..<dimension).allSatisfy({ abs(x[i + $0] - x[j + $0]) <= 0.3 }) else { continue }
                    short += 1
                    if abs(x[i + dimension] - x[j + dimension]) <= 0.3 { long += 1 }
                }
            }
            #expect(found.short == short && found.long == long)
        }
    }

    @Test("a straight line has dimension 1, noise 2")
    func higuchi() {
        let line = (0..<512).map { Float($0) }
        let ofLine = HiguchiDimension.of(line.span)
        #expect(abs(ofLine - 1) < 1e-6)
        var generator = SplitMix64(seed: 2)
        let noise = (0..<4096).map { _ in Float.random(in: 0..<1, using: &generator) }
        let ofNoise = HiguchiDimension.of(noise.span)
        #expect(abs(ofNoise - 2) < 0.03)
        let flat = [Float](repeating: 1, count: 100)
        let ofFlat = HiguchiDimension.of(flat.span)
        #expect(ofFlat.isNaN)
    }
}
