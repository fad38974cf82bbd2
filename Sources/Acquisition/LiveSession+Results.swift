import Devices
import Foundation
import Pipeline
import Quality
import Recorder
import Signals

/// The way of recorded samples to the analysis and to the screen.
extension LiveSession {
    /// Computes and shows what was recorded.
    /// - Parameter doubles: in double precision the frames that came, which the last samples among the events are.
    func deliver(_ events: [RecordingEvent], doubles: [Double]? = nil, arrived moment: Seconds?) {
        let present = recorder.onset(clock.now)
        let last = doubles == nil ? nil : events.lastIndex { if case .samples = $0 { true } else { false } }
        for (index, event) in events.enumerated() {
            switch event {
            case .segment(let stream, _), .samples(let stream, _), .values(let stream, _):
                monitors[stream].take(event)
                if let change = freshness.hear(event, at: present) { tell([change], at: present) }
                switch event {
                case .values(_, let values): tell(gates.watch(values, of: stream, at: present), at: present)
                case .samples(_, let block): tell(gates.watch(block, of: stream, at: present), at: present)
                case .segment, .marker: break
                }
            case .marker(let marker):
                recorded.append(marker)
                show(.marker(marker))
            }
            watch?(RecordedPiece(event, of: index == last ? doubles : nil))
            analysis.take(event, into: &updates)
        }
        for stream in analysis.takeOffHead() {
            let moment = recorder.onset(clock.now)
            tell(gates.complain(.headbandOffHead, of: stream, at: moment), at: moment)
        }
        guard !updates.isEmpty else { return }
        if let moment { latency.count(clock.now - moment) }
        for update in updates { tell(update) }
        updates.removeAll(keepingCapacity: true)
    }

    func tell(_ update: LiveUpdate) {
        freshness.take(update)
        show(.update(update))
        if case .predictionRefused(let stream, let why) = update {
            let text = "predictions cannot be reported: \(why)"
            show(.remark(device: gates.owner(of: stream), text, isFailure: true, at: recorder.onset(clock.now)))
        }
        guard case .quality(let stream, let window) = update, analysis.decides(stream) else { return }
        // A window is reported seconds after its end: the verdict has the moment of the report.
        let moment = recorder.onset(clock.now)
        tell(gates.take(window, of: stream, at: moment), at: moment)
    }

    func tell(_ told: QAGates.Told?, at moment: Seconds) {
        guard let (device, verdict) = told else { return }
        recorder.note(
            "qa", device: device, at: recorder.startMoment + moment,
            ["code": "\(verdict.code)", "reasons": verdict.reasons.map(\.rawValue).joined(separator: ",")])
        show(.verdict(device: device, verdict, at: moment))
    }

    func tell(_ changes: [LiveFreshness.Change], at moment: Seconds) {
        for change in changes {
            switch change {
            case .signal(let signal): show(.signal(signal, at: moment))
            case .lapse(let lapse): show(.lapse(lapse, at: moment))
            }
        }
    }
}
