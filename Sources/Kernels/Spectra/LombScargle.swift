import Foundation

/// The spectrum of unevenly spaced samples: the least-squares fit of a sine and a cosine at each frequency. Lomb 1976,
/// Scargle 1982.
public enum LombScargle {
    /// The periodogram of evenly spaced frequencies (`scipy.signal.lombscargle`, neither centred nor normalised): a tone
    /// of amplitude A in N samples gives about N·A²/4.
    ///
    /// - Parameters:
    ///   - times: in seconds, in any order.
    ///   - values: one per time.
    ///   - frequencies: in hertz, evenly spaced and rising; see `grid`.
    /// - Returns: a value per frequency; not a number where an input is not.
    /// - Precondition: as many values as times.
    public static func periodogram(times: [Double], values: [Double], frequencies: Grid) -> [Double] {
        precondition(times.count == values.count, "a value for each time")
        guard let origin = times.first else { return Array(repeating: .nan, count: frequencies.count) }
        var kernel = LombKernel(times: times.map { $0 - origin }, values: values, step: frequencies.step)
        return (0..<frequencies.count).map { index in
            // Rotation lets errors grow with each step: a longer stride, and in the end a fresh start, keep them small.
            if index % (LombKernel.leapLength * LombKernel.leapLength) == 0 {
                kernel.start(at: frequencies[index])
            } else if index % LombKernel.leapLength == 0 {
                kernel.leap()
            }
            return kernel.next()
        }
    }

    /// The power spectral density: the mean is taken out, and the periodogram scaled so that over a tone of amplitude A
    /// it integrates to A²/2, as a one-sided spectrum of evenly spaced samples does.
    ///
    /// The density is the periodogram times twice the mean spacing of the samples. For even spacing and the frequencies
    /// of a transform it is the ordinary periodogram.
    /// - Parameters:
    ///   - times: in seconds, rising.
    ///   - values: one per time.
    ///   - frequencies: in hertz.
    /// - Returns: nil for fewer than three samples or a time span that is not above 0.
    /// - Precondition: as many values as times.
    public static func density(times: [Double], values: [Double], frequencies: Grid) -> PowerSpectrum? {
        precondition(times.count == values.count, "a value for each time")
        guard times.count > 2, let first = times.first, let last = times.last, last - first > 0 else { return nil }
        let scale = 2 * (last - first) / Double(times.count - 1)
        let centred = Detrend.constant.removed(from: values)
        let power = periodogram(times: times, values: centred, frequencies: frequencies)
        return PowerSpectrum(frequencies: frequencies.values, density: power.map { $0 * scale })
    }

    /// Evenly spaced frequencies.
    public struct Grid: Sendable, Hashable {
        /// The lowest, in hertz.
        public let first: Double
        /// The spacing, in hertz.
        public let step: Double
        /// How many.
        public let count: Int

        /// `count` frequencies from `first` hertz on, `step` hertz apart.
        /// - Precondition: a count not below 0.
        public init(first: Double, step: Double, count: Int) {
            precondition(count >= 0, "a count")
            self.first = first
            self.step = step
            self.count = count
        }

        /// Frequency `index`.
        public subscript(index: Int) -> Double { first + Double(index) * step }

        /// All of them.
        public var values: [Double] { (0..<count).map { self[$0] } }
    }
}

/// Sines and cosines of all samples at one frequency, turned on to the next by one complex product each.
private struct LombKernel {
    /// How many steps of frequency a leap takes.
    static let leapLength = 64

    private let count: Double
    /// Padded with zeros to whole vectors; so are the rotations.
    private let times: [Double]
    private let values: [Double]
    private let step: Rotations
    private let longStep: Rotations
    /// Where the last start or leap led.
    private var anchor: Rotations
    private var here: Rotations

    init(times: [Double], values: [Double], step: Double) {
        let padding = Array(repeating: 0.0, count: (4 - values.count % 4) % 4)
        count = Double(times.count)
        self.times = times + padding
        self.values = values + padding
        self.step = Rotations(self.times, frequency: step, spare: padding.count)
        longStep = Rotations(self.times, frequency: step * Double(Self.leapLength), spare: padding.count)
        anchor = self.step
        here = self.step
    }

    mutating func start(at frequency: Double) {
        anchor = Rotations(times, frequency: frequency, spare: times.count - Int(count))
        here = anchor
    }

    /// On from the last start or leap by a whole stride.
    mutating func leap() {
        anchor.turn(by: longStep)
        here = anchor
    }

    /// The power at this frequency; then on to the next.
    mutating func next() -> Double {
        let sums = turn()
        let (cc, cs) = (sums.cc, sums.cs)
        let ss = count - cc
        // The shift in time that makes sine and cosine orthogonal.
        let angle = 0.5 * atan2(2 * cs, cc - ss)
        let (c, s) = (cos(angle), sin(angle))
        let (yc, ys) = (sums.yc * c + sums.ys * s, sums.ys * c - sums.yc * s)
        let cosineNorm = c * c * cc + 2 * c * s * cs + s * s * ss
        let sineNorm = count - cosineNorm
        // A part that all samples see at its zero, as the sine at 0 Hz, tells nothing.
        let least = 1e-12 * count
        let cosinePower = cosineNorm < least ? 0 : yc * yc / cosineNorm
        let sinePower = sineNorm < least ? 0 : ys * ys / sineNorm
        return 0.5 * (cosinePower + sinePower)
    }

    private mutating func turn() -> (yc: Double, ys: Double, cc: Double, cs: Double) {
        let length = values.count
        return values.withUnsafeBufferPointer { values in
            here.cosines.withUnsafeMutableBufferPointer { cosines in
                here.sines.withUnsafeMutableBufferPointer { sines in
                    step.cosines.withUnsafeBufferPointer { stepCosines in
                        step.sines.withUnsafeBufferPointer { stepSines in
                            guard let y = values.baseAddress, let c = cosines.baseAddress, let s = sines.baseAddress,
                                let dc = stepCosines.baseAddress, let ds = stepSines.baseAddress
                            else { return (0, 0, 0, 0) }
                            return Self.turn(y, c, s, dc, ds, length)
                        }
                    }
                }
            }
        }
    }

    @inline(never)
    private static func turn(
        _ y: UnsafePointer<Double>, _ c: UnsafeMutablePointer<Double>, _ s: UnsafeMutablePointer<Double>,
        _ dc: UnsafePointer<Double>, _ ds: UnsafePointer<Double>, _ count: Int
    ) -> (yc: Double, ys: Double, cc: Double, cs: Double) {
        let zero = Double4(repeating: 0)
        var (yc, ys, cc, cs) = (zero, zero, zero, zero)
        for index in stride(from: 0, to: count, by: 4) {
            let (value, cosine, sine) = (Double4.load(y + index), Double4.load(c + index), Double4.load(s + index))
            let (stepCosine, stepSine) = (Double4.load(dc + index), Double4.load(ds + index))
            yc = yc + value * cosine
            ys = ys + value * sine
            cc = cc + cosine * cosine
            cs = cs + cosine * sine
            (cosine * stepCosine - sine * stepSine).store(c + index)
            (sine * stepCosine + cosine * stepSine).store(s + index)
        }
        return (yc.v.sum(), ys.v.sum(), cc.v.sum(), cs.v.sum())
    }
}

/// Cosines and sines of the phases that one frequency has at the samples.
private struct Rotations {
    var cosines: [Double]
    var sines: [Double]

    /// The last `spare` are zeros.
    init(_ times: [Double], frequency: Double, spare: Int) {
        cosines = times.map { cos(2 * Double.pi * frequency * $0) }
        sines = times.map { sin(2 * Double.pi * frequency * $0) }
        for place in times.count - spare..<times.count { (cosines[place], sines[place]) = (0, 0) }
    }

    mutating func turn(by other: Rotations) {
        for place in cosines.indices {
            let (cosine, sine) = (cosines[place], sines[place])
            cosines[place] = cosine * other.cosines[place] - sine * other.sines[place]
            sines[place] = sine * other.cosines[place] + cosine * other.sines[place]
        }
    }
}
