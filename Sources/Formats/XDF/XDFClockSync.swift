import Signals

/// How a stream's clock maps to the recorder's clock: a line for each stretch between two resets of the stream's clock.
///
/// The lines, the places of the resets and the moments at which one line takes over from another are those of pyxdf 1.17
/// with its defaults, to which the files of the world are tuned: a reset is where the clock offsets' collection times run
/// backwards, or jump by more than 5 s and 5 deviations while the offsets jump by more than 1 s and 10 (in pyxdf's code
/// 5) deviations; a line is fitted with Huber's loss, quadratic up to 0.1 ms.
struct XDFClockSync {
    /// One stretch.
    struct Piece: Hashable {
        /// The offset at stream time 0 and its slope: recorder time = t + intercept + slope · t.
        var intercept: Double
        var slope: Double
        /// Stream time of the stretch's last clock offset.
        var end: Seconds
        /// Stream time of the next stretch's first clock offset.
        var next: Seconds
    }

    /// The stretches in the order of the file; empty when there are no clock offsets.
    var pieces: [Piece] = []

    /// The loss is quadratic up to this many seconds.
    static let huberWidth = 0.0001

    /// Four days of clock offsets; of more only some are used, which keeps the fit from taking for ever.
    private static let mostOffsets = 1 << 16

    init() {}

    init(times: [Seconds], values: [Seconds]) {
        guard !times.isEmpty else { return }
        var (times, values) = (times, values)
        if times.count > Self.mostOffsets {
            let step = (times.count - 1) / Self.mostOffsets + 1
            let kept = stride(from: 0, to: times.count, by: step)
            (times, values) = (kept.map { times[$0] }, kept.map { values[$0] })
        }
        var first = 0
        for stop in Self.resets(times, values) + [times.count] {
            let range = first..<stop
            let line = Self.line(times[range], values[range])
            pieces.append(
                Piece(
                    intercept: line.intercept, slope: line.slope, end: times[stop - 1],
                    next: stop < times.count ? times[stop] : .infinity))
            first = stop
        }
    }

    /// Maps stamps one after the other, in the order of the file.
    struct Cursor {
        private let pieces: [Piece]
        /// The stretch of the last stamp.
        private(set) var piece = 0

        init(_ sync: XDFClockSync) {
            pieces = sync.pieces
        }

        /// Recorder time of the next stamp.
        mutating func map(_ stamp: Seconds) -> Seconds {
            guard !pieces.isEmpty else { return stamp }
            while piece + 1 < pieces.count, abs(stamp - pieces[piece].end) >= abs(stamp - pieces[piece].next) {
                piece += 1
            }
            let time = stamp + (pieces[piece].intercept + pieces[piece].slope * stamp)
            // A line through offsets that make no sense leads anywhere.
            return time.isPlaceable ? time : stamp
        }
    }

    // MARK: resets

    /// The indices at which a new stretch begins.
    private static func resets(_ times: [Seconds], _ values: [Seconds]) -> [Int] {
        guard times.count > 1 else { return [] }
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        let jumps = zip(values.dropFirst(), values).map { $0 - $1 }
        let late = glitches(steps, deviations: 5, seconds: 5)
        let shifted = glitches(jumps, deviations: 10, seconds: 1)
        return steps.indices.filter { steps[$0] < 0 || late[$0] && shifted[$0] }.map { $0 + 1 }
    }

    private static func glitches(_ steps: [Double], deviations: Double, seconds: Double) -> [Bool] {
        let middle = median(steps)
        let away = steps.map { abs($0 - middle) }
        let deviation = median(away) + Double.ulpOfOne
        return away.map { $0 / deviation > deviations && $0 > seconds }
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return .nan }
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : half == 0 ? last : (sorted[half - 1] + sorted[half]) / 2
    }

    // MARK: lines

    private static func line(
        _ times: ArraySlice<Seconds>, _ values: ArraySlice<Seconds>
    ) -> (intercept: Double, slope: Double) {
        guard times.count > 1 else { return (values.first ?? 0, 0) }
        let x = times.map { $0 / huberWidth }
        let y = values.map { $0 / huberWidth }
        guard let fit = RobustLine.fit(x, y) else { return (0, 0) }
        return (fit.intercept * huberWidth, fit.slope)
    }
}

/// A line with Huber's loss, quadratic up to 1, by 1 000 steps of the alternating direction method of multipliers with
/// ρ = 1 (Boyd et al., Found. Trends Mach. Learn. 3:1, 2011, section 6.1.1), from 0 on, as readers of XDF do.
enum RobustLine {
    static func fit(_ times: [Double], _ y: [Double]) -> (intercept: Double, slope: Double)? {
        guard let offset = times.min() else { return nil }
        let x = times.map { $0 - offset }
        let count = Double(x.count)
        let sum = x.reduce(0, +)
        let squares = x.reduce(0) { $0 + $1 * $1 }
        // Cholesky factor of the normal equations; none when all times are the same.
        let a = count.squareRoot()
        let b = sum / a
        let rest = squares - b * b
        guard rest > 0, rest.isFinite, a > 0 else { return nil }
        let c = rest.squareRoot()
        var z = [Double](repeating: 0, count: x.count)
        var u = z
        var intercept = 0.0
        var slope = 0.0
        for _ in 0..<1_000 {
            var first = 0.0
            var second = 0.0
            for i in x.indices {
                let value = y[i] + z[i] - u[i]
                first += value
                second += value * x[i]
            }
            let lower = first / a
            let upper = (second - b * lower) / c
            slope = upper / c
            intercept = (lower - b * slope) / a
            var isSettled = true
            for i in x.indices {
                let d = intercept + slope * x[i] - y[i] + u[i]
                let shrunk = d == 0 ? 0 : max(0, 1 - 2 / abs(d)) * d
                let new = 0.5 * d + 0.5 * shrunk
                let rest = d - new
                if new != z[i] || rest != u[i] { isSettled = false }
                z[i] = new
                u[i] = rest
            }
            if isSettled { break }
        }
        guard intercept.isFinite, slope.isFinite else { return nil }
        return (intercept - slope * offset, slope)
    }
}
