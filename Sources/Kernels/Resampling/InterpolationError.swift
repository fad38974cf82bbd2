/// Why points cannot be interpolated.
public enum InterpolationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Fewer points than needed.
    case tooFew(Int, needed: Int)
    /// Not as many values as places.
    case mismatch(places: Int, values: Int)
    /// A place is not above the one before it, or not a finite number.
    case notRising(index: Int)
    /// A value is not a finite number.
    case notFinite(index: Int)

    /// What is wrong.
    public var description: String {
        switch self {
        case .tooFew(let count, let needed): "\(count) points cannot be interpolated: at least \(needed) are needed"
        case .mismatch(let places, let values): "\(places) places have \(values) values: one for each is needed"
        case .notRising(let index): "point \(index) does not lie after the one before it: places must rise"
        case .notFinite(let index): "the value of point \(index) is not a finite number: leave missing points out"
        }
    }

    static func check(_ x: [Double], _ y: [Double], least: Int) throws(InterpolationError) {
        guard x.count == y.count else { throw .mismatch(places: x.count, values: y.count) }
        guard x.count >= least else { throw .tooFew(x.count, needed: least) }
        for index in x.indices {
            guard x[index].isFinite, index == 0 || x[index] > x[index - 1] else { throw .notRising(index: index) }
            guard y[index].isFinite else { throw .notFinite(index: index) }
        }
    }
}
