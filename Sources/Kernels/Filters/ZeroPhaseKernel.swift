import CVectors

/// The inner loops of four channels: up to four sections at once are enough work for the processor while it waits for a
/// recursion, and few enough for its registers.
///
/// Products and sums are rounded once (fused), by instruction or, on processors without it, by the C library: slower there,
/// and the same to the bit.
struct ZeroPhaseKernel {
    /// A section whose leading coefficient is 1, in every lane.
    struct Section {
        private let b1, b2, a1, a2: Double4
        /// The opposite of `a2`.
        private let a2Opposite: Double4
        /// Whether it has a zero at 0 Hz and one at half the sample rate, as those of a band-pass have.
        let isOfBand: Bool

        init(_ c: Biquad) {
            (b1, b2) = (Double4(repeating: c.b1), Double4(repeating: c.b2))
            (a1, a2) = (Double4(repeating: -c.a1), Double4(repeating: -c.a2))
            a2Opposite = Double4(repeating: c.a2)
            isOfBand = c.b1 == 0 && c.b2 == -1
        }

        /// Its next value; the newest one before enters last, as it alone is waited for.
        @inline(__always)
        func next(_ x: Double4, _ x1: Double4, _ x2: Double4, _ y1: Double4, _ y2: Double4) -> Double4 {
            let older = Double4(marey_fused(y2.v, a2.v, marey_fused(x1.v, b1.v, (x2 * b2).v)))
            return Double4(marey_fused(y1.v, a1.v, (x + older).v))
        }

        /// The same where `isOfBand`, with as little arithmetic as its zeros ask for.
        @inline(__always)
        func nextOfBand(_ x: Double4, _ x1: Double4, _ x2: Double4, _ y1: Double4, _ y2: Double4) -> Double4 {
            let older = Double4(marey_fused(y2.v, a2Opposite.v, x2.v))
            return Double4(marey_fused(y1.v, a1.v, (x - older).v))
        }
    }

    /// Past input and output of a section.
    typealias State = CascadeKernel.State<Double4>

    /// What the input is multiplied with.
    let scale: Double
    /// One, two or four.
    let sections: UnsafeBufferPointer<Section>
    let count: Int

    /// From some frames to others, or in place.
    func run<F: FourChannels, T: FourChannels>(_ from: F, _ to: T, _ state: UnsafeMutablePointer<State>) {
        guard let c = sections.baseAddress else { return }
        if sections.count == 4, sections.allSatisfy(\.isOfBand) {
            four(from, to, c, state)
        } else if sections.count == 2 {
            two(from, to, c, state)
        } else {
            one(from, to, c, state)
        }
    }

    @inline(__always)
    private func one<F: FourChannels, T: FourChannels>(
        _ from: F, _ to: T, _ c: UnsafePointer<Section>, _ state: UnsafeMutablePointer<State>
    ) {
        let c0 = c[0]
        var (p1, p2, q1, q2) = (state[0].x1, state[0].x2, state[0].y1, state[0].y2)
        for index in 0..<count {
            let p = from.read(index) * scale
            let q = c0.next(p, p1, p2, q1, q2)
            to.write(index, q)
            (p2, p1, q2, q1) = (p1, p, q1, q)
        }
        state[0].set(p1, p2, q1, q2)
    }

    @inline(__always)
    private func two<F: FourChannels, T: FourChannels>(
        _ from: F, _ to: T, _ c: UnsafePointer<Section>, _ state: UnsafeMutablePointer<State>
    ) {
        let (c0, c1) = (c[0], c[1])
        var (p1, p2, q1, q2) = (state[0].x1, state[0].x2, state[0].y1, state[0].y2)
        var (r1, r2) = (state[1].y1, state[1].y2)
        for index in 0..<count {
            let p = from.read(index) * scale
            let q = c0.next(p, p1, p2, q1, q2)
            let r = c1.next(q, q1, q2, r1, r2)
            to.write(index, r)
            (p2, p1, q2, q1, r2, r1) = (p1, p, q1, q, r1, r)
        }
        state[0].set(p1, p2, q1, q2)
        state[1].set(q1, q2, r1, r2)
    }

    @inline(__always)
    private func four<F: FourChannels, T: FourChannels>(
        _ from: F, _ to: T, _ c: UnsafePointer<Section>, _ state: UnsafeMutablePointer<State>
    ) {
        let (c0, c1, c2, c3) = (c[0], c[1], c[2], c[3])
        var (p1, p2, q1, q2) = (state[0].x1, state[0].x2, state[0].y1, state[0].y2)
        var (r1, r2, s1, s2) = (state[1].y1, state[1].y2, state[2].y1, state[2].y2)
        var (t1, t2) = (state[3].y1, state[3].y2)
        for index in 0..<count {
            let p = from.read(index) * scale
            let q = c0.nextOfBand(p, p1, p2, q1, q2)
            let r = c1.nextOfBand(q, q1, q2, r1, r2)
            let s = c2.nextOfBand(r, r1, r2, s1, s2)
            let t = c3.nextOfBand(s, s1, s2, t1, t2)
            to.write(index, t)
            (p2, p1, q2, q1, r2, r1) = (p1, p, q1, q, r1, r)
            (s2, s1, t2, t1) = (s1, s, t1, t)
        }
        state[0].set(p1, p2, q1, q2)
        state[1].set(q1, q2, r1, r2)
        state[2].set(r1, r2, s1, s2)
        state[3].set(s1, s2, t1, t2)
    }
}

/// Successive instants of four channels.
protocol FourChannels {
    func read(_ index: Int) -> Double4
    func write(_ index: Int, _ values: Double4)
}

/// In double precision.
struct Frames: FourChannels {
    private let base: UnsafeMutablePointer<Double4>

    init(_ base: UnsafeMutablePointer<Double4>) { self.base = base }

    @inline(__always)
    func read(_ index: Int) -> Double4 { base[index] }

    @inline(__always)
    func write(_ index: Int, _ values: Double4) { base[index] = values }

    func set(_ index: Int, _ channel: Int, _ value: Double) { base[index].v[channel] = value }

    func reverse(_ count: Int) {
        var frames = UnsafeMutableBufferPointer(start: base, count: count)
        frames.reverse()
    }
}

/// As samples are.
struct NarrowFrames: FourChannels {
    let base: UnsafeMutablePointer<Float>

    init(_ base: UnsafeMutablePointer<Float>) { self.base = base }

    @inline(__always)
    func read(_ index: Int) -> Double4 {
        Double4(marey_wide(UnsafeRawPointer(base + 4 * index).loadUnaligned(as: SIMD4<Float>.self)))
    }

    @inline(__always)
    func write(_ index: Int, _ values: Double4) {
        UnsafeMutableRawPointer(base + 4 * index).storeBytes(of: marey_narrow(values.v), as: SIMD4<Float>.self)
    }
}
