import CVectors

/// Four instants of four channels, in order of time.
typealias Instants = (Double4, Double4, Double4, Double4)

/// Successive instants of four channels.
protocol FourChannels {
    func read(_ index: Int) -> Double4
    func write(_ index: Int, _ values: Double4)
    /// The instant at `index` and the three after it.
    func four(_ index: Int) -> Instants
    func set(_ index: Int, _ four: Instants)
}

/// In double precision.
struct Frames: FourChannels {
    private let base: UnsafeMutablePointer<Double4>

    init(_ base: UnsafeMutablePointer<Double4>) { self.base = base }

    @inline(__always)
    func read(_ index: Int) -> Double4 { base[index] }

    @inline(__always)
    func write(_ index: Int, _ values: Double4) { base[index] = values }

    @inline(__always)
    func four(_ index: Int) -> Instants {
        (base[index], base[index + 1], base[index + 2], base[index + 3])
    }

    @inline(__always)
    func set(_ index: Int, _ four: Instants) {
        (base[index], base[index + 1], base[index + 2], base[index + 3]) = four
    }

    func set(_ index: Int, _ channel: Int, _ value: Double) { base[index].v[channel] = value }

    func reverse(_ count: Int) {
        var frames = UnsafeMutableBufferPointer(start: base, count: count)
        frames.reverse()
    }
}

/// Up to four channels one after another in memory; the last one stands for those that are not there, and is written as
/// often with the same values.
struct ChannelRows {
    private let base: UnsafeMutablePointer<Float>
    let count: Int
    /// Where each of the four begins.
    private let starts: [Int]

    init(base: UnsafeMutablePointer<Float>, count: Int, width: Int) {
        (self.base, self.count) = (base, count)
        starts = (0..<4).map { min($0, width - 1) * count }
    }

    /// Frames of a point reflection beyond the start or the end, in order of time.
    func reflect(_ padding: Int, atStart: Bool, into frames: Frames) {
        for lane in 0..<4 {
            let row = base + starts[lane]
            let edge = Double(row[atStart ? 0 : count - 1])
            for index in 0..<padding {
                let value = 2 * edge - Double(row[atStart ? padding - index : count - 2 - index])
                frames.set(index, lane, value)
            }
        }
    }

    /// The rest from `first`, in order of time, or from there back to the start.
    func withRows<D: TimeDirection>(from first: Int, _ direction: D.Type, _ body: (Rows<D>) -> Void) {
        starts.withUnsafeBufferPointer { starts in
            guard let start = starts.baseAddress else { return }
            body(Rows(base: base + first, starts: start))
        }
    }
}

/// Which way time goes.
protocol TimeDirection { static var step: Int { get } }

enum Forwards: TimeDirection { static let step = 1 }

enum Backwards: TimeDirection { static let step = -1 }

/// Channels as `ChannelRows` has them, from an instant on.
struct Rows<Direction: TimeDirection>: FourChannels {
    fileprivate let base: UnsafeMutablePointer<Float>
    fileprivate let starts: UnsafePointer<Int>

    @inline(__always)
    func read(_ index: Int) -> Double4 {
        let now = base + Direction.step * index
        return Double4(
            SIMD4(Double(now[starts[0]]), Double(now[starts[1]]), Double(now[starts[2]]), Double(now[starts[3]])))
    }

    @inline(__always)
    func write(_ index: Int, _ values: Double4) {
        let now = base + Direction.step * index
        for lane in 0..<4 { now[starts[lane]] = Float(values.v[lane]) }
    }

    @inline(__always)
    func four(_ index: Int) -> Instants {
        let zero = SIMD4<Float>()
        var now = (zero, zero, zero, zero)
        withUnsafeMutablePointer(to: &now) { now in
            now.withMemoryRebound(to: SIMD4<Float>.self, capacity: 4) {
                marey_instants_of(base + (Direction.step < 0 ? -index - 3 : index), starts, $0)
            }
        }
        let (a, b) = (Double4(marey_wide(now.0)), Double4(marey_wide(now.1)))
        let (c, d) = (Double4(marey_wide(now.2)), Double4(marey_wide(now.3)))
        return Direction.step < 0 ? (d, c, b, a) : (a, b, c, d)
    }

    @inline(__always)
    func set(_ index: Int, _ four: Instants) {
        let (a, b) = (marey_narrow(four.0.v), marey_narrow(four.1.v))
        let (c, d) = (marey_narrow(four.2.v), marey_narrow(four.3.v))
        var now = Direction.step < 0 ? (d, c, b, a) : (a, b, c, d)
        withUnsafeMutablePointer(to: &now) { now in
            now.withMemoryRebound(to: SIMD4<Float>.self, capacity: 4) {
                marey_set_instants($0, base + (Direction.step < 0 ? -index - 3 : index), starts)
            }
        }
    }
}
