import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite("HRV of runs and windows' ends")
struct HRVRunTests {
    /// Intervals around 0.9 s that swing by `amplitude` ms at 0.1 Hz, with some noise, from `start` on for `duration` s.
    private func run(_ amplitude: Double, from start: Seconds, for duration: Seconds, seed: UInt64) -> [IBI] {
        var random = SplitMix64(seed: seed)
        var (time, beats): (Seconds, [IBI]) = (start, [])
        while time < start + duration {
            let length =
                0.9 + amplitude / 1_000 * sin(2 * .pi * 0.1 * time)
                + Double.random(in: -0.005...0.005, using: &random)
            time += length
            beats.append(IBI(onset: time, duration: length, isContiguous: !beats.isEmpty))
        }
        return beats
    }

    @Test("a long run does not silence the shorter ones, in Welch's spectrum nor in the autoregressive")
    func shorterRuns() throws {
        // 40 min at 50 ms², then four times 15 min at 800 ms², all of them segments of 300 s.
        var beats = run(10, from: 0, for: 2_400, seed: 1)
        for part in 0..<4 {
            beats += run(40, from: 2_460 + Double(part) * 960, for: 900, seed: UInt64(part) + 2)
        }
        let parameters = whole(.frequency)
        let window = try #require(try HRV.windows(of: beats, parameters: parameters).first)
        // 15 segments of the first run and five of each of the others.
        let expected = (15 * 50 + 20 * 800) / 35.0
        #expect(isNear(window.value("lf", parameters), expected, 0.1))
        #expect(try #require(window.value("lfAR", parameters)) > 250)
        // The same intervals in windows, where none takes part in another's.
        var inWindows = HRVParameters()
        inWindows.indexes = ["lf"]
        inWindows.step = 300
        let each = try HRV.windows(of: beats, parameters: inWindows).compactMap { $0.value("lf", inWindows) }
        let mean = each.reduce(0, +) / Double(each.count)
        #expect(isNear(window.value("lf", parameters), mean, 0.2))
    }

    @Test(
        "a window of the length that a band needs has the band, though its ends cut intervals",
        arguments: [(60.0, "hf"), (120, "lf"), (240, "vlf")])
    func advertisedLength(length: Seconds, band: String) throws {
        // Beats from 0.4 s on, so that no window begins or ends with one.
        let beats = run(20, from: 0.4, for: 6 * length + 10, seed: 9)
        var parameters = HRVParameters()
        parameters.window = length
        parameters.step = length / 2
        parameters.welchSegment = max(parameters.welchSegment, length)
        let windows = try HRV.windows(of: beats, parameters: parameters)
        #expect(windows.count >= 10)
        for suffix in ["", "Lomb", "AR"] {
            for window in windows {
                #expect(window.value(band + suffix, parameters) != nil, "\(band)\(suffix) at \(window.onset)")
            }
        }
    }

    @Test("a window with a gap, or a recording that is shorter, has not")
    func gapOrShorter() throws {
        var beats = run(20, from: 0.4, for: 300, seed: 9)
        // Three seconds without beats at the end of the second window, and as much within the fourth.
        beats.removeAll { (117...120.5).contains($0.onset) || (200...203).contains($0.onset) }
        for place in beats.indices.dropFirst() {
            beats[place].isContiguous = beats[place].onset - beats[place].duration - beats[place - 1].onset < 0.1
        }
        var parameters = HRVParameters()
        parameters.window = 60
        parameters.step = 60
        let windows = try HRV.windows(of: beats, parameters: parameters)
        for suffix in ["", "AR"] {
            let has = windows.prefix(4).map { $0.value("hf" + suffix, parameters) != nil }
            #expect(has == [true, false, true, false], "hf\(suffix)")
        }
        let short = try #require(try HRV.windows(of: run(20, from: 0.4, for: 58, seed: 9)).first)
        #expect(short.value("hf") == nil && short.value("hfLomb") == nil && short.value("hfAR") == nil)
    }
}
