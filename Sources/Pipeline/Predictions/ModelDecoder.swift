public import Decoding
import Signals

/// Turns a recording's epochs into a model's values; runs that do not follow one another are decoded apart.
public struct ModelDecoder: Sendable {
    private var decoder: MetricDecoder
    private let sampleRate: Double
    private var last = -Seconds.infinity
    private var values: [MetricValue] = []

    /// The decoder of this model.
    public init(_ model: DecodingModel) {
        decoder = MetricDecoder(model)
        sampleRate = model.layout.sampleRate
    }

    /// The value of the next epoch; not a number where it is not decodable.
    public mutating func value(_ epoch: DecodableEpoch) -> MetricValue {
        if epoch.onset > last + epoch.duration {
            decoder.begin(SegmentStart(onset: epoch.onset, sample: 0, sampleRate: sampleRate), into: &values)
        }
        last = epoch.onset
        let one = [epoch]
        decoder.push(one.span, into: &values)
        return values.popLast() ?? MetricValue(time: epoch.onset + epoch.duration, value: .nan)
    }
}
