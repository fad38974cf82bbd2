import Foundation
public import Signals

/// A value of a prediction.
public struct MetricValue: Sendable {
    /// Seconds from the recording's start to the end of the epoch it belongs to: when it could first be known.
    public var time: Seconds
    /// 0…1, the person's neutral at 0.5; not a number where the epoch is not decodable.
    public var value: Double

    /// A value at a time.
    public init(time: Seconds, value: Double) {
        (self.time, self.value) = (time, value)
    }
}

/// Turns epochs into values of a prediction, smoothed: each new one counts 1 − e^(−Δt/τ), Δt since the last decodable
/// epoch. After a pause of more than 5 τ, and at the start of a run, smoothing begins anew.
public struct MetricDecoder: Stage, Sendable {
    private let model: DecodingModel
    private var smoothed: (time: Seconds, value: Double)?

    /// The decoder of this model.
    public init(_ model: DecodingModel) {
        self.model = model
    }

    /// A value depends on nothing after its epoch.
    public var lookAhead: Seconds { 0 }

    /// A contiguous run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [MetricValue]) { smoothed = nil }

    /// The next epochs; a value each.
    public mutating func push(_ chunk: Span<DecodableEpoch>, into outputs: inout [MetricValue]) {
        for index in chunk.indices { outputs.append(next(chunk[index])) }
    }

    /// Nothing is held back.
    public mutating func finish(into outputs: inout [MetricValue]) {}

    private mutating func next(_ epoch: DecodableEpoch) -> MetricValue {
        let time = epoch.onset + epoch.duration
        guard let value = model.value(epoch) else { return MetricValue(time: time, value: .nan) }
        if let last = smoothed, model.smoothing > 0, time - last.time <= 5 * model.smoothing {
            let weight = 1 - exp(-(time - last.time) / model.smoothing)
            smoothed = (time, last.value + weight * (value - last.value))
        } else {
            smoothed = (time, value)
        }
        return MetricValue(time: time, value: smoothed?.value ?? .nan)
    }
}
