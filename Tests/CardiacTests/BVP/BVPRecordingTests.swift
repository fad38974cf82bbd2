import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct BVPRecordingTests {
    /// Bedside pulse against the beats of the ECG recorded with it, in gross F1 at 150 ms after lag alignment.
    @Test(.enabled(if: RealData.has("bidmc/bidmc_01_Signals.csv.gz")))
    func `agrees with the ECG at the bedside better than the open detectors do`() throws {
        var comparisons: [BeatComparison] = []
        var intervalErrors: [Seconds] = []
        for record in ["01", "05", "12", "22", "33"] {
            let columns = try bedside("bidmc/bidmc_\(record)_Signals.csv.gz", ["PLETH", "II"])
            let start = SegmentStart(onset: 0, sample: 0, sampleRate: 125)
            var bvp = BVPBeatDetector(sampleRate: 125)
            var ecg = ECGBeatDetector(sampleRate: 125)
            let pulses = bvp.run(columns[0], from: start).map(\.onset)
            let beats = ecg.run(columns[1], from: start).map(\.onset)
            let best = aligned(pulses, beats)
            comparisons.append(best.comparison)
            intervalErrors += errors(pulses, beats, lag: best.lag)
        }
        let gross = BeatComparison.merged(comparisons)
        let tp = Double(gross.offsets.count)
        let f1 = 2 * tp / (2 * tp + Double(gross.falsePositives + gross.falseNegatives))
        // Of the same five records biosppy's Elgendi gets 98.99, NeuroKit's 99.07, MSPTD 99.00, HeartPy 98.70 %.
        #expect(f1 > 0.9907)
        intervalErrors.sort()
        #expect(intervalErrors[intervalErrors.count / 2] < 0.008)
    }

    /// The intervals the wristband itself gives, which it marks at the foot of the pulse.
    @Test(.enabled(if: RealData.has("e4_stress_predict/S01/BVP.csv")))
    func `agrees with the wristband's own intervals`() throws {
        let bvp = try numbers("e4_stress_predict/S01/BVP.csv").map { $0[0] }
        let ibi = try numbers("e4_stress_predict/S01/IBI.csv")
        var detector = BVPBeatDetector(sampleRate: bvp[1], parameters: BVPParameters(fiducial: .upstroke))
        let found = detector.run(
            bvp.dropFirst(2).map(Float.init), from: SegmentStart(onset: bvp[0], sample: 0, sampleRate: bvp[1])
        ).map(\.onset)
        var errors: [Seconds] = []
        for row in ibi.dropFirst() where row.count == 2 {
            // Half the upstroke lies between their mark and ours.
            let (end, begin) = (ibi[0][0] + row[0] + 0.16, ibi[0][0] + row[0] - row[1] + 0.16)
            guard let last = nearest(found, end), let first = nearest(found, begin), abs(last - end) < 0.15,
                abs(first - begin) < 0.15
            else { continue }
            errors.append(abs(last - first - row[1]))
        }
        errors.sort()
        #expect(Double(errors.count) > 0.93 * Double(ibi.count))
        #expect(errors[errors.count / 2] < 0.016)
    }

    @Test(.enabled(if: RealData.has("heartpy/data.csv")))
    func `counts no dicrotic wave of a clean finger pulse`() throws {
        let samples = try numbers("heartpy/data.csv").map { Float($0[0]) }
        var detector = BVPBeatDetector(sampleRate: 100)
        let found = detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: 100))
        #expect((24...25).contains(found.count))
        #expect(zip(found, found.dropFirst()).allSatisfy { $1.onset - $0.onset > 0.7 })
    }

    private func nearest(_ times: [Seconds], _ time: Seconds) -> Seconds? {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return [low - 1, low].filter(times.indices.contains).map { times[$0] }.min { abs($0 - time) < abs($1 - time) }
    }

    /// The constant lag of the pulse behind the ECG under which most beats agree.
    private func aligned(_ pulses: [Seconds], _ beats: [Seconds]) -> (comparison: BeatComparison, lag: Seconds) {
        var best: (comparison: BeatComparison, lag: Seconds)?
        for lag in stride(from: 0.0, through: 0.9, by: 0.02) {
            let comparison = BeatComparison(detected: pulses, reference: beats.map { $0 + lag }, tolerance: 0.15)
            if comparison.offsets.count > best?.comparison.offsets.count ?? -1 { best = (comparison, lag) }
        }
        return best ?? (BeatComparison(detected: pulses, reference: beats, tolerance: 0.15), 0)
    }

    private func errors(_ pulses: [Seconds], _ beats: [Seconds], lag: Seconds) -> [Seconds] {
        zip(beats, beats.dropFirst()).compactMap { a, b in
            guard let first = nearest(pulses, a + lag), let second = nearest(pulses, b + lag),
                abs(first - a - lag) < 0.15, abs(second - b - lag) < 0.15, second > first
            else { return nil }
            return abs(second - first - (b - a))
        }
    }

    private func numbers(_ path: String) throws -> [[Double]] {
        try String(contentsOf: RealData.url(path), encoding: .utf8).split(whereSeparator: \.isNewline).compactMap {
            let row = $0.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
            return row.isEmpty ? nil : row
        }
    }

    /// The named columns of a gzipped table.
    private func bedside(_ path: String, _ names: [String]) throws -> [[Float]] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-dc", RealData.url(path).path]
        process.standardOutput = pipe
        try process.run()
        let text = try #require(String(data: pipe.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8))
        process.waitUntilExit()
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        let header = String(Substring(try #require(lines.first))).split(separator: ",")
        let wanted = try names.map { name in
            try #require(header.firstIndex { $0.trimmingCharacters(in: .whitespacesAndNewlines) == name })
        }
        var columns = names.map { _ in [Float]() }
        for line in lines.dropFirst() {
            let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            for (k, column) in wanted.enumerated() { columns[k].append(Float(Substring(fields[column])) ?? .nan) }
        }
        return columns
    }
}
