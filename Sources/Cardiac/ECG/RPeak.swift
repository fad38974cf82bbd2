import CVectors

/// Finds the fiducial point of a QRS complex: the top of its largest deflection from the baseline, or of the first
/// where several are about as large.
struct RPeak {
    /// Low-rate samples searched to each side, and averaged to each side for the baseline.
    private let search: Int
    private let baseline: Int
    /// What an input sample counts by its distance from where the top is read. Of complexes it is the mean over a period of
    /// 50 Hz of means over one of 60 Hz, so that the mains' hum moves no top.
    private let complexWeights: [Float]
    /// Of waves that look like none before, as those of flutter and of noise, which are lopsided: long means would draw
    /// their tops to the flatter side. A triangle of 8 ms to each side.
    private let waveWeights: [Float]
    /// The mean of low-rate samples over a period between those of 50 and 60 Hz: hum does not choose between two tops of a
    /// complex.
    private let lowWeights: [Float]
    private let factor: Int
    /// How far a beat's peak may lie from where its shape's usually is, in low-rate samples.
    private let reach: Int

    /// True where only upward deflections are looked for where there is one.
    private let isUpward: Bool
    /// An upward deflection is an R wave from this share of the largest deflection on.
    private static let leastUpward: Float = 0.2

    init(_ frame: ECGFrame, fiducial: ECGBeatDetector.Parameters.Fiducial = .largestDeflection) {
        isUpward = fiducial == .rPeak
        search = max(2, Int((frame.lowRate * 0.08).rounded()))
        baseline = max(2, Int((frame.lowRate * 0.08).rounded()))
        complexWeights = Self.weights(frame.sampleRate / 50, frame.sampleRate / 60)
        let short = 1 + max(1, (frame.sampleRate * 0.008).rounded())
        waveWeights = Self.weights(short, short)
        lowWeights = Self.weights(frame.lowRate / 55, 1)
        factor = frame.factor
        reach = max(1, Int((frame.lowRate * 0.012).rounded()))
    }

    /// Low-rate samples needed to each side of the wavelet's peak.
    var lowReach: Int { search + baseline + 2 + lowWeights.count }
    /// Input samples needed to each side.
    var inputReach: Int { (search + 3) * factor + max(complexWeights.count, waveWeights.count) + 1 }

    /// A mean over `long` samples of means over `short`; a sample that a mean reaches in part counts in part.
    private static func weights(_ long: Double, _ short: Double) -> [Float] {
        /// How much of the sample at a distance lies within a mean of this length.
        func share(_ distance: Int, _ length: Double) -> Double {
            min(1, max(0, length / 2 + 0.5 - Double(abs(distance))))
        }
        let reach = Int((long / 2 + 0.5).rounded(.up)) + Int((short / 2 + 0.5).rounded(.up))
        let all = (0...reach).map { distance in
            Float((-reach...reach).reduce(0) { $0 + share($1, long) * share(distance - $1, short) } / (long * short))
        }
        return Array(all.prefix { $0 > 1e-6 })
    }

    /// Slots searched: one more at either end, so that a top can be told from an edge.
    private var count: Int { 2 * search + 3 }
    /// Room that `deflect` needs.
    var room: Int { count + 8 }
    /// Low-rate samples from the first slot back, and from the last one on, that a baseline is made of.
    private var margin: Int { baseline + 1 }

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

    /// Leaves only upward deflections where the R wave is looked for and there is one.
    /// - Returns: how far the largest that is left goes; `largest` where all are.
    func keepUpward(_ deflections: UnsafeMutablePointer<Float>, largest: Float) -> Float {
        guard isUpward else { return largest }
        var highest: Float = 0
        for index in 1..<count - 1 { highest = max(highest, deflections[index]) }
        guard highest >= Self.leastUpward * largest else { return largest }
        for index in 0..<count where deflections[index] < 0 { deflections[index] = 0 }
        return highest
    }

    /// As `deflect`, of the signal without hum.
    func deflectWithoutHum(
        _ low: UnsafePointer<Float>, around center: Int, into deflections: UnsafeMutablePointer<Float>
    ) -> Float {
        let all = count + 2 * margin
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: all + 16) { memory in
            let smooth = memory.baseAddress.unsafelyUnwrapped
            lowWeights.withUnsafeBufferPointer { weights in
                marey_smooth(
                    low + (center - search - 1 - margin), Int32(all + 8), weights.baseAddress.unsafelyUnwrapped,
                    Int32(weights.count - 1), smooth)
            }
            return marey_deflect(smooth + margin, Int32(baseline), Int32(count), deflections)
        }
    }

    /// The place of the R peak in input samples of the run, between samples.
    /// - Parameters:
    ///   - deflections: what `deflect` wrote about `center`.
    ///   - largest: what it gave.
    ///   - isComplex: whether it looks like complexes before it.
    ///   - habit: where beats of this shape have had it, so that of two tops of about the same size it is always the same
    ///     one.
    func locate(
        around center: Int, _ deflections: UnsafePointer<Float>, largest: Float, isComplex: Bool,
        habit: inout RPeakHabit,
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
        return refine(
            (place + origin) * factor, deflections[index] < 0 ? -1 : 1, isComplex ? complexWeights : waveWeights, input)
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
    private func refine(_ start: Int, _ sign: Float, _ weights: [Float], _ input: UnsafePointer<Float>) -> Double {
        let reach = factor + 1
        let first = start - reach
        let top = weights.withUnsafeBufferPointer { weights in
            marey_smooth_top(
                input + first, Int32(2 * reach + 1), weights.baseAddress.unsafelyUnwrapped, Int32(weights.count - 1),
                input[start], sign)
        }
        let place = first + Int(top.place)
        let curvature = top.before - 2 * top.height + top.after
        guard curvature < 0, top.height >= top.before, top.height >= top.after else { return Double(place) }
        return Double(place) + Double(0.5 * (top.before - top.after) / curvature)
    }
}
