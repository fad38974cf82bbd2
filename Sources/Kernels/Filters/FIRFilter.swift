/// A filter without feedback running on one channel of floats.
///
/// Sums are `Float`, in the order of the taps, 32 outputs side by side. How the signal is cut into chunks does not
/// change a bit, and a value that is not finite is forgotten once the taps have passed it.
public struct FIRFilter: Sendable {
    /// The design that runs.
    public let design: FIRDesign
    private let taps: [Float]
    /// The last inputs, then room for a block of new ones.
    private var window: [Float]
    private static let block = 512

    /// The filter at rest: the signal was zero for ever.
    public init(_ design: FIRDesign) {
        self.design = design
        taps = design.taps.map(Float.init)
        window = Array(repeating: 0, count: max(0, design.taps.count - 1) + Self.block + FIRKernel.width)
    }

    /// The delay in samples.
    public var groupDelay: Double { design.groupDelay }

    /// Back to rest.
    public mutating func reset() {
        settle(at: 0)
    }

    /// As if the signal had been `value` for ever.
    public mutating func settle(at value: Float) {
        for index in window.indices { window[index] = value }
    }

    /// Filters `input` into `output`, a value each.
    /// - Precondition: both have the same length.
    public mutating func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
        precondition(input.count == output.count, "as many outputs as inputs")
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                run(from, to, input.count)
            }
        }
    }

    /// Filters `samples` in place.
    public mutating func process(_ samples: inout MutableSpan<Float>) {
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            run(UnsafePointer(base), base, buffer.count)
        }
    }

    /// The filtered samples.
    public mutating func process(_ samples: [Float]) -> [Float] {
        var samples = samples
        var span = samples.mutableSpan
        process(&span)
        return samples
    }

    private mutating func run(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ count: Int) {
        let past = max(0, taps.count - 1)
        taps.withUnsafeBufferPointer { taps in
            window.withUnsafeMutableBufferPointer { window in
                guard let base = window.baseAddress else { return }
                var done = 0
                while done < count {
                    let size = min(Self.block, count - done)
                    (base + past).update(from: from + done, count: size)
                    FIRKernel.run(UnsafePointer(base + past), to + done, size, taps)
                    base.update(from: base + size, count: past)
                    done += size
                }
            }
        }
    }
}

extension FIRDesign {
    /// The filtered signal without the delay of symmetric taps: output i belongs to input i. The ends are continued by
    /// their first and last value.
    /// - Precondition: an odd number of taps.
    public func centred(_ samples: [Float]) -> [Float] {
        precondition(taps.count % 2 == 1, "an odd number of taps")
        guard let first = samples.first, let last = samples.last else { return [] }
        var filter = FIRFilter(self)
        filter.settle(at: first)
        let delay = taps.count / 2
        return Array(filter.process(samples + Array(repeating: last, count: delay)).dropFirst(delay))
    }
}

/// Sums of products over past samples.
enum FIRKernel {
    /// Readable values needed beyond the last input.
    static let width = 32

    /// `y[t] = Σ taps[k]·x[t − k]` for t in 0..<count. `x` has the past before it and `width` values behind it.
    static func run(
        _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ count: Int, _ taps: UnsafeBufferPointer<Float>
    ) {
        var t = 0
        while t < count {
            if count - t <= 8 { return few(x + t, y + t, count - t, taps) }
            var (s0, s1, s2, s3) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
            for k in 0..<taps.count {
                let tap = SIMD8(repeating: taps[k])
                let from = UnsafeRawPointer(x + (t - k))
                s0 += tap * from.loadUnaligned(as: SIMD8<Float>.self)
                s1 += tap * from.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self)
                s2 += tap * from.loadUnaligned(fromByteOffset: 64, as: SIMD8<Float>.self)
                s3 += tap * from.loadUnaligned(fromByteOffset: 96, as: SIMD8<Float>.self)
            }
            if count - t >= width {
                let to = UnsafeMutableRawPointer(y + t)
                to.storeBytes(of: s0, as: SIMD8<Float>.self)
                to.storeBytes(of: s1, toByteOffset: 32, as: SIMD8<Float>.self)
                to.storeBytes(of: s2, toByteOffset: 64, as: SIMD8<Float>.self)
                to.storeBytes(of: s3, toByteOffset: 96, as: SIMD8<Float>.self)
            } else {
                let all = (s0, s1, s2, s3)
                withUnsafeBytes(of: all) { bytes in
                    let sums = bytes.bindMemory(to: Float.self)
                    for lane in 0..<count - t { y[t + lane] = sums[lane] }
                }
            }
            t += width
        }
    }

    /// Up to eight of them, as when a live signal comes one by one.
    private static func few(
        _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ count: Int, _ taps: UnsafeBufferPointer<Float>
    ) {
        var sums = SIMD8<Float>.zero
        var from = UnsafeRawPointer(x)
        for tap in taps {
            sums += SIMD8(repeating: tap) * from.loadUnaligned(as: SIMD8<Float>.self)
            from -= MemoryLayout<Float>.stride
        }
        for lane in 0..<count { y[lane] = sums[lane] }
    }
}
