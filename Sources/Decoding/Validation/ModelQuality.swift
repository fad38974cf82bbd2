/// The usefulness of a model in a word, by its nested AUC. The AUC is the share of pairs of a low and a high epoch that it puts in
/// the right order.
public enum ModelQuality: String, Codable, CaseIterable, Sendable {
    /// Below 0.6: hardly better than chance.
    case none
    /// From 0.6: means over minutes.
    case weak
    /// From 0.7: means over tens of seconds.
    case usable
    /// From 0.85: single epochs, smoothed.
    case strong

    /// The quality of a model with this AUC.
    public init(auc: Double) {
        self = auc >= 0.85 ? .strong : auc >= 0.7 ? .usable : auc >= 0.6 ? .weak : .none
    }
}
