import Foundation
import Kernels

/// Measures how much of a tone of one frequency there is in a stretch of samples.
struct MainsTone: Sendable {
    private let cosine: [Float]
    private let sine: [Float]
    /// The fewest samples that tell the tone from what is slower.
    private let shortest: Int

    /// The mains' frequencies, in Hz, that samples at a rate show as a tone, if folded down to a lower one: above what a
    /// heart does (3 Hz), and with some samples a period.
    static func frequencies(seenAt sampleRate: Double) -> [Double] {
        [50.0, 60].filter { frequency in
            let seen = Self.seen(frequency, at: sampleRate)
            return seen >= 3 && seen <= 0.45 * sampleRate
        }
    }

    /// The frequency, in Hz, that samples at a rate show a tone at.
    private static func seen(_ frequency: Double, at sampleRate: Double) -> Double {
        abs(frequency - sampleRate * (frequency / sampleRate).rounded())
    }

    /// The tone of `frequency` in stretches of up to `length` samples at `sampleRate`, both in Hz.
    static func of(frequency: Double, sampleRate: Double, length: Int) -> MainsTone {
        let question = ToneQuestion(frequency: frequency, sampleRate: sampleRate, length: length)
        return keptTones.design(for: question, length: length) {
            MainsTone(frequency: frequency, sampleRate: sampleRate, length: length)
        }
    }

    private init(frequency: Double, sampleRate: Double, length: Int) {
        let turns = (0..<length).map { 2 * .pi * frequency * Double($0) / sampleRate }
        cosine = turns.map { Float(cos($0)) }
        sine = turns.map { Float(sin($0)) }
        // Two periods as it is seen, and at a high rate not of the mains alone.
        shortest = max(8, Int((sampleRate * max(0.13, 2 / Self.seen(frequency, at: sampleRate))).rounded(.up)))
    }

    /// Mean square of the tone; 0 where there are too few samples to tell, or more than `length`.
    func power(in samples: UnsafePointer<Float>, count: Int) -> Float {
        guard count >= shortest, count <= cosine.count else { return 0 }
        let level = samples[0]
        var cosines = SIMD8<Float>.zero
        var sines = SIMD8<Float>.zero
        let whole = count / 8 * 8
        cosine.withUnsafeBytes { cosine in
            sine.withUnsafeBytes { sine in
                let source = UnsafeRawPointer(samples)
                for offset in stride(from: 0, to: whole * 4, by: 32) {
                    let value = source.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) - level
                    cosines += value * cosine.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    sines += value * sine.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                }
            }
        }
        var c = cosines.laneSum
        var s = sines.laneSum
        for place in whole..<count {
            c += (samples[place] - level) * cosine[place]
            s += (samples[place] - level) * sine[place]
        }
        c /= Float(count)
        s /= Float(count)
        return 2 * (c * c + s * s)
    }
}

private struct ToneQuestion: Hashable {
    let frequency, sampleRate: Double
    let length: Int
}

private let keptTones = KeptDesigns<ToneQuestion, MainsTone>()
