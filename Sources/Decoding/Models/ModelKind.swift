/// A kind of classifier, and what it sees.
public enum ModelKind: Hashable, Codable, Sendable {
    /// Shrinkage LDA on standardised features.
    case discriminant
    /// The same on the bands' powers alone: fewer features ask for fewer epochs.
    case powerDiscriminant
    /// The same on the lines of the spectrum, each 2 Hz wide.
    case lineDiscriminant
    /// Logistic regression on standardised features, with this penalty.
    case logistic(penalty: Double)
    /// Logistic regression on the tangent space of covariances, with this penalty.
    case tangentLogistic(penalty: Double)
    /// The mean of the standardised scores of a discriminant on features and one on the tangent space.
    case combined

    /// Those that are fitted and weighed against one another: one of each kind, so that none has its say twice. Of equals
    /// the first is preferred.
    public static let all: [ModelKind] = [
        .discriminant, .powerDiscriminant, .lineDiscriminant, .combined, .logistic(penalty: 0.03),
        .tangentLogistic(penalty: 0.03),
    ]

    /// Its name, such as `discriminant`.
    public var name: String {
        switch self {
        case .discriminant: "discriminant"
        case .powerDiscriminant: "discriminant on powers"
        case .lineDiscriminant: "discriminant on lines"
        case .logistic(let penalty): "logistic (penalty \(penalty))"
        case .tangentLogistic(let penalty): "tangentLogistic (penalty \(penalty))"
        case .combined: "combined"
        }
    }

    var usesCovariance: Bool {
        switch self {
        case .discriminant, .powerDiscriminant, .lineDiscriminant, .logistic: false
        case .tangentLogistic, .combined: true
        }
    }

    var usesFeatures: Bool { if case .tangentLogistic = self { false } else { true } }
}
