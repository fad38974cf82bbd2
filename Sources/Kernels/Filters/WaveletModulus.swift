import CVectors

/// The geometric mean of the moduli of two complex wavelets, at every second sample.
///
/// Both wavelets have an even real and an odd imaginary part, so that samples at the same lag to either side are taken
/// together.
package struct WaveletModulus: Sendable {
    /// Samples it reaches to each side, an even number.
    package let reach: Int
    private let taps: WaveletTaps
    /// The samples at even places, and from `oddPlace` on those at odd ones.
    private var parted: [Float]
    private let oddPlace: Int

    /// One wavelet's real and imaginary parts at lags 0, 1, …
    package typealias Parts = (even: [Float], odd: [Float])

    /// - Parameters:
    ///   - long: the wavelet that reaches further.
    ///   - room: the most values of one go.
    package init(long: Parts, short: Parts, room: Int) {
        taps = WaveletTaps(long: long, short: short)
        reach = 2 * taps.pairs
        oddPlace = room + reach + 16
        parted = [Float](repeating: 0, count: 2 * oddPlace)
    }

    /// Writes `count` values, a multiple of 8 and at most `room`: the first for `input[0]`, the next for `input[2]`.
    /// Samples from `-reach` to `2 * count + reach + 15` are read.
    package mutating func transform(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) {
        let taps = taps
        let oddPlace = oddPlace
        let reach = reach
        parted.withUnsafeMutableBufferPointer { parted in
            let even = parted.baseAddress.unsafelyUnwrapped
            let odd = even + oddPlace
            for place in stride(from: 0, to: count + reach, by: 8) {
                let first = load(input - reach + 2 * place)
                let second = load(input - reach + 2 * place + 8)
                store(marey_even(first, second), even + place)
                store(marey_odd(first, second), odd + place)
            }
            taps.transform(even + taps.pairs, odd + taps.pairs, output, count: count)
        }
    }
}

private struct WaveletTaps {
    private let center: (long: Float, short: Float)
    /// For each pair of lags, an odd one and the next even one: real and imaginary part of the long wavelet, then of the
    /// short one, at either lag.
    private let taps: [Float]
    let pairs: Int
    private let shortPairs: Int

    init(long: WaveletModulus.Parts, short: WaveletModulus.Parts) {
        func tap(_ part: [Float], _ lag: Int) -> Float { lag < part.count ? part[lag] : 0 }
        let pairs = long.even.count / 2
        self.pairs = pairs
        shortPairs = min(short.even.count / 2, pairs)
        center = (tap(long.even, 0), tap(short.even, 0))
        taps = (0..<pairs).flatMap { pair in
            [2 * pair + 1, 2 * pair + 2].flatMap { lag in
                [tap(long.even, lag), tap(long.odd, lag), tap(short.even, lag), tap(short.odd, lag)]
            }
        }
    }

    func transform(
        _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        taps.withUnsafeBufferPointer { taps in
            for place in stride(from: 0, to: count, by: 8) {
                store(modulus(even + place, odd + place, taps.baseAddress.unsafelyUnwrapped), output + place)
            }
        }
    }

    @inline(__always)
    private func modulus(
        _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, _ taps: UnsafePointer<Float>
    ) -> SIMD8<Float> {
        let here = load(even)
        var long = Parted(real: marey_mul(here, marey_all(center.long)))
        var short = Parted(real: marey_mul(here, marey_all(center.short)))
        var pair = 0
        var tap = taps
        while pair < shortPairs {
            let near = Lagged(odd, pair, -1 - pair)
            let far = Lagged(even, 1 + pair, -1 - pair)
            long.add(near, tap)
            short.add(near, tap + 2)
            long.add(far, tap + 4)
            short.add(far, tap + 6)
            tap += 8
            pair += 1
        }
        while pair < pairs {
            long.add(Lagged(odd, pair, -1 - pair), tap)
            long.add(Lagged(even, 1 + pair, -1 - pair), tap + 4)
            tap += 8
            pair += 1
        }
        // Where the power leaves Float's range, no number beyond it may come out.
        return marey_min(marey_root(marey_root(marey_mul(long.power, short.power))), marey_all(4e9))
    }
}

/// The samples at one lag to either side, added and subtracted.
private struct Lagged {
    var sum: SIMD8<Float>
    var difference: SIMD8<Float>

    @inline(__always)
    init(_ samples: UnsafePointer<Float>, _ later: Int, _ earlier: Int) {
        let later = load(samples + later)
        let earlier = load(samples + earlier)
        sum = marey_add(later, earlier)
        difference = marey_sub(later, earlier)
    }
}

/// A wavelet's response so far.
private struct Parted {
    var real: SIMD8<Float>
    var imaginary = SIMD8<Float>.zero

    @inline(__always) init(real: SIMD8<Float>) { self.real = real }

    @inline(__always)
    mutating func add(_ samples: Lagged, _ taps: UnsafePointer<Float>) {
        real = marey_add(real, marey_mul(samples.sum, marey_all(taps[0])))
        imaginary = marey_add(imaginary, marey_mul(samples.difference, marey_all(taps[1])))
    }

    @inline(__always)
    var power: SIMD8<Float> { marey_add(marey_mul(real, real), marey_mul(imaginary, imaginary)) }
}

@inline(__always)
private func load(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func store(_ value: SIMD8<Float>, _ place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: value, as: SIMD8<Float>.self)
}
