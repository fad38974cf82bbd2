public import Brain

/// Which features of which channels a model sees, in which order: two sides that share it mean the same numbers.
public struct FeatureLayout: Hashable, Codable, Sendable {
    /// Goes up when the making of features changes.
    public static let currentVersion = 2
    /// The version of the features' making.
    public var version = FeatureLayout.currentVersion
    /// The channels' labels.
    public var labels: [String]
    /// Names of the features, `channel.feature`; the lines of the spectrum, `channel.from-to Hz`, come last.
    public var names: [String]
    /// How the features of an epoch are computed.
    public var parameters: EEGFeatureParameters
    /// How the EEG is cleaned before.
    public var cleaning: EEGCleaningParameters
    /// How it is cut into epochs.
    public var epochs: EpochParameters
    /// Hertz; a model is not used on recordings of a rate that differs by more than one per cent.
    public var sampleRate: Double
    /// Labels of the recording's EEG channels that were left out; nil where none was.
    public var leftOut: [String]?

    /// The features models rest on: logarithms of band powers and their ratios, asymmetry, background.
    private static let logarithmic = [
        "deltaPower", "thetaPower", "alphaPower", "lowBetaPower", "highBetaPower", "gammaPower", "thetaBeta",
        "engagement",
    ]
    private static let plain = ["alphaAsymmetry", "aperiodicOffset", "aperiodicExponent"]

    /// The layout for channels with these labels.
    /// - Throws: a parameter outside its range.
    public init(
        labels: [String], sampleRate: Double, parameters: EEGFeatureParameters = FeatureLayout.defaultParameters,
        cleaning: EEGCleaningParameters = EEGCleaningParameters(), epochs: EpochParameters = EpochParameters(),
        leavingOut leftOut: [String] = []
    ) throws(BrainError) {
        self.leftOut = leftOut.isEmpty ? nil : leftOut
        let features = try EpochFeatures(labels: labels, parameters: parameters)
        (self.labels, self.sampleRate, self.parameters) = (labels, sampleRate, parameters)
        (self.cleaning, self.epochs) = (cleaning, epochs)
        names = []
        let places = Self.places(features)
        names = places.map { "\(labels[$0.channel]).\(features.features[$0.feature].name)" }
        names += labels.flatMap { label in lines.map { "\(label).\(Int($0.lower))-\(Int($0.upper))\(Self.lineSuffix)" }
        }
    }

    /// The parts of the spectrum that count by themselves: 2 Hz wide from 2 to 44 Hz, as far as the sample rate goes.
    /// Responses to flicker, and a person's own alpha rhythm, are narrower than bands.
    var lines: [EEGBand] {
        stride(from: 2.0, through: 42, by: 2).map { EEGBand($0, $0 + 2) }.filter { $0.upper < 0.45 * sampleRate }
    }

    private static let lineSuffix = " Hz"

    /// Which features are lines of the spectrum.
    var spectrum: [Int] { names.indices.filter { names[$0].hasSuffix(Self.lineSuffix) } }

    /// Which features are not.
    var measures: [Int] { names.indices.filter { !names[$0].hasSuffix(Self.lineSuffix) } }

    /// The channel of each of these, by its place among `labels`.
    var measureChannels: [Int] {
        measures.map { measure in
            let name = names[measure]
            let label = name.lastIndex(of: ".").map { String(name[..<$0]) }
            return labels.firstIndex { $0 == label } ?? 0
        }
    }

    /// Powers and background of epochs, nothing that models do not see.
    public static var defaultParameters: EEGFeatureParameters {
        var parameters = EEGFeatureParameters()
        parameters.families = [.power, .aperiodic]
        parameters.connectivityWindow = nil
        return parameters
    }

    /// Which features are powers of bands; all where none is called so.
    var powers: [Int] {
        let found = names.indices.filter { names[$0].hasSuffix("Power") }
        return found.isEmpty ? measures : found
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
