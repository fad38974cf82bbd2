import Cardiac
import Signals

extension CardiacResult {
    /// Up to one interval in so many may be replaced without a word: the Task Force of 1996 (Circulation 93:1043) asks for
    /// the share to be told, and 5 % is what is commonly allowed.
    private static let fewestOthers = 20

    /// What whoever uses the variability should know where correction replaced or removed more than 5 % of the intervals,
    /// in one sentence. Nil where it did not.
    public var replacedRemark: String? {
        let corrected = nn.count(where: \.isCorrected)
        let all = nn.count + removedIntervals
        guard (corrected + removedIntervals) * Self.fewestOthers > all else { return nil }
        let removed = removedIntervals > 0 ? " and \(removedIntervals) removed" : ""
        let share = Percentage(Double(corrected + removedIntervals) / Double(all))
        return """
            \(corrected) of \(all.counted("interval")) were corrected\(removed) (\(share), where 5 % is commonly the limit): \
            variability rests on replaced values
            """
    }

    /// Intervals that correction took out and put nothing in the place of; an extra beat's is part of the next one.
    private var removedIntervals: Int { corrections.count { $0.new == nil && $0.kind != .extra } }
}
