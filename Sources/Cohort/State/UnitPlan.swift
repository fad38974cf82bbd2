import Pipeline

/// What is to be done with one recording: written by whoever plans, read by whoever computes.
public struct UnitPlan: Hashable, Codable, Sendable {
    /// The recording.
    public var unit: CohortUnit
    /// The data set's folder, an absolute path.
    public var dataset: String
    /// SHA-256 of the parameters, which lie in a file of that name.
    public var parametersSHA256: String
    /// The version of the software that planned.
    public var version: String
    /// Whether a report is written beside the tables.
    public var hasReport: Bool

    /// The work on `unit` with the parameters of this hash.
    public init(_ unit: CohortUnit, dataset: String, parametersSHA256: String, hasReport: Bool) {
        self.unit = unit
        self.dataset = dataset
        self.parametersSHA256 = parametersSHA256
        self.hasReport = hasReport
        version = MareyVersion.current
    }

    /// Whether what was done by this plan serves `wanted`: the same work on the same files, wherever the data set lies,
    /// and a report where one is wanted.
    func serves(_ wanted: UnitPlan) -> Bool {
        var (made, other) = (self, wanted)
        (made.dataset, other.dataset) = ("", "")
        (made.hasReport, other.hasReport) = (false, false)
        return made == other && (hasReport || !wanted.hasReport)
    }

    /// The basis of the results, by the stamps of the files.
    var basis: UpToDate.Basis<CohortUnit> {
        UpToDate.Basis(version: version, parametersSHA256: parametersSHA256, inputs: unit)
    }

    /// A path relative to the data set where it lies within: what is told of a recording does not differ by where that is.
    func relative(_ path: String) -> String {
        path.hasPrefix(dataset + "/") ? String(path.dropFirst(dataset.count + 1)) : path
    }

    /// What the results follow from: hash of the inputs, parameters and version.
    /// - Parameter inputs: the contents of the unit's files, in their order.
    func key(_ inputs: [InputHash]) throws -> String {
        let columns = try unit.columns.map { try StableJSON.text($0) } ?? ""
        let parts = [version, parametersSHA256, hasReport ? "report" : "tables", unit.stem, columns]
        return InputHash.sha256(of: (parts + inputs.map { "\($0.file) \($0.sha256)" }).joined(separator: "\n"))
    }
}
