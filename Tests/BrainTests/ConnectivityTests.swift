import Brain
import Foundation
import TestSupport
import Testing

@Suite struct ConnectivityTests {
    @Test("coherence, its imaginary part, PLV and wPLI are MNE's", .enabled(if: OracleData.has(FeatureOracle.file)))
    func mne() throws {
        for recording in try FeatureOracle.all() {
            guard let expected = recording.connectivity else { continue }
            let frames = expected.samples[0].count / recording.channels
            var spectra = EpochCrossSpectra(
                channels: recording.channels, frames: frames, sampleRate: recording.rate,
                range: expected.frequencies[0]...expected.frequencies[expected.frequencies.count - 1],
                capacity: expected.epochs)
            for epoch in expected.samples {
                spectra.append(epoch.span, usable: Array(repeating: true, count: recording.channels))
            }
            #expect(spectra.frequencies.count == expected.frequencies.count)
            var values: [Double] = []
            for (index, pair) in expected.pairs.enumerated() {
                spectra.measure([ChannelPair(first: pair[0], second: pair[1])], into: &values)
                let all =
                    expected.coherence[index] + expected.imaginary[index] + expected.plv[index] + expected.wpli[index]
                #expect(values.count == all.count)
                let worst = zip(values, all).map { abs($0 - $1) }.max() ?? 1
                #expect(worst < 1e-6, "\(recording.name) \(pair): \(worst)")
            }
        }
    }

    @Test("a delayed copy is coherent, its phase lag known; noise is not")
    func delayed() {
        var generator = SplitMix64(seed: 4)
        let (frames, epochs) = (500, 60)
        var spectra = EpochCrossSpectra(channels: 3, frames: frames, sampleRate: 250, range: 1...45, capacity: epochs)
        for _ in 0..<epochs {
            let noise = (0..<frames + 5).map { _ in Float.random(in: -1...1, using: &generator) }
            let other = (0..<frames).map { _ in Float.random(in: -1...1, using: &generator) }
            // The second channel lags by 5 samples, 20 ms: a quarter turn at 12.5 Hz.
            spectra.append((Array(noise[5...]) + Array(noise[..<frames]) + other).span, usable: [true, true, true])
        }
        var values: [Double] = []
        spectra.measure([ChannelPair(first: 0, second: 1)], into: &values)
        let count = spectra.frequencies.count
        let bin = spectra.frequencies.firstIndex { abs($0 - 12.5) < 1e-9 } ?? 0
        #expect(values[bin] > 0.97)
        #expect(values[count + bin] > 0.95)
        #expect(values[2 * count + bin] > 0.95)
        #expect(values[3 * count + bin] > 0.99)
        spectra.measure([ChannelPair(first: 0, second: 2)], into: &values)
        #expect(values[0..<count].reduce(0, +) / Double(count) < 0.2)
    }

    @Test("epochs of a channel that is not usable do not count")
    func unusable() {
        var spectra = EpochCrossSpectra(channels: 2, frames: 64, sampleRate: 64, range: 1...30, capacity: 10)
        for epoch in 0..<10 {
            spectra.append([Float](repeating: .nan, count: 128).span, usable: [true, epoch % 2 == 0])
        }
        #expect(spectra.commonEpochs(ChannelPair(first: 0, second: 1)).count == 5)
    }
}
