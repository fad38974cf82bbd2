public import Brain
import Foundation
import Kernels

/// Which features of which channels a model sees, in which order: two sides that share it mean the same numbers.
public struct FeatureLayout: Hashable, Codable, Sendable {
    /// Goes up when the making of features changes.
    public var version = 1
    /// The channels' labels.
    public var labels: [String]
    /// Names of the features, `channel.feature`.
    public var names: [String]
    /// How the features of an epoch are computed.
    public var parameters: EEGFeatureParameters
    /// Hertz; a model is not used on recordings of a rate that differs by more than one per cent.
    public var sampleRate: Double

    /// The features models rest on: logarithms of band powers and their ratios, asymmetry, background.
    private static let logarithmic = [
        "deltaPower", "thetaPower", "alphaPower", "lowBetaPower", "highBetaPower", "gammaPower", "thetaBeta",
        "engagement",
    ]
    private static let plain = ["alphaAsymmetry", "aperiodicOffset", "aperiodicExponent"]

    /// The layout for channels with these labels.
    /// - Throws: a parameter outside its range.
    public init(
        labels: [String], sampleRate: Double, parameters: EEGFeatureParameters = FeatureLayout.defaultParameters
    ) throws(BrainError) {
        let features = try EpochFeatures(labels: labels, parameters: parameters)
        (self.labels, self.sampleRate, self.parameters) = (labels, sampleRate, parameters)
        names = []
        let places = Self.places(features)
        names = places.map { "\(labels[$0.channel]).\(features.features[$0.feature].name)" }
    }

    /// Powers and background of epochs, nothing that models do not see.
    public static var defaultParameters: EEGFeatureParameters {
        var parameters = EEGFeatureParameters()
        parameters.families = [.power, .aperiodic]
        parameters.connectivityWindow = nil
        return parameters
    }

    struct Place {
        var channel: Int
        var feature: Int
        var isLogarithmic: Bool
    }

    /// Where the features lie in the values of an epoch.
    static func places(_ features: EpochFeatures) -> [Place] {
        let hasAsymmetry = features.hasAsymmetry
        return features.labels.indices.flatMap { channel in
            features.features.indices.compactMap { index in
                let name = features.features[index].name
                let isLogarithmic = logarithmic.contains(name)
                guard isLogarithmic || plain.contains(name) else { return nil }
                guard name != "alphaAsymmetry" || hasAsymmetry[channel] else { return nil }
                return Place(channel: channel, feature: index, isLogarithmic: isLogarithmic)
            }
        }
    }
}

/// Makes epochs as models see them out of cleaned EEG.
public struct FeatureAssembly: Sendable {
    /// What it makes.
    public let layout: FeatureLayout
    private var features: EpochFeatures
    private let places: [FeatureLayout.Place]

    /// The assembly of this layout.
    /// - Throws: a parameter outside its range.
    public init(_ layout: FeatureLayout) throws(BrainError) {
        self.layout = layout
        features = try EpochFeatures(labels: layout.labels, parameters: layout.parameters)
        places = FeatureLayout.places(features)
    }

    /// The epoch as models see it; without features where a channel is not usable.
    public mutating func decodable(_ epoch: Epoch) -> DecodableEpoch {
        var outputs: [EEGValues] = []
        features.push([epoch].span, into: &outputs)
        var result = DecodableEpoch(onset: epoch.onset, duration: epoch.duration, features: nil)
        guard case .channels(let values) = outputs.first else { return result }
        let vector = places.map { place in
            let value = values.values[place.channel][place.feature]
            return place.isLogarithmic ? log(value) : value
        }
        if !vector.isEmpty, vector.allSatisfy({ $0.isFinite }) { result.features = vector }
        if epoch.usableChannels.count == epoch.channelCount {
            result.covariance = try? SpatialCovariance.of(epoch.samples.span, channels: epoch.channelCount)
        }
        return result
    }
}
