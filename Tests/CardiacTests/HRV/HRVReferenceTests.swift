import Cardiac
import Foundation
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

@Suite("HRV against the PhysioNet toolbox", .enabled(if: RealData.has("rr_nsr2db/nsr001.ecg")))
struct HRVReferenceTests {
    /// The demo's conventions: a clock of 125 Hz, time from the first mark, the quotient rule, intervals of 0.375 to
    /// 2 s between beats of which the first is normal, and differences across what was left out.
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
            return NN(onset: beat.onset, duration: beat.duration, isContiguous: true)
        }
    }

    /// To the printed digits, but for bands, which the toolbox sums over whole bins of 1/1024 Hz, and for sample entropy,
    /// where it also counts patterns without a successor. Its ApEn follows no definition we know and is left out.
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
            let pairs = [
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
