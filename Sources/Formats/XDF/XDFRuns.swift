import Signals

/// A contiguous run of frames of a regular stream.
struct XDFRun: Hashable {
    /// Index of its first frame among those of the stream in the file.
    var frame: Int
    var count: Int
    /// Time of its first frame and Hz, on the recorder's clock.
    var onset: Seconds
    var rate: Double
    /// How far the stamps stray from even time, root mean square.
    var residual: Seconds = 0
}

/// Finds the runs of a regular stream and the even times within each, from its frames' stamps in order.
///
/// A run ends where two stamps are more than 1 s and 500 sample intervals apart, as in pyxdf 1.17 with its defaults. It
/// also ends where the stamps jump by less, but by more than 0.1 s, four intervals and ten times the usual jitter, and
/// at least half of the jump stays: frames that were only delivered late catch up with the earliest of those before
/// them, frames after a drop-out do not. Within a run time is the least-squares line over the frames' stamps.
struct XDFRunFinder {
    private(set) var runs: [XDFRun] = []
    private let rate: Double
    private let threshold: Seconds
    private var frame = 0
    /// The run that goes on; nil before the first.
    private var line: StampLine?

    private var pacing: StampPacing?
    /// The latest stamps; those before `next` belong to runs already.
    private var stamps: [Seconds] = []
    private var next = 0
    /// How many stamps before and after a jump are looked at, at the most.
    private let reach: Int
    /// How many were looked at, and how many may be, so that no file takes for ever.
    private var effort = (spent: 0, allowed: 1 << 20)
    /// How many stamps tell the pacing.
    private static let learning = 1 << 14

    init(rate: Double) {
        self.rate = rate
        threshold = max(1, 500 / rate)
        reach = Int(min(4 * threshold * rate, 65_536)) + StampPacing.fewest
    }

    /// Takes the next frame's stamp on the recorder's clock.
    mutating func add(_ stamp: Seconds) {
        stamps.append(stamp)
        if stamps.count - next >= reach + Self.learning { settle(until: stamps.count - reach) }
    }

    /// Ends the last run.
    mutating func finish() -> [XDFRun] {
        settle(until: stamps.count)
        close()
        return runs
    }

    private mutating func settle(until end: Int) {
        let pacing = pacing ?? learned()
        self.pacing = pacing
        let tolerance = Self.tolerance(pacing.period)
        effort.allowed += 64 * (end - next)
        while next < end {
            let stamp = stamps[next]
            if let line, abs(stamp - line.last) > threshold || isJump(pacing, tolerance, line.count) { close() }
            line = line ?? StampLine(first: stamp, rate: rate)
            line?.add(stamp)
            next += 1
        }
        let spent = max(0, next - reach)
        stamps.removeFirst(spent)
        next -= spent
    }

    private static func tolerance(_ period: Seconds) -> Seconds { max(0.1, 4 * period) }

    private func learned() -> StampPacing {
        let head = Array(stamps.prefix(Self.learning))
        return StampPacing(head, expected: 1 / rate, tolerance: Self.tolerance) ?? StampPacing(head, period: 1 / rate)
    }

    /// Whether frames are missing before the next stamp, of one run with the last.
    private mutating func isJump(_ pacing: StampPacing, _ tolerance: Seconds, _ count: Int) -> Bool {
        effort.spent < effort.allowed
            && pacing.isJump(
                stamps, at: next, from: max(0, next - count), tolerance: tolerance, reach: reach, effort: &effort.spent)
    }

    private mutating func close() {
        guard let line else { return }
        let fit = line.fit
        runs.append(
            XDFRun(frame: frame, count: line.count, onset: fit.onset, rate: fit.rate, residual: fit.residual))
        frame += line.count
        self.line = nil
    }
}

extension XDFRun {
    /// What a user should know of the times of the stream `name`, which declares `nominal` Hz.
    static func notes(_ runs: [XDFRun], nominal: Double, name: String) -> [String] {
        guard let longest = runs.max(by: { $0.count < $1.count }), longest.count >= 64 else { return [] }
        var notes: [String] = []
        if abs(longest.rate / nominal - 1) > 0.01 {
            let rate = Double((longest.rate * 100).rounded() / 100)
            notes.append("\(name): declares \(nominal) Hz, but its frames come at \(rate) Hz by their stamps")
        }
        let worst = runs.map(\.residual).max() ?? 0
        return notes
            + [StampLine.note("\(name): its stamps", of: "frames", straying: worst, rate: nominal)].compactMap(\.self)
    }
}
