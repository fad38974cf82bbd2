import Foundation
import Reports
import Signals

/// Made-up recordings that look like real ones.
enum ReportFixture {
    /// Resting ECG and wrist BVP of `duration` seconds with ectopics, a gap and a noisy stretch.
    static func recording(duration: Seconds, seed: UInt64 = 7) -> RecordingReport {
        var noise = Noise(state: seed)
        let gaps = self.gaps(duration)
        let ecg = series(named: "ECG", duration: duration, gaps: gaps, jitter: 0.004, &noise)
        let bvp = series(named: "BVP (wrist)", duration: duration, gaps: gaps, jitter: 0.02, &noise)
        return RecordingReport(
            title: "sub-01, rest: heart-rate report", subject: "01", session: "01", task: "rest",
            start: Timestamp(year: 2026, month: 3, day: 1, hour: 9), duration: duration,
            source: RecordingSource(
                fileName: "sub-01_ses-01_task-rest_run-01.edf",
                sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", format: "EDF+D"),
            software: "Marey 0.1.0", streams: streams(gaps), series: [ecg, bvp],
            quality: [
                lane("ECG", duration, gaps, reasons: ["motion", "baselineWander"], &noise),
                lane("BVP", duration, gaps, reasons: ["motion", "lowPerfusion", "flatline", "clipped"], &noise),
            ],
            worstStrips: strips(duration, &noise),
            notComputed: [
                NotComputed(what: "ULF power", why: "it needs 24 h of intervals; the recording lasts less"),
                NotComputed(what: "respiration", why: "no respiration stream, and deriving it was switched off"),
            ],
            methods: Methods(
                paragraph: "Beats were detected in the ECG (360 Hz) with Marey 0.1.0. Intervals were screened and "
                    + "corrected for ectopic, missed and extra beats (Lipponen & Tarvainen 2019); 1.1 % were changed. "
                    + "Heart-rate variability was computed after the Task Force (1996) definitions over 300 s.",
                references: [
                    Methods.Reference(
                        "Task Force of the ESC and NASPE (1996). Heart rate variability: standards of measurement. "
                            + "Circulation 93, 1043–1065.", doi: "10.1161/01.CIR.93.5.1043"),
                    Methods.Reference(
                        "Lipponen & Tarvainen (2019). A robust algorithm for heart rate variability time series "
                            + "artefact correction. J Med Eng Technol 43, 173–181.",
                        doi: "10.1080/03091902.2019.1640306"),
                ]),
            provenance: [
                ProvenanceEntry("command", "marey report sub-01_ses-01_task-rest_run-01.edf"),
                ProvenanceEntry("parameters", "hrv.window=300 hrv.step=30 quality.window=10 quality.step=1"),
                ProvenanceEntry("parametersSHA256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ], notes: ["One annotation channel was not understood and was left out."])
    }

    static func gaps(_ duration: Seconds) -> [Gap] {
        var gaps = [Gap(onset: duration * 0.52, duration: min(duration * 0.045, 1_500), reason: .deviceLost)]
        if duration > 3_600 { gaps.append(Gap(onset: duration * 0.82, duration: 700, reason: .offBody)) }
        return gaps
    }

    private static func streams(_ gaps: [Gap]) -> [StreamSummary] {
        let ecg = StreamHeader(
            name: "ECG", kind: .ecg, channels: [Channel(label: "MLII", unit: .millivolts)], sampleRate: 360)
        let bvp = StreamHeader(
            name: "BVP", kind: .bvp, channels: [Channel(label: "BVP", unit: .dimensionless)], sampleRate: 64)
        let acceleration = StreamHeader(
            name: "ACC", kind: .acceleration,
            channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, sampleRate: 32)
        return [
            StreamSummary(header: ecg, gaps: gaps, coverage: 0.955),
            StreamSummary(header: bvp, gaps: gaps, coverage: 0.955),
            StreamSummary(header: acceleration, coverage: 1),
        ]
    }

    private static func series(
        named name: String, duration: Seconds, gaps: [Gap], jitter: Double, _ noise: inout Noise
    ) -> BeatSeries {
        var intervals: [TachogramInterval] = []
        var corrections: [CorrectionRow] = []
        var time = 0.4
        var isContiguous = false
        while time < duration {
            let day = duration > 7_200 ? 0.16 * sin(2 * .pi * time / 86_400 - 1.2) : 0
            let length =
                0.85 + day + 0.03 * sin(2 * .pi * 0.1 * time) + 0.025 * sin(2 * .pi * 0.25 * time)
                + 0.02 * sin(2 * .pi * 0.02 * time) + jitter * noise.normal()
            time += length
            if let gap = gaps.first(where: { time >= $0.onset && time - length < $0.onset + $0.duration }) {
                time = gap.onset + gap.duration + 0.3
                isContiguous = false
                continue
            }
            let chance = noise.uniform()
            let status: TachogramInterval.Status = chance < 0.006 ? .removed : chance < 0.02 ? .corrected : .kept
            let shown = status == .removed ? length * (chance < 0.003 ? 0.55 : 1.7) : length
            intervals.append(
                TachogramInterval(onset: time, duration: shown, status: status, isContiguous: isContiguous))
            if status != .kept {
                corrections.append(
                    CorrectionRow(
                        onset: time, index: intervals.count - 1, kind: chance < 0.01 ? "ectopic" : "longShort",
                        old: length * 0.62, new: status == .removed ? nil : length,
                        reason: chance < 0.01 ? "differs by 38 % from its neighbours" : "one beat detected late"))
            }
            isContiguous = true
        }
        let isLong = duration > 600
        return BeatSeries(
            name: name, coverage: 0.951, beatCount: intervals.count + 2, intervals: intervals,
            gaps: gaps.map(MissingSpan.init), corrections: corrections, indices: indices(intervals),
            spectra: [spectrum(jitter)], overlay: overlay(&noise),
            windows: isLong ? windows(duration, gaps, &noise) : nil)
    }

    private static func indices(_ intervals: [TachogramInterval]) -> [IndexValue] {
        let used = intervals.filter { $0.status != .removed }.map { $0.duration * 1_000 }
        let mean = used.reduce(0, +) / Double(max(1, used.count))
        func column(_ name: String, _ unit: Signals.Unit, _ definition: String) -> Column {
            Column(name, unit: unit, definition, reference: "Task Force 1996", leastData: "2 min of intervals")
        }
        let ms2 = Signals.Unit("ms^2")
        return [
            IndexValue(column("meanHR", .beatsPerMinute, "Mean of 60/NN over all NN intervals."), 60_000 / mean),
            IndexValue(column("meanNN", .milliseconds, "Mean of the NN intervals."), mean),
            IndexValue(column("sdnn", .milliseconds, "Standard deviation of the NN intervals, n − 1."), 31.15612),
            IndexValue(column("rmssd", .milliseconds, "Root mean square of successive differences."), 25.26904),
            IndexValue(column("pnn50", .percent, "Share of successive differences above 50 ms."), 1.6997),
            IndexValue(column("lf", ms2, "Power in 0.04–0.15 Hz."), 450.2),
            IndexValue(column("hf", ms2, "Power in 0.15–0.40 Hz."), 312.6),
            IndexValue(column("lfHf", .dimensionless, "LF power over HF power."), 1.4402),
            IndexValue(
                column("sd1", .milliseconds, "Poincaré: spread across the line of identity."),
                intervals.count > 5_000 ? 21.4 : 17.87),
            IndexValue(
                column("sd2", .milliseconds, "Poincaré: spread along the line of identity."),
                intervals.count > 5_000 ? 168.3 : 40.21),
            IndexValue(column("nn50", .dimensionless, "Number of successive differences above 50 ms."), 6),
            IndexValue(
                column("sampEn", .dimensionless, "Sample entropy, m = 2, r = 0.2 SD."), nil,
                reason: "a gap leaves no run of 200 intervals"),
        ]
    }

    private static func spectrum(_ jitter: Double) -> Spectrum {
        let frequencies = (0...256).map { Double($0) / 512 }
        let density = frequencies.map { f in
            func peak(_ at: Double, _ power: Double, _ width: Double) -> Double {
                power / (width * 2.5066) * exp(-(f - at) * (f - at) / (2 * width * width))
            }
            return peak(0.02, 200, 0.006) + peak(0.1, 450, 0.012) + peak(0.25, 312.5, 0.02) + 40 + jitter * 1e4
        }
        return Spectrum(
            method: "Welch, 4 Hz, 256 s Hann windows, 50 % overlap", frequencies: frequencies, density: density,
            bands: [
                Spectrum.Band(name: "VLF", lower: 0.0033, upper: 0.04, power: 200.4),
                Spectrum.Band(name: "LF", lower: 0.04, upper: 0.15, power: 450.2),
                Spectrum.Band(name: "HF", lower: 0.15, upper: 0.4, power: 312.6),
            ])
    }

    /// One beat at time 0 of the ECG, in mV.
    static func ecg(_ t: Double) -> Double {
        func wave(_ at: Double, _ height: Double, _ width: Double) -> Double {
            height * exp(-(t - at) * (t - at) / (2 * width * width))
        }
        return wave(-0.17, 0.12, 0.022) + wave(-0.028, -0.12, 0.009) + wave(0, 1.15, 0.0105)
            + wave(0.03, -0.25, 0.011) + wave(0.25, 0.3, 0.045)
    }

    private static func overlay(_ noise: inout Noise) -> BeatOverlay {
        let waveforms = (0..<320).map { _ in
            let gain = 1 + 0.06 * noise.normal()
            let drift = 0.05 * noise.normal()
            return (0..<252).map { Float(gain * ecg(Double($0 - 90) / 360) + drift + 0.015 * noise.normal()) }
        }
        return BeatOverlay(waveforms: waveforms, alignment: 90, sampleRate: 360, unit: .millivolts)
    }

    private static func windows(_ duration: Seconds, _ gaps: [Gap], _ noise: inout Noise) -> Table {
        var table = Table(columns: [
            Column("onset", unit: .seconds, "Start of the window."), Column("duration", unit: .seconds, "Its length."),
            Column("coverage", unit: .dimensionless, "Share covered by intervals."),
            Column("meanHR", unit: .beatsPerMinute, "Mean heart rate."),
            Column("rmssd", unit: .milliseconds, "Root mean square of successive differences."),
            Column("lfHf", unit: .dimensionless, "LF over HF."),
        ])
        var onset = 0.0
        while onset + 300 <= duration {
            let isMissing = gaps.contains { onset < $0.onset + $0.duration && onset + 300 > $0.onset }
            let day = sin(2 * .pi * onset / 86_400)
            let values = [
                68 - 9 * day + noise.normal(), 32 + 10 * day + 3 * noise.normal(), 1.8 - day + 0.2 * noise.normal(),
            ]
            table.append(
                [.onset(onset), .number(300), .number(isMissing ? 0.3 : 0.98)]
                    + values.map { isMissing ? .missing : .number($0) })
            onset += duration > 7_200 ? 150 : 30
        }
        return table
    }

    private static func lane(
        _ stream: String, _ duration: Seconds, _ gaps: [Gap], reasons: [String], _ noise: inout Noise
    ) -> QualityLane {
        var windows: [QualityLane.Window] = []
        for index in 0..<max(1, Int(duration) - 9) {
            let onset = Double(index)
            let share = onset / duration
            let isGone = gaps.contains { onset + 5 >= $0.onset && onset + 5 < $0.onset + $0.duration }
            let isNoisy = share > 0.7 && share < 0.76 || sin(onset / 47) > 0.985
            let quality = isGone ? nil : isNoisy ? 0.2 + 0.25 * noise.uniform() : 0.93 + 0.05 * sin(onset / 90)
            let raised =
                isNoisy ? reasons.filter { _ in noise.uniform() > 0.4 } : sin(onset / 31) > 0.96 ? [reasons[0]] : []
            windows.append(
                QualityLane.Window(
                    onset: onset, duration: 10, quality: raised.isEmpty ? quality : quality.map { min($0, 0.68) },
                    coverage: isGone ? 0 : 1, reasons: isGone ? ["gap"] : raised))
        }
        return QualityLane(stream: stream, windows: windows, gaps: gaps.map(MissingSpan.init))
    }

    private static func strips(_ duration: Seconds, _ noise: inout Noise) -> [SignalStrip] {
        (0..<4).map { place in
            let onset = (duration * (0.71 + 0.01 * Double(place))).rounded(.down)
            let beats = (0..<12).map { onset + 0.4 + 0.84 * Double($0) }.filter { $0 < onset + 10 }
            var samples = (0..<3_600).map { index -> Float in
                let t = onset + Double(index) / 360
                let clean = beats.reduce(0) { $0 + ecg(t - $1) }
                return Float(clean + 0.25 * sin(t * 1.7) + (0.1 + 0.12 * Double(place)) * noise.normal())
            }
            if place == 1 { for index in 1_400..<2_000 { samples[index] = .nan } }
            return SignalStrip(
                stream: "ECG, MLII", onset: onset, samples: samples, sampleRate: 360, unit: .millivolts, beats: beats,
                quality: 0.12 + 0.08 * Double(place), coverage: place == 1 ? 0.83 : 1,
                reasons: place == 1 ? ["gap", "motion"] : ["motion", "baselineWander"])
        }
    }
}

/// A small generator; the same seed gives the same recording everywhere.
private struct Noise {
    var state: UInt64

    /// 0 ≤ u < 1.
    mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / 9_007_199_254_740_992
    }

    /// Nearly normal: the sum of twelve.
    mutating func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + uniform() }
    }
}
