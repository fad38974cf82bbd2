/// The inner loops of the recursive filters, for one channel (`Double`) or lanes of channels (`Double4`).
///
/// Direct form 1, a recursion of one product and one difference per sample; up to four sections run together, so that
/// the processor fills the waiting time of one with the others, and what one gave before is what the next one took: the
/// delays fit the registers. Each section's arithmetic is in the same order however many run together.
enum CascadeKernel {
    /// Past input and output of a section.
    struct State<V: Lane>: Sendable where V.Scalar == Double {
        var x1, x2, y1, y2: V

        @inline(__always)
        init() {
            (x1, x2) = (V(repeating: 0), V(repeating: 0))
            (y1, y2) = (x1, x2)
        }

        @inline(__always)
        mutating func set(_ x1: V, _ x2: V, _ y1: V, _ y2: V) {
            (self.x1, self.x2, self.y1, self.y2) = (x1, x2, y1, y2)
        }
    }

    /// One section: its next value, of the input, the two inputs before and the two values before.
    @inline(__always)
    private static func next<V: Lane>(_ x: V, _ x1: V, _ x2: V, _ y1: V, _ y2: V, _ c: Biquad) -> V
    where V.Scalar == Double {
        // The newest value enters last: it alone is waited for.
        let forward: V = (x * c.b0 + x1 * c.b1) + x2 * c.b2
        let older: V = forward - y2 * c.a2
        return older - y1 * c.a1
    }

    /// Filters `count` values in place.
    @inline(__always)
    static func run<V: Lane>(
        _ values: UnsafeMutablePointer<V>, _ count: Int, _ sections: UnsafeBufferPointer<Biquad>,
        _ states: UnsafeMutablePointer<State<V>>
    ) where V.Scalar == Double {
        var first = 0
        while first < sections.count {
            switch sections.count - first {
            case 1:
                one(values, count, sections[first], states + first)
                first += 1
            case 2, 3:
                two(values, count, sections[first], sections[first + 1], states + first)
                first += 2
            default:
                four(values, count, sections.baseAddress.unsafelyUnwrapped + first, states + first)
                first += 4
            }
        }
    }

    @inline(__always)
    private static func one<V: Lane>(
        _ values: UnsafeMutablePointer<V>, _ count: Int, _ c: Biquad, _ states: UnsafeMutablePointer<State<V>>
    ) where V.Scalar == Double {
        var (p1, p2, q1, q2) = (states[0].x1, states[0].x2, states[0].y1, states[0].y2)
        for index in 0..<count {
            let p = values[index]
            let q = next(p, p1, p2, q1, q2, c)
            values[index] = q
            (p2, p1, q2, q1) = (p1, p, q1, q)
        }
        states[0].set(p1, p2, q1, q2)
    }

    @inline(__always)
    private static func two<V: Lane>(
        _ values: UnsafeMutablePointer<V>, _ count: Int, _ c0: Biquad, _ c1: Biquad,
        _ states: UnsafeMutablePointer<State<V>>
    ) where V.Scalar == Double {
        var (p1, p2, q1, q2) = (states[0].x1, states[0].x2, states[0].y1, states[0].y2)
        var (r1, r2) = (states[1].y1, states[1].y2)
        for index in 0..<count {
            let p = values[index]
            let q = next(p, p1, p2, q1, q2, c0)
            let r = next(q, q1, q2, r1, r2, c1)
            values[index] = r
            (p2, p1, q2, q1, r2, r1) = (p1, p, q1, q, r1, r)
        }
        states[0].set(p1, p2, q1, q2)
        states[1].set(q1, q2, r1, r2)
    }

    @inline(__always)
    private static func four<V: Lane>(
        _ values: UnsafeMutablePointer<V>, _ count: Int, _ c: UnsafePointer<Biquad>,
        _ states: UnsafeMutablePointer<State<V>>
    ) where V.Scalar == Double {
        let (c0, c1, c2, c3) = (c[0], c[1], c[2], c[3])
        var (p1, p2, q1, q2) = (states[0].x1, states[0].x2, states[0].y1, states[0].y2)
        var (r1, r2, s1, s2) = (states[1].y1, states[1].y2, states[2].y1, states[2].y2)
        var (t1, t2) = (states[3].y1, states[3].y2)
        for index in 0..<count {
            let p = values[index]
            let q = next(p, p1, p2, q1, q2, c0)
            let r = next(q, q1, q2, r1, r2, c1)
            let s = next(r, r1, r2, s1, s2, c2)
            let t = next(s, s1, s2, t1, t2, c3)
            values[index] = t
            (p2, p1, q2, q1, r2, r1) = (p1, p, q1, q, r1, r)
            (s2, s1, t2, t1) = (s1, s, t1, t)
        }
        states[0].set(p1, p2, q1, q2)
        states[1].set(q1, q2, r1, r2)
        states[2].set(r1, r2, s1, s2)
        states[3].set(s1, s2, t1, t2)
    }

    /// Values this small are silence, and as subnormal numbers would slow the processor a hundredfold.
    static let silence = 1e-200
    /// Silence is looked for each time so many samples of the signal have passed, wherever its chunks end.
    static let quietEvery = 256

    static func quiet(_ states: UnsafeMutableBufferPointer<State<Double>>) {
        for index in states.indices where max(abs(states[index].y1), abs(states[index].y2)) < silence {
            states[index].y1 = 0
            states[index].y2 = 0
        }
    }

    static func quiet(_ states: UnsafeMutableBufferPointer<State<Double4>>) {
        for index in states.indices { quiet(&states[index]) }
    }

    static func quiet(_ state: inout State<Double4>) {
        for lane in 0..<4 where max(abs(state.y1.v[lane]), abs(state.y2.v[lane])) < silence {
            state.y1.v[lane] = 0
            state.y2.v[lane] = 0
        }
    }
}
