import Cardiac
import Signals
import TestSupport
import Testing

@Suite("HRV of a signal that outlasts its beats")
struct HRVExtentTests {
    /// Beats from 100 s to 400 s, 0.8 s apart.
    private static let beats = series(Array(repeating: 0.8, count: 375), from: 100).map(NN.init)

    @Test("one window is over the whole signal, and time without beats at its ends is not covered")
    func whole() throws {
        var parameters = HRVParameters()
        parameters.window = nil
        let window = try #require(try HRV.windows(of: Self.beats, in: 0..<900, parameters: parameters).first)
        #expect(window.onset == 0 && window.duration == 900)
        #expect(isNear(window.coverage, 300.0 / 900) && window.nBeats == 376)
        #expect(window.commonReason == .lowCoverage(window.coverage, least: 0.8))
    }

    @Test("of ten seconds at rest none is missing before the first beat and after the last")
    func tenSeconds() throws {
        var parameters = HRVParameters()
        parameters.window = nil
        let slow = series(Array(repeating: 1.4, count: 5), from: 1.2).map(NN.init)
        let window = try #require(try HRV.windows(of: slow, in: 0..<10, parameters: parameters).first)
        #expect(isNear(window.onset, 1.2) && isNear(window.duration, 7) && isNear(window.coverage, 1))
        let late = try #require(try HRV.windows(of: slow, in: -2..<10, parameters: parameters).first)
        #expect(late.onset == -2 && isNear(late.duration, 10.2))
    }

    @Test("windows go on to the end of the signal")
    func grid() throws {
        let windows = try HRV.windows(of: Self.beats, in: 0..<900)
        #expect(windows.map(\.onset) == (0...20).map { Double($0) * 30 })
        #expect(windows.filter { $0.onset >= 400 }.allSatisfy { $0.coverage == 0 && $0.nBeats == 0 })
        let known = try HRV.windows(of: Self.beats)
        #expect(Array(windows.prefix(known.count)) == known)
    }

    @Test("a signal shorter than a window is one row, and one without beats none")
    func short() throws {
        let windows = try HRV.windows(of: Array(Self.beats.prefix(100)), in: 90..<200)
        #expect(windows.count == 1 && windows[0].onset == 90 && windows[0].duration == 110)
        #expect(isNear(windows[0].coverage, 80.0 / 110))
        #expect(try HRV.windows(of: [NN](), in: 0..<900).isEmpty)
    }

    @Test("several runs of samples are one extent, which the next recording does not inherit")
    func runs() throws {
        var parameters = HRVParameters()
        parameters.window = nil
        var stage = try HRVStage(parameters)
        var windows: [HRVWindow] = []
        for run in [50.0..<150, 300..<500] { stage.cover(run) }
        stage.push(Self.beats.span, into: &windows)
        stage.finish(into: &windows)
        stage.push(Self.beats.span, into: &windows)
        stage.finish(into: &windows)
        #expect(windows.map(\.onset) == [50, 100])
        #expect(windows[0].duration == 450 && isNear(windows[1].duration, 300))
    }

    @Test("a segment longer than any recording asks for no longer a transform than the recording does")
    func endlessSegments() throws {
        var parameters = HRVParameters()
        (parameters.window, parameters.welchSegment, parameters.resamplingRate) = (nil, 1e6, 100)
        parameters.spectralMethods = [.welch]
        let beats = series((0..<375).map { 0.8 + 0.05 * Double($0 % 5) }).map(NN.init)
        let endless = try #require(HRV.spectra(of: beats, parameters: parameters).first)
        #expect(endless.frequencies.count == (1 << 20) + 1)
        parameters.welchSegment = 2_000
        let long = try #require(HRV.spectra(of: beats, parameters: parameters).first)
        #expect(long.frequencies.count < endless.frequencies.count)
        func power(_ spectrum: HRVSpectrum) -> Double {
            spectrum.density.reduce(0, +) * (spectrum.frequencies[1] - spectrum.frequencies[0])
        }
        #expect(isNear(power(endless), power(long), 1e-3))
    }
}
