import Brain
import Cardiac
import Electrodermal
import Foundation
import Motion
import Pipeline
import Quality
import Signals

/// The lines of what is computed.
extension SessionLine {
    func fields(_ update: LiveUpdate) -> [String: Any] {
        var fields: [String: Any] =
            switch update {
            case .beat(_, let beat): ["event": "beat", "t": beat.onset, "confidence": Double(beat.confidence)]
            case .interval(_, let interval): ["event": "ibi", "t": interval.onset, "ibi": interval.duration]
            case .heartRate(_, let onset, let rate): ["event": "heartRate", "t": onset, "heartRate": rate]
            case .quality(_, let window): Self.parts(of: window)
            case .hrv(_, let window): Self.parts(of: window)
            case .rhythm(_, let change): Self.parts(of: change)
            case .eeg(_, let epoch): Self.parts(of: epoch)
            case .eyes(_, let event): Self.parts(of: event)
            case .respiration(_, let window): Self.parts(of: window)
            case .pulseRate(_, let window): Self.parts(of: window)
            case .skin(_, let response): Self.parts(of: response)
            case .motion(_, let epoch): Self.parts(of: epoch)
            case .temperature(_, let window): Self.parts(of: window)
            case .prediction(_, let value): Self.parts(of: value)
            case .predictionRefused(_, let why): ["event": "predictionRefused", "text": why]
            case .battery(_, let estimate): Self.parts(of: estimate)
            }
        fields["stream"] = name(update.stream)
        return fields
    }

    /// The line of a value that ended: that of the value, with null for what is missing, and why.
    func fields(_ lapse: LiveLapse) -> [String: Any] {
        let missing = NSNull()
        var fields: [String: Any] =
            switch lapse.value {
            case .prediction(let name): ["event": "prediction", "prediction": name, "value": missing]
            case .heartRate: ["event": "heartRate", "heartRate": missing]
            case .pulseRate: ["event": "pulseRate", "heartRate": missing]
            case .variability:
                ["event": "hrv", "values": Dictionary(uniqueKeysWithValues: HRVIndex.all.map { ($0.name, missing) })]
            case .rhythm: ["event": "rhythm", "rhythm": missing]
            case .quality: ["event": "quality", "coverage": 0, "quality": missing, "reasons": [lapse.reason.rawValue]]
            case .electrodes: ["event": "epoch", "usable": missing]
            case .respiration: ["event": "respiration", "rate": missing]
            }
        fields["stream"] = name(lapse.stream)
        fields["t"] = lapse.onset
        fields["since"] = lapse.since
        fields["reason"] = lapse.reason.rawValue
        return fields
    }

    private static func parts(of window: QualityWindow) -> [String: Any] {
        [
            "event": "quality", "t": window.onset, "duration": window.duration, "coverage": window.coverage,
            "quality": window.quality, "reasons": window.reasons.map(\.rawValue),
        ]
    }

    private static func parts(of window: HRVWindow) -> [String: Any] {
        var values: [String: Any] = [:]
        for (index, value) in zip(HRVIndex.all, window.values) { values[index.name] = value ?? NSNull() }
        return [
            "event": "hrv", "t": window.onset, "duration": window.duration, "coverage": window.coverage,
            "nBeats": window.nBeats, "nCorrected": window.nCorrected,
            "nEstimated": window.nEstimated, "spectrumReason": window.spectrumDoubt?.rawValue ?? NSNull(),
            "values": values.mapValues { ($0 as? Double)?.isFinite == false ? NSNull() : $0 },
        ]
    }

    private static func parts(of change: RhythmChange) -> [String: Any] {
        [
            "event": "rhythm", "t": change.onset, "rhythm": change.kind.rawValue,
            "previous": change.previous?.rawValue ?? NSNull(),
            "irregularity": change.state.irregularity?.rawValue ?? NSNull(),
            "rate": change.state.rate?.rawValue ?? NSNull(), "ectopy": change.state.ectopy?.rawValue ?? NSNull(),
        ]
    }

    private static func parts(of epoch: ChannelValues) -> [String: Any] {
        // A number per feature for each channel would be most of a session's lines: programs that want them read the tables
        // or take the updates.
        [
            "event": "epoch", "t": epoch.onset, "duration": epoch.duration,
            "usable": epoch.channels.map(\.isUsable),
        ]
    }

    private static func parts(of event: EyeEvent) -> [String: Any] {
        [
            "event": event.kind.rawValue, "t": event.onset, "duration": event.duration,
            "amplitude": event.amplitude,
        ]
    }

    private static func parts(of window: RespirationWindow) -> [String: Any] {
        [
            "event": "respiration", "t": window.onset, "duration": window.duration,
            "method": window.method.rawValue, "rate": window.rate ?? NSNull(), "quality": window.quality,
        ]
    }

    private static func parts(of window: PulseRateWindow) -> [String: Any] {
        [
            "event": "pulseRate", "t": window.onset, "duration": window.duration, "heartRate": window.rate ?? NSNull(),
            "confidence": window.confidence, "movement": window.movement ?? NSNull(),
            "reason": window.missing?.rawValue ?? NSNull(),
        ]
    }

    private static func parts(of response: SkinConductanceResponse) -> [String: Any] {
        [
            "event": "scr", "t": response.onset, "peak": response.peak, "amplitude": response.amplitude,
            "artefact": response.isDoubtful,
        ]
    }

    private static func parts(of epoch: MotionEpoch) -> [String: Any] {
        [
            "event": "motion", "t": epoch.onset, "duration": epoch.duration,
            "enmo": epoch.usable?.enmo ?? NSNull(),
            "mad": epoch.usable?.mad ?? NSNull(), "steps": epoch.usable?.steps ?? NSNull(),
            "still": epoch.usable?.isStill ?? NSNull(),
        ]
    }

    private static func parts(of window: TemperatureWindow) -> [String: Any] {
        [
            "event": "temperature", "t": window.onset, "duration": window.duration,
            "mean": window.usable?.mean ?? NSNull(), "slope": window.usable?.slope ?? NSNull(),
            "worn": window.usable?.isWorn ?? NSNull(),
        ]
    }

    private static func parts(of value: PredictionValue) -> [String: Any] {
        [
            "event": "prediction", "t": value.onset, "duration": value.duration, "prediction": value.prediction,
            "value": value.value,
        ]
    }

    private static func parts(of estimate: BatteryEstimate) -> [String: Any] {
        [
            "event": "battery", "t": estimate.onset, "charge": estimate.charge,
            "remaining": estimate.remaining ?? NSNull(),
        ]
    }
}

extension SessionEvent {
    /// The end of what a computed value is of, seconds from the recording's start; nil for other events.
    var valueEnd: Seconds? {
        guard case .update(let update) = self else {
            if case .lapse(let lapse, _) = self { return lapse.onset }
            return nil
        }
        return switch update {
        case .beat(_, let beat): beat.onset
        case .interval(_, let interval): interval.onset
        case .heartRate(_, let onset, _): onset
        case .pulseRate(_, let window): window.end
        case .quality(_, let window): window.onset + window.duration
        case .hrv(_, let window): window.onset + window.duration
        case .rhythm(_, let change): change.onset
        case .respiration(_, let window): window.onset + window.duration
        case .skin(_, let response): response.peak
        case .motion(_, let epoch): epoch.onset + epoch.duration
        case .temperature(_, let window): window.onset + window.duration
        case .battery(_, let estimate): estimate.onset
        case .eeg(_, let epoch): epoch.onset + epoch.duration
        case .eyes(_, let event): event.onset + event.duration
        case .prediction(_, let value): value.time
        case .predictionRefused: nil
        }
    }
}
