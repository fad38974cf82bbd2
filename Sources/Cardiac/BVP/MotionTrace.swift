import Signals

/// The acceleration of the last seconds, with the same filter as the pulse wave: what a movement does to the one it
/// does, but for a constant factor, to the other.
struct MotionTrace {
    /// Slopes of the acceleration along three axes, in g/s.
    typealias Slope = SIMD4<Float>

    private var decimators: [PulseDecimator] = []
    private var filters: [SlopeFilter] = []
    private var working: [[Float]] = []
    private var workingCount = 0
    private var rate = 0.0
    private var start: SegmentStart?
    /// Working samples of the run that went through the filters.
    private var filtered = 0
    private var last = [Float](repeating: 0, count: 3)

    private var times: [Seconds] = []
    private var slopes: [Slope] = []
    private var head = 0
    private var hint = 0
    /// Nothing is told of what comes after it.
    var horizon: Seconds = .infinity
    /// The longest stretch that is kept, in seconds.
    private static let longest: Seconds = 600
    private static let batch = 256

    /// A run begins; the one before ends. Under 16 Hz nothing is heard.
    mutating func begin(_ segment: SegmentStart) {
        end()
        guard segment.sampleRate >= 16, segment.sampleRate <= 1e5, segment.onset.isFinite else { return }
        if rate != segment.sampleRate {
            rate = segment.sampleRate
            decimators = Array(repeating: PulseDecimator(sampleRate: rate), count: 3)
            let filter = SlopeFilter(rate: rate / Double(decimators[0].factor), batch: Self.batch)
            filters = Array(repeating: filter, count: 3)
            working = Array(repeating: Array(repeating: 0, count: Self.batch), count: 3)
        }
        for axis in 0..<3 { decimators[axis].reset() }
        (start, filtered, workingCount) = (segment, 0, 0)
        last = [0, 0, 0]
        isFirst = true
    }
    private var isFirst = true

    /// The next samples of up to three axes; one that is missing stays what it was.
    mutating func push(_ block: SampleBlock, factor: Float) {
        guard start != nil else { return }
        let axes = min(3, block.channelCount)
        for frame in 0..<block.frameCount {
            for axis in 0..<axes {
                let sample = block.samples[axis * block.frameCount + frame] * factor
                if abs(sample) < 1e6 { last[axis] = sample }
            }
            take()
        }
        filter()
    }

    private mutating func take() {
        for axis in 0..<3 {
            guard let value = decimators[axis].push(last[axis]) else { continue }
            working[axis][workingCount] = value
            if axis == 2 { workingCount += 1 }
        }
        if workingCount == Self.batch { filter() }
    }

    private mutating func filter() {
        guard workingCount > 0, let start else { return }
        for axis in 0..<3 {
            if isFirst { filters[axis].reset(to: working[axis][0]) }
            filters[axis].push(working[axis], count: workingCount)
        }
        isFirst = false
        for k in 0..<workingCount {
            let place = filtered + k - filters[0].delay
            guard place >= 0 else { continue }
            times.append(start.onset + decimators[0].offset(of: Double(place)) / rate)
            slopes.append(Slope(filters[0].band[k], filters[1].band[k], filters[2].band[k], 0))
        }
        filtered += workingCount
        workingCount = 0
        if let newest = times.last { forget(before: newest - Self.longest) }
    }

    /// The run ends, as though its last sample stayed.
    mutating func end() {
        guard start != nil, let factor = decimators.first?.factor, let delay = filters.first?.delay else { return }
        for _ in 0..<delay * factor { take() }
        filter()
        start = nil
    }

    /// Nothing before `time` will be asked for again.
    mutating func forget(before time: Seconds) {
        while head + 1 < times.count, times[head + 1] < time { head += 1 }
        guard head > 4096 else { return }
        times.removeFirst(head)
        slopes.removeFirst(head)
        (head, hint) = (0, 0)
    }

    /// Up to when slopes are known when acceleration is known up to `time`.
    func reach(of time: Seconds) -> Seconds {
        guard rate > 0 else { return time }
        return time - Double((filters[0].delay + 2) * decimators[0].factor) / rate
    }

    /// The slopes at `time`; zero where there are none.
    mutating func slope(at time: Seconds) -> Slope {
        guard time <= horizon else { return .zero }
        hint = min(max(hint, head), max(head, times.count - 2))
        guard hint + 1 < times.count, time >= times[head] else { return .zero }
        while hint + 2 < times.count, times[hint + 1] <= time { hint += 1 }
        while hint > head, times[hint] > time { hint -= 1 }
        let (before, after) = (times[hint], times[hint + 1])
        guard time >= before, time <= after, after - before < 0.1 else { return .zero }
        return slopes[hint] + (slopes[hint + 1] - slopes[hint]) * Float((time - before) / (after - before))
    }
}
