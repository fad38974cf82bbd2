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
    static func difference(_ all: [Measurement]) -> RandomInterceptModel.Coefficient? {
        // A measurement that has its circumstances for itself is fitted by them whatever it is, and tells nothing. Where
        // sessions are called by dates, most may be such, and time would grow with the cube of their number.
        let counts = all.reduce(into: [:]) { $0[$1.setting, default: 0] += 1 }
        let isApart = counts.count > 1 && all.contains { counts[$0.setting] != 1 }
        let measurements = isApart ? all.filter { counts[$0.setting] != 1 } : all
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
