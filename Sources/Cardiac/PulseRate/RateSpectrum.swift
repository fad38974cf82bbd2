import CVectors
import Foundation

/// Channels of a window at 12.5 Hz, each in `length` lanes; what lies beyond the last even sample is 0.
struct RateWaves: Sendable {
    typealias Lanes = SIMD8<Float>
    /// The lanes of one wave.
    static let length = (PulseRateEvidence.count + 7) / 8

    private(set) var lanes: [Lanes] = []

    /// The number of waves.
    var count: Int { lanes.count / Self.length }

    /// Appends the even samples of `values` from `first` on.
    mutating func append(_ values: [Float], from first: Int = 0) {
        precondition(first >= 0 && first + PulseRateEvidence.count <= values.count)
        let start = lanes.count
        lanes.append(contentsOf: repeatElement(.zero, count: Self.length))
        lanes.withUnsafeMutableBytes { lanes in
            let target = lanes.baseAddress! + start * MemoryLayout<Lanes>.stride
            values.withUnsafeBytes { source in
                let bytes = MemoryLayout<Float>.stride
                target.copyMemory(
                    from: source.baseAddress! + first * bytes, byteCount: PulseRateEvidence.count * bytes)
            }
        }
    }

    /// Appends a wave of `other`.
    mutating func append(_ wave: Int, of other: RateWaves) {
        lanes += other.lanes[wave * Self.length..<(wave + 1) * Self.length]
    }

    /// The sum of the squares of a wave.
    func power(_ wave: Int) -> Float {
        lanes.withUnsafeBytes { lanes in
            let own = Self.wave(wave, in: lanes)
            return marey_wave_dot(own, own, Int32(Self.length))
        }
    }

    /// Takes out of a wave what the waves of `units`, each of length 1 and orthogonal to the others, explain.
    mutating func remove(_ units: RateWaves, from wave: Int) {
        lanes.withUnsafeMutableBytes { lanes in
            let own = Self.wave(wave, in: lanes)
            units.lanes.withUnsafeBytes { units in
                for unit in 0..<units.count / (Self.length * MemoryLayout<Lanes>.stride) {
                    marey_wave_remove(Self.wave(unit, in: units), own, Int32(Self.length))
                }
            }
        }
    }

    /// Gives the wave `unit` a length of 1 and takes what it explains out of the others of `waves`.
    mutating func remove(unit: Int, power: Float, from waves: [Int]) {
        lanes.withUnsafeMutableBytes { lanes in
            let own = Self.wave(unit, in: lanes)
            let factor = 1 / power.squareRoot()
            for place in 0..<8 * Self.length { own[place] *= factor }
            for wave in waves { marey_wave_remove(own, Self.wave(wave, in: lanes), Int32(Self.length)) }
        }
    }

    @inline(__always)
    private static func wave(_ index: Int, in lanes: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<Float> {
        lanes.baseAddress!.assumingMemoryBound(to: Float.self) + 8 * index * length
    }

    @inline(__always)
    private static func wave(_ index: Int, in lanes: UnsafeRawBufferPointer) -> UnsafePointer<Float> {
        lanes.baseAddress!.assumingMemoryBound(to: Float.self) + 8 * index * length
    }
}

/// A value of each heart rate, from 30 to 220 per minute, in lanes; the last holds one value more.
struct RateValues: Sendable {
    typealias Lanes = SIMD8<Float>
    static let laneCount = 24

    var lanes: [Lanes]

    init(repeating value: Float = 0) { lanes = Array(repeating: Lanes(repeating: value), count: Self.laneCount) }

    subscript(_ index: Int) -> Float {
        get { lanes[index >> 3][index & 7] }
        set { lanes[index >> 3][index & 7] = newValue }
    }

    /// The smallest value; the one beyond the last rate counts too.
    var minimum: Float {
        var least = lanes[0]
        for lane in lanes { least = pointwiseMin(least, lane) }
        return least.min()
    }
}

/// The products of waves with cosine and sine of each heart rate, both counted from the window's middle.
///
/// About the middle a wave is the sum of an even and an odd one; the cosines see only the first, the sines the second.
struct RateSpectrum: Sendable {
    typealias Lanes = SIMD8<Float>

    private static let half = PulseRateEvidence.count / 2
    /// The lanes of one pass.
    private static let width = 2
    /// Of each pass and each pair of even samples, the cosines and the sines of `width` lanes of rates.
    private let table: [Lanes]

    init() {
        var table: [Lanes] = []
        for first in stride(from: 0, to: RateValues.laneCount, by: Self.width) {
            for place in 0..<Self.half {
                for wave in [cos, sin] as [(Double) -> Double] {
                    for lane in first..<first + Self.width {
                        let rates = (0..<8).map { PulseRateEvidence.rate(8 * lane + $0) }
                        table.append(Lanes(rates.map { Float(wave(Self.phase($0, place))) }))
                    }
                }
            }
        }
        self.table = table
    }

    /// The phase of `rate` per minute at the place `place` + 0.5 after the window's middle.
    static func phase(_ rate: Double, _ place: Int) -> Double {
        2 * .pi * rate / 60 / EvenSamples.rate * (Double(place) + 0.5)
    }

    /// Calls `body` for each lane of rates with the products of a wave with their cosines and their sines.
    @inline(__always)
    func products(of wave: Int, in waves: RateWaves, _ body: (_ lane: Int, _ cosine: Lanes, _ sine: Lanes) -> Void) {
        let (half, lanes) = (Self.half, RateValues.laneCount)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * half + 16 * lanes) { scratch in
            let (even, odd) = (scratch.baseAddress! + 16 * lanes, scratch.baseAddress! + 16 * lanes + half)
            waves.lanes.withUnsafeBytes { bytes in
                let samples = bytes.baseAddress!.assumingMemoryBound(to: Float.self)
                let middle = samples + wave * RateWaves.length * 8 + half
                for place in 0..<half {
                    let (after, before) = (middle[place], middle[-1 - place])
                    (even[place], odd[place]) = (after + before, after - before)
                }
            }
            let (cosine, sine) = (scratch.baseAddress!, scratch.baseAddress! + 8 * lanes)
            table.withUnsafeBytes { table in
                marey_rate_products(
                    table.baseAddress!.assumingMemoryBound(to: Float.self), even, odd, Int32(half), Int32(lanes),
                    cosine, sine)
            }
            for lane in 0..<lanes {
                body(
                    lane, UnsafeRawPointer(cosine + 8 * lane).loadUnaligned(as: Lanes.self),
                    UnsafeRawPointer(sine + 8 * lane).loadUnaligned(as: Lanes.self))
            }
        }
    }
}
