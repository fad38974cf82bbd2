import Brain
import Foundation
import Kernels
import TestSupport
import Testing

@Suite struct AperiodicTests {
    @Test("background and peaks are specparam's", .enabled(if: OracleData.has(FeatureOracle.file)))
    func specparam() throws {
        var (fits, alike) = (0, 0)
        for recording in try FeatureOracle.all() {
            for epoch in recording.epochs {
                let model = try #require(AperiodicModel(AperiodicParameters(), frequencies: epoch.frequencies))
                for (channel, expected) in epoch.channels.enumerated() {
                    guard let expected = expected.aperiodic else { continue }
                    let density = epoch.multitaper[channel]
                    let fit = model.fit(density.span)
                    let found = try #require(fit)
                    fits += 1
                    if isAlike(found, expected) { alike += 1 }
                }
            }
        }
        // A fit of overlapping Gaussians has several minima: now and then the two stop in different ones.
        #expect(Double(alike) >= 0.9 * Double(fits), "\(alike) of \(fits) alike")
    }

    private func isAlike(_ found: AperiodicFit, _ expected: FeatureOracle.Aperiodic) -> Bool {
        guard abs(found.exponent - expected.exponent) < 2e-3, abs(found.offset - expected.offset) < 2e-3,
            abs(found.rSquared - expected.r2) < 2e-3, found.peaks.count == expected.peaks.count
        else { return false }
        return zip(found.peaks, expected.peaks).allSatisfy {
            abs($0.frequency - $1[0]) < 0.05 && abs($0.power - $1[1]) < 0.02 && abs($0.bandwidth - $1[2]) < 0.1
        }
    }

    @Test("a made spectrum gives back what it was made of", arguments: [0.5, 1, 1.7, 2.4])
    func closedForm(exponent: Double) throws {
        let frequencies = (0...256).map { Double($0) * 0.25 }
        let density = frequencies.map { f in
            let background = 1.3 - exponent * log10(max(f, 0.25))
            return pow(
                10, background + 0.8 * exp(-(f - 10.2) * (f - 10.2) / 2) + 0.4 * exp(-(f - 21) * (f - 21) / (2 * 2.25)))
        }
        let model = try #require(AperiodicModel(AperiodicParameters(), frequencies: frequencies))
        let found = model.fit(density.span)
        let fit = try #require(found)
        #expect(abs(fit.exponent - exponent) < 0.02)
        #expect(abs(fit.offset - 1.3) < 0.02)
        #expect(fit.peaks.count == 2)
        #expect(abs(fit.peaks[0].frequency - 10.2) < 0.02)
        #expect(abs(fit.peaks[0].power - 0.8) < 0.03)
        #expect(abs(fit.peaks[0].bandwidth - 2) < 0.1)
        #expect(abs(fit.peaks[1].frequency - 21) < 0.05)
        #expect(fit.rSquared > 0.999)
    }

    @Test("a peak of one bin is found with widths down to far below a bin", arguments: [1, 0.2, 0.02])
    func narrow(narrowest: Double) throws {
        var parameters = AperiodicParameters()
        parameters.peakWidths = EEGBand(narrowest, 12)
        let frequencies = (0...100).map { Double($0) * 0.5 }
        let density = frequencies.map { pow(10, ($0 == 10 ? 0.8 : 0) - log10(max($0, 0.5))) }
        let model = try #require(AperiodicModel(parameters, frequencies: frequencies))
        let found = model.fit(density.span)
        let fit = try #require(found)
        let peak = try #require(fit.peaks.max { $0.power < $1.power })
        #expect(abs(peak.frequency - 10) < 0.25)
        #expect(peak.power > 0.4 && peak.bandwidth >= narrowest && peak.bandwidth < 1.5)
        #expect(fit.rSquared > 0.9)
    }

    @Test("a spectrum with nothing in it has no fit")
    func empty() throws {
        let frequencies = (0...100).map { Double($0) * 0.5 }
        let model = try #require(AperiodicModel(AperiodicParameters(), frequencies: frequencies))
        let fits = [0, Double.nan].map { model.fit([Double](repeating: $0, count: 101).span) }
        #expect(fits == [nil, nil])
        #expect(AperiodicModel(AperiodicParameters(), frequencies: [0, 1, 2]) == nil)
    }
}
