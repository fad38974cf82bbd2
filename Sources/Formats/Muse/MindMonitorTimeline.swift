import Signals

/// Finds the runs of rows that a headband sent.
///
/// The packets of twelve samples come in bursts, stamped on arrival: single times say little, so a run begins where the
/// rows have fallen behind by more than half a second after a pause.
struct MindMonitorTimeline {
    struct Run {
        var rowCount = 0
        var first: Seconds
        var last: Seconds
        /// The time of row 0 that the earliest of the first rows tells.
        var onset: Seconds
        var reason: Gap.Reason?
    }

    private(set) var runs: [Run] = []
    let rate: Double
    private var clockShift: Seconds = 0
    private let pause: Seconds
    private let lateness: Seconds
    private static let rowsForOnset = 256
    private static let mostRuns = 1 << 20

    /// - Parameter rate: rows a second, nominal.
    init(rate: Double) {
        self.rate = rate
        pause = max(0.25, 2.5 / rate)
        lateness = max(0.5, 1.5 / rate)
    }

    /// Takes the time of the next row; false when there are more runs than any recording has.
    mutating func push(_ clock: Seconds) -> Bool {
        var time = clock + clockShift
        guard let last = runs.last else {
            runs.append(Run(rowCount: 1, first: time, last: time, onset: time))
            return true
        }
        if time < last.last - 1 {
            // The clock was set back, as in an autumn night: rows go on where they were.
            let expected = last.onset + Double(last.rowCount) / rate
            clockShift += max(expected, last.last) - time
            time = clock + clockShift
            runs.append(Run(rowCount: 1, first: time, last: time, onset: time, reason: .clockReset))
        } else if time - last.last > pause, time - (last.onset + Double(last.rowCount) / rate) > lateness {
            runs.append(Run(rowCount: 1, first: time, last: time, onset: time, reason: .deviceLost))
        } else {
            add(time)
        }
        return runs.count < Self.mostRuns
    }

    private mutating func add(_ time: Seconds) {
        let place = runs.count - 1
        let row = runs[place].rowCount
        if row < Self.rowsForOnset { runs[place].onset = min(runs[place].onset, time - Double(row) / rate) }
        runs[place].rowCount += 1
        runs[place].last = max(runs[place].last, time)
    }

    /// The rate within a run: measured where it is so long that bursts do not matter.
    func rate(_ run: Run) -> Double {
        let length = run.last - run.first
        guard length > 300 else { return rate }
        let measured = Double(run.rowCount - 1) / length
        return abs(measured / rate - 1) < 0.02 ? measured : rate
    }

    /// The runs as they begin in the recording, whose time 0 is `origin`. A run never begins before the last has ended.
    func starts(origin: Seconds) -> [SegmentStart] {
        var sample = 0
        var end: Seconds?
        return runs.map { run in
            let rate = rate(run)
            let onset = max(run.onset - origin, end ?? 0)
            let gap = end.map { Gap(onset: $0, duration: onset - $0, reason: run.reason ?? .deviceLost) }
            defer {
                sample += run.rowCount
                end = onset + Double(run.rowCount) / rate
            }
            return SegmentStart(onset: onset, sample: sample, sampleRate: rate, gap: gap)
        }
    }
}
