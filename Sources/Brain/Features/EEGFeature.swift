public import Signals

/// The declaration of one feature of a channel and epoch: the only place that knows its name, unit, definition,
/// reference and how it is read off the measures.
public struct EEGFeature: Sendable {
    /// The column's header (`thetaPower`).
    public let name: String
    /// The unit of its values.
    public let unit: Unit
    /// The kind of feature it is.
    public let family: EEGFeatureFamily
    /// Where its definition comes from.
    public let reference: String
    /// What it is, in a sentence; `{…}` stands for a parameter.
    private let template: String
    private let leastData: String?
    let value: @Sendable (ChannelMeasures) -> Double?

    init(
        _ name: String, _ unit: Unit, _ family: EEGFeatureFamily, _ definition: String, reference: String,
        leastData: String? = nil, _ value: @escaping @Sendable (ChannelMeasures) -> Double?
    ) {
        (self.name, self.unit, self.family, template) = (name, unit, family, definition)
        (self.reference, self.leastData, self.value) = (reference, leastData, value)
    }

    /// Every feature there is, in the order of the columns.
    public static let all: [EEGFeature] = powers + shapes + timeCourse + background

    /// The features that `parameters` asks for, in the order of the columns.
    public static func list(_ parameters: EEGFeatureParameters) -> [EEGFeature] {
        let (families, indexes) = (parameters.families, parameters.indexes)
        return all.filter { families.contains($0.family) && (indexes.isEmpty || indexes.contains($0.name)) }
    }

    /// The declaration of its column when computed with `parameters`.
    public func column(_ parameters: EEGFeatureParameters) -> Column {
        Column(
            name, unit: unit, parameters.filled(template), reference: reference,
            leastData: parameters.filled(leastData ?? "a usable channel throughout the epoch"))
    }
}

extension EEGFeatureParameters {
    /// A definition with its `{…}` replaced.
    func filled(_ template: String) -> String {
        var (filled, rest) = ("", template[...])
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            let after = rest.utf8.index(after: close)
            filled += rest[..<open]
            filled += description(of: rest[rest.utf8.index(after: open)..<close]) ?? String(rest[open..<after])
            rest = rest[after...]
        }
        return filled + rest
    }

    private func description(of name: Substring) -> String? {
        switch name {
        case "estimator": estimator.description
        case "edge": "\((spectralEdge * 1000).rounded() / 10) %"
        case "fit": aperiodic.range.closedDescription
        case "order": "\(permutationOrder)"
        case "dimension": "\(entropyDimension)"
        case "tolerance": "\(entropyTolerance)"
        case "lag": "\(higuchiLag)"
        default: bands.named.first { $0.name == name }?.band.description
        }
    }
}
