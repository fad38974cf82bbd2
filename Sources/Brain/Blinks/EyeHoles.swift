import Kernels
import Signals

/// Where in a run the differences between electrodes show nothing of the eyes: where samples are missing, and where a
/// difference stands still for half a second. The band-pass makes zeros of both, next to which any EEG is large, and
/// puts something into what lies beside them.
struct EyeHoles: Sendable {
    /// Seconds beside a missing sample that do not count: it is bridged without a step.
    private static let besideMissing = 0.3
    /// Seconds beside a still stretch that do not count: of a step at its edge less than a fiftieth is left behind them.
    /// With the half second they are less than the filter looks ahead, so that a stretch is known in time.
    private static let besideStill = 1.0
    /// Seconds without any change that are no signal.
    private static let leastStill = 0.5

    private let step: Int
    private let sampleRate: Double
    private let least: Int
    /// Frames in which a sample of any difference is missing.
    private(set) var missing: [Range<Int>] = []
    /// Of each difference the frames in which it stands still, its last value and since when it has had it.
    private var rows: [(still: [Range<Int>], last: Float, since: Int)]
    /// Frames taken in.
    private var taken = 0

    /// No holes yet, in `rows` differences at `sampleRate` Hz of which every `step`-th frame is looked at.
    init(rows: Int, step: Int, sampleRate: Double) {
        (self.step, self.sampleRate) = (step, sampleRate)
        least = max(2, Int((Self.leastStill * sampleRate).rounded()))
        self.rows = Array(repeating: ([], .nan, 0), count: rows)
    }

    /// The next values of one difference, before anything is bridged; `advance` follows when all have been taken.
    mutating func take(_ samples: Span<Float>, row: Int) {
        let end = samples.count
        guard end > 2, !Scans.hasThreeEqual(samples) else {
            for index in samples.indices { take(samples[index], at: taken + index, row) }
            return
        }
        // What stood still before ends here, and what stands still at the end has begun with one of the last two.
        for index in 0...2 { take(samples[index], at: taken + index, row) }
        rows[row].last = samples[end - 1]
        rows[row].since = taken + end - (samples[end - 2] == samples[end - 1] ? 2 : 1)
    }

    private mutating func take(_ sample: Float, at frame: Int, _ row: Int) {
        guard sample != rows[row].last else { return }
        if frame - rows[row].since >= least, rows[row].last.isFinite { rows[row].still.append(rows[row].since..<frame) }
        (rows[row].last, rows[row].since) = (sample, frame)
    }

    /// Frames have been taken of all differences; `isMissing` says of which a sample is missing, nil where there is none.
    mutating func advance(_ frames: Int, isMissing: [Bool]?) {
        if let isMissing {
            for (index, isHere) in isMissing.enumerated() where isHere {
                let frame = taken + index
                let begun = missing.last?.upperBound == frame ? missing.removeLast().lowerBound : frame
                missing.append(begun..<frame + 1)
            }
        }
        taken += frames
    }

    /// What lies more than ten seconds before a place of the trace is not asked any more.
    mutating func forget(before place: Int) {
        let end = place * step - Int(10 * sampleRate)
        missing.removeAll { $0.upperBound < end }
        for row in rows.indices { rows[row].still.removeAll { $0.upperBound < end } }
    }

    /// Whether a sample is missing near `frame`.
    func isNearMissing(_ frame: Double) -> Bool {
        let beside = Self.besideMissing * sampleRate
        return missing.contains { frame > Double($0.lowerBound) - beside && frame < Double($0.upperBound) + beside }
    }

    /// Whether a place of the trace is in or beside a hole of one of some differences.
    func hide(_ place: Int, _ asked: [Int]) -> Bool {
        hidden(asked).contains { $0.contains(place) }
    }

    /// The places among `window` that no hole of the differences `asked` hides, in order.
    func open(_ window: Range<Int>, _ asked: [Int]) -> [Range<Int>] {
        var (found, place) = ([Range<Int>](), window.lowerBound)
        for hole in hidden(asked).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if hole.lowerBound >= window.upperBound { break }
            if hole.lowerBound > place { found.append(place..<hole.lowerBound) }
            place = max(place, hole.upperBound)
        }
        if place < window.upperBound { found.append(place..<window.upperBound) }
        return found
    }

    /// Whether there is no hole at all that hides any of `window`, in whatever difference.
    func isOpen(_ window: Range<Int>) -> Bool {
        if missing.isEmpty, rows.allSatisfy({ $0.still.isEmpty && taken - $0.since < least }) { return true }
        return !hidden(Array(rows.indices)).contains { $0.overlaps(window) }
    }

    /// The places of the trace that holes of some differences hide.
    private func hidden(_ asked: [Int]) -> [Range<Int>] {
        var found = missing.map { places($0, beside: Self.besideMissing) }
        for row in asked {
            found += rows[row].still.map { places($0, beside: Self.besideStill) }
            let isStill = rows[row].last.isFinite && taken - rows[row].since >= least
            if isStill { found.append(places(rows[row].since..<taken, beside: Self.besideStill)) }
        }
        return found
    }

    /// The places of frames and of those `beside` seconds next to them.
    private func places(_ frames: Range<Int>, beside: Seconds) -> Range<Int> {
        let beside = Int(beside * sampleRate)
        return (frames.lowerBound - beside + step - 1) / step..<(frames.upperBound + beside - 1) / step + 1
    }
}
