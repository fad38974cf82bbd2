import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// Series and values written by `Tests/Oracles/cardiac_hrv.py`.
private struct Oracle: Decodable {
    struct Case: Decodable {
        var name: String
        /// NN intervals in seconds.
        var intervals: [Double]
        var values: [String: Double]
        /// Welch's band powers without the smoothness-priors trend of lambda 500.
        var detrended: [String: Double]
        /// Welch's band powers of segments of 120 s.
        var segments: [String: Double]
    }

    var cases: [Case]

    static func read() throws -> Oracle {
        try JSONDecoder().decode(Oracle.self, from: Data(contentsOf: OracleData.url("cardiac_hrv.json")))
    }
}

@Suite("HRV against scipy and numpy", .enabled(if: OracleData.has("cardiac_hrv.json")))
struct HRVOracleTests {
    /// Relative tolerance by kind of index; each is reached with room to spare.
    private func tolerance(_ index: HRVIndex) -> Double {
        index.domain == .frequency ? 1e-6 : 1e-9
    }

    @Test("every index that the references compute")
    func allIndexes() throws {
        var parameters = HRVParameters()
        parameters.window = nil
        // The references take one segment of 300 s.
        parameters.welchSegment = 300
        let indexes = HRVIndex.list(parameters)
        var worst: [HRVDomain: Double] = [:]
        for reference in try Oracle.read().cases {
            let window = try #require(try HRV.windows(of: series(reference.intervals), parameters: parameters).first)
            for (name, expected) in reference.values {
                let place = try #require(indexes.firstIndex { $0.name == name }, "no index \(name)")
                guard let found = window.values[place] else {
                    Issue.record("\(reference.name): \(name) is missing: \(String(describing: window.missing[place]))")
                    continue
                }
                let error = abs(found - expected) / max(abs(expected), 1e-3)
                worst[indexes[place].domain] = max(worst[indexes[place].domain] ?? 0, error)
                let limit = tolerance(indexes[place])
                #expect(error < limit, "\(reference.name): \(name) is \(found), not \(expected)")
            }
        }
        print("worst relative error: \(worst)")
    }

    @Test("Welch's method by default: segments of 120 s, half overlapping, the last flush with the end")
    func segments() throws {
        let parameters = whole(.frequency)
        #expect(parameters.welchSegment == 120)
        for reference in try Oracle.read().cases {
            let window = try #require(try HRV.windows(of: series(reference.intervals), parameters: parameters).first)
            for name in ["lf", "hf", "vhf", "totalPower"] {
                let expected = try #require(reference.segments[name])
                #expect(isNear(window.value(name, parameters), expected, 1e-6), "\(reference.name): \(name)")
            }
            #expect(window.value("vlf", parameters) == nil)
        }
    }

    @Test("smoothness priors")
    func smoothnessPriors() throws {
        var parameters = whole(.frequency)
        parameters.detrending = .smoothnessPriors
        parameters.welchSegment = 300
        for reference in try Oracle.read().cases {
            let window = try #require(try HRV.windows(of: series(reference.intervals), parameters: parameters).first)
            for name in ["lf", "hf", "totalPower"] {
                let expected = try #require(reference.detrended[name])
                #expect(isNear(window.value(name, parameters), expected, 1e-6), "\(reference.name): \(name)")
            }
        }
    }
}

@Suite("HRV of tones whose power is known")
struct HRVToneTests {
    /// 300 s of RR = 850 + 30 sin(2π0.1t + a) + 25 sin(2π0.25t + b) + 20 sin(2π0.02t) ms, t the time of the later beat.
    static func tones(_ a: Double, _ b: Double, lasting end: Double = 300) -> [IBI] {
        var (time, beats): (Double, [IBI]) = (0, [])
        while true {
            var rr = 0.85
            // The length depends on the time of its end: a fixed point, found in a few steps.
            for _ in 0..<40 {
                let end = time + rr
                rr =
                    0.85 + 0.03 * sin(2 * .pi * 0.1 * end + a) + 0.025 * sin(2 * .pi * 0.25 * end + b)
                    + 0.02 * sin(2 * .pi * 0.02 * end)
            }
            time += rr
            guard time <= end else { return beats }
            beats.append(IBI(onset: time, duration: rr, isContiguous: !beats.isEmpty))
        }
    }

    @Test("Welch and Lomb-Scargle give each band within 3 %", arguments: [0.0, 0.7, 1.9, 3.1, 5.0])
    func bands(phase: Double) throws {
        // One segment has the slow tone as well.
        var parameters = HRVParameters()
        parameters.welchSegment = 300
        let window = try #require(
            try HRV.windows(of: Self.tones(phase, 2 * phase), parameters: parameters).first)
        for suffix in ["", "Lomb"] {
            for (band, power) in [("vlf", 200.0), ("lf", 450), ("hf", 312.5), ("totalPower", 962.5)] {
                #expect(isNear(window.value(band + suffix, parameters), power, 0.03), "\(band)\(suffix)")
            }
            #expect(isNear(window.value("lfHf" + suffix, parameters), 1.44, 0.03))
            #expect(isNear(window.value("lfPeak" + suffix, parameters), 0.1, 0.01))
            #expect(isNear(window.value("hfPeak" + suffix, parameters), 0.25, 0.01))
            #expect(isNear(window.value("vlfPeak" + suffix, parameters), 0.02, 0.04))
        }
        // A model of order 16 at 4 Hz does not resolve the tone of 0.02 Hz; it is close at the others.
        #expect(isNear(window.value("lfAR", parameters), 450, 0.15))
        #expect(isNear(window.value("hfAR", parameters), 312.5, 0.3))
        #expect(window.value("ulf") == nil && window.value("ulfLomb") == nil)
    }

    @Test("SDNN, RMSSD and pNN50 of tones are exact to 1e-9")
    func exactTimeDomain() throws {
        let beats = Self.tones(0.4, 1.3)
        let nn = beats.map { $0.duration * 1_000 }
        let count = Double(nn.count)
        let mean = nn.reduce(0, +) / count
        let differences = zip(nn, nn.dropFirst()).map { $1 - $0 }
        let window = try #require(try HRV.windows(of: beats).first)
        let sdnn = (nn.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / (count - 1)).squareRoot()
        let rmssd = (differences.map { $0 * $0 }.reduce(0, +) / (count - 1)).squareRoot()
        #expect(isNear(window.value("sdnn"), sdnn, 1e-9 * 1e-1))
        #expect(isNear(window.value("rmssd"), rmssd, 1e-9))
        #expect(window.value("pnn50") == Double(differences.count { abs($0) > 50 }) / (count - 1) * 100)
    }

    @Test("a gap takes no power away and adds none: two runs give the same bands")
    func gap() throws {
        var beats = Self.tones(0.4, 1.3, lasting: 600)
        beats.removeAll { (290...310).contains($0.onset) }
        let cut = try #require(beats.firstIndex { $0.onset > 300 })
        beats[cut].isContiguous = false
        var parameters = whole(.frequency)
        parameters.welchSegment = 300
        let window = try #require(try HRV.windows(of: beats, parameters: parameters).first)
        for suffix in ["", "Lomb"] {
            for (band, power) in [("lf", 450.0), ("hf", 312.5), ("vlf", 200)] {
                #expect(isNear(window.value(band + suffix, parameters), power, 0.05), "\(band)\(suffix)")
            }
        }
    }

    @Test("white noise: Burg's spectrum is flat, and its power the variance")
    func whiteNoise() throws {
        var generator = SplitMix64(seed: 11)
        let beats = series((0..<2_000).map { _ in 0.5 + 0.01 * SimulatedRhythm.normal(&generator) })
        let parameters = whole(.frequency)
        let window = try #require(try HRV.windows(of: beats, parameters: parameters).first)
        // 100 ms² spread over 0 to 1 Hz, half the beat rate: LF has 11 % of it, HF 25 %.
        for suffix in ["", "Lomb", "AR"] {
            #expect(isNear(window.value("lf" + suffix, parameters), 11, 0.25), "lf\(suffix)")
            #expect(isNear(window.value("hf" + suffix, parameters), 25, 0.25), "hf\(suffix)")
        }
    }

    @Test("a constant rhythm has no power, and says what cannot be had")
    func constant() throws {
        let parameters = HRVParameters()
        let window = try #require(try HRV.windows(of: series(Array(repeating: 0.8, count: 400))).first)
        #expect(isNear(window.value("lf"), 0) && isNear(window.value("sdnn"), 0))
        for name in ["lnLF", "lfHf", "lfRelAR", "sampEn", "dfaAlpha1", "gi", "rqaREC", "stressIndex", "sd1Sd2"] {
            #expect(window.reason(name, parameters) == .undefined, "\(name)")
        }
    }
}

@Suite("HRV of long recordings")
struct HRVLongRecordingTests {
    @Test("a day: tones keep their power in Lomb-Scargle's fast transform, ULF included")
    func dayOfTones() throws {
        // 20 ms at 0.001 Hz and 30 ms at 0.1 Hz, with a gap of an hour.
        var (time, beats): (Double, [IBI]) = (0, [])
        while time < 40_000 {
            let rr = 0.9 + 0.02 * sin(2 * .pi * 0.001 * time) + 0.03 * sin(2 * .pi * 0.1 * time)
            time += rr
            beats.append(IBI(onset: time, duration: rr, isContiguous: !beats.isEmpty))
        }
        beats.removeAll { (20_000...23_600).contains($0.onset) }
        if let cut = beats.firstIndex(where: { $0.onset > 23_600 }) { beats[cut].isContiguous = false }
        let parameters = whole(.frequency)
        let window = try #require(try HRV.windows(of: beats, parameters: parameters).first)
        #expect(isNear(window.value("ulfLomb", parameters), 200, 0.02))
        #expect(isNear(window.value("lfLomb", parameters), 450, 0.02))
        #expect(isNear(window.value("lf", parameters), 450, 0.02))
        let reason = "needs hrv.welchSegment of 3000 s or more (the Lomb-Scargle column does without); found 120 s"
        #expect(window.reason("ulf", parameters)?.description == reason)
        var longer = parameters
        longer.welchSegment = 5_000
        let resolved = try #require(try HRV.windows(of: beats, parameters: longer).first)
        #expect(isNear(resolved.value("ulf", longer), 200, 0.1))
    }

    @Test(
        "a slow wave of a long recording does not leak into the bands of Welch's method",
        arguments: [HRVDetrending.mean, .linear])
    func slowWave(detrending: HRVDetrending) throws {
        // 150 ms once a day, and tones of 20, 30 and 25 ms: 200, 450 and 312.5 ms².
        var (time, beats): (Double, [IBI]) = (0, [])
        while time < 21_600 {
            let tones = 0.02 * sin(2 * .pi * 0.02 * time) + 0.03 * sin(2 * .pi * 0.1 * time)
            let slow = 0.15 * sin(2 * .pi * time / 86_400)
            let rr = 0.9 + slow + tones + 0.025 * sin(2 * .pi * 0.25 * time)
            time += rr
            beats.append(IBI(onset: time, duration: rr, isContiguous: !beats.isEmpty))
        }
        var parameters = whole(.frequency)
        parameters.detrending = detrending
        parameters.spectralMethods = [.welch]
        parameters.welchSegment = 300
        let window = try #require(try HRV.windows(of: beats, parameters: parameters).first)
        for (band, power) in [("vlf", 200.0), ("lf", 450), ("hf", 312.5), ("totalPower", 962.5)] {
            #expect(isNear(window.value(band, parameters), power, 0.03), "\(band)")
        }
    }

    @Test("ten days of beats at one go stay within reason")
    func tenDays() throws {
        var parameters = HRVParameters()
        parameters.window = nil
        parameters.domains = [.time, .frequency]
        var generator = SplitMix64(seed: 2)
        let beats = series((0..<900_000).map { _ in Double.random(in: 0.9...1, using: &generator) })
        let window = try #require(try HRV.windows(of: beats, parameters: parameters).first)
        #expect(isNear(window.value("sdnn", parameters), 100 / 12.0.squareRoot(), 0.01))
    }
}
