import CVectors

/// Finds the fiducial point of a QRS complex: the top of its largest deflection from the baseline, or of the first
/// where several are about as large.
struct RPeak {
    /// Low-rate samples searched to each side, and averaged to each side for the baseline.
    private let search: Int
    private let baseline: Int
    /// Input samples averaged to each side, with triangular weights, before the top is read.
    private let smoothing: Int
    private let factor: Int
    /// How far a beat's peak may lie from where its shape's usually is, in low-rate samples.
    private let reach: Int

    init(_ frame: ECGFrame) {
        search = max(2, Int((frame.lowRate * 0.08).rounded()))
        baseline = max(2, Int((frame.lowRate * 0.08).rounded()))
        smoothing = max(1, Int((frame.sampleRate * 0.008).rounded()))
        factor = frame.factor
        reach = max(1, Int((frame.lowRate * 0.012).rounded()))
    }

    /// Low-rate samples needed to each side of the wavelet's peak.
    var lowReach: Int { search + baseline + 2 }
    /// Input samples needed to each side.
    var inputReach: Int { (search + 3) * factor + smoothing + 1 }

    /// Slots searched: one more at either end, so that a top can be told from an edge.
    private var count: Int { 2 * search + 3 }
    /// Room that `deflect` needs.
    var room: Int { count + 8 }

    /// Writes how far the signal lies from the baseline about `center`.
    /// - Returns: how far it goes.
    @inline(__always)
    func deflect(
        _ low: UnsafePointer<Float>, around center: Int, into deflections: UnsafeMutablePointer<Float>
    ) -> Float {
        marey_deflect(
            low + (center &- search &- 1), Int32(truncatingIfNeeded: baseline), Int32(truncatingIfNeeded: count),
            deflections)
    }

    /// The place of the R peak in input samples of the run, between samples.
    /// - Parameters:
    ///   - deflections: what `deflect` wrote about `center`.
    ///   - largest: what it gave.
    ///   - habit: where beats of this shape have had it, so that of two tops of about the same size it is always the same
    ///     one.
    func locate(
        around center: Int, _ deflections: UnsafePointer<Float>, largest: Float, habit: inout RPeakHabit,
        from origin: Int, input: UnsafePointer<Float>
    ) -> Double {
        let count = count
        let first = center - search - 1
        let free = firstTop(of: deflections, count, atLeast: 0.85 * largest)
        let place = habit.choose(free: first + free - origin) { expected in
            let near = expected + origin - first
            var best: Int?
            let span = max(near - reach, 1)..<max(near - reach, 1, min(near + reach, count - 2) + 1)
            for index in span {
                guard isTop(deflections, index), abs(deflections[index]) >= largest / 2 else { continue }
                if abs(deflections[index]) > best.map({ abs(deflections[$0]) }) ?? 0 { best = index }
            }
            return best.map { first + $0 - origin }
        }
        let index = min(max(place + origin - first, 0), count - 1)
        return refine((place + origin) * factor, deflections[index] < 0 ? -1 : 1, input)
    }

    @inline(__always)
    private func isTop(_ deflections: UnsafePointer<Float>, _ index: Int) -> Bool {
        let size = abs(deflections[index])
        return size >= abs(deflections[index - 1]) && size >= abs(deflections[index + 1])
    }

    /// The first top of at least `least`, else the largest deflection.
    private func firstTop(of deflections: UnsafePointer<Float>, _ count: Int, atLeast least: Float) -> Int {
        let top = marey_first_top(deflections, Int32(count), least)
        guard top < 0 else { return Int(top) }
        var largest = 1
        for index in 1..<count - 1 where abs(deflections[index]) > abs(deflections[largest]) { largest = index }
        return largest
    }

    /// Climbs to the top of the smoothed input near `start`.
    @inline(__always)
    private func refine(_ start: Int, _ sign: Float, _ input: UnsafePointer<Float>) -> Double {
        let reach = factor + 1
        let reference = input[start]
        let first = start - reach
        let top = marey_smooth_top(input + first, Int32(2 * reach + 1), Int32(smoothing), reference, sign)
        let (before, height, after) = (top.before, top.height, top.after)
        let place = first + Int(top.place)
        let curvature = before - 2 * height + after
        guard curvature < 0, height >= before, height >= after else { return Double(place) }
        return Double(place) + Double(0.5 * (before - after) / curvature)
    }
}
