import GroupStatistics
import Kernels

/// The linear model behind a comparison: side and circumstances as predictors, a random intercept per participant.
enum SideModel {
    /// One recording, or one condition of one.
    struct Measurement {
        var participant: String
        var isSecond: Bool
        /// The circumstances it was made under.
        var setting: [String]
        var value: Double
    }

    /// What the second side differs by; nil where the measurements do not tell.
    static func difference(_ measurements: [Measurement]) -> RandomInterceptModel.Coefficient? {
        let settings = Set(measurements.map(\.setting)).sorted { $0.lexicographicallyPrecedes($1) }.dropFirst()
        let rows = measurements.map { measurement in
            [1, measurement.isSecond ? 1 : 0] + settings.map { $0 == measurement.setting ? 1.0 : 0 }
        }
        let names = ["intercept", "second"] + settings.map { $0.joined(separator: " ") }
        guard let matrix = try? Matrix(rows),
            let model = try? RandomInterceptModel(
                outcome: measurements.map(\.value), predictors: matrix, names: names,
                group: measurements.map(\.participant))
        else { return nil }
        return model.coefficients[1]
    }
}
