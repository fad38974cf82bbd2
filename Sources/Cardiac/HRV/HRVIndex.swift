public import Signals

/// The declaration of one index of heart-rate variability: the only place that knows its name, unit, definition,
/// reference, the data it needs and how it is computed.
public struct HRVIndex: Sendable {
    /// The column's header (`rmssd`).
    public let name: String
    /// The unit of its values.
    public let unit: Unit
    /// The family it belongs to.
    public let domain: HRVDomain
    /// What it is, in a sentence.
    public let definition: String
    /// Where its definition comes from.
    public let reference: String
    /// The data it needs; the index is missing where one of these is not met.
    public let needs: [HRVRequirement]
    /// The spectral estimator it rests on; nil for indexes that rest on none.
    public let method: SpectralMethod?
    let compute: @Sendable (HRVSeries) -> Double?

    init(
        _ name: String, _ unit: Unit, _ domain: HRVDomain, _ definition: String, reference: String,
        needs: [HRVRequirement], method: SpectralMethod? = nil, _ compute: @escaping @Sendable (HRVSeries) -> Double?
    ) {
        self.name = name
        self.unit = unit
        self.domain = domain
        self.definition = definition
        self.reference = reference
        self.needs = needs
        self.method = method
        self.compute = compute
    }

    /// Every index there is, in the order of the columns.
    public static let all: [HRVIndex] = timeDomain + frequencyDomain + nonlinear

    /// The indexes that `parameters` asks for, in the order of the columns.
    public static func list(_ parameters: HRVParameters) -> [HRVIndex] {
        all.filter { index in
            parameters.domains.contains(index.domain)
                && index.method.map { parameters.spectralMethods.contains($0) } ?? true
        }
    }

    /// The declaration of its column.
    public var column: Column {
        Column(
            name, unit: unit, definition, reference: reference,
            leastData: needs.map(\.description).joined(separator: " and "))
    }

    /// Its value over a window's data, or why it has none.
    func value(of series: HRVSeries) -> Result<Double, HRVMissing> {
        for need in needs {
            if let found = need.shortfall(in: series) { return .failure(.unmet(need, found: found)) }
        }
        guard let value = compute(series), value.isFinite else { return .failure(.undefined) }
        return .success(value)
    }
}
