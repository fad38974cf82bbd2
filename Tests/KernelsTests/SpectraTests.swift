import Foundation
import Kernels
import TestSupport
import Testing

private struct SpectraOracle: Decodable {
    struct Averaged: Decodable {
        var segment, overlap, transform: Int
        var window, detrend: String
        var frequencies, density: [Double]
    }
    struct Single: Decodable {
        var count: Int
        var frequencies, density: [Double]
    }
    struct Lomb: Decodable {
        var times, values, power, centred: [Double]
        var first, step: Double
        var count: Int
    }
    var x: [Double]
    var welch: [Averaged]
    var periodogram: [Single]
    var lomb: [Lomb]
}

@Suite struct SpectraTests {
    @Test(.enabled(if: OracleData.has("kernels_spectra.json")))
    func welchAgreesWithScipy() throws {
        let oracle: SpectraOracle = try oracle("kernels_spectra.json")
        for entry in oracle.welch {
            let detrend: Detrend = ["constant": .constant, "linear": .linear][entry.detrend] ?? .none
            let welch = Welch(
                segment: entry.segment, overlap: entry.overlap, transform: entry.transform,
                window: Window(entry.window), detrend: detrend, sampleRate: 4)
            let found = try #require(welch.spectrum(oracle.x))
            expectClose(found.frequencies, entry.frequencies, 1e-14)
            expectClose(found.density, entry.density, 1e-12, "\(entry.segment) \(entry.window) \(entry.detrend)")
        }
        for entry in oracle.periodogram {
            let found = Welch.periodogram(Array(oracle.x.prefix(entry.count)), sampleRate: 4)
            expectClose(found.frequencies, entry.frequencies, 1e-14)
            // One sample without its mean is rounding.
            if entry.count > 1 { expectClose(found.density, entry.density, 1e-12, "\(entry.count)") }
        }
    }

    @Test(.enabled(if: OracleData.has("kernels_spectra.json")))
    func lombScargleAgreesWithScipy() throws {
        let oracle: SpectraOracle = try oracle("kernels_spectra.json")
        for entry in oracle.lomb {
            let grid = LombScargle.Grid(first: entry.first, step: entry.step, count: entry.count)
            let found = LombScargle.periodogram(times: entry.times, values: entry.values, frequencies: grid)
            expectClose(found, entry.power, 1e-10, "\(entry.times.count) samples")
            let density = try #require(
                LombScargle.density(times: entry.times, values: entry.values, frequencies: grid))
            let spacing = (entry.times[entry.times.count - 1] - entry.times[0]) / Double(entry.times.count - 1)
            expectClose(density.density, entry.centred.map { $0 * 2 * spacing }, 1e-9)
        }
    }

    @Test func tonesKeepTheirPower() throws {
        // Amplitudes whose powers are 450 and 312.5, as in a tachogram with LF and HF tones, in ms.
        let signal = { (t: Double) in
            30 * sin(2 * Double.pi * 0.1 * t + 1) + 25 * sin(2 * Double.pi * 0.25 * t) + 800
        }
        var times = [0.0]
        while let last = times.last, last < 300 { times.append(last + signal(last) / 1000) }
        let grid = LombScargle.Grid(first: 0.0005, step: 0.0005, count: 1000)
        let lomb = try #require(LombScargle.density(times: times, values: times.map(signal), frequencies: grid))
        let even = (0..<1200).map { signal(Double($0) / 4) }
        let welch = try #require(Welch(segment: 1200, sampleRate: 4).spectrum(even))
        for spectrum in [lomb, welch] {
            for rule in [PowerSpectrum.Rule.sum, .trapezoid] {
                #expect(abs(spectrum.power(in: 0.04..<0.15, by: rule) / 450 - 1) < 0.03)
                #expect(abs(spectrum.power(in: 0.15..<0.4, by: rule) / 312.5 - 1) < 0.03)
            }
            #expect(abs((spectrum.peak(in: 0.15..<0.4) ?? 0) - 0.25) < 0.002)
        }
        #expect(lomb.power(in: 3..<4) == 0 && lomb.peak(in: 3..<4) == nil)
    }

    @Test func evenSpacingGivesTheOrdinaryPeriodogram() throws {
        let x = noise(101)
        let grid = LombScargle.Grid(first: 4.0 / 101, step: 4.0 / 101, count: 50)
        let times = x.indices.map { Double($0) / 4 }
        let lomb = try #require(LombScargle.density(times: times, values: x, frequencies: grid))
        expectClose(lomb.density, Array(Welch.periodogram(x, sampleRate: 4).density.dropFirst()), 1e-11)
    }

    @Test func averagePowerIsTheVariance() throws {
        let x = noise(4096)
        let spectrum = Welch.periodogram(x, sampleRate: 10)
        #expect(abs(spectrum.power(in: 0..<6, by: .sum) / Statistics.variance(x, ddof: 0) - 1) < 1e-12)
    }

    @Test func tooLittleGivesNothing() {
        #expect(Welch(segment: 10, sampleRate: 1).spectrum(noise(9)) == nil)
        #expect(Welch.periodogram([], sampleRate: 1).density.isEmpty)
        let grid = LombScargle.Grid(first: 0.1, step: 0.1, count: 3)
        #expect(LombScargle.density(times: [0, 1], values: [1, 2], frequencies: grid) == nil)
        #expect(LombScargle.density(times: [1, 1, 1], values: [1, 2, 3], frequencies: grid) == nil)
        let missing = LombScargle.periodogram(times: [0, 1, 3], values: [1, .nan, 2], frequencies: grid)
        #expect(missing.allSatisfy { $0.isNaN })
        #expect(Welch(segment: 4, sampleRate: 1).spectrum([1, 2, .nan, 3])?.density.allSatisfy { $0.isNaN } == true)
    }
}
