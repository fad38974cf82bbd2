import Brain
import Foundation
import Signals
import TestSupport
import Testing

/// The spectra of a whole recording, against the logarithms of each epoch's density.
@Suite struct SpectrumOverviewTests {
    private static let rate = 128.0
    private static let labels = ["AF7", "AF8"]

    private static var parameters: EEGFeatureParameters {
        var parameters = EEGFeatureParameters()
        parameters.families = [.power]
        return parameters
    }

    /// Epochs whose size goes from hardly anything to far too much.
    private static func epoch(_ index: Int) -> Epoch {
        var random = SplitMix64(seed: UInt64(index % 50))
        let size = Float(pow(10, Double(index % 50) / 5 - 5))
        let samples = (0..<labels.count * 256).map { _ in size * Float.random(in: -1...1, using: &random) }
        let states = labels.indices.map { Epoch.ChannelState(reasons: index % 7 == 3 && $0 == 1 ? [.muscle] : []) }
        return Epoch(onset: Double(index), duration: 2, sampleRate: rate, samples: samples, channels: states)
    }

    private static func logarithms(_ epochs: [Epoch], bins: Int) -> [[Double]] {
        var spectra = EpochSpectra(parameters.estimator, frames: 256, sampleRate: rate)
        var sums = labels.map { _ in [Double](repeating: 0, count: bins) }
        var density: [Double] = []
        for epoch in epochs {
            spectra.densities(of: epoch.samples.span, channels: labels.count, into: &density)
            for channel in labels.indices where epoch.channels[channel].isUsable {
                for bin in 0..<bins { sums[channel][bin] += log10(max(1e-12, density[channel * spectra.bins + bin])) }
            }
        }
        return sums
    }

    @Test(arguments: [1, 40, 999, 2_500])
    func theUsualDensityIsTheMeanOfTheLogarithms(count: Int) throws {
        let epochs = (0..<count).map(Self.epoch)
        var stage = try EpochFeatures(labels: Self.labels, parameters: Self.parameters)
        _ = stage.run(epochs, from: SegmentStart(onset: 0, sample: 0, sampleRate: Self.rate))
        let overview = stage.overview
        #expect(overview.frequencies.last == 60)
        let sums = Self.logarithms(epochs, bins: overview.frequencies.count)
        for channel in Self.labels.indices {
            let density = try #require(overview.density(ofChannel: channel))
            for (found, sum) in zip(density, sums[channel]) {
                #expect(abs(found - sum / Double(overview.epochs[channel])) < 1e-10)
            }
        }
        #expect(overview.epochs == [count, epochs.count { $0.channels[1].isUsable }])
    }

    @Test("the stretches of time hold all epochs, also where they were joined")
    func slices() throws {
        let epochs = (0..<2_000).map { index in
            var epoch = Self.epoch(index)
            epoch.onset *= 2
            return epoch
        }
        var stage = try EpochFeatures(labels: Self.labels, parameters: Self.parameters)
        _ = stage.run(epochs, from: SegmentStart(onset: 0, sample: 0, sampleRate: Self.rate))
        let overview = stage.overview
        #expect(overview.sliceLength == 4)
        let slices = overview.spectrogram
        #expect(slices.map(\.onset) == (0..<1_000).map { Double($0) * 4 })
        for place in [0, 1, 500, 999] {
            let within = Array(epochs[2 * place..<2 * place + 2])
            let sums = Self.logarithms(within, bins: overview.frequencies.count)
            let count = Double(within.reduce(0) { $0 + $1.usableChannels.count })
            for (bin, found) in slices[place].density.enumerated() {
                #expect(abs(Double(found) - (sums[0][bin] + sums[1][bin]) / count) < 1e-5)
            }
        }
    }
}
