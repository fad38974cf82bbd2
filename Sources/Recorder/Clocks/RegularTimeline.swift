public import Devices
public import Signals

/// Places the frames of a regular stream in time, as they arrive.
///
/// Within a segment frame n lies n nominal intervals after the first, whose time is the host's as fitted at that moment.
/// Frames lost for less than a second are `NaN` in their place; a longer loss, a clock or counter that began anew, and a
/// stall end the segment. Where frames bear the stamps of a clock that the device's other streams bear as well, the fit of
/// that clock, to which all of them contribute, tells their time. The stream's own clock, which stamps the file, runs on over losses; where the distance to
/// what came before is unknown it jumps by `epoch`, which readers of XDF take as the reset that it is.
public struct RegularTimeline: Sendable {
    /// What becomes of frames.
    public enum Placed: Hashable, Sendable {
        /// A segment begins; `clock` is the time of its first frame on the stream's own clock.
        case segment(SegmentStart, clock: Seconds)
        /// The segment's next frames.
        case samples(SampleBlock)
        /// At this time of the stream's own clock, this is to be added to get the host's.
        case offset(clock: Seconds, Seconds)
        /// Something to be told: what happened, and its numbers.
        case note(String, [String: String])
    }

    /// By how many seconds the stream's own clock jumps where it begins anew.
    public static let epoch: Seconds = 1_000_000
    /// Losses shorter than this many seconds stay within a segment.
    public static let shortestGap: Seconds = 1

    private let rate: Double
    private let channelCount: Int
    /// What the stream's times rest on.
    public let clock: DeviceClock
    private var fit: ClockFit
    /// From frames, at the nominal rate, to the stamps they bear, which know no delay.
    private var stamps = ClockFit()
    /// From frames, at the nominal rate, to the host's time: as it is known by now, and when the last epoch ended.
    private var line = ClockFit.Line()
    private var lineBefore = ClockFit.Line()
    private var report_: ClockReport
    private var epochCount = 0
    private var isBegun = false
    private var pending: Gap.Reason?
    /// The stream's next frame.
    private var next = 0
    /// First frame of the epoch, and its time on the stream's own clock.
    private var epochIndex = 0
    private var epochClock: Seconds = 0
    private var segment: (onset: Seconds, index: Int) = (0, 0)
    private var offsets = OffsetSchedule()
    /// Frames of the stream so far, lost ones included: what `SegmentStart.sample` counts.
    private var sample = 0

    /// A timeline of a stream stamped by `clock`.
    /// - Precondition: its rate is above 0.
    public init(_ header: StreamHeader, clock: DeviceClock) {
        precondition(header.sampleRate > 0, "a regular stream has a rate")
        (rate, channelCount, self.clock) = (header.sampleRate, header.channels.count, clock)
        fit = ClockFit(isImpatient: clock == .arrival)
        report_ = ClockReport(clock: clock.rawValue)
    }

    /// What was measured of the clock.
    public var report: ClockReport {
        var report = report_
        report.measure(fit, delay: fit.delay, nominalRate: rate)
        return report
    }

    /// Something interrupted the stream: when it goes on, this is why it paused.
    public mutating func interrupt(_ reason: Gap.Reason) {
        if isBegun { pending = reason }
    }

    /// The device's clock, as its stamps tell, was set by so many seconds at `moment`, in seconds from the recording's start:
    /// the next frames begin anew.
    public mutating func jumped(by jump: Seconds, at moment: Seconds) {
        report_.jumped(moment, by: jump)
        interrupt(.clockReset)
    }

    /// Seconds of the device's clock from one frame to the next, as its stamps tell.
    public var stampInterval: Seconds { (1 + stamps.drift) / rate }

    /// Places frames that arrived at `moment`, in seconds from the recording's start.
    /// - Parameter shared: the fit of the clock whose stamps they bear, which knows of this message already.
    public mutating func place(
        _ samples: DeviceSamples, arrived moment: Seconds, shared: ClockFit? = nil, into out: inout [Placed]
    ) {
        let count = samples.block.frameCount
        guard count > 0 else { return }
        guard samples.block.channelCount == channelCount, (0..<1 << 60).contains(samples.index), moment.isFinite else {
            out.append(.note("frames that do not fit their stream", ["channels": "\(samples.block.channelCount)"]))
            return
        }
        var arrival = moment
        if clock == .host, let time = samples.deviceTime, time.isFinite { arrival = time + Double(count - 1) / rate }
        var block = samples.block
        var index = samples.index
        let isFresh = !isBegun || samples.restarted || index < next - Int(10 * rate) - count
        if !isFresh {
            let known = min(count, max(0, next - index))
            if known > 0 {
                report_.repeated += known
                out.append(.note("repeated", ["frames": "\(known)"]))
                guard known < count else { return }
                block = block.frames(known..<count)
                index += known
            }
        }
        let verdict =
            isFresh ? restart(index, count: block.frameCount, arrival) : observe(index, block.frameCount, arrival)
        let isNew = isFresh || verdict != .follows
        if isNew {
            lineBefore = line
            stamps.restart()
        }
        line = line(of: samples, shared)
        if isNew {
            let isReset = isBegun && !samples.restarted
            if case .jumped(let jump) = verdict {
                report_.jumped(moment, by: jump)
                out.append(.note("clock jump", ["seconds": "\(jump)"]))
            }
            beginEpoch(index, block.frameCount, arrival, isReset ? stallReason(verdict) : .deviceLost, into: &out)
        } else if index > next {
            bridge(to: index, block.frameCount, arrival, into: &out)
        }
        pending = nil
        out.append(.samples(block))
        sample += block.frameCount
        next = index + block.frameCount
        emitOffsets(into: &out)
    }

    /// Ends the stream: its last clock offset.
    public mutating func finish(into out: inout [Placed]) {
        if isBegun { closeOffsets(line, into: &out) }
    }

    // MARK: clocks

    private mutating func line(of samples: DeviceSamples, _ shared: ClockFit?) -> ClockFit.Line {
        guard let shared, !shared.isEmpty, let stamp = samples.deviceTime, stamp.isFinite else { return fit.line }
        _ = stamps.observe(Double(samples.index) / rate, arrived: stamp)
        return stamps.line.followed(by: shared.line)
    }

    private mutating func observe(_ index: Int, _ count: Int, _ arrival: Seconds) -> ClockFit.Verdict {
        fit.observe(Double(index + count - 1) / rate, arrived: arrival)
    }

    private mutating func restart(_ index: Int, count: Int, _ arrival: Seconds) -> ClockFit.Verdict {
        fit.restart()
        return observe(index, count, arrival)
    }

    /// A clock that is late for good stood still, as when nothing was measured; one that is early was set.
    private func stallReason(_ verdict: ClockFit.Verdict) -> Gap.Reason {
        if case .jumped(let jump) = verdict, jump < 0 { return .deviceLost }
        return .clockReset
    }

    // MARK: segments

    /// Where the segment ends.
    private var end: Seconds { segment.onset + Double(next - segment.index) / rate }

    private mutating func beginEpoch(
        _ index: Int, _ count: Int, _ arrival: Seconds, _ reason: Gap.Reason, into out: inout [Placed]
    ) {
        let latest = arrival - Double(count - 1) / rate
        var start = SegmentStart(
            onset: min(latest, line.host(of: Double(index) / rate)), sample: sample, sampleRate: rate)
        if isBegun {
            closeOffsets(lineBefore, into: &out)
            report_.restarts += 1
            epochCount += 1
            start.onset = max(start.onset, end)
            start.gap = Gap(onset: end, duration: start.onset - end, reason: pending ?? reason)
        }
        epochIndex = index
        epochClock = start.onset + Double(epochCount) * Self.epoch
        (segment.onset, segment.index) = (start.onset, index)
        offsets = OffsetSchedule()
        out.append(.segment(start, clock: epochClock))
        if epochCount > 0 {
            // Without it a file that ends here would place these frames by the jump.
            out.append(.offset(clock: epochClock, start.onset - epochClock))
            offsets.emitted = 1
        }
        isBegun = true
    }

    private mutating func bridge(to index: Int, _ count: Int, _ arrival: Seconds, into out: inout [Placed]) {
        let lost = index - next
        report_.lost += lost
        sample += lost
        let details = ["frames": "\(lost)", "index": "\(next)"]
        guard Double(lost) / rate >= Self.shortestGap else {
            out.append(.note("lost", details))
            out.append(
                .samples(
                    SampleBlock(
                        channelCount: channelCount, samples: [Float](repeating: .nan, count: lost * channelCount))))
            return
        }
        let latest = arrival - Double(count - 1) / rate
        let onset = max(end, min(line.host(of: Double(index) / rate), latest))
        let gap = Gap(onset: end, duration: onset - end, reason: pending ?? .deviceLost)
        out.append(.note("gap", details))
        out.append(
            .segment(SegmentStart(onset: onset, sample: sample, sampleRate: rate, gap: gap), clock: clock(of: index)))
        (segment.onset, segment.index) = (onset, index)
    }

    // MARK: clock offsets

    /// Time of a frame on the stream's own clock.
    private func clock(of index: Int) -> Seconds { epochClock + Double(index - epochIndex) / rate }

    private func offset(_ line: ClockFit.Line, elapsed: Seconds) -> Placed {
        let device = Double(epochIndex) / rate + elapsed
        return .offset(clock: epochClock + elapsed, line.host(of: device) - (epochClock + elapsed))
    }

    private mutating func emitOffsets(into out: inout [Placed]) {
        let elapsed = Double(next - epochIndex) / rate
        while let due = offsets.next(elapsed) { out.append(offset(line, elapsed: due)) }
        if offsets.isToBeRevised(elapsed) { revise(line, upTo: offsets.last, into: &out) }
    }

    /// Writes the epoch's offsets again, as they are known by now: readers that fit a line to all go by the majority.
    private func revise(_ line: ClockFit.Line, upTo elapsed: Seconds, into out: inout [Placed]) {
        for moment in stride(from: 0, to: elapsed, by: max(5, elapsed / 60)) {
            out.append(offset(line, elapsed: moment))
        }
    }

    /// The last offset of an epoch; three at least, so that the steps between epochs remain the exception.
    private mutating func closeOffsets(_ line: ClockFit.Line, into out: inout [Placed]) {
        // Readers fit a line: offsets that are all for one moment have none.
        let elapsed = Double(max(1, next - 1 - epochIndex)) / rate
        let first = offsets.last
        if elapsed > 10 { revise(line, upTo: elapsed, into: &out) }
        let missing = max(1, 3 - offsets.emitted)
        for step in 1...missing where elapsed > first || offsets.emitted < 3 {
            out.append(offset(line, elapsed: first + (elapsed - first) * Double(step) / Double(missing)))
            offsets.emitted += 1
        }
    }
}

/// When clock offsets are written: soon after the start, then every 5 s, each for a moment that lies in the middle of
/// what is known, where the line is most certain.
struct OffsetSchedule {
    /// How many were written.
    var emitted = 0
    /// The moment of the last one, seconds after the epoch's start.
    private(set) var last: Seconds = 0
    private var due: Seconds = 1

    private var revision: Seconds = 20

    /// Whether it is time to write all offsets again: 20 s, 40 s, 80 s … after the start.
    mutating func isToBeRevised(_ elapsed: Seconds) -> Bool {
        guard elapsed >= revision else { return false }
        while revision <= elapsed { revision *= 2 }
        return true
    }

    /// The moment to write an offset for, when one is due `elapsed` seconds after the start.
    mutating func next(_ elapsed: Seconds) -> Seconds? {
        guard elapsed >= due else { return nil }
        // Behind a long pause those in between are left out.
        let steps = due >= 5 ? ((elapsed - due) / 5).rounded(.down) : 0
        let moment = due + steps * 5
        due = moment < 2 ? 2 : moment < 5 ? 5 : moment + 5
        last = max(last, moment - min(5, moment / 2))
        emitted += 1
        return last
    }
}
