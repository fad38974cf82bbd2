/// Why a statistic cannot be had.
public enum GroupStatisticsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Fewer values than the statistic needs.
    case tooFew(_ what: String, found: Int, needed: Int)
    /// All values are the same, so nothing can be compared with their spread.
    case noSpread(_ what: String)
    /// Arrays that belong together differ in length.
    case lengths(_ what: String, found: Int, expected: Int)
    /// The predictors of a model depend on one another.
    case dependentPredictors
    /// A value that is not a number, where missing values must have been left out before.
    case notFinite(_ what: String)

    /// What is missing, and of what.
    public var description: String {
        switch self {
        case .tooFew(let what, let found, let needed): "\(what): \(found) of at least \(needed)"
        case .noSpread(let what): "\(what): all values are the same"
        case .lengths(let what, let found, let expected): "\(what): \(found), expected \(expected)"
        case .dependentPredictors: "predictors depend on one another: leave one out"
        case .notFinite(let what): "\(what): a value is not a number"
        }
    }
}
