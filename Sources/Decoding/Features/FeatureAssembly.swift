public import Brain
import Foundation
import Kernels

/// Makes epochs as models see them out of cleaned EEG.
public struct FeatureAssembly: Sendable {
    /// What it makes.
    public let layout: FeatureLayout
    private var features: EpochFeatures
    private let places: [FeatureLayout.Place]
    private let lines: [EEGBand]
    private let artifacts: ArtifactAssembly

    /// The assembly of this layout.
    /// - Throws: a parameter outside its range.
    public init(_ layout: FeatureLayout) throws(BrainError) {
        self.layout = layout
        features = try EpochFeatures(labels: layout.labels, parameters: layout.parameters)
        places = FeatureLayout.places(features)
        lines = layout.lines
        artifacts = ArtifactAssembly(labels: layout.labels, bands: lines)
    }

    /// The epoch as models see it; without features where a channel is not usable.
    public mutating func decodable(_ epoch: Epoch) -> DecodableEpoch {
        var outputs: [EEGValues] = []
        features.push([epoch].span, into: &outputs)
        var result = DecodableEpoch(onset: epoch.onset, duration: epoch.duration, features: nil)
        if epoch.usableChannels.count < epoch.channelCount { result.reasons = epoch.channels.map(\.reasons) }
        guard case .channels(let values) = outputs.first else { return result }
        var vector = places.map { place in
            let value = values.values[place.channel, place.feature]
            return place.isLogarithmic ? log(value) : value
        }
        let powers = features.powers(in: lines)
        vector += powers.flatMap { $0.map { log($0) } }
        if vector.count == layout.names.count, vector.allSatisfy({ $0.isFinite }) {
            result.features = vector
            result.controls.artifacts = artifacts.measures(epoch, lines: powers)
        }
        if epoch.usableChannels.count == epoch.channelCount {
            result.covariance = try? SpatialCovariance.of(epoch.samples.span, channels: epoch.channelCount)
        }
        return result
    }
}
