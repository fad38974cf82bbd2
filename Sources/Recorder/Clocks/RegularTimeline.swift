public import Devices
public import Signals

/// Places the frames of a regular stream in time, as they arrive.
///
/// Within a segment frame n lies n nominal intervals after the first, whose time is the host's as fitted at that moment.
/// Frames lost for less than a second are `NaN` in their place; a longer loss, a clock or counter that began anew, and a
/// stall end the segment. Stamps of the host's clock are certain: once frames have left them by 50 ms, as those of a sender
/// that keeps another rate than it declares, a segment begins, at the rate that was measured. Where frames bear the stamps of
/// a clock that the device's other streams bear as well, the fit of that clock, to which all of them contribute, tells their
/// time. The stream's own clock, which stamps the file, runs on over losses; where the distance to what came before is
/// unknown it jumps by `epoch`, which readers of XDF take as the reset that it is.
public struct RegularTimeline: Sendable {
    /// By how many seconds the stream's own clock jumps where it begins anew.
    public static let epoch: Seconds = 1_000_000
    /// Losses shorter than this many seconds stay within a segment.
    public static let shortestGap: Seconds = 1

    /// How far frames may stray from stamps of the host's clock, in seconds.
    static let farthestAstray: Seconds = 0.05
    /// How many seconds of them tell that.
    private static let leastAstray: Seconds = 10
    /// A smaller share by which the rate is off is not told from none.
    private static let leastDrift = 1e-4
    /// By which share of the way that they went astray stretches may lie above a line that tells the rate.
    private static let mostLoose = 0.2

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
    /// Frames of it that a second of the stream's own clock has.
    private var pace: Double
    /// The same as the sender's stamps counted them when the stream or its clock began.
    private var given: Double?
    /// True if a loss of any length ends a segment.
    private let isWhole: Bool
    /// An epoch is to begin, once frames come that lie behind the end of the last one.
    private var awaited: AwaitedEpoch?
    private var segment: (onset: Seconds, index: Int) = (0, 0)
    /// By how many seconds frames are placed later than they are stamped, as their places were taken.
    private var shift: Seconds = 0
    private var offsets = OffsetSchedule()
    /// Frames of the stream so far, lost ones included: what `SegmentStart.sample` counts.
    private var sample = 0

    /// A timeline of a stream stamped by `clock`.
    /// - Parameter isWhole: whether a loss of any length ends a segment, for formats without a missing value.
    /// - Precondition: its rate is above 0.
    public init(_ header: StreamHeader, clock: DeviceClock, isWhole: Bool = false) {
        precondition(header.sampleRate > 0, "a regular stream has a rate")
        (rate, channelCount, self.clock) = (header.sampleRate, header.channels.count, clock)
        pace = header.sampleRate
        self.isWhole = isWhole
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
        if clock == .host, let time = samples.deviceTime, time.isFinite {
            arrival = time + Double(count - 1) / (samples.rate ?? rate / (1 + fit.drift))
        }
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
        if isFresh { given = samples.rate }
        let verdict =
            isFresh ? restart(index, count: block.frameCount, arrival) : observe(index, block.frameCount, arrival)
        let isNew = isFresh || verdict != .follows
        if isNew {
            lineBefore = line
            stamps.restart()
        }
        let before = line
        line = line(of: samples, shared)
        if isNew {
            let isReset = isBegun && !samples.restarted
            if case .jumped(let jump) = verdict {
                report_.jumped(moment, by: jump)
                out.append(.note("clock jump", ["seconds": "\(jump)"]))
            }
            leave(lineBefore, isReset ? stallReason(verdict) : .deviceLost, into: &out)
        } else if isAstray(index, arrival) {
            followStamps(index, block.frameCount, arrival, before, into: &out)
        }
        if isBegun, awaited == nil {
            if index > next { bridge(to: index, block.frameCount, arrival, moment, into: &out) }
        } else {
            if !isNew { lose(max(0, index - next)) }
            let passed = begin(index, block.frameCount, arrival, moment, into: &out)
            if passed == block.frameCount {
                next = index + passed
                return
            }
            block = block.frames(passed..<block.frameCount)
            index += passed
        }
        pending = nil
        out.append(.samples(block))
        sample += block.frameCount
        next = index + block.frameCount
        emitOffsets(into: &out)
    }

    /// Ends the stream: its last clock offset.
    public mutating func finish(into out: inout [Placed]) {
        if isBegun, awaited == nil { closeOffsets(line, into: &out) }
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
        if let given { fit.restart(drift: rate / given - 1) } else { fit.restart() }
        return observe(index, count, arrival)
    }

    /// A clock that is late for good stood still, as when nothing was measured; one that is early was set.
    private func stallReason(_ verdict: ClockFit.Verdict) -> Gap.Reason {
        if case .jumped(let jump) = verdict, jump < 0 { return .deviceLost }
        return .clockReset
    }

    // MARK: segments

    /// Where the segment ends, or the last one did.
    private var end: Seconds { awaited?.end ?? time(of: next) }

    /// Time of a frame of the segment.
    private func time(of index: Int) -> Seconds { segment.onset + Double(index - segment.index) / pace }

    /// Hz, as the line to the host's time has it.
    private var measuredRate: Double {
        abs(line.slope) > Self.leastDrift ? rate / (1 + line.slope) : rate
    }

    private func isAstray(_ index: Int, _ arrival: Seconds) -> Bool {
        guard isBegun, awaited == nil, clock == .host, arrival - fit.begun >= Self.leastAstray else { return false }
        // A line that is told from stamps that jitter is uncertain itself.
        return abs(astray(index)) > max(Self.farthestAstray, 0.5 / rate, 3 * fit.delay.deviation)
    }

    /// By how many seconds stamps lie later than the segment places their frames.
    private func astray(_ index: Int) -> Seconds { line.host(of: Double(index) / rate) + shift - time(of: index) }

    /// Ends the epoch for one that lies where the stamps of the host's clock do.
    /// - Parameter before: the line as it was before this message.
    private mutating func followStamps(
        _ index: Int, _ count: Int, _ arrival: Seconds, _ before: ClockFit.Line, into out: inout [Placed]
    ) {
        // A rate that is off shows all the time; stamps that hardly jitter and leave their line otherwise did so at once.
        let most = Self.mostLoose * abs(astray(index))
        let isStraight = fit.looseness <= most
        let isBroken = !isStraight && fit.delay.deviation <= most
        let newPace = isStraight ? measuredRate : pace
        out.append(.note("astray", ["seconds": "\(astray(index))", "rate": "\(newPace)"]))
        leave(isBroken ? before : line, .clockReset, into: &out)
        awaited?.pace = newPace
        guard isBroken else { return }
        fit.restart(drift: rate / pace - 1)
        _ = observe(index, count, arrival)
        line = fit.line
    }

    /// Ends the epoch, of which `line` tells the times.
    private mutating func leave(_ line: ClockFit.Line, _ reason: Gap.Reason, into out: inout [Placed]) {
        guard isBegun else { return }
        if awaited == nil { closeOffsets(line, into: &out) }
        awaited = AwaitedEpoch(
            reason: pending ?? reason, end: end, pace: awaited?.pace ?? pace, rate: rate,
            isHostTime: clock == .host)
        pending = nil
    }

    /// Begins an epoch with the first of `count` frames that does not lie before the end of the last one.
    /// - Returns: how many lie before it and are to be dropped; all of them where the epoch does not begin yet.
    private mutating func begin(
        _ index: Int, _ count: Int, _ arrival: Seconds, _ moment: Seconds, into out: inout [Placed]
    ) -> Int {
        let latest = arrival - Double(count - 1) / rate
        let stamped = min(latest, line.host(of: Double(index) / rate))
        let onset = bounded(stamped, count, moment)
        let passed = awaited?.passed(of: count, from: onset, at: moment) ?? 0
        if passed > 0 {
            report_.repeated += passed
            out.append(.note("overlap", ["frames": "\(passed)"]))
        }
        guard passed < count else { return count }
        let later = Double(passed) / rate
        beginEpoch(index + passed, onset + later, stamped: stamped + later, into: &out)
        return passed
    }

    /// The onset of `count` frames that arrived at `moment`, in seconds: stamps may be in the future, frames are not.
    private func bounded(_ onset: Seconds, _ count: Int, _ moment: Seconds) -> Seconds {
        clock == .host ? min(onset, moment - Double(count - 1) / rate) : onset
    }

    /// True if frames after a loss have another distance to their stamps than the epoch's.
    private func isElsewhere(_ index: Int, _ count: Int, _ arrival: Seconds, _ moment: Seconds) -> Bool {
        let stamped = min(line.host(of: Double(index) / rate), arrival - Double(count - 1) / rate)
        let onset = max(end, bounded(stamped + shift, count, moment))
        return abs(onset - stamped - shift) > Self.farthestAstray
    }

    /// - Parameter stamped: when the first frame was by its stamp.
    private mutating func beginEpoch(
        _ index: Int, _ onset: Seconds, stamped: Seconds, into out: inout [Placed]
    ) {
        var start = SegmentStart(onset: onset, sample: sample, sampleRate: given ?? awaited?.pace ?? rate)
        if let awaited {
            report_.restarts += 1
            epochCount += 1
            start.onset = max(onset, awaited.end)
            start.gap = Gap(onset: awaited.end, duration: start.onset - awaited.end, reason: awaited.reason)
        }
        shift = clock == .host ? start.onset - stamped : 0
        (awaited, given) = (nil, nil)
        epochIndex = index
        epochClock = start.onset + Double(epochCount) * Self.epoch
        pace = start.sampleRate
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

    private mutating func lose(_ count: Int) {
        report_.lost += count
        sample += count
    }

    private mutating func bridge(
        to index: Int, _ count: Int, _ arrival: Seconds, _ moment: Seconds, into out: inout [Placed]
    ) {
        let lost = index - next
        lose(lost)
        if clock == .host, isElsewhere(index, count, arrival, moment) {
            leave(line, .deviceLost, into: &out)
            _ = begin(index, count, arrival, moment, into: &out)
            return
        }
        let details = ["frames": "\(lost)", "index": "\(next)"]
        guard isWhole || Double(lost) / rate >= Self.shortestGap else {
            out.append(.note("lost", details))
            out.append(
                .samples(
                    SampleBlock(
                        channelCount: channelCount, samples: [Float](repeating: .nan, count: lost * channelCount))))
            return
        }
        let latest = arrival - Double(count - 1) / rate
        let onset = max(end, bounded(min(line.host(of: Double(index) / rate), latest) + shift, count, moment))
        let gap = Gap(onset: end, duration: onset - end, reason: pending ?? .deviceLost)
        out.append(.note("gap", details))
        out.append(
            .segment(SegmentStart(onset: onset, sample: sample, sampleRate: pace, gap: gap), clock: clock(of: index)))
        (segment.onset, segment.index) = (onset, index)
    }

    // MARK: clock offsets

    /// Time of a frame on the stream's own clock.
    private func clock(of index: Int) -> Seconds { epochClock + Double(index - epochIndex) / pace }

    private func offset(_ line: ClockFit.Line, elapsed: Seconds) -> Placed {
        let device = Double(epochIndex) / rate + elapsed * (pace / rate)
        return .offset(clock: epochClock + elapsed, line.host(of: device) + shift - (epochClock + elapsed))
    }

    private mutating func emitOffsets(into out: inout [Placed]) {
        let elapsed = Double(next - epochIndex) / pace
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
        let elapsed = Double(max(1, next - 1 - epochIndex)) / pace
        let first = offsets.last
        if elapsed > 10 { revise(line, upTo: elapsed, into: &out) }
        let missing = max(1, 3 - offsets.emitted)
        for step in 1...missing where elapsed > first || offsets.emitted < 3 {
            out.append(offset(line, elapsed: first + (elapsed - first) * Double(step) / Double(missing)))
            offsets.emitted += 1
        }
    }
}
