public import Signals
import Synchronization

/// The declaration of one index of heart-rate variability: the only place that knows its name, unit, definition,
/// reference, the data it needs and how it is computed.
public struct HRVIndex: Sendable {
    /// The column's header (`rmssd`).
    public let name: String
    /// The unit of its values.
    public let unit: Unit
    /// The family it belongs to.
    public let domain: HRVDomain
    /// What it is, in a sentence; `{…}` stands for a parameter.
    private let template: String
    /// Where its definition comes from.
    public let reference: String
    private let requirements: @Sendable (HRVParameters) -> [HRVRequirement]
    /// The spectral estimator it rests on; nil for indexes that rest on none.
    public let method: SpectralMethod?
    let compute: @Sendable (HRVSeries) -> Double?

    init(
        _ name: String, _ unit: Unit, _ domain: HRVDomain, _ definition: String, reference: String,
        needs: [HRVRequirement], _ compute: @escaping @Sendable (HRVSeries) -> Double?
    ) {
        self.init(name, unit, domain, definition, reference: reference, method: nil, needs: { _ in needs }, compute)
    }

    /// An index whose needs depend on parameters.
    init(
        _ name: String, _ unit: Unit, _ domain: HRVDomain, _ definition: String, reference: String,
        method: SpectralMethod?, needs: @escaping @Sendable (HRVParameters) -> [HRVRequirement],
        _ compute: @escaping @Sendable (HRVSeries) -> Double?
    ) {
        self.name = name
        self.unit = unit
        self.domain = domain
        template = definition
        self.reference = reference
        requirements = needs
        self.method = method
        self.compute = compute
    }

    /// Every index there is, in the order of the columns.
    public static let all: [HRVIndex] = timeDomain + frequencyDomain + nonlinear

    /// The indexes that `parameters` asks for, in the order of the columns.
    public static func list(_ parameters: HRVParameters) -> [HRVIndex] {
        // A batch asks for the same indexes thousands of times.
        latestList.withLock { latest in
            if let latest, latest.parameters == parameters { return latest.indexes }
            let indexes = chosen(by: parameters)
            latest = (parameters, indexes)
            return indexes
        }
    }

    private static let latestList = Mutex<(parameters: HRVParameters, indexes: [HRVIndex])?>(nil)

    private static func chosen(by parameters: HRVParameters) -> [HRVIndex] {
        all.filter { index in
            parameters.domains.contains(index.domain)
                && (parameters.indexes.isEmpty || parameters.indexes.contains(index.name))
                && index.method.map { parameters.spectralMethods.contains($0) } ?? true
        }
    }

    /// The data it needs when computed with `parameters`; the index is missing where one of these is not met.
    public func needs(with parameters: HRVParameters) -> [HRVRequirement] { requirements(parameters) }

    /// The data it needs when computed with the default parameters.
    public var needs: [HRVRequirement] { requirements(HRVParameters()) }

    /// What it is, in a sentence, when computed with `parameters`.
    public func definition(_ parameters: HRVParameters) -> String { definition(parameters.descriptions) }

    /// The same where what definitions say of the parameters is at hand.
    private func definition(_ descriptions: [String: String]) -> String {
        guard template.utf8.contains(UInt8(ascii: "{")) else { return template }
        let parts = template.split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let words = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let meant = descriptions[String(words[0])] else { return text + "{" + part }
            return text + meant + words[1]
        }
    }

    /// The declaration of its column when computed with `parameters`.
    public func column(_ parameters: HRVParameters) -> Column { column(parameters, parameters.descriptions) }

    private func column(_ parameters: HRVParameters, _ descriptions: [String: String]) -> Column {
        Column(
            name, unit: unit, definition(descriptions), reference: reference,
            leastData: needs(with: parameters).map(\.description).joined(separator: " and "))
    }

    /// The declarations of the columns of the indexes that `parameters` asks for.
    static func columns(_ parameters: HRVParameters) -> [Column] {
        let descriptions = parameters.descriptions
        return list(parameters).map { $0.column(parameters, descriptions) }
    }

    /// The declaration of its column when computed with the default parameters.
    public var column: Column { column(HRVParameters()) }

    /// Its value over a window's data, or why it has none.
    func value(of series: HRVSeries) -> Result<Double, HRVMissing> {
        for need in needs(with: series.parameters) {
            if let found = need.shortfall(in: series) { return .failure(.unmet(need, found: found)) }
        }
        guard let value = compute(series), value.isFinite else { return .failure(.undefined) }
        return .success(value)
    }
}

extension HRVParameters {
    /// Parameters as definitions mention them, by their names there.
    fileprivate var descriptions: [String: String] {
        func number(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
        func edges(_ band: FrequencyBand) -> String { "\(number(band.lower)) to \(number(band.upper)) Hz" }
        func sizes(_ range: BeatRange) -> String { "\(range.least) to \(range.greatest)" }
        let trend =
            switch detrending {
            case .mean: "mean"
            case .linear: "straight line"
            case .smoothnessPriors: "smooth trend (lambda \(number(smoothness)))"
            }
        let transform = SpectralPlan.transformLength(self)
        let segmentTrend =
            detrending == .smoothnessPriors ? "of the run without its \(trend)" : "each without its \(trend)"
        return [
            "ulf": edges(bands.ulf), "vlf": edges(bands.vlf), "lf": edges(bands.lf), "hf": edges(bands.hf),
            "vhf": edges(bands.vhf), "rate": number(resamplingRate), "segment": number(welchSegment),
            "transform": (transform > SpectralPlan.usualLength ? "at most " : "") + "\(transform)",
            "order": "\(autoregressiveOrder)", "detrending": trend, "segmentTrend": segmentTrend,
            "dimension": "\(entropyDimension)",
            "tolerance": number(entropyTolerance), "dfaShort": sizes(dfaShort), "dfaLong": sizes(dfaLong),
            "prsaLimit": number((prsaLimit * 10_000).rounded() / 100), "prsaMargin": "\(prsaMargin)",
        ]
    }
}
