import CVectors

/// The inner loops of four channels: up to four sections at once, so that the processor has work while it waits for a
/// recursion.
///
/// Products and sums are rounded once (fused), by instruction or, on processors without it, by the C library: slower there,
/// and the same to the bit.
struct ZeroPhaseKernel {
    /// A section whose leading coefficient is 1, in every lane.
    struct Section {
        private let b1, b2, a2: Double4
        fileprivate let a1: Double4
        /// The opposite of `a2`.
        fileprivate let a2Opposite: Double4
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
    }

    /// Past input and output of a section.
    typealias State = CascadeKernel.State<Double4>

    /// What the input is multiplied with.
    let scale: Double
    /// One, two or, of a band, four; as `together` says.
    let sections: UnsafeBufferPointer<Section>
    let count: Int

    /// From some frames to others, or in place.
    func run<F: FourChannels, T: FourChannels>(_ from: F, _ to: T, _ state: UnsafeMutablePointer<State>) {
        guard let c = sections.baseAddress else { return }
        switch sections.count {
        case 4: band(from, to, c, state)
        case 2: two(from, to, c, state)
        default: one(from, to, c, state)
        }
    }

    /// How many of the sections left can run at once on as many frames.
    static func together(_ left: Slice<UnsafeBufferPointer<Section>>, _ count: Int) -> Int {
        left.count >= 4 && left.prefix(4).allSatisfy(\.isOfBand) && count > Band.delay ? 4 : min(left.count, 2)
    }

    /// The frames that `next` makes of these, four instants at a time as far as they go.
    @inline(__always)
    private func each<F: FourChannels, T: FourChannels>(_ from: F, _ to: T, _ next: (Double4) -> Double4) {
        var index = 0
        while index + 4 <= count {
            var now = from.four(index)
            now.0 = next(now.0)
            now.1 = next(now.1)
            now.2 = next(now.2)
            now.3 = next(now.3)
            to.set(index, now)
            index += 4
        }
        while index < count {
            to.write(index, next(from.read(index)))
            index += 1
        }
    }

    @inline(__always)
    private func one<F: FourChannels, T: FourChannels>(
        _ from: F, _ to: T, _ c: UnsafePointer<Section>, _ state: UnsafeMutablePointer<State>
    ) {
        let c0 = c[0]
        var (p1, p2, q1, q2) = (state[0].x1, state[0].x2, state[0].y1, state[0].y2)
        each(from, to) { x in
            let p = x * scale
            let q = c0.next(p, p1, p2, q1, q2)
            (p2, p1, q2, q1) = (p1, p, q1, q)
            return q
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
        each(from, to) { x in
            let p = x * scale
            let q = c0.next(p, p1, p2, q1, q2)
            let r = c1.next(q, q1, q2, r1, r2)
            (p2, p1, q2, q1, r2, r1) = (p1, p, q1, q, r1, r)
            return r
        }
        state[0].set(p1, p2, q1, q2)
        state[1].set(q1, q2, r1, r2)
    }

    private func band<F: FourChannels, T: FourChannels>(
        _ from: F, _ to: T, _ c: UnsafePointer<Section>, _ state: UnsafeMutablePointer<State>
    ) {
        var band = Band(c, state)
        for index in 0..<Band.delay { band.fill(from.read(index) * scale, index) }
        var index = Band.delay
        while index + 4 < count {
            var now = from.four(index)
            now.0 = band.next(now.0 * scale)
            now.1 = band.next(now.1 * scale)
            now.2 = band.next(now.2 * scale)
            now.3 = band.next(now.3 * scale)
            to.set(index - Band.delay, now)
            index += 4
        }
        let (last, before) = (from.read(count - 1) * scale, from.read(count - 2) * scale)
        while index < count {
            to.write(index - Band.delay, band.last(from.read(index) * scale))
            index += 1
        }
        for index in 0..<Band.delay { to.write(count - Band.delay + index, band.drain(index)) }
        band.save(state, last, before)
    }

    /// Four sections of a band-pass, each an instant behind the one before it: what a section takes has been ready since
    /// the last instant, and only its own recursion is waited for.
    private struct Band {
        /// How many instants the last section is behind the first.
        static let delay = 3

        private var first, second, third, fourth: Stage
        private var sections: UnsafePointer<Section>

        @inline(__always)
        init(_ sections: UnsafePointer<Section>, _ state: UnsafePointer<State>) {
            self.sections = sections
            first = Stage(sections[0], state[0])
            second = Stage(sections[1], state[1])
            third = Stage(sections[2], state[2])
            fourth = Stage(sections[3], state[3])
        }

        /// What the last section gives `delay` instants after what it gives it of came in.
        @inline(__always)
        mutating func next(_ x: Double4) -> Double4 {
            // Sixteen registers hold the stages and no more.
            sections = marey_anew(sections).unsafelyUnwrapped.assumingMemoryBound(to: Section.self)
            fourth.take(third.y, sections + 3)
            third.take(second.y, sections + 2)
            second.take(first.y, sections + 1)
            first.take(x, sections)
            return fourth.y
        }

        /// One of the last instants: as `next`, and stages know their value before.
        @inline(__always)
        mutating func last(_ x: Double4) -> Double4 {
            (first.before, second.before, third.before, fourth.before) = (first.y, second.y, third.y, fourth.y)
            return next(x)
        }

        /// One of the first `delay` instants.
        @inline(__always)
        mutating func fill(_ x: Double4, _ instant: Int) {
            if instant > 1 { third.take(second.y, sections + 2) }
            if instant > 0 { second.take(first.y, sections + 1) }
            first.take(x, sections)
        }

        /// What comes after the last instant, `delay` times.
        @inline(__always)
        mutating func drain(_ instant: Int) -> Double4 {
            fourth.before = fourth.y
            fourth.take(third.y, sections + 3)
            if instant < 2 {
                third.before = third.y
                third.take(second.y, sections + 2)
            }
            if instant < 1 {
                second.before = second.y
                second.take(first.y, sections + 1)
            }
            return fourth.y
        }

        /// - Parameters:
        ///   - last: the newest input.
        ///   - before: the one before.
        @inline(__always)
        func save(_ state: UnsafeMutablePointer<State>, _ last: Double4, _ before: Double4) {
            state[0].set(last, before, first.y, first.before)
            state[1].set(first.y, first.before, second.y, second.before)
            state[2].set(second.y, second.before, third.y, third.before)
            state[3].set(third.y, third.before, fourth.y, fourth.before)
        }
    }

    /// A section of a band-pass: with as little arithmetic as its zeros ask for.
    private struct Stage {
        /// Its newest value, and the one before where that was asked for.
        var y, before: Double4
        /// What older values take from the next value, and from the one after.
        private var older, next: Double4

        @inline(__always)
        init(_ c: Section, _ state: State) {
            (y, before) = (state.y1, state.y2)
            older = Double4(marey_fused(state.y2.v, c.a2Opposite.v, state.x2.v))
            next = Double4(marey_fused(state.y1.v, c.a2Opposite.v, state.x1.v))
        }

        @inline(__always)
        mutating func take(_ x: Double4, _ c: UnsafePointer<Section>) {
            y = Double4(marey_fused(y.v, c.pointee.a1.v, (x - older).v))
            older = next
            next = Double4(marey_fused(y.v, c.pointee.a2Opposite.v, x.v))
        }
    }
}
