/// The inner loops of the recursive filters, for one channel (`Double`) or lanes of channels (`Double8`).
///
/// Direct form 1, a recursion of one product and one difference per sample; up to four sections run together, so that
/// the processor fills the waiting time of one with the others. Each section's arithmetic is in the same order however
/// many run together.
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
        mutating func step(_ x: V, _ c: Biquad) -> V {
            // The newest output enters last: it alone is waited for.
            let forward: V = (x * c.b0 + x1 * c.b1) + x2 * c.b2
            let older: V = forward - y2 * c.a2
            let y: V = older - y1 * c.a1
            x2 = x1
            x1 = x
            y2 = y1
            y1 = y
            return y
        }
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
        var state = states[0]
        for index in 0..<count { values[index] = state.step(values[index], c) }
        states[0] = state
    }

    @inline(__always)
    private static func two<V: Lane>(
        _ values: UnsafeMutablePointer<V>, _ count: Int, _ c0: Biquad, _ c1: Biquad,
        _ states: UnsafeMutablePointer<State<V>>
    ) where V.Scalar == Double {
        var (s0, s1) = (states[0], states[1])
        for index in 0..<count { values[index] = s1.step(s0.step(values[index], c0), c1) }
        (states[0], states[1]) = (s0, s1)
    }

    @inline(__always)
    private static func four<V: Lane>(
        _ values: UnsafeMutablePointer<V>, _ count: Int, _ c: UnsafePointer<Biquad>,
        _ states: UnsafeMutablePointer<State<V>>
    ) where V.Scalar == Double {
        let (c0, c1, c2, c3) = (c[0], c[1], c[2], c[3])
        var (s0, s1, s2, s3) = (states[0], states[1], states[2], states[3])
        for index in 0..<count {
            values[index] = s3.step(s2.step(s1.step(s0.step(values[index], c0), c1), c2), c3)
        }
        (states[0], states[1], states[2], states[3]) = (s0, s1, s2, s3)
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

    static func quiet(_ states: UnsafeMutableBufferPointer<State<Double8>>) {
        for index in states.indices {
            for lane in 0..<8 where max(abs(states[index].y1.v[lane]), abs(states[index].y2.v[lane])) < silence {
                states[index].y1.v[lane] = 0
                states[index].y2.v[lane] = 0
            }
        }
    }
}
