public import Decoding
public import Signals

/// Predictions as tables.
public enum PredictionTables {
    /// The values of a model over a recording's epochs, smoothed; runs that do not follow one another are decoded apart.
    public static func values(_ epochs: [DecodableEpoch], _ model: DecodingModel) -> Table {
        var decoder = ModelDecoder(model)
        return table(model.prediction, epochs.map { decoder.value($0) }, smoothing: model.smoothing)
    }

    /// The values of a prediction, never clipped.
    public static func table(_ series: PredictionResults.Series, smoothing: Seconds) -> Table {
        let prediction = Prediction.named(series.prediction)
        if let prediction, !prediction.models.isEmpty {
            return table(
                series.prediction, series.values.map { MetricValue(time: $0.time, value: $0.value) },
                smoothing: smoothing)
        }
        var table = Table(columns: [
            Column(
                "onset", unit: .seconds,
                "Seconds from the start of the recording to the beat, the blink or the end of the stretch that the value is of."
            ),
            Column(
                series.prediction, unit: prediction?.unit ?? .dimensionless,
                meanings[series.prediction] ?? "The value; n/a where it could not be told."),
        ])
        for value in series.values { table.append([.onset(value.time), .optional(value.value)]) }
        return table
    }

    private static let meanings = [
        Prediction.sleep.name:
            "1 asleep, 0 awake: no change of the sensor's angle of more than 5° between means of 5 s for the last 5 minutes; n/a where samples are missing.",
        Prediction.blink.name: "1 at each blink.",
        Prediction.heartRate.name:
            "Beats per minute: 60 over the median of the last five intervals that end within 10 s, before correction.",
        Prediction.heartRateVariability.name:
            "RMSSD in ms over the intervals of the last 60 s, differences of more than 20 % left out; n/a with fewer than ten.",
    ]

    /// Values of a prediction, 0 to 1.
    public static func table(_ name: String, _ values: [MetricValue], smoothing: Seconds) -> Table {
        var table = Table(columns: [
            Column(
                "onset", unit: .seconds,
                "End of the epoch, from the start of the recording; the value is known some two seconds later, as cleaning looks ahead."
            ),
            Column(
                name, unit: .dimensionless,
                "0 to 1, 0.5 at the person's neutral, smoothed with a time constant of \(smoothing) s; n/a where the EEG could not be decoded."
            ),
        ])
        for value in values { table.append([.onset(value.time), .optional(value.value)]) }
        return table
    }
}
