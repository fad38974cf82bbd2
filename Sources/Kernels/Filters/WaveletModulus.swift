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
    /// At lag 0: those of the long and the short wavelet.
    private let centers: [Float]
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
        centers = [tap(long.even, 0), tap(short.even, 0)]
        taps = (0..<pairs).flatMap { pair in
            [2 * pair + 1, 2 * pair + 2].flatMap { lag in
                [tap(long.even, lag), tap(long.odd, lag), tap(short.even, lag), tap(short.odd, lag)]
            }
        }
    }

    func transform(
        _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int
    ) {
        let (shorts, all) = (Int32(shortPairs), Int32(pairs))
        centers.withUnsafeBufferPointer { centers in
            taps.withUnsafeBufferPointer { taps in
                var place = 0
                // Two at once, so that the roots of one need not be waited for.
                while place + 16 <= count {
                    marey_moduli(
                        even + place, odd + place, centers.baseAddress, taps.baseAddress, shorts, all, 2, output + place
                    )
                    place += 16
                }
                if place < count {
                    marey_moduli(
                        even + place, odd + place, centers.baseAddress, taps.baseAddress, shorts, all, 1, output + place
                    )
                }
            }
        }
    }
}

@inline(__always)
private func load(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func store(_ value: SIMD8<Float>, _ place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: value, as: SIMD8<Float>.self)
}
