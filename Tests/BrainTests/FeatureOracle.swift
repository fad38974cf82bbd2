import Foundation
import TestSupport
import Testing

/// What the reference implementations make of epochs of EEG (`Tests/Oracles/brain_features.py`).
struct FeatureOracle: Decodable {
    var name: String
    var rate: Double
    var channels: Int
    var epochs: [Epoch]
    var connectivity: Connectivity?

    struct Epoch: Decodable {
        var frames: Int
        var samples: [Float]
        var frequencies: [Double]
        var multitaper: [[Double]]
        var welch: [[Double]]
        var channels: [Channel]
        var spectral: Spectral
        var covariance: [[Double]]
        var ledoitWolf: [[Double]]
        var shrinkage: Double
    }

    struct Channel: Decodable {
        var activity, mobility, complexity, permutation, permutation5, sample, higuchi: Double
        var aperiodic: Aperiodic?
    }

    /// For each channel the features that are read off its density, by name; nil for what there is not.
    struct Spectral: Decodable {
        var multitaper, welch: [[String: Double?]]
    }

    struct Aperiodic: Decodable {
        var offset, exponent, r2, error: Double
        var peaks: [[Double]]
    }

    struct Connectivity: Decodable {
        var epochs: Int
        var samples: [[Float]]
        var frequencies: [Double]
        var pairs: [[Int]]
        var coherence, imaginary, plv, wpli: [[Double]]
    }

    static let file = "brain_features.json"

    static func all() throws -> [FeatureOracle] {
        try JSONDecoder().decode([FeatureOracle].self, from: Data(contentsOf: OracleData.url(file)))
    }
}

/// Demands that each value agrees within `tolerance` of its own size.
func expectRelative(
    _ found: [Double], _ expected: [Double], _ tolerance: Double, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(found.count == expected.count, "\(what): length", sourceLocation: sourceLocation)
    let worst = zip(found, expected).enumerated().map { (abs($1.0 - $1.1) / max(abs($1.1), 1e-300), $0) }
        .max { $0.0.isNaN ? false : $1.0.isNaN || $0.0 < $1.0 }
    guard let worst else { return }
    #expect(
        worst.0 <= tolerance, "\(what): at \(worst.1) \(found[worst.1]) where \(expected[worst.1]) is expected",
        sourceLocation: sourceLocation)
}
