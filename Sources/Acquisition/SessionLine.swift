import Devices
import Formats
import Foundation
import Pipeline
import Quality
import Recorder
public import Signals

/// A session's event as one line of JSON, for programs that follow a session: `event` names its kind, `t` is the
/// moment in seconds from the recording's start.
public struct SessionLine {
    private let names: [String]

    /// Lines of a session with streams of these names, in their order.
    public init(streams names: [String]) {
        self.names = names
    }

    /// The line without its end, keys sorted.
    /// - Parameter moment: the present moment, seconds from the recording's start, from which the age of a computed value
    ///   counts; nil: no ages are written.
    public func text(_ event: SessionEvent, at moment: Seconds? = nil) -> String {
        var fields = fields(event)
        if let moment, let end = event.valueEnd { fields["age"] = Swift.max(0, moment - end) }
        fields = fields.mapValues { value in
            if let number = value as? Double, !number.isFinite { return NSNull() }
            return value
        }
        let data = try? JSONSerialization.data(
            withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data("{}".utf8), as: UTF8.self)
    }

    private func fields(_ event: SessionEvent) -> [String: Any] {
        switch event {
        case .connection(let device, let state, let reason, let cause, let moment):
            return [
                "event": "connection", "t": moment, "device": device, "state": "\(state)", "reason": reason ?? NSNull(),
                "cause": cause?.rawValue ?? NSNull(),
            ]
        case .retrying(let device, let wait, let moment):
            return ["event": "retrying", "t": moment, "device": device, "in": wait]
        case .stream(let index, let device, let header, _, let moment):
            return [
                "event": "stream", "t": moment, "device": device, "stream": header.name, "index": index,
                "kind": header.kind.rawValue, "sampleRate": header.sampleRate,
                "channels": header.channels.map { ["label": $0.label, "unit": $0.unit.rawValue] },
            ]
        case .status(let device, let status, let moment):
            return ["event": "status", "t": moment, "device": device].merging(Self.fields(status)) { $1 }
        case .identity(let device, let identity, let moment):
            return [
                "event": "identity", "t": moment, "device": device, "name": identity.name,
                "manufacturer": identity.manufacturer, "model": identity.model,
                "serialNumber": identity.serialNumber, "firmware": identity.firmware, "hardware": identity.hardware,
                "location": identity.location ?? NSNull(), "address": identity.address ?? NSNull(),
            ]
        case .remark(let device, let text, let isFailure, let moment):
            return ["event": isFailure ? "failure" : "remark", "t": moment, "device": device, "text": text]
        case .script(let device, let output, let moment):
            return ["event": "script", "t": moment, "device": device].merging(Self.fields(output)) { $1 }
        case .verdict(let device, let verdict, let moment):
            return [
                "event": "qa", "t": moment, "device": device, "passed": verdict.passed, "code": verdict.code,
                "reasons": verdict.reasons.map(\.rawValue), "warning": verdict.warning ?? NSNull(),
            ]
        case .gap(let gap, let moment):
            return [
                "event": "gap", "t": moment, "stream": name(gap.stream), "device": gap.device, "open": gap.isOpen,
                "since": gap.since, "duration": moment - gap.since, "cause": gap.cause.rawValue,
            ]
        case .marker(let marker):
            return [
                "event": "marker", "t": marker.onset, "duration": marker.duration, "label": marker.label,
                "stream": marker.stream ?? NSNull(),
            ]
        case .update(let update): return fields(update)
        case .signal(let signal, let moment):
            return [
                "event": "signal", "t": moment, "stream": name(signal.stream), "present": signal.isPresent,
                "since": signal.since, "reason": signal.reason?.rawValue ?? NSNull(),
            ]
        case .lapse(let lapse, _): return fields(lapse)
        case .disk(let problem, let moment):
            return ["event": "disk", "t": moment, "problem": problem?.description ?? NSNull()]
        case .pulse(let pulse): return fields(pulse)
        case .finished(let summary):
            return [
                "event": "finished", "t": summary.duration, "file": summary.file,
                "problem": summary.problem ?? NSNull(), "latency99": summary.latency ?? NSNull(),
                "streams": summary.streams.map(Self.fields), "malformed": summary.malformed,
                "reconnections": summary.reconnections, "unwritten": summary.unwritten,
            ]
        }
    }

    func name(_ stream: Int) -> String { names.indices.contains(stream) ? names[stream] : "\(stream)" }

    private func fields(_ pulse: SessionPulse) -> [String: Any] {
        [
            "event": "pulse", "t": pulse.moment, "streams": pulse.streams.map(Self.fields),
            "written": pulse.recorder.written, "free": pulse.recorder.free ?? NSNull(),
            "problem": pulse.recorder.problem?.description ?? NSNull(), "latency99": pulse.latency ?? NSNull(),
        ]
    }

    private static func fields(_ stream: StreamPulse) -> [String: Any] {
        [
            "stream": stream.name, "count": stream.count, "rate": stream.rate, "lost": stream.lost,
            "missing": stream.missing, "last": stream.last.map { $0 ?? NSNull() as Any },
            "age": stream.age ?? NSNull(),
        ]
    }

    /// A package's variables by their two letters, anything else in words.
    private static func fields(_ output: MethodSCRIPTOutput) -> [String: Any] {
        guard case .package(let package) = output else { return ["text": MethodSCRIPTRun.words(output) ?? ""] }
        return [
            "package": package.variables.map { variable in
                let type = MethodSCRIPTVariableType(anyCode: variable.type)
                let value = variable.value.number
                return [
                    "variable": variable.type, "name": type.name, "unit": type.unit.rawValue,
                    "value": value.isFinite ? value : NSNull(),
                    "status": variable.status.map { Int($0.rawValue) as Any } ?? NSNull(),
                    "range": variable.range.map { $0 as Any } ?? NSNull(),
                    "noise": variable.noise.map { $0 as Any } ?? NSNull(),
                ] as [String: Any]
            }
        ]
    }

    private static func fields(_ status: DeviceStatus) -> [String: Any] {
        switch status {
        case .battery(let charge): ["battery": charge]
        case .charging(let isCharging): ["charging": isCharging]
        case .contact(let contact): ["contact": contact.map { $0 as Any } ?? NSNull()]
        case .electrodes(let fit): ["electrodes": fit]
        case .quality(let quality): ["headband": quality.rawValue]
        case .deviceBehindServer(let isConnected): ["deviceBehindServer": isConnected]
        case .paused(let isPaused): ["paused": isPaused]
        case .radio(let radio): ["radio": "\(radio)"]
        case .servedDevice(let status): ["servedDevice": "\(status)"]
        case .found(let devices):
            ["found": devices.map { ["id": $0.id, "model": $0.model, "allowed": $0.isAllowed] as [String: Any] }]
        case .connection(let previous, let current): ["previous": "\(previous)", "current": "\(current)"]
        case .clockJump(let stream, let by): ["clockJump": by, "stream": stream]
        }
    }
}
