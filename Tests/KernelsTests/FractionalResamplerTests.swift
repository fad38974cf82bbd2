import Foundation
import Kernels
import TestSupport
import Testing

@Suite struct FractionalResamplerTests {
    private static func resampled(_ channels: [[Float]], from: Double, to: Double, chunk: Int) -> [[Float]] {
        var resampler = FractionalResampler(channelCount: channels.count, from: from, to: to)
        var output = [[Float]](repeating: [], count: channels.count)
        var next = 0
        let count = channels[0].count
        while next < count {
            let end = min(count, next + chunk)
            resampler.push(channels.flatMap { $0[next..<end] }, into: &output)
            next = end
        }
        resampler.finish(into: &output)
        return output
    }

    /// Sines far below both Nyquist frequencies keep their values at the new moments.
    @Test(arguments: 0..<30)
    func sines_atAnyRatioOfRates_keepTheirValues(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let from = Double.random(in: 20...600, using: &random)
        let to = from * exp(Double.random(in: -1...1, using: &random))
        let frequency = Double.random(in: 0.01...0.35, using: &random) * min(from, to)
        let count = Int.random(in: 400...3_000, using: &random)
        func value(_ time: Double) -> Double { 5 + sin(2 * .pi * frequency * time + 0.3) }
        let input = (0..<count).map { Float(value(Double($0) / from)) }
        let output = Self.resampled([input], from: from, to: to, chunk: 97)[0]
        let expected = Int((Double(count - 1) / from * to + 1e-6).rounded(.down)) + 1
        #expect(output.count == expected)
        // The ends have inputs on one side only.
        let edge = Int(20 * max(1, to / from))
        for index in edge..<max(edge, output.count - edge) {
            #expect(abs(Double(output[index]) - value(Double(index) / to)) < 2e-3, "output \(index)")
        }
    }

    @Test(arguments: 0..<10)
    func output_ofAnyChunks_isTheSameToTheBit(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let from = Double.random(in: 20...600, using: &random)
        let to = Double.random(in: 20...600, using: &random)
        let channels = (0..<2).map { _ in (0..<700).map { _ in Float.random(in: -1...1, using: &random) } }
        let whole = Self.resampled(channels, from: from, to: to, chunk: 700)
        for chunk in [1, 13, 256] {
            #expect(Self.resampled(channels, from: from, to: to, chunk: chunk) == whole)
        }
    }

    @Test func missingInputs_costOnlyTheOutputsNextToThem() {
        var input = [Float](repeating: 3, count: 200)
        for index in 100..<110 { input[index] = .nan }
        let output = Self.resampled([input], from: 50, to: 52, chunk: 64)[0]
        for (index, value) in output.enumerated() {
            let position = Double(index) * 50 / 52
            let isMissing = (100..<110).contains(Int(position.rounded()))
            #expect(value.isNaN == isMissing && (isMissing || abs(value - 3) < 1e-5), "output \(index)")
        }
    }

    @Test func codes_takeTheNearestInput() {
        var resampler = FractionalResampler(channelCount: 1, from: 10, to: 25, interpolation: .nearest)
        var output: [[Float]] = [[]]
        resampler.push([0, 7, 9], into: &output)
        resampler.finish(into: &output)
        #expect(output[0] == [0, 0, 7, 7, 9, 9])
    }
}
