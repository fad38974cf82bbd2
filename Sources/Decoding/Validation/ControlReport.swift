/// A control model that is reported and decides nothing: it may truly differ between the states.
public enum ReportedControl: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// Heart rate, which rises in mental arithmetic.
    case heartRate
    /// Key presses.
    case behavior
}

/// Models of what is not the brain, tested in the same folds and by the same permutations of blocks as the model.
public struct ControlReport: Hashable, Codable, Sendable {
    /// Discriminants on the model's features, from which measures of muscles, eyes and head movement were regressed within each
    /// fold's training rows.
    public var regressed: PermutationResult
    /// Discriminants on the measures of each artifact source alone; sources that were not measured are absent.
    public var artifacts: [ArtifactSource: PermutationResult] = [:]
    /// Discriminants on behavior or heart rate alone.
    public var reported: [ReportedControl: PermutationResult] = [:]

    /// A report with these features' result.
    public init(regressed: PermutationResult) {
        self.regressed = regressed
    }

    /// The artifact source with the smallest p, the greater AUC of equals; nil without any.
    public var strongest: ArtifactSource? {
        ArtifactSource.allCases.filter { artifacts[$0] != nil }.min { one, other in
            guard let first = artifacts[one], let second = artifacts[other] else { return false }
            return (first.p, -first.observed) < (second.p, -second.observed)
        }
    }

    /// The source that a refusal names: the strongest one whose p is below 0.1; nil where none is.
    var suspect: ArtifactSource? {
        strongest.flatMap { source in (artifacts[source]?.p ?? 1) < Self.suspicion ? source : nil }
    }

    private static let suspicion = 0.1
}
