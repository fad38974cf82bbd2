public import Decoding
public import Signals

/// Predictions as tables.
public enum PredictionTables {
    /// The values of a model over a recording's epochs, smoothed; runs that do not follow one another are decoded apart.
    public static func values(_ epochs: [DecodableEpoch], _ model: DecodingModel) -> Table {
        let name = model.prediction
        var table = Table(columns: [
            Column(
                "onset", unit: .seconds,
                "End of the epoch, from the start of the recording: when the value was first known."),
            Column(
                name, unit: .dimensionless,
                "0 to 1, 0.5 at the person's neutral, smoothed with a time constant of \(model.smoothing) s; n/a where the EEG could not be decoded."
            ),
        ])
        var (decoder, values, last) = (MetricDecoder(model), [MetricValue](), -Seconds.infinity)
        for epoch in epochs {
            if epoch.onset > last + epoch.duration {
                decoder.begin(
                    SegmentStart(onset: epoch.onset, sample: 0, sampleRate: model.layout.sampleRate), into: &values)
            }
            last = epoch.onset
            let one = [epoch]
            decoder.push(one.span, into: &values)
        }
        decoder.finish(into: &values)
        for value in values { table.append([.onset(value.time), .optional(value.value)]) }
        return table
    }
}
