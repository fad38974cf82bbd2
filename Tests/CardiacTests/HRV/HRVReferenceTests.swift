import Cardiac
import Foundation
import Kernels
import Signals
import TestSupport
import Testing

/// One window of the PhysioNet Cardiovascular Signal Toolbox's reference output (Vest et al. 2018).
private struct ReferenceWindow {
    var start: Double
    var values: [String: Double]

    static func read() throws -> [ReferenceWindow] {
        let text = try String(contentsOf: RealData.url("rr_nsr2db/reference_hrv_windows.csv"), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").map(String.init) }
        guard let names = lines.first else { return [] }
        return lines.dropFirst().compactMap { fields in
            var values: [String: Double] = [:]
            for (name, field) in zip(names, fields) { values[name] = Double(field) }
            guard let start = values["t_start"], let mean = values["NNmean"], mean.isFinite else { return nil }
            return ReferenceWindow(start: start, values: values)
        }
    }
}

/// What the toolbox computes otherwise than Marey, by its own rules, from intervals in ms at their times.
private struct ToolboxIndexes {
    var times: [Double]
    var values: [Double]

    /// The sum of a Lomb periodogram's values 1/1024 Hz apart from above the lower edge to the upper one, as if beats were a
    /// second apart.
    func power(above lower: Double, to upper: Double) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        let frequencies = LombScargle.Grid(first: 1.0 / 1_024, step: 1.0 / 1_024, count: 512)
        let density = LombScargle.periodogram(
            times: times, values: values.map { $0 - mean }, frequencies: frequencies)
        var sum = 0.0
        for (frequency, value) in zip(frequencies.values, density) where frequency > lower && frequency <= upper {
            sum += value
        }
        return 2 * sum / 1_024
    }

    /// Shares of pairs of patterns of two and of three intervals that match, with and without each pattern itself.
    private func shares() -> [(withSelf: Double, without: Double)] {
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let tolerance = 0.15 * (squares / Double(values.count - 1)).squareRoot()
        return [2, 3].map { length in
            // All patterns of this length, the last one too.
            let count = values.count - length + 1
            var matches = 0
            for first in 0..<count {
                for second in 0..<count {
                    let isNear = (0..<length).allSatisfy {
                        abs(values[first + $0] - values[second + $0]) <= tolerance
                    }
                    if isNear { matches += 1 }
                }
            }
            let patterns = Double(count)
            return (Double(matches) / (patterns * patterns), (Double(matches) - patterns) / (patterns * (patterns - 1)))
        }
    }

    /// SampEn and ApEn: ratios of the shares, where ApEn by Pincus has the mean of the logarithms.
    func entropies() -> (sampEn: Double, apEn: Double) {
        let found = shares()
        return (log(found[0].without / found[1].without), log(found[0].withSelf / found[1].withSelf))
    }
}

@Suite("HRV against the PhysioNet toolbox", .enabled(if: RealData.has("rr_nsr2db/nsr001.ecg")))
struct HRVReferenceTests {
    /// The demo's conventions: a clock of 125 Hz, time from the first mark, the quotient rule, intervals of 0.375 to
    /// 2 s between beats of which the first is normal, and differences across what was left out. Where a note stands within
    /// 10 ms before a beat, the interval up to the note keeps its length and takes the beat's time.
    private func intervals() throws -> [NN] {
        let marks = try AnnotatedMarks(RealData.url("rr_nsr2db/nsr001.ecg"))
        let onsets = marks.samples.map { Double($0 - marks.samples[0]) / 125 }
        var beats: [IBI] = []
        for place in onsets.indices.dropFirst() where onsets[place] < 7_400 {
            let duration = onsets[place] - onsets[place - 1]
            beats.append(IBI(onset: onsets[place], duration: duration, isContiguous: place > 1))
        }
        var rule = CorrectionParameters()
        rule.method = .quotient
        let removed = Set(try Correction.correct(beats, parameters: rule).rows.map(\.index))
        return beats.enumerated().compactMap { place, beat in
            guard !removed.contains(place), (0.375...2).contains(beat.duration), marks.codes[place] == 1 else {
                return nil
            }
            let next = place + 1 < beats.count && beats[place + 1].duration < 0.01 ? beats[place + 1] : beat
            return NN(onset: next.onset, duration: beat.duration, isContiguous: true)
        }
    }

    /// To the printed digits, but for bands, which the toolbox sums over values 1/1024 Hz apart, for sample entropy, where it
    /// also counts patterns without a successor, and for ApEn, of which it takes the logarithm after the mean: computed by its
    /// own rules (`ToolboxIndexes`) these come out to the printed digits, too.
    @Test("every window of the same intervals agrees in every index, and nine in ten are of the same")
    func allWindows() throws {
        var parameters = HRVParameters()
        parameters.window = nil
        parameters.minimumCoverage = 0
        parameters.entropyTolerance = 0.15
        parameters.prsaLimit = 0.2
        parameters.prsaMargin = 30
        let names = HRVIndex.list(parameters).map(\.name)
        let beats = try intervals()
        let windows = try ReferenceWindow.read()
        var agreeing = 0
        var disagreeing: [String: Int] = [:]
        var (otherBeats, worst) = (0, 0)
        for reference in windows {
            let inside = beats.filter { $0.onset >= reference.start && $0.onset < reference.start + 300 }
            let window = try #require(try HRV.windows(of: inside, parameters: parameters).first)
            func found(_ name: String) -> Double { names.firstIndex(of: name).flatMap { window.values[$0] } ?? .nan }
            // The toolbox scales its Lomb periodogram as if beats were a second apart.
            let perSecond = found("meanNN") / 1_000
            let toolbox = ToolboxIndexes(times: inside.map(\.onset), values: inside.map { $0.duration * 1_000 })
            let entropies = toolbox.entropies()
            let pairs: [(String, Double, Double)] = [
                ("vlf", toolbox.power(above: 0.0033, to: 0.04), 1e-6),
                ("lf", toolbox.power(above: 0.04, to: 0.15), 1e-6),
                ("hf", toolbox.power(above: 0.15, to: 0.4), 1e-6),
                ("SampEn", entropies.sampEn, 1e-4), ("ApEn", entropies.apEn, 1e-4),
                ("NNmean", found("meanNN"), 1e-6), ("NNmedian", found("medianNN"), 1e-6), ("SDNN", found("sdnn"), 1e-5),
                ("RMSSD", found("rmssd"), 1e-5), ("SD1", found("sd1"), 1e-5), ("SD2", found("sd2"), 1e-5),
                ("dc", found("dc"), 1e-4), ("ac", found("ac"), 1e-4), ("SampEn", found("sampEn"), 0.01),
                ("vlf", found("vlfLomb") / perSecond, 0.2), ("lf", found("lfLomb") / perSecond, 0.1),
                ("hf", found("hfLomb") / perSecond, 0.03),
            ]
            let expected = Int(reference.values["btsdet"] ?? 0)
            if expected != inside.count {
                // One rule of the two leaves out another beat: the windows are not of the same intervals.
                let gap = abs(expected - inside.count)
                worst = max(worst, gap)
                #expect(gap <= 3, "window at \(reference.start): \(inside.count) intervals, not \(expected)")
                #expect(isNear(found("meanNN"), reference.values["NNmean"] ?? .nan, 0.01))
                #expect(isNear(found("sdnn"), reference.values["SDNN"] ?? .nan, 0.1))
                #expect(isNear(found("rmssd"), reference.values["RMSSD"] ?? .nan, 0.2))
                otherBeats += 1
                continue
            }
            var agrees = true
            for (name, value, tolerance) in pairs where !isNear(value, reference.values[name] ?? .nan, tolerance) {
                agrees = false
                disagreeing[name, default: 0] += 1
            }
            if agrees { agreeing += 1 }
        }
        print(
            "\(agreeing) of \(windows.count) windows agree in every index, \(otherBeats) have up to \(worst) other "
                + "intervals; disagreeing \(disagreeing)")
        #expect(agreeing + otherBeats == windows.count, "\(disagreeing)")
        #expect(Double(agreeing) >= 0.9 * Double(windows.count))
    }

    @Test(
        "agrees with pyHRV on an hour of intervals where definitions are the same",
        .enabled(if: RealData.has("rr_series/pyhrv_long_nni.txt")))
    func pyHRV() throws {
        let text = try String(contentsOf: RealData.url("rr_series/pyhrv_long_nni.txt"), encoding: .utf8)
        let durations = text.split { !$0.isNumber && $0 != "." }.compactMap { Double($0) }.map { $0 / 1_000 }
        var parameters = HRVParameters()
        parameters.window = nil
        let window = try #require(try HRV.windows(of: series(durations), parameters: parameters).first)
        // Printed with three digits after the point.
        for (name, expected) in [
            ("meanNN", 768.438), ("minNN", 562), ("maxNN", 1_188), ("sdnn", 85.357), ("rmssd", 60.523), ("nn50", 1_338),
            ("nn20", 3_008), ("meanHR", 78.990), ("minHR", 50.505), ("maxHR", 106.762), ("sdHR", 8.305),
            ("pnn50", 28.571), ("sd1", 42.797),
        ] {
            let found = try #require(window.value(name, parameters))
            #expect(abs(found - expected) < 0.02, "\(name) is \(found), not \(expected)")
        }
    }
}
