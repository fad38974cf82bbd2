import CVectors

/// The low-pass of a change of rate by a whole ratio, sorted by phases: what each output needs lies together.
///
/// Zero-stuffing by `up`, a linear-phase low-pass, every `down`-th value kept. Crochiere & Rabiner, Multirate Digital
/// Signal Processing, chapter 3.
struct Polyphase<V: LaneVector>: Sendable where V: Sendable, V.Scalar: Sendable {
    let ratio: RateRatio
    /// How many inputs beyond the one at its own time an output needs.
    let ahead: Int
    /// How many inputs an output is made of, a multiple of the vector's width.
    let count: Int
    /// Per phase the taps for the inputs in rising order.
    private let taps: [V.Scalar]
    private let halfLength: Int

    /// The design of `scipy.signal.resample_poly`: Kaiser window, ten zero crossings on each side.
    init(_ ratio: RateRatio, beta: Double) {
        self.ratio = ratio
        let widest = max(ratio.up, ratio.down)
        halfLength = widest == 1 ? 0 : 10 * widest
        let design = Self.lowpass(half: halfLength, cutoff: 1 / Double(widest), beta: beta)
        ahead = halfLength / ratio.up + 1
        let reach = 2 * (halfLength / ratio.up) + 2
        count = (reach + V.width - 1) / V.width * V.width
        var taps = [V.Scalar](repeating: 0, count: count * ratio.up)
        for phase in 0..<ratio.up {
            // Output at input time t + phase/up: its last input is t + ahead, its first count − 1 before that.
            for place in 0..<count {
                let input = ahead - (count - 1) + place
                let index = halfLength + phase - input * ratio.up
                if design.indices.contains(index) {
                    taps[phase * count + place] = V.Scalar(design[index] * Double(ratio.up))
                }
            }
        }
        self.taps = taps
    }

    private static func lowpass(half: Int, cutoff: Double, beta: Double) -> [Double] {
        guard half > 0 else { return [1] }
        let band = FilterBand.lowpass(cutoff / 2)
        let window = Window.kaiser(beta: beta).symmetric(2 * half + 1)
        return FIRDesign.ideal(band, window: window, sampleRate: 1)
    }

    /// The input just before output `index`, and the phase of the output after it.
    @inline(__always)
    func place(_ index: Int) -> (input: Int, phase: Int) {
        // In parts, so that nothing overflows in a long signal.
        let (rounds, rest) = index.quotientAndRemainder(dividingBy: ratio.up)
        let (input, phase) = (rest * ratio.down).quotientAndRemainder(dividingBy: ratio.up)
        return (rounds * ratio.down + input, phase)
    }

    /// How many outputs `inputs` samples give.
    func outputs(_ inputs: Int) -> Int {
        let (rounds, rest) = inputs.quotientAndRemainder(dividingBy: ratio.down)
        return rounds * ratio.up + (rest * ratio.up + ratio.down - 1) / ratio.down
    }

    /// The output of `phase` from its `count` inputs at `x`.
    @inline(never)
    func value(_ x: UnsafePointer<V.Scalar>, phase: Int) -> V {
        taps.withUnsafeBufferPointer { taps in
            guard let h = taps.baseAddress.map({ $0 + phase * count }) else { return V(repeating: 0) }
            var (even, odd) = (V(repeating: 0), V(repeating: 0))
            var place = 0
            while place + V.width < count {
                even = even + V.load(h + place) * V.load(x + place)
                odd = odd + V.load(h + place + V.width) * V.load(x + place + V.width)
                place += 2 * V.width
            }
            if place < count { even = even + V.load(h + place) * V.load(x + place) }
            return even + odd
        }
    }
}

extension Polyphase<Float8> {
    /// Appends successive outputs from inputs of which the first that is needed is the first of `inputs`.
    /// - Precondition: all that is needed is there.
    func append(_ places: Range<Int>, of inputs: Span<Float>, to output: inout [Float]) {
        guard let last = places.last else { return }
        let (first, phase) = place(places.lowerBound)
        precondition(place(last).input - first + count <= inputs.count, "the inputs of all outputs")
        let before = output.count
        output.append(contentsOf: repeatElement(0, count: places.count))
        output.withUnsafeMutableBufferPointer { output in
            taps.withUnsafeBufferPointer { taps in
                inputs.withUnsafeBufferPointer { inputs in
                    guard let x = inputs.baseAddress, let h = taps.baseAddress, let output = output.baseAddress else {
                        return
                    }
                    marey_resample(x, h, count, ratio.up, ratio.down, phase, output + before, places.count)
                }
            }
        }
    }
}
