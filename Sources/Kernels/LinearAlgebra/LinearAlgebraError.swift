/// Why a computation with matrices gives no result.
public enum LinearAlgebraError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Sizes that do not fit: what was to be done, and the two sizes.
    case dimensions(String, found: String, expected: String)
    /// A value that is not a finite number among the inputs.
    case notFinite(String)
    /// A matrix that is not positive definite: so many of its leading rows and columns still are.
    case notPositiveDefinite(leading: Int)
    /// Columns that depend on one another, found at the one given.
    case rankDeficient(column: Int)
    /// An iteration that did not settle.
    case notConverged(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .dimensions(let what, let found, let expected): "\(what): size \(found) where \(expected) is needed"
        case .notFinite(let what): "\(what): a value is not a finite number"
        case .notPositiveDefinite(let leading):
            "the matrix is not positive definite: only its first \(leading) rows and columns are; regularise it"
        case .rankDeficient(let column):
            "column \(column) depends on those before it: leave it out or regularise"
        case .notConverged(let what): "\(what): the iteration did not settle"
        }
    }
}
