/// Turns the numbers of a signal file into physical values: (sample - baseline) / gain, missing samples to NaN.
struct WFDBScale {
    private let gain: Double
    private let baseline: Int
    private let missing: Int32
    private let hasMissing: Bool
    /// Whether single precision gives the nearest `Float` too: numerator and denominator are exact in it.
    let isNarrow: Bool

    init(_ signal: WFDBSignal, format: WFDBSignalFormat) {
        gain = signal.gain
        baseline = signal.baseline
        missing = format.missing ?? 0
        hasMissing = format.missing != nil
        let isSmall = format != .format32 && format != .format24 && format != .format8
        isNarrow = isSmall && baseline.magnitude < 1 << 22 && Double(Float(signal.gain)) == signal.gain
    }

    /// Converts `count` samples and returns their wrapped sum.
    func convert(_ samples: UnsafePointer<Int32>, count: Int, into values: UnsafeMutablePointer<Float>) -> Int32 {
        isNarrow ? narrow(samples, count, values) : wide(samples, count, values)
    }

    /// Converts `count` samples of format 16 and returns their wrapped sum, as `convert` does where `isNarrow`.
    func convert(format16 bytes: UnsafePointer<UInt8>, count: Int, into values: UnsafeMutablePointer<Float>) -> Int32 {
        let base = Int32(truncatingIfNeeded: baseline)
        let gain = Float(gain)
        let missing = missing
        let raw = UnsafeRawPointer(bytes)
        var sum: Int32 = 0
        for i in 0..<count {
            let sample = Int32(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 &* i, as: Int16.self)))
            sum &+= sample
            values[i] = sample == missing ? .nan : Float(sample &- base) / gain
        }
        return sum
    }

    private func narrow(_ samples: UnsafePointer<Int32>, _ count: Int, _ values: UnsafeMutablePointer<Float>) -> Int32 {
        let base = Int32(truncatingIfNeeded: baseline)
        let gain = Float(gain)
        let missing = missing
        var sum: Int32 = 0
        for i in 0..<count {
            let sample = samples[i]
            sum &+= sample
            values[i] = sample == missing ? .nan : Float(sample &- base) / gain
        }
        return sum
    }

    private func wide(_ samples: UnsafePointer<Int32>, _ count: Int, _ values: UnsafeMutablePointer<Float>) -> Int32 {
        let base = Double(baseline)
        var sum: Int32 = 0
        for i in 0..<count {
            let sample = samples[i]
            sum &+= sample
            values[i] = hasMissing && sample == missing ? .nan : Float((Double(sample) - base) / gain)
        }
        return sum
    }
}
