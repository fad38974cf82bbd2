import Decoding
import Pipeline

/// The predictions whose models are fitted to a calibration task of their own.
enum CalibratedPrediction {
    /// - Parameter name: the value of `--prediction`.
    /// - Throws: `Failure.misuse` with the names that exist, the nearest one first.
    static func named(_ name: String) throws(Failure) -> Prediction {
        let all = Prediction.all.filter { $0.calibration == .ownTask }
        if let prediction = all.first(where: { $0.name == name }) { return prediction }
        let names = all.map(\.name)
        let fact =
            Prediction.named(name) == nil
            ? "--prediction \(name): there is no such prediction"
            : "--prediction \(name) is computed from other predictions and has no calibration task"
        let hint = NameSuggestion.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
        throw Failure.misuse("\(fact)\(hint); expected one of: \(names.joined(separator: ", "))")
    }
}
