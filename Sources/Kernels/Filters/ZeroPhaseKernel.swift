import CVectors

/// The inner loops: both halves of eight channels and two sections at once are enough work for the processor while it
/// waits for a recursion, and few enough for its registers.
struct ZeroPhaseKernel {
    /// What the input is multiplied with; nil for nothing.
    let scale: Double?
    /// Sections whose leading coefficient is 1.
    let first: Biquad
    let second: Biquad?
    let count: Int

    /// What a section's next value lacks of its input but for its last value, which alone is waited for.
    private typealias Past = (_ x1: Double4, _ x2: Double4, _ y2: Double4, _ c: Biquad) -> Double4

    @inline(__always)
    private static func past(_ x1: Double4, _ x2: Double4, _ y2: Double4, _ c: Biquad) -> Double4 {
        y2 * c.a2 - (x1 * c.b1 + x2 * c.b2)
    }

    /// Of a section that has a zero at 0 Hz and one at half the sample rate, as those of a band-pass have.
    @inline(__always)
    private static func pastOfBand(_ x1: Double4, _ x2: Double4, _ y2: Double4, _ c: Biquad) -> Double4 {
        y2 * c.a2 + x2
    }

    private static func isOfBand(_ c: Biquad) -> Bool { c.b1 == 0 && c.b2 == -1 }

    /// From some frames to others, or in place, with as little arithmetic as the sections' zeros ask for.
    func run<F: EightChannels, T: EightChannels>(_ from: F, _ to: T, _ state: UnsafeMutablePointer<ZeroPhaseState>) {
        if let scale {
            run(from, to, state) { $0 * scale }
        } else {
            run(from, to, state) { $0 }
        }
    }

    @inline(__always)
    private func run<F: EightChannels, T: EightChannels>(
        _ from: F, _ to: T, _ state: UnsafeMutablePointer<ZeroPhaseState>, _ scaled: (Double4) -> Double4
    ) {
        guard let second else { return one(from, to, state, scaled) }
        if Self.isOfBand(first), Self.isOfBand(second) {
            two(from, to, second, state, scaled, Self.pastOfBand)
        } else {
            two(from, to, second, state, scaled, Self.past)
        }
    }

    @inline(__always)
    private func one<F: EightChannels, T: EightChannels>(
        _ from: F, _ to: T, _ state: UnsafeMutablePointer<ZeroPhaseState>, _ scaled: (Double4) -> Double4
    ) {
        let c = first
        var (a, b) = (state[0].low, state[0].high)
        for index in 0..<count {
            var (x, u) = from.read(index)
            (x, u) = (scaled(x), scaled(u))
            let y = (x - Self.past(a.x1, a.x2, a.y2, c)) - a.y1 * c.a1
            let v = (u - Self.past(b.x1, b.x2, b.y2, c)) - b.y1 * c.a1
            to.write(index, y, v)
            a.set(x, a.x1, y, a.y1)
            b.set(u, b.x1, v, b.y1)
        }
        (state[0].low, state[0].high) = (a, b)
    }

    @inline(__always)
    private func two<F: EightChannels, T: EightChannels>(
        _ from: F, _ to: T, _ d: Biquad, _ state: UnsafeMutablePointer<ZeroPhaseState>,
        _ scaled: (Double4) -> Double4, _ past: Past
    ) {
        let c = first
        var (a, b) = (state[0].low, state[0].high)
        var (y1, y2, v1, v2) = (state[1].low.y1, state[1].low.y2, state[1].high.y1, state[1].high.y2)
        for index in 0..<count {
            var (x, u) = from.read(index)
            (x, u) = (scaled(x), scaled(u))
            let m = (x - past(a.x1, a.x2, a.y2, c)) - a.y1 * c.a1
            let n = (u - past(b.x1, b.x2, b.y2, c)) - b.y1 * c.a1
            let y = (m - past(a.y1, a.y2, y2, d)) - y1 * d.a1
            let v = (n - past(b.y1, b.y2, v2, d)) - v1 * d.a1
            to.write(index, y, v)
            a.set(x, a.x1, m, a.y1)
            b.set(u, b.x1, n, b.y1)
            (y2, y1, v2, v1) = (y1, y, v1, v)
        }
        (state[0].low, state[0].high) = (a, b)
        state[1].low.set(a.y1, a.y2, y1, y2)
        state[1].high.set(b.y1, b.y2, v1, v2)
    }
}

/// Past input and output of a section, for channels 0 to 3, and for 4 to 7.
struct ZeroPhaseState {
    var low = CascadeKernel.State<Double4>()
    var high = CascadeKernel.State<Double4>()
}

/// Successive instants of eight channels.
protocol EightChannels {
    /// Channels 0 to 3 and 4 to 7 at an instant.
    func read(_ index: Int) -> (Double4, Double4)
    func write(_ index: Int, _ low: Double4, _ high: Double4)
}

/// In double precision.
struct Frames: EightChannels {
    private let base: UnsafeMutablePointer<Double4>

    init(_ base: UnsafeMutablePointer<Double4>) { self.base = base }

    @inline(__always)
    func read(_ index: Int) -> (Double4, Double4) { (base[2 * index], base[2 * index + 1]) }

    @inline(__always)
    func write(_ index: Int, _ low: Double4, _ high: Double4) {
        (base[2 * index], base[2 * index + 1]) = (low, high)
    }

    func set(_ index: Int, _ channel: Int, _ value: Double) { base[2 * index + channel / 4].v[channel % 4] = value }

    func reverse(_ count: Int) {
        for index in 0..<count / 2 {
            let (here, there) = (read(index), read(count - 1 - index))
            write(index, there.0, there.1)
            write(count - 1 - index, here.0, here.1)
        }
    }
}

/// As samples are.
struct NarrowFrames: EightChannels {
    let base: UnsafeMutablePointer<Float>

    init(_ base: UnsafeMutablePointer<Float>) { self.base = base }

    @inline(__always)
    func read(_ index: Int) -> (Double4, Double4) {
        let values = Float8.load(base + 8 * index)
        return (Double4(marey_wide_low(values.v)), Double4(marey_wide_high(values.v)))
    }

    @inline(__always)
    func write(_ index: Int, _ low: Double4, _ high: Double4) {
        Float8(marey_narrow(low.v, high.v)).store(base + 8 * index)
    }
}
