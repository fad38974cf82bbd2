/// What is taken out of a piece of signal before its spectrum.
public enum Detrend: Sendable, Hashable {
    /// Nothing.
    case none
    /// The mean.
    case constant
    /// The least-squares line.
    case linear

    /// `values` without the trend.
    public func removed(from values: [Double]) -> [Double] {
        switch self {
        case .none: return values
        case .constant:
            let mean = Statistics.mean(values)
            return values.map { $0 - mean }
        case .linear:
            guard values.count > 1 else { return values.map { _ in 0 } }
            let fit = Statistics.linearFit(x: values.indices.map(Double.init), y: values)
            return values.enumerated().map { $0.element - fit.intercept - fit.slope * Double($0.offset) }
        }
    }
}
