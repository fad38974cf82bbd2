import Foundation

/// The sines found in a window: an amplitude per channel and harmonic at multiples of one frequency.
struct Hum: Sendable {
    /// Radians per sample of the fundamental.
    var step: Double
    /// Cosine and sine amplitudes [channel][harmonic], zero where nothing stands out.
    var cosines: [[Double]]
    var sines: [[Double]]

    /// One channel's hum at a sample of the window.
    func value(_ channel: Int, at index: Int) -> Float {
        wave(channel, from: index, count: 1)[0]
    }

    /// One channel's hum over samples of the window.
    func wave(_ channel: Int, from first: Int, count: Int) -> [Float] {
        var sum = [Double](repeating: 0, count: count)
        for harmonic in cosines[channel].indices {
            let (a, b) = (cosines[channel][harmonic], sines[channel][harmonic])
            guard a != 0 || b != 0 else { continue }
            let angle = step * Double(harmonic + 1)
            let (c1, s1) = (cos(angle), sin(angle))
            var (c, s) = (cos(angle * Double(first)), sin(angle * Double(first)))
            for index in 0..<count {
                sum[index] += a * c + b * s
                (c, s) = (c * c1 - s * s1, c * s1 + s * c1)
            }
        }
        return sum.map(Float.init)
    }
}

/// Finds the mains' hum in windows of two halves.
struct HumWindow: Sendable {
    private let half: Int
    private let sampleRate: Double
    private let frequencies: [Double]
    private let highest: Double
    /// Hann tapers of the whole window and of a half, each with sum 2, so that a product with it is an amplitude.
    private let whole: [Double]
    private let part: [Double]

    init(half: Int, frequencies: [Double], highest: Double, sampleRate: Double) {
        self.half = half
        self.sampleRate = sampleRate
        self.frequencies = frequencies.filter { $0 > 5 && $0 < highest }
        self.highest = highest
        whole = Self.taper(2 * half)
        part = Self.taper(half)
    }

    /// By how much the power at the hum must exceed that beside it to be taken for hum.
    private static let prominence = 8.0

    private static func taper(_ count: Int) -> [Double] {
        let hann = (0..<count).map { 1 - cos(2 * Double.pi * (Double($0) + 0.5) / Double(count)) }
        return hann.map { $0 * 2 / Double(count) }
    }

    /// The hum in a window of 2·`half` samples per channel.
    func fit(_ channels: [[Float]]) -> Hum {
        let none = Hum(step: 0, cosines: channels.map { _ in [] }, sines: channels.map { _ in [] })
        let candidates = frequencies.map { measure($0, channels) }
        guard let best = candidates.max(by: { $0.power < $1.power }), best.power > 0 else { return none }
        let harmonics = max(1, Int(highest / best.frequency))
        var hum = none
        hum.step = 2 * Double.pi * best.frequency / sampleRate
        for channel in channels.indices {
            for harmonic in 1...harmonics {
                let (a, b) = prominent(channels[channel], at: best.frequency * Double(harmonic)) ?? (0, 0)
                hum.cosines[channel].append(a)
                hum.sines[channel].append(b)
            }
        }
        return hum
    }

    /// The exact frequency of hum near `nominal` and its power over all channels.
    private func measure(_ nominal: Double, _ channels: [[Float]]) -> (frequency: Double, power: Double) {
        let step = 2 * Double.pi * nominal / sampleRate
        var (re, im) = (0.0, 0.0)
        for channel in channels {
            let a = Self.product(channel, 0, part, step)
            let b = Self.product(channel, half, part, step)
            re += a.re * b.re + a.im * b.im
            im += a.re * b.im - a.im * b.re
        }
        let offset = atan2(im, re) * sampleRate / (2 * Double.pi * Double(half))
        return (nominal + offset, (re * re + im * im).squareRoot())
    }

    /// Cosine and sine amplitude of a channel's sine at a frequency; nil where it does not stand out.
    private func prominent(_ channel: [Float], at frequency: Double) -> (Double, Double)? {
        func at(_ frequency: Double) -> (re: Double, im: Double) {
            Self.product(channel, 0, whole, 2 * Double.pi * frequency / sampleRate)
        }
        let found = at(frequency)
        let beside = [-4.0, -3, 3, 4].map { at(frequency + $0) }.map { $0.re * $0.re + $0.im * $0.im }
        let background = beside.reduce(0, +) / 4
        let power = found.re * found.re + found.im * found.im
        return power > Self.prominence * background && power > 0 ? (found.re, -found.im) : nil
    }

    /// Σ taper·x·e^(−i·step·t), t counted from the window's start.
    private static func product(
        _ x: [Float], _ first: Int, _ taper: [Double], _ step: Double
    ) -> (re: Double, im: Double) {
        let (c1, s1) = (cos(step), -sin(step))
        var (c, s) = (cos(step * Double(first)), -sin(step * Double(first)))
        var (re, im) = (0.0, 0.0)
        for index in taper.indices {
            let value = taper[index] * Double(x[first + index])
            re += value * c
            im += value * s
            (c, s) = (c * c1 - s * s1, c * s1 + s * c1)
        }
        return (re, im)
    }
}
