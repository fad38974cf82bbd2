import Foundation
import Kernels
import TestSupport
import Testing

extension Window {
    init(_ name: String) {
        switch name {
        case "hamming": self = .hamming
        case "hann": self = .hann
        case "blackman": self = .blackman
        case "kaiser": self = .kaiser(beta: 6.5)
        default: self = .rectangular
        }
    }
}

@Suite struct FIRTests {
    @Test(.enabled(if: OracleData.has("kernels_filters.json")))
    func designsAndRunsAgreeWithScipy() throws {
        let oracle: FilterOracle = try oracle("kernels_filters.json")
        for entry in oracle.fir {
            let design = try FIRDesign.windowed(
                FilterBand(entry.band, entry.corners), taps: entry.taps.count, window: Window(entry.window),
                sampleRate: 250)
            expectClose(design.taps, entry.taps, 1e-12, "\(entry.band) \(entry.window) \(entry.taps.count)")
            var filter = FIRFilter(design)
            // Float sums: the largest term is about the largest sample times the largest tap.
            let found = filter.process(oracle.x.map(Float.init)).map(Double.init)
            let scale = entry.filtered.reduce(0) { max($0, abs($1)) }
            let terms = entry.taps.reduce(0) { $0 + abs($1) } * oracle.x.reduce(0) { max($0, abs($1)) }
            expectClose(found, entry.filtered, 2e-6 * terms / scale, entry.band)
        }
    }

    @Test(.enabled(if: OracleData.has("kernels_filters.json")))
    func windowsAgreeWithScipy() throws {
        let oracle: FilterOracle = try oracle("kernels_filters.json")
        for entry in oracle.windows {
            let window = Window(entry.window)
            expectClose(window.symmetric(entry.symmetric.count), entry.symmetric, 1e-13, entry.window)
            expectClose(window.periodic(entry.periodic.count), entry.periodic, 1e-13, entry.window)
        }
        for entry in oracle.kaiser {
            #expect(abs(Window.kaiserBeta(attenuation: entry.attenuation) - entry.beta) < 1e-12)
            let design = try FIRDesign.kaiser(
                .lowpass(30), attenuation: entry.attenuation, transition: entry.width, sampleRate: 250)
            #expect(design.taps.count == entry.taps | 1)
        }
    }

    @Test(arguments: [1, 2, 31, 32, 33, 257])
    func impulseGivesTheTapsAndChunksDoNotChangeABit(count: Int) throws {
        let design = try FIRDesign.windowed(.lowpass(30), taps: count, window: .blackman, sampleRate: 250)
        var filter = FIRFilter(design)
        let impulse = [Float(1)] + Array(repeating: 0, count: count + 40)
        #expect(filter.process(impulse).prefix(count).elementsEqual(design.taps.map(Float.init)))
        let x = noise(3000).map(Float.init)
        filter.reset()
        let expected = filter.process(x)
        for seed in UInt64(0)..<5 {
            filter.reset()
            #expect(randomCuts(x.count, seed: seed).flatMap { filter.process(Array(x[$0])) } == expected)
        }
        filter.reset()
        #expect(x.flatMap { filter.process([$0]) } == expected)
    }

    @Test func attenuationIsReached() throws {
        let design = try FIRDesign.kaiser(.lowpass(30), attenuation: 80, transition: 4, sampleRate: 250)
        for f in stride(from: 32.0, through: 125, by: 0.25) {
            #expect(design.response(at: f, sampleRate: 250).magnitude < 1.1e-4)
        }
        for f in stride(from: 0.0, through: 28, by: 0.25) {
            #expect(abs(design.response(at: f, sampleRate: 250).magnitude - 1) < 1.1e-4)
        }
    }

    @Test func centredHasNoDelay() throws {
        let design = try FIRDesign.windowed(.lowpass(30), taps: 61, sampleRate: 250)
        let slow = (0..<500).map { Float(sin(Double($0) * 0.05)) }
        let found = design.centred(slow)
        for index in 60..<440 { #expect(abs(found[index] - slow[index]) < 0.01) }
        #expect(design.centred([]) == [])
        #expect(design.centred([3]).count == 1)
    }

    @Test func notANumberIsForgottenOnceTheTapsPassedIt() throws {
        let design = try FIRDesign.windowed(.lowpass(30), taps: 21, sampleRate: 250)
        var filter = FIRFilter(design)
        var x = [Float](repeating: 1, count: 100)
        x[10] = .nan
        let y = filter.process(x)
        #expect(y.indices.filter { y[$0].isNaN } == Array(10..<31))
    }

    @Test func impossibleDesignsAreRefused() {
        #expect(throws: FilterDesignError.self) { try FIRDesign.windowed(.highpass(5), taps: 10, sampleRate: 100) }
        #expect(throws: FilterDesignError.self) { try FIRDesign.windowed(.lowpass(5), taps: 0, sampleRate: 100) }
        #expect(throws: FilterDesignError.self) {
            try FIRDesign.kaiser(.lowpass(5), attenuation: 60, transition: 1e-9, sampleRate: 100)
        }
    }
}
