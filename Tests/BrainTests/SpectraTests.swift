import Brain
import Foundation
import Kernels
import TestSupport
import Testing

@Suite struct SpectraTests {
    @Test("multitaper densities are MNE's", .enabled(if: OracleData.has(FeatureOracle.file)))
    func multitaper() throws {
        for recording in try FeatureOracle.all() {
            for epoch in recording.epochs {
                var spectra = EpochSpectra(.multitaper(bandwidth: 2), frames: epoch.frames, sampleRate: recording.rate)
                var density: [Double] = []
                spectra.densities(of: epoch.samples.span, channels: recording.channels, into: &density)
                expectRelative(spectra.frequencies, epoch.frequencies, 1e-9, "\(recording.name) frequencies")
                expectRelative(density, epoch.multitaper.flatMap { $0 }, 1e-4, recording.name)
            }
        }
    }

    @Test("Welch densities are scipy's", .enabled(if: OracleData.has(FeatureOracle.file)))
    func welch() throws {
        for recording in try FeatureOracle.all() {
            for epoch in recording.epochs {
                var spectra = EpochSpectra(
                    .welch(segment: 1, overlap: 0.5), frames: epoch.frames, sampleRate: recording.rate)
                var density: [Double] = []
                spectra.densities(of: epoch.samples.span, channels: recording.channels, into: &density)
                let bins = epoch.welch[0].count
                for channel in 0..<recording.channels {
                    // What is left at 0 Hz after the mean is rounding.
                    let found = Array(density[channel * bins + 1..<(channel + 1) * bins])
                    expectRelative(found, Array(epoch.welch[channel].dropFirst()), 1e-4, recording.name)
                }
            }
        }
    }

    @Test("a sine's power lies in its band, whatever the estimator", arguments: [128.0, 250, 256, 500, 1000])
    func sine(rate: Double) {
        let frames = Int(2 * rate)
        for (frequency, band) in [
            (2.5, \BandPowers.delta), (6, \.theta), (10.5, \.alpha), (16, \.lowBeta), (25, \.highBeta), (38, \.gamma),
        ] {
            let samples = (0..<frames).map { Float(20 * sin(2 * Double.pi * frequency * Double($0) / rate)) }
            for estimator in [SpectralEstimator.multitaper(bandwidth: 2), .welch(segment: 2, overlap: 0.5)] {
                var spectra = EpochSpectra(estimator, frames: frames, sampleRate: rate)
                var density: [Double] = []
                spectra.densities(of: samples.span, channels: 1, into: &density)
                let powers = BandIntegration(EEGBands(), frequencies: spectra.frequencies).powers(density.span)
                #expect(abs(powers[keyPath: band] - 200) < 4, "\(frequency) Hz, \(estimator)")
                #expect(abs(powers.total - 200) < 2, "\(frequency) Hz, \(estimator)")
            }
        }
    }

    @Test("a channel's density does not depend on the other channels")
    func independent() {
        var generator = SplitMix64(seed: 3)
        let samples = (0..<7 * 500).map { _ in Float.random(in: -30...30, using: &generator) }
        var all: [Double] = []
        var spectra = EpochSpectra(.multitaper(bandwidth: 4), frames: 500, sampleRate: 250)
        spectra.densities(of: samples.span, channels: 7, into: &all)
        for channel in 0..<7 {
            var one: [Double] = []
            spectra.densities(of: samples.span.extracting(channel * 500..<(channel + 1) * 500), channels: 1, into: &one)
            #expect(one == Array(all[channel * spectra.bins..<(channel + 1) * spectra.bins]))
        }
    }

    @Test(
        "an epoch within longer channels has the densities of its copy",
        arguments: [
            SpectralEstimator.multitaper(bandwidth: 2), .welch(segment: 1, overlap: 0.5),
            .welch(segment: 4, overlap: 0),
        ])
    func epochsWithinChannels(estimator: SpectralEstimator) {
        var random = SplitMix64(seed: 4)
        let (channels, length, frames) = (5, 1_300, 512)
        let samples = (0..<channels * length).map { _ in Float.random(in: -50...50, using: &random) }
        var spectra = EpochSpectra(estimator, frames: frames, sampleRate: 128)
        var (within, copied) = ([Double](), [Double]())
        for first in [0, 1, 77, length - frames] {
            spectra.densities(of: samples.span, from: first, channels: channels, stride: length, into: &within)
            let copy = (0..<channels).flatMap { samples[$0 * length + first..<$0 * length + first + frames] }
            spectra.densities(of: copy.span, channels: channels, into: &copied)
            #expect(within == copied && within.allSatisfy { $0 >= 0 })
        }
    }

    @Test("a band the sample rate cannot hold has no power")
    func lowRate() {
        var spectra = EpochSpectra(.multitaper(bandwidth: 2), frames: 128, sampleRate: 64)
        var density: [Double] = []
        spectra.densities(of: [Float](repeating: 1, count: 128).span, channels: 1, into: &density)
        let powers = BandIntegration(EEGBands(), frequencies: spectra.frequencies).powers(density.span)
        #expect(powers.gamma.isNaN)
        #expect(powers.total.isNaN)
        #expect(powers.alpha >= 0)
    }

    @Test("Slepian tapers are orthonormal and concentrated", arguments: [(64, 2.0), (512, 4), (1000, 2.5)])
    func tapers(length: Int, product: Double) {
        let slepian = SlepianTapers(length: length, halfBandwidth: product)
        #expect(slepian.tapers.count >= Int(2 * product) - 2)
        #expect(slepian.concentrations.allSatisfy { $0 > 0.9 && $0 < 1 + 1e-9 })
        for (i, a) in slepian.tapers.enumerated() {
            for (j, b) in slepian.tapers.enumerated() {
                let product = Statistics.sum(zip(a, b).map { $0 * $1 })
                #expect(abs(product - (i == j ? 1 : 0)) < 0.01)
            }
        }
    }
}
