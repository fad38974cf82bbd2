import Decoding
public import Pipeline
import Signals

/// What a session's predictions told, for its report.
public struct PredictionSection: Sendable {
    private let found: PredictionResults
    private let files: [String]

    /// The section of these results, whose tables are in `files`.
    public init(_ found: PredictionResults, files: [String]) {
        (self.found, self.files) = (found, files)
    }

    func write(to markup: inout Markup, duration: Seconds, events: EventMarks) {
        markup.element("div", [("class", "figures")]) { figures in
            for series in found.series {
                let id = "prediction-\(series.prediction)"
                if series.prediction == Prediction.blink.name {
                    let onsets = series.values.map(\.onset)
                    if let figure = BlinkFigure(onsets, seconds: found.blinkSeconds, id: id, duration: duration) {
                        figure.marked(events).write(to: &figures)
                        continue
                    }
                }
                guard let figure = TrendFigure(series, id: id, duration: duration) else {
                    figures.element("p", text: "\(Self.title(series)): \(Self.reason(series, found)).")
                    continue
                }
                figure.marked(events).write(to: &figures)
            }
        }
        if !found.drift.isEmpty { writeDrift(to: &markup) }
        markup.element("p", text: "Files: \(files.joined(separator: ", ")).")
    }

    private func writeDrift(to markup: inout Markup) {
        HTMLTable(
            caption: "How far the session lies from the calibrations",
            columns: [
                .name("model"), .number("shift (spreads)"), .number("usual"), .number("decodable"), .long("advice"),
            ],
            rows: found.drift.sorted { $0.key < $1.key }.map { name, drift in
                let text = NumberText.alike([drift.shift, drift.usualShift], 3)
                return [
                    name, text(drift.shift), text(drift.usualShift), NumberText.percent(drift.decodableShare),
                    Self.advice(drift),
                ]
            }
        ).write(to: &markup)
    }

    private static func advice(_ drift: DriftReport) -> String {
        guard drift.needsCalibration else { return "close to the calibration" }
        let what =
            drift.isOfOtherMontage
            ? "channels lie otherwise to one another than in the calibration, as with another reference or electrode"
            : drift.isOfOneChannel ? "one channel is far from the calibration" : "far from the calibration"
        return "\(what): the values may mislead; calibrate again"
    }

    private static func title(_ series: PredictionResults.Series) -> String {
        Prediction.named(series.prediction)?.title ?? series.prediction
    }

    private static func reason(_ series: PredictionResults.Series, _ found: PredictionResults) -> String {
        if let known = found.notTold.first(where: { $0.what == series.prediction }) { return known.why }
        return series.values.isEmpty ? "there is no value" : "too short for a trend"
    }
}

extension TrendFigure {
    /// nil where there are fewer than two values.
    init?(_ series: PredictionResults.Series, id: String, duration: Seconds) {
        let prediction = Prediction.named(series.prediction)
        let title = prediction?.title ?? series.prediction
        let isMetric = !Prediction.models(of: series.prediction).isEmpty
        self.init(
            PredictionTables.table(series, smoothing: 0), [series.prediction], title: title,
            subject: isMetric ? "\(title), the person's neutral at 0.5 (dashed)," : title, id: id, duration: duration,
            scale: isMetric ? (0, 1, 0.5) : nil)
    }
}
