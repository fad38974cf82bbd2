import Devices
import Foundation
import Pipeline
import Quality
import Recorder
import Signals

/// Actions that are due as time passes: old values, silent streams, the disk, the pulse of the session.
extension LiveSession {
    /// Ends live values whose data have ended, when that is due.
    func endOldValues() async {
        var hasWaited = false
        while !Task.isCancelled {
            let now = clock.now
            let due = freshness.deadline.map { recorder.startMoment + $0 } ?? .infinity
            let next = Swift.max(Swift.min(due, now + Self.longestRest), now + Self.shortestRest)
            guard (try? await clock.sleep(until: next)) != nil else { return }
            // Where the computer was too busy, what came meanwhile is taken first.
            if clock.now > next + Self.longestRest, !hasWaited {
                hasWaited = true
                continue
            }
            hasWaited = false
            guard !isStopping else { continue }
            let moment = recorder.onset(clock.now)
            tell(freshness.pass(to: moment), at: moment)
        }
    }

    /// Seconds between two looks for old values.
    static let (shortestRest, longestRest) = (0.02, 0.25)

    func tick() async {
        var next = recorder.startMoment + 1
        while !Task.isCancelled {
            guard (try? await clock.sleep(until: next)) != nil else { return }
            let moment = recorder.onset(clock.now)
            deliver(recorder.release(at: clock.now), arrived: nil)
            tellDisk(at: moment)
            tellWaits(at: moment)
            show(.pulse(pulse(at: moment)))
            for told in gates.wait(until: moment) { tell(told, at: moment) }
            next = Swift.max(next + 1, clock.now)
        }
    }

    /// Looks four times a second for silent streams.
    func listen() async {
        var next = clock.now
        var behind: [String: Int] = [:]
        while !Task.isCancelled, !isStopping {
            next = Swift.max(next + Self.listeningPeriod, clock.now)
            // After a standstill of this program, the data that arrived meanwhile are read first.
            guard (try? await clock.sleepAwake(until: next)) != nil else { return }
            for connection in connections {
                behind[connection.name] = await connection.isBehind ? behind[connection.name, default: 0] + 1 : 0
            }
            guard !Task.isCancelled, !isStopping else { return }
            let moment = recorder.onset(clock.now)
            // The delay is limited: under overload, silence is reported all the same.
            let unread = behind.filter { (1...Self.mostBehind).contains($0.value) }
            let (gaps, told) = gates.listen(at: moment, except: Set(unread.keys))
            for gap in gaps { show(.gap(gap, at: moment)) }
            for verdict in told { tell(verdict, at: moment) }
        }
    }

    /// Seconds between two looks for silent streams, and the maximum number of looks in a row that unread data may postpone.
    static let listeningPeriod: Seconds = 0.25
    static let mostBehind = 12

    /// Says when nothing can be written any more, and when it can again.
    func tellDisk(at moment: Seconds) {
        let present = recorder.state.problem
        guard present != problem else { return }
        problem = present
        show(.disk(problem: present, at: moment))
    }

    /// Reports why no new values of a pulse wave come. A delay of less than a second is not reported.
    func tellWaits(at moment: Seconds) {
        for wait in analysis.takeWaits() {
            show(.remark(device: gates.owner(of: wait.stream), wait.description, isFailure: false, at: moment))
        }
    }
}
