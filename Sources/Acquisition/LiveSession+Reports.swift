import Devices
import Foundation
import Pipeline
import Quality
import Recorder
import Signals

/// Reports of the devices and their connections.
extension LiveSession {
    func take(_ report: DeviceReport) {
        log?(report)
        let moment = recorder.onset(report.moment)
        switch report.content {
        case .connection(let previous, let state, let error):
            connectionChanged(report, previous, state, error, at: moment)
        case .retrying(let wait): show(.retrying(device: report.device, in: wait, at: moment))
        case .overrun(let count):
            recorder.interrupted(report.device, .bufferOverrun, at: report.moment)
            recorder.note("overrun", device: report.device, at: report.moment, ["messages": "\(count)"])
        case .resubscribed(let characteristic): resubscribed(characteristic, report, at: moment)
        case .bytes, .subscribed, .asked, .refused: break
        case .event(let event): take(event, report, at: moment)
        }
    }

    func connectionChanged(
        _ report: DeviceReport, _ previous: ConnectionState, _ state: ConnectionState, _ error: LinkError?,
        at moment: Seconds
    ) {
        if state == .connected {
            if lost.remove(report.device) != nil { reconnections[report.device, default: 0] += 1 }
            gates.connect(report.device, at: moment)
        }
        if previous == .connected {
            let isAsked = state == .disconnectedUponRequest
            if !isAsked { lost.insert(report.device) }
            // With the session all streams end, for no reason of their own.
            if !isStopping, !Task.isCancelled {
                recorder.interrupted(
                    report.device, isAsked ? .disconnectedUponRequest : .deviceLost, at: report.moment)
            }
            gates.forget(report.device)
            paused.remove(report.device)
            if isAsked, !isStopping { suspend(report.device, at: moment) }
            if !isStopping {
                tell(freshness.lose(report.device, isAsked ? .disconnectedUponRequest : .deviceLost), at: moment)
            }
        } else if state == .disconnectedUponRequest {
            lost.remove(report.device)
        }
        var details = ["state": "\(state)"]
        details["reason"] = error?.description
        details["cause"] = error?.cause.rawValue
        recorder.note("connection", device: report.device, at: report.moment, details)
        show(
            .connection(
                device: report.device, state, reason: error?.description, cause: error?.cause, at: moment))
    }

    /// Counts a subscription that ended and was made again as a lost link: values in between are missing.
    func resubscribed(_ characteristic: BluetoothUUID, _ report: DeviceReport, at moment: Seconds) {
        reconnections[report.device, default: 0] += 1
        recorder.note(
            "interrupted", device: report.device, at: report.moment,
            [
                "reason": Gap.Reason.deviceLost.rawValue, "cause": LinkLoss.notifications.rawValue,
                "characteristic": "\(characteristic)",
            ])
        let text =
            "the notifications of \(characteristic) ended while it was connected; they are asked for again, and what was sent in "
            + "between is missing"
        show(.remark(device: report.device, text, isFailure: true, at: moment))
    }

    /// The user paused or disconnected a device: no sample is expected of it for now.
    func suspend(_ device: String, at moment: Seconds) {
        for gap in gates.suspend(device) { show(.gap(gap, at: moment)) }
    }

    func take(_ event: DeviceEvent, _ report: DeviceReport, at moment: Seconds) {
        let events = recorder.record(event, from: report.device, at: report.moment)
        switch event {
        case .stream(let stream): declare(stream, of: report.device, at: moment)
        case .status(let status):
            if case .paused(let isPaused) = status {
                if isPaused {
                    paused.insert(report.device)
                    suspend(report.device, at: moment)
                } else {
                    paused.remove(report.device)
                    gates.goOn(report.device, at: moment)
                }
            }
            show(.status(device: report.device, status, at: moment))
            let told = gates.take(status, of: report.device, at: moment)
            // Devices that go with the session are no complaint.
            if !isStopping { tell(told, at: moment) }
        case .identity(let identity):
            identities[report.device, default: DeviceIdentity()].add(identity)
            show(.identity(device: report.device, identities[report.device] ?? identity, at: moment))
        case .log(let text): show(.remark(device: report.device, text, isFailure: false, at: moment))
        case .script(let output): show(.script(device: report.device, output, at: moment))
        case .failed(let failure):
            show(.remark(device: report.device, failure.description, isFailure: true, at: moment))
        case .malformed: malformed[report.device, default: 0] += 1
        case .samples(let samples): hear(samples.block.frameCount, samples.stream, of: report.device, at: moment)
        case .values(let stream, let values): hear(values.count, stream, of: report.device, at: moment)
        case .marker: markers += 1
        case .received: gates.hear(from: report.device, at: moment)
        case .ready, .finished, .receives: break
        }
        if case .samples(let samples) = event {
            deliver(events, doubles: samples.doubles, arrived: report.moment)
        } else {
            deliver(events, arrived: report.moment)
        }
    }

    func hear(_ count: Int, _ stream: String, of device: String, at moment: Seconds) {
        guard let (gap, told) = gates.hear(count, stream, of: device, at: moment) else { return }
        show(.gap(gap, at: moment))
        if !isStopping { tell(told, at: moment) }
    }

    func declare(_ declared: DeviceStream, of device: String, at moment: Seconds) {
        gates.declare(declared, of: device)
        let header = recorder.header
        while monitors.count < header.streams.count {
            let index = monitors.count
            let stream = header.streams[index]
            monitors.append(StreamMonitor(stream, at: moment))
            gates.append(stream, declared, of: device, at: moment)
            freshness.append(stream, of: device, pace: declared.pace)
            let isDouble = declared.isDouble && stream.sampleRate > 0
            show(.stream(index, device: device, stream, isDouble: isDouble, at: moment))
        }
        analysis.declare(header)
    }
}
