import Acquisition
import Decoding
import Devices
import Pipeline
import Signals

extension SessionEvent {
    /// The event as somebody may see it who is allowed these predictions (nil: all), in a session with these streams; nil
    /// when it tells another.
    func seen(by allowed: Set<String>?, _ streams: [StreamHeader]) -> SessionEvent? {
        guard let allowed else { return self }
        switch self {
        case .update(let update): return update.prediction.map(allowed.contains) ?? true ? self : nil
        case .lapse(let lapse, _): return lapse.value.prediction.map(allowed.contains) ?? true ? self : nil
        case .marker(let marker): return marker.isSeen(by: allowed) ? self : nil
        case .pulse(var pulse):
            for (index, header) in streams.enumerated() where pulse.streams.indices.contains(index) {
                guard let prediction = header.prediction, !allowed.contains(prediction) else { continue }
                pulse.streams[index].last = pulse.streams[index].last.map { _ in nil }
            }
            return .pulse(pulse)
        case .finished(var summary):
            for index in summary.streams.indices { summary.streams[index].last = [] }
            return .finished(summary)
        default: return self
        }
    }
}

extension LiveUpdate {
    /// The name of the prediction that it tells, or from which that follows; nil for none.
    var prediction: String? {
        switch self {
        case .prediction(_, let value): value.prediction
        case .beat, .interval, .heartRate, .pulseRate, .rhythm: Prediction.heartRate.name
        case .hrv: Prediction.heartRateVariability.name
        case .eyes: Prediction.blink.name
        default: nil
        }
    }
}

extension LiveValue {
    /// The name of the prediction that it is of, or from which that follows; nil for none.
    var prediction: String? {
        switch self {
        case .prediction(let name): name
        case .heartRate, .pulseRate, .rhythm: Prediction.heartRate.name
        case .variability: Prediction.heartRateVariability.name
        case .quality, .electrodes, .respiration: nil
        }
    }
}

extension Marker {
    /// Whether somebody may see it who is allowed these predictions (nil: all): a relay's tell of the rhythm.
    func isSeen(by allowed: Set<String>?) -> Bool {
        !label.hasPrefix(RelayStatus.marker) || allowed?.contains(Prediction.heartRate.name) ?? true
    }
}

extension StreamHeader {
    /// The name of the prediction whose values a device sends in this stream itself, or from which they follow; nil for
    /// none.
    var prediction: String? {
        if kind == .heartRate || kind == .ibi { return Prediction.heartRate.name }
        return name.split(separator: "-").last.flatMap { Prediction.named(String($0)) }?.name
    }
}

extension Prediction {
    /// The descriptions (`desc-`) of a session's tables that tell it.
    var tables: [String] {
        switch self {
        case .heartRate: [name, "heartrate", "beats", "nn", "corrections", "rhythm"]
        case .heartRateVariability: [name, "hrv", "hrvmissing", "turbulence"]
        case .blink: [name, "blinks", "eyes"]
        default: [name]
        }
    }
}
