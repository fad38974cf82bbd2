import Brain
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

@Suite struct SpectralFeatureTests {
    private static let frequencies: Set = ["alphaPeak", "alphaGravity", "spectralEdge", "medianFrequency"]

    /// The features of power and shape of an epoch, for each channel by name.
    private func features(
        of samples: [Float], channels: Int, rate: Double, _ estimator: SpectralEstimator
    ) throws -> [[String: Double]] {
        var parameters = EEGFeatureParameters()
        (parameters.families, parameters.estimator) = ([.power, .shape], estimator)
        var stage = try EpochFeatures(
            labels: (0..<channels).map { "E\($0)" }, parameters: parameters, computing: .channels)
        let epoch = Epoch(
            onset: 0, duration: Double(samples.count / channels) / rate, sampleRate: rate, samples: samples,
            channels: (0..<channels).map { _ in Epoch.ChannelState() })
        let outputs = stage.run([epoch], from: SegmentStart(onset: 0, sample: 0, sampleRate: rate))
        guard case .channels(let found)? = outputs.first else { return [] }
        return (0..<channels).map { channel in
            Dictionary(
                uniqueKeysWithValues: stage.features.enumerated().map { ($1.name, found.values[channel, $0]) })
        }
    }

    @Test(
        "powers, shares, ratios, frequencies and entropy are numpy's of MNE's and scipy's densities",
        .enabled(if: OracleData.has(FeatureOracle.file)))
    func oracle() throws {
        for recording in try FeatureOracle.all() {
            for epoch in recording.epochs {
                for (estimator, all) in [
                    (SpectralEstimator.multitaper(bandwidth: 2), epoch.spectral.multitaper),
                    (.welch(segment: 1, overlap: 0.5), epoch.spectral.welch),
                ] {
                    let found = try features(
                        of: epoch.samples, channels: recording.channels, rate: recording.rate, estimator)
                    #expect(found.count == all.count)
                    for (channel, (found, expected)) in zip(found, all).enumerated() {
                        // The asymmetry is of two channels.
                        #expect(Set(found.keys) == Set(expected.keys).union(["alphaAsymmetry"]))
                        for (name, value) in expected {
                            let place = "\(recording.name), channel \(channel), \(estimator): \(name)"
                            expectAgreement(found[name], value, isFrequency: Self.frequencies.contains(name), place)
                        }
                    }
                }
            }
        }
    }

    /// Frequencies within a thousandth of a hertz, all else within a ten-thousandth of its size.
    private func expectAgreement(_ found: Double?, _ expected: Double?, isFrequency: Bool, _ place: String) {
        guard let found, let expected else {
            #expect(found?.isNaN == true && expected == nil, "\(place)")
            return
        }
        let bound = isFrequency ? 1e-3 : 1e-4 * abs(expected)
        #expect(abs(found - expected) <= bound, "\(place): \(found) where \(expected) is expected")
    }

    /// Sines on bins of Hann's window have two thirds of their power in their bin and a sixth in either neighbour.
    @Test("sines of known power, one in each band, have the features that follow from these")
    func sines() throws {
        let (rate, frames) = (256.0, 512)
        let sines: [(frequency: Double, power: Double)] = [
            (2.5, 50), (6, 20), (10.5, 80), (16, 10), (25, 6), (38, 4),
        ]
        let samples = (0..<frames).map { frame -> Float in
            let time = Double(frame) / rate
            let values = sines.map { (2 * $0.power).squareRoot() * sin(2 * Double.pi * $0.frequency * time + $0.power) }
            return Float(Statistics.sum(values))
        }
        let found = try features(of: samples, channels: 1, rate: rate, .welch(segment: 2, overlap: 0))[0]
        let (total, ofAlpha, ofHighBeta) = (170.0, 80.0, 6.0)
        func entropy(_ shares: [Double]) -> Double { Statistics.sum(shares.map { -$0 * log($0) }) }
        // Half of the total is 15 into alpha, of which a sixth lies in the bin at 10 Hz and two thirds in the next.
        let median: Double = 10.25 + 0.5 * (15 - ofAlpha / 6) / (ofAlpha * 2 / 3)
        // 95 % of the total is 1.5 into high beta.
        let edge: Double = 24.75 + 0.5 * (1.5 - ofHighBeta / 6) / (ofHighBeta * 2 / 3)
        // Which sine, and which of its bins; 88 bins lie from 1 to below 45 Hz.
        let shape: Double = (entropy(sines.map { $0.power / total }) + entropy([1.0 / 6, 2.0 / 3, 1.0 / 6])) / log(88)
        let expected: [String: Double] = [
            "deltaPower": 50, "thetaPower": 20, "alphaPower": 80, "betaPower": 16, "lowBetaPower": 10,
            "highBetaPower": 6, "gammaPower": 4, "totalPower": total, "deltaRelative": 50 / total,
            "thetaRelative": 20 / total, "alphaRelative": 80 / total, "betaRelative": 16 / total,
            "lowBetaRelative": 10 / total, "highBetaRelative": 6 / total, "gammaRelative": 4 / total,
            "thetaBeta": 1.25, "alphaTheta": 4, "engagement": 0.16, "alphaPeak": 10.5, "alphaGravity": 10.5,
            "medianFrequency": median, "spectralEdge": edge, "spectralEntropy": shape,
        ]
        for (name, value) in expected {
            let one = try #require(found[name])
            #expect(abs(one - value) < 1e-5 * value, "\(name): \(one) where \(value) is expected")
        }
    }
}
