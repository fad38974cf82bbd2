import Devices
import Foundation
import Pipeline
import Quality
import Recorder
import Signals

/// The state of the streams, and the end of the session.
extension LiveSession {
    func pulse(at moment: Seconds) -> SessionPulse {
        let streams = monitors.indices.map { index in
            var stream = monitors[index].pulse(at: moment, silentUntil: silence(of: index, at: moment))
            stream.age = freshness.age(of: index, at: moment)
            if freshness.isSilent(index) { stream.last = stream.last.map { _ in nil } }
            return stream
        }
        return SessionPulse(
            moment: moment, streams: streams, recorder: recorder.state, latency: latency.quantile(0.99))
    }

    /// The end of the time in which samples of a stream are missing; nil for a stream that is not silent.
    func silence(of stream: Int, at moment: Seconds) -> Seconds? {
        gates.isSilent(stream) ? Swift.min(moment, ending ?? moment) : nil
    }

    /// Ends the recording. Where the disk is full that is tried for a minute: what waits in memory is nowhere else.
    /// - Returns: what kept it from being ended; nil where it is whole.
    func close() async -> (any Error)? {
        let latest = clock.now + Self.patience
        while true {
            do {
                try recorder.close()
                return nil
            } catch {
                tellDisk(at: recorder.onset(clock.now))
                guard clock.now < latest, !Task.isCancelled,
                    (try? await clock.sleep(until: clock.now + 1)) != nil
                else { return error }
            }
        }
    }

    /// Seconds in which room may be made for the end of a recording.
    static let patience: Seconds = 60

    func tellLatePredictions() {
        guard analysis.latePredictions > 0, let device = names.sorted().first else { return }
        let text =
            "\(analysis.latePredictions) values of predictions came too late to be shown in order; the tables have them"
        show(.remark(device: device, text, isFailure: false, at: recorder.onset(clock.now)))
    }

    func finish() async -> SessionSummary {
        deliver(recorder.release(at: .infinity), arrived: nil)
        analysis.finish(into: &updates)
        for update in updates { show(.update(update)) }
        updates = []
        tellLatePredictions()
        let problem = await close().map { "\($0)" }
        let moment = recorder.onset(clock.now)
        tellDisk(at: moment)
        let state = recorder.state
        var unwritten = state.refused
        let streams = monitors.indices.map { index in
            var stream = monitors[index].pulse(at: moment, silentUntil: silence(of: index, at: moment))
            let written = state.counts.indices.contains(index) ? state.counts[index] : 0
            unwritten += stream.count - written
            stream.count = written
            return stream
        }
        let summary = SessionSummary(
            file: recorder.session.url.relativePath, duration: moment, streams: streams, markers: markers,
            events: recorded,
            malformed: malformed,
            reconnections: reconnections, unwritten: unwritten,
            latency: latency.quantile(0.99), problem: problem)
        show(.finished(summary))
        return summary
    }
}
