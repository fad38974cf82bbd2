public import Foundation
public import Signals

/// When what a table of events tells happened, in a recording's own time: the table counts from the start of the run (BIDS
/// 1.10, "Events").
///
/// A recording that began before its run has its time 0 before that of its events. In one with pauses programs such as
/// MNE-BIDS count stored samples, where BIDS means time: the events are asked which of the two it was, by the recording's
/// own markers and by the column `sample`. Where neither tells, pauses of known length are counted.
public struct BIDSEventClock {
    private let runStart: Seconds
    /// The runs whose frames are counted; empty where time is.
    private let runs: [FrameRecording.Run]
    /// What is to be said of it; nil for nothing.
    let note: String?

    /// A table that counts from `runStart`, in seconds from the recording's time 0.
    public init(runStart: Seconds = 0) {
        (self.runStart, runs, note) = (runStart, [], nil)
    }

    /// What `events` of the table `name` count in a recording of frames.
    init(_ events: BIDSEvents, in frames: FrameRecording, named name: String) {
        runStart = 0
        let all = BIDSEventClock(counting: frames.runs)
        let late = frames.runs.first { all.delay(of: $0) > 0.5 / $0.start.sampleRate }
        let rate = late?.start.sampleRate ?? 0
        let concerned = events.events.filter { event in
            late.map { all.time(event.marker.onset) >= $0.start.onset - 0.5 / rate } ?? false
        }
        guard !concerned.isEmpty else {
            (runs, note) = ([], nil)
            return
        }
        let own = ToldMoments(frames.markers, sampleRate: rate)
        var (counted, timed) = (0, 0)
        for event in concerned {
            let onset = event.marker.onset
            let names = event.names.isEmpty ? [event.marker.label] : event.names
            if own.tell(all.time(onset), names) { counted += 1 }
            if own.tell(onset, names) { timed += 1 }
            if abs(event.sample - onset * rate) <= Self.nearby { counted += 1 }
            if abs(event.sample - all.frame(at: onset)) <= Self.nearby { timed += 1 }
        }
        let isUnknown = !frames.runs.contains { run in
            run.start.gap.map { $0.reason != .unknownLength && $0.duration > 0 } ?? false
        }
        runs = counted > timed || counted == timed && isUnknown ? frames.runs : []
        note =
            if counted > timed {
                "the events of \(name) count stored samples; those after a gap are as much later"
            } else if counted == timed, !isUnknown {
                "the events of \(name) are taken to count the gaps before them, as BIDS says; "
                    + "programs that do not know of gaps write other times"
            } else { nil }
    }

    private init(counting runs: [FrameRecording.Run]) {
        (runStart, self.runs, note) = (0, runs, nil)
    }

    /// Samples by which rounded times and samples may differ.
    private static let nearby = 2.0

    /// Seconds from the recording's time 0 to an onset in the table.
    public func time(_ onset: Seconds) -> Seconds {
        let run = last { onset >= (Double($0.frames.lowerBound) - 0.5) / $0.start.sampleRate }
        return onset + (run.map(delay) ?? runStart)
    }

    /// An event at its time in the recording; as long as it lasts there.
    func placed(_ marker: Marker) -> Marker {
        var marker = marker
        let end = time(marker.onset + marker.duration)
        marker.onset = time(marker.onset)
        if !runs.isEmpty { marker.duration = max(0, end - marker.onset) }
        return marker
    }

    /// Seconds by which a run is later than its frames.
    private func delay(of run: FrameRecording.Run) -> Seconds {
        run.start.onset - Double(run.frames.lowerBound) / run.start.sampleRate
    }

    /// The frame of a moment; NaN within a gap, also where that begins: what is stored next comes after it.
    private func frame(at time: Seconds) -> Double {
        guard let run = last(where: { time >= $0.start.onset - 0.5 / $0.start.sampleRate }) else { return .nan }
        let frame = Double(run.frames.lowerBound) + (time - run.start.onset) * run.start.sampleRate
        return frame < Double(run.frames.upperBound) - 0.5 ? frame : .nan
    }

    /// The last run that has begun by then.
    private func last(where hasBegun: (FrameRecording.Run) -> Bool) -> FrameRecording.Run? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if hasBegun(runs[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? runs[low - 1] : nil
    }
}

extension BIDSEvents {
    /// The events of a table, at their times in the recording at `url`, in order.
    /// - Throws: `FormatError` when the recording's sidecar or the table cannot be read.
    public static func markers(of table: URL, in url: URL) throws -> [Marker] {
        let clock = try clock(of: table, in: url)
        return try read(table).map(clock.placed)
    }

    /// How the times of a table of events are to be taken in the recording at `url`.
    /// - Throws: `FormatError` when the recording's sidecar or the table cannot be read.
    public static func clock(of table: URL, in url: URL) throws -> BIDSEventClock {
        if let start = try BIDSPhysioReader.runStart(in: url) { return BIDSEventClock(runStart: start) }
        // Of one that cannot be read nothing was computed either.
        guard let format = try? RecordingFile.format(of: url), format.countsFrames,
            let recording = try? format.open(url),
            let frames = (recording as? BIDSMarkedRecording)?.frames ?? (recording as? any FrameCounted)?.frames
        else { return BIDSEventClock() }
        return BIDSEventClock(try BIDSEvents(reading: table), in: frames, named: table.lastPathComponent)
    }
}

/// A recording of frames that all its streams share.
protocol FrameCounted: RecordingReader {
    var frames: FrameRecording { get }
}
