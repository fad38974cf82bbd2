import Brain
public import Decoding
public import Signals

/// Predictions as tables. `onset` is the start of the epoch, or the moment of the beat or blink, as in all other tables.
public enum PredictionTables {
    /// The values of a model over a recording's epochs, smoothed; runs that do not follow one another are decoded apart.
    public static func values(_ epochs: [DecodableEpoch], _ model: DecodingModel) -> Table {
        var decoder = ModelDecoder(model)
        let values = epochs.map { epoch in
            let value = decoder.value(epoch)
            return PredictionValue(
                prediction: model.prediction, time: value.time, duration: epoch.duration, value: value.value)
        }
        return epochTable(model.prediction, values, smoothing: model.smoothing)
    }

    /// The values of a prediction, never clipped.
    public static func table(_ series: PredictionResults.Series, smoothing: Seconds) -> Table {
        let prediction = Prediction.named(series.prediction)
        guard prediction?.models.isEmpty ?? true else {
            return epochTable(series.prediction, series.values, smoothing: smoothing)
        }
        let value = Column(
            series.prediction, unit: prediction?.unit ?? .dimensionless,
            meanings[series.prediction] ?? "The value; n/a where it is missing.")
        guard prediction != .sleep else { return table(value, series.values) }
        var table = Table(columns: [
            Column("onset", unit: .seconds, "Moment of the beat or blink, in seconds from the recording's start."),
            value,
        ])
        for value in series.values { table.append([.onset(value.onset), .optional(value.value)]) }
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

    /// Values of a model, 0 to 1, an epoch each.
    private static func epochTable(_ name: String, _ values: [PredictionValue], smoothing: Seconds) -> Table {
        table(
            Column(
                name, unit: .dimensionless,
                "0 to 1, 0.5 at the person's neutral, smoothed with a time constant of \(smoothing) s; n/a where the EEG could not be decoded. Known some two seconds after the end of the epoch, as cleaning looks ahead."
            ), values)
    }

    private static func table(_ column: Column, _ values: [PredictionValue]) -> Table {
        var table = Table(columns: [
            Column("onset", unit: .seconds, "Start of the epoch, in seconds from the recording's start."),
            Column("duration", unit: .seconds, "Length of the epoch in seconds."), column,
        ])
        for value in values {
            table.append([.onset(value.onset), .onset(value.duration), .optional(value.value)])
        }
        return table
    }
}
