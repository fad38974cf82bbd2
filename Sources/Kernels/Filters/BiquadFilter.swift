/// A cascade of second-order sections running on one channel.
///
/// Arithmetic is `Double` throughout, also for `Float` samples: a high-pass of a fraction of a hertz needs it. How the
/// signal is cut into chunks does not change a bit. A value that is not finite spoils what follows until `reset()`.
public struct BiquadFilter: Sendable {
    /// The design that runs.
    public let cascade: BiquadCascade
    private var states: [CascadeKernel.State<Double>]
    private var untilQuiet = CascadeKernel.quietEvery

    /// The filter at rest: the signal was zero for ever.
    public init(_ cascade: BiquadCascade) {
        self.cascade = cascade
        states = Array(repeating: .init(), count: cascade.sections.count)
    }

    /// Back to rest.
    public mutating func reset() {
        self = BiquadFilter(cascade)
    }

    /// As if the signal had been `value` for ever: no step answer at the start (scipy's `sosfilt_zi` times `value`).
    public mutating func settle(at value: Double) {
        reset()
        var x = value
        for (index, section) in cascade.sections.enumerated() {
            let settled = x * section.gainAtZero
            let y = settled.isFinite ? settled : 0
            (states[index].x1, states[index].x2, states[index].y1, states[index].y2) = (x, x, y, y)
            x = y
        }
    }

    /// The next output.
    @inlinable
    public mutating func process(_ sample: Double) -> Double {
        var value = sample
        withUnsafeMutablePointer(to: &value) { run($0, 1) }
        return value
    }

    /// Filters `samples` in place.
    public mutating func process(_ samples: inout MutableSpan<Double>) {
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            run(base, buffer.count)
        }
    }

    /// Filters `samples` in place.
    public mutating func process(_ samples: inout MutableSpan<Float>) {
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            run(UnsafePointer(base), base, buffer.count)
        }
    }

    /// Filters `input` into `output`.
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

    /// The filtered samples.
    public mutating func process(_ samples: [Float]) -> [Float] {
        var samples = samples
        var span = samples.mutableSpan
        process(&span)
        return samples
    }

    /// The filtered samples.
    public mutating func process(_ samples: [Double]) -> [Double] {
        var samples = samples
        var span = samples.mutableSpan
        process(&span)
        return samples
    }

    private mutating func run(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ count: Int) {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: CascadeKernel.quietEvery) { buffer in
            guard let block = buffer.baseAddress else { return }
            var done = 0
            while done < count {
                let size = min(untilQuiet, count - done)
                for index in 0..<size { block[index] = Double(from[done + index]) }
                run(block, size)
                for index in 0..<size { to[done + index] = Float(block[index]) }
                done += size
            }
        }
    }

    @usableFromInline
    mutating func run(_ values: UnsafeMutablePointer<Double>, _ count: Int) {
        cascade.sections.withUnsafeBufferPointer { sections in
            states.withUnsafeMutableBufferPointer { states in
                guard let state = states.baseAddress else { return }
                var done = 0
                while done < count {
                    let size = min(untilQuiet, count - done)
                    CascadeKernel.run(values + done, size, sections, state)
                    done += size
                    untilQuiet -= size
                    if untilQuiet == 0 {
                        untilQuiet = CascadeKernel.quietEvery
                        CascadeKernel.quiet(states)
                    }
                }
            }
        }
    }
}
