import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// RR intervals in any unit, spelling and layout come out within 0.5 %, or the reason why they do not.
@Suite struct RRTextPropertyTests {
    private static func intervals(_ random: inout SplitMix64, count: Int = 120) -> [Double] {
        let mean = Double.random(in: 0.55...1.15, using: &random)
        let depth = Double.random(in: 0.01...0.06, using: &random)
        return (0..<count).map { beat in
            let wave = depth * sin(Double(beat) * 0.9) + 0.7 * depth * sin(Double(beat) * 0.23)
            return ((mean + wave + Double.random(in: -0.01...0.01, using: &random)) * 1000).rounded() / 1000
        }
    }

    private static func sums(_ intervals: [Double], from start: Double = 0) -> [Double] {
        var sum = start
        return intervals.map { interval in
            sum += interval
            return sum
        }
    }

    private func read(_ text: String, rate: Double? = nil, beats: Bool = false) throws -> RRSeries {
        try RRText.read(
            bytes: Array(text.utf8), file: URL(fileURLWithPath: "t.csv"), sampleRate: rate, areBeats: beats)
    }

    private func expectEqual(_ series: RRSeries, _ intervals: [Double], _ comment: String = "") {
        #expect(series.intervals.count == intervals.count, "\(comment)")
        for (found, expected) in zip(series.intervals, intervals) {
            #expect(abs(found / expected - 1) < 0.005, "\(comment): \(found) for \(expected)")
        }
    }

    @Test(arguments: [
        ("RR (ms)", 1000.0), ("rr_ms", 1000), ("IBI [msec]", 1000), ("RR interval milliseconds", 1000), ("RR [s]", 1),
        ("ibi_s", 1), ("RR (sec)", 1), ("NN seconds", 1), ("RR (1/1024 s)", 1024), ("RR [1/256 s]", 256),
        ("RR 1/1024s", 1024), ("RR (1/128 sec)", 128), ("rr (s/512)", 512), ("RR [1024ths of a second]", 1024),
        ("RR [samples at 250 Hz]", 250), ("RR (samples, 1 kHz)", 1000), ("RR [us]", 1e6), ("RR (ticks, 1024 Hz)", 1024),
    ])
    func `obeys the unit that a heading states`(heading: String, perSecond: Double) throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<5 {
            let digits = perSecond == 1 ? 4 : 0
            let cells = Self.intervals(&random).map { String(format: "%.\(digits)f", $0 * perSecond) }
            let intervals = cells.map { (Double($0) ?? .nan) / perSecond }
            let column = cells.joined(separator: "\n")
            expectEqual(try read("\(heading)\n\(column)\n"), intervals, heading)
            expectEqual(try read("# unit: \(heading)\nRR\n\(column)\n"), intervals, heading)
            let times = Self.sums(intervals)
            let rows = zip(times, cells).map { "\($0);\($1)" }.joined(separator: "\n")
            expectEqual(try read("time [s];\(heading)\n\(rows)\n"), intervals, heading)
        }
    }

    @Test func `a row of units below the names is obeyed`() throws {
        var random = SplitMix64(seed: 2)
        let intervals = Self.intervals(&random)
        let rows = zip(Self.sums(intervals), intervals).map { "\($0),\(Int(($1 * 1024).rounded()))" }
        expectEqual(try read("time,RR\n[s],[1/1024 s]\n" + rows.joined(separator: "\n")), intervals)
    }

    @Test(arguments: [128.0, 250, 256, 500, 1000]) func `samples need their rate`(rate: Double) throws {
        var random = SplitMix64(seed: UInt64(rate))
        let intervals = Self.intervals(&random)
        let column = intervals.map { "\(Int(($0 * rate).rounded()))" }.joined(separator: "\n")
        #expect(formatError { try read("RR [samples]\n\(column)\n") }?.contains("--text-rate") == true)
        expectEqual(
            try read("RR [samples]\n\(column)\n", rate: rate), intervals.map { ($0 * rate).rounded() / rate })
        expectEqual(
            try read("# Sampling rate: \(rate) Hz\nRR [samples]\n\(column)\n"),
            intervals.map { ($0 * rate).rounded() / rate })
    }

    @Test(arguments: [0, -1, -65_535]) func `what is not positive is a beat that was not found`(code: Int) throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<20 {
            let intervals = Self.intervals(&random)
            let lost = Set((0..<3).map { _ in Int.random(in: 0..<intervals.count, using: &random) })
            let lines = intervals.indices.map {
                lost.contains($0) ? "\(code)" : "\(Int((intervals[$0] * 1000).rounded()))"
            }
            let series = try read("RR\n" + lines.joined(separator: "\n"))
            expectEqual(series, intervals.indices.filter { !lost.contains($0) }.map { intervals[$0] })
            #expect(series.notes.contains { $0.hasPrefix("\(lost.count.counted("interval")) of 0 or less") })
            // No successive difference is taken across a lost beat.
            let kept = intervals.indices.filter { !lost.contains($0) }
            for (place, index) in kept.enumerated() where index > 0 {
                #expect(series.followsBreak[place] == lost.contains(index - 1))
            }
        }
    }

    @Test(arguments: ["ms", "s", "date", "late"], [0, 0.05, 0.2, 1])
    func `rows that are there twice count once`(stamps: String, share: Double) throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<8 {
            let intervals = Self.intervals(&random, count: 250)
            let lines = zip(Self.sums(intervals, from: 5), intervals).flatMap { time, interval -> [String] in
                let late = stamps == "late" ? abs(Double.random(in: -0.12...0.12, using: &random)) : 0
                let row = "\(Self.stamp(time + late, stamps)),\(Int((interval * 1000).rounded()))"
                return Double.random(in: 0..<1, using: &random) < share ? [row, row] : [row]
            }
            let series = try read("time,rr\n" + lines.joined(separator: "\n"))
            let repeats = lines.count - intervals.count
            expectEqual(series, intervals, "\(stamps) \(share)")
            #expect(series.followsBreak.count { $0 } == 1, "\(stamps) \(share): \(series.notes)")
            #expect(series.notes.contains { $0.contains("more than once") } == (repeats > 0))
        }
    }

    private static func stamp(_ time: Double, _ form: String) -> String {
        switch form {
        case "ms": "\(Int((time * 1000).rounded()))"
        case "s", "late": String(format: "%.3f", time)
        case "date", "whole seconds":
            String(
                format: "2025-03-26 %02d:%02d:%@", 10 + Int(time) / 3600, Int(time) / 60 % 60,
                form == "date"
                    ? String(format: "%06.3f", time.truncatingRemainder(dividingBy: 60))
                    : String(format: "%02d", Int(time) % 60))
        default: ""
        }
    }

    /// Files of 250 beats with six equal neighbours, whose stamps are coarse and whose rows or packets are written again.
    private struct CoarseFile {
        var text = ""
        var intervals: [Double] = []
        var lines = 0

        init(_ form: String, again: String, share: Double, isLossy: Bool, _ random: inout SplitMix64) {
            var all = RRTextPropertyTests.intervals(&random, count: 250)
            for _ in 0..<6 {
                let place = Int.random(in: 1..<250, using: &random)
                all[place] = all[place - 1]
            }
            let lost = isLossy ? Int.random(in: 60..<200, using: &random) : 250
            let sums = RRTextPropertyTests.sums(all, from: 5 + Double.random(in: 0..<1, using: &random))
            var packets: [(stamp: String, rows: [String])] = []
            for place in all.indices where !(lost..<lost + 4).contains(place) {
                let packet = sums[place].rounded(.up)
                let stamp =
                    switch form {
                    case "whole seconds": RRTextPropertyTests.stamp(sums[place], "whole seconds")
                    case "unix seconds": "\(1_740_000_000 + Int(sums[place].rounded()))"
                    default: String(format: "%.3f", packet + 0.02 * sin(packet))
                    }
                intervals.append(all[place])
                let row = "\(stamp),\(Int((all[place] * 1000).rounded()))"
                if packets.last?.stamp == stamp {
                    packets[packets.count - 1].rows.append(row)
                } else {
                    packets.append((stamp, [row]))
                }
            }
            func isAgain() -> Bool { Double.random(in: 0..<1, using: &random) < share }
            let rows = packets.flatMap { packet -> [String] in
                again == "packets"
                    ? (isAgain() ? packet.rows + packet.rows : packet.rows)
                    : packet.rows.flatMap { isAgain() ? [$0, $0] : [$0] }
            }
            lines = rows.count
            text = "timestamp,rr\n" + rows.joined(separator: "\n")
        }
    }

    @Test(arguments: ["whole seconds", "unix seconds", "packets"], ["rows", "packets"])
    func `rows of coarse stamps that are there twice count once, or are said to be in doubt`(
        form: String, again: String
    ) throws {
        var random = SplitMix64(seed: 12)
        var (silent, unlikeBreaks) = (0, 0)
        for share in [0, 0.05, 0.2, 1] {
            for isLossy in [false, true] {
                var (right, inDoubt) = (0, 0)
                for _ in 0..<12 {
                    let file = CoarseFile(form, again: again, share: share, isLossy: isLossy, &random)
                    let series = try read(file.text)
                    let isRight = series.intervals == file.intervals
                    let doubt = series.notes.contains { $0.contains("may be repeats or equal intervals") }
                    // An interval in doubt counts once: no value is wrong, none is invented.
                    #expect(isSubsequence(series.intervals, of: file.intervals) || doubt)
                    right += isRight ? 1 : 0
                    inDoubt += doubt ? 1 : 0
                    silent += isRight || doubt ? 0 : 1
                    let breaks = series.followsBreak.count { $0 }
                    unlikeBreaks += isRight && !doubt && breaks != (isLossy ? 2 : 1) ? 1 : 0
                }
                // Nothing or all written again leaves little to doubt.
                if !isLossy, share == 0 || share == 1, again == "rows" { #expect(right >= 11 && inDoubt <= 2) }
                #expect(right >= 5, "\(form) \(again) \(share) \(isLossy)")
            }
        }
        // Lost beats next to repeats can be read in two ways that are both likely: 1 file of 96.
        #expect(silent <= 1)
        #expect(unlikeBreaks <= 3)
    }

    private func isSubsequence(_ part: [Double], of whole: [Double]) -> Bool {
        var rest = whole[...]
        for value in part {
            guard let place = rest.firstIndex(of: value) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    @Test func `a packet that is delivered again a little later counts once`() throws {
        var random = SplitMix64(seed: 13)
        let intervals = Self.intervals(&random, count: 200)
        var rows: [String] = []
        for (time, interval) in zip(Self.sums(intervals, from: 3), intervals) {
            rows.append(String(format: "%.3f,%.3f", time, interval))
            if Double.random(in: 0..<1, using: &random) < 0.1 {
                rows.append(String(format: "%.3f,%.3f", time + 0.02, interval))
            }
        }
        let series = try read("time,rr\n" + rows.joined(separator: "\n"))
        expectEqual(series, intervals)
        #expect(series.notes.contains { $0.contains("more than once") })
    }

    @Test(arguments: ["late", "whole seconds", "packets"])
    func `late stamps are no gaps and lost beats are`(form: String) throws {
        var random = SplitMix64(seed: 6)
        for lost in [0, 1] {
            for _ in 0..<10 {
                let intervals = Self.intervals(&random, count: 300)
                let gap = Int.random(in: 60..<240, using: &random)
                let rows = zip(Self.sums(intervals), intervals).enumerated().compactMap { place, row -> String? in
                    if lost > 0, (gap..<gap + 4).contains(place) { return nil }
                    let late = form == "late" ? abs(Double.random(in: -0.25...0.25, using: &random)) : 0
                    let time =
                        switch form {
                        case "whole seconds": row.0.rounded(.down)
                        case "packets": row.0.rounded(.up) + 0.02 * sin(row.0.rounded(.up))
                        default: row.0 + late
                        }
                    return "\(String(format: "%.3f", time)),\(row.1)"
                }
                let series = try read("time,rr\n" + rows.joined(separator: "\n"))
                #expect(series.intervals.count == 300 - 4 * lost)
                #expect(series.followsBreak.count { $0 } == 1 + lost, "\(form): \(series.notes)")
                let end = Self.sums(intervals)[299]
                #expect(abs((series.onsets.last ?? 0) - end) < 1.2, "\(form)")
            }
        }
    }

    @Test func `rows with the newest first are put in order`() throws {
        var random = SplitMix64(seed: 7)
        let intervals = Self.intervals(&random)
        let rows = zip(Self.sums(intervals, from: 20), intervals).map { "\(Self.stamp($0, "date")),\($1)" }
        let series = try read("time,rr\n" + rows.reversed().joined(separator: "\n"))
        expectEqual(series, intervals)
        #expect(series.notes.contains { $0.contains("newest rows come first") })
    }

    @Test(arguments: ["beats (s)", "R_peaks [samples]", "systolic_peak_timestamp", "peak_time_ms", ""])
    func `columns that only rise are beats`(heading: String) throws {
        var random = SplitMix64(seed: 8)
        let intervals = Self.intervals(&random)
        let times = [1.25] + Self.sums(intervals, from: 1.25)
        let cells =
            switch heading {
            case "R_peaks [samples]": times.map { "\(Int(($0 * 250).rounded()))" }
            case "systolic_peak_timestamp": times.map { "\(1_710_493_215_000_000_000 + Int(($0 * 1e9).rounded()))" }
            case "peak_time_ms": times.map { "\(Int(($0 * 1000).rounded()))" }
            default: times.map { String(format: "%.3f", $0) }
            }
        let text = (heading.isEmpty ? [] : [heading]) + cells
        let series = try read(text.joined(separator: "\n"), rate: heading.contains("samples") ? 250 : nil)
        #expect(series.intervals.count == 120)
        for (found, expected) in zip(series.intervals, intervals) { #expect(abs(found - expected) < 0.0045) }
    }

    @Test func `whole numbers that only rise need a rate`() throws {
        var random = SplitMix64(seed: 9)
        for count in [9, 31, 400] {
            let times = Self.sums(Self.intervals(&random, count: count))
            let text = times.map { "\(Int(($0 * 256).rounded()))" }.joined(separator: "\n")
            #expect(formatError { try read(text) }?.contains("--text-rate") == true)
            #expect(try read(text, rate: 256).intervals.count == count - 1)
            let folder = try TemporaryFolder()
            let file = try folder.file("t.csv", text)
            #expect(formatError { _ = try RecordingFile.open(file) }?.contains("only rise") == true)
            #expect(try RecordingFile.open(file, textRate: 256).header.streams.map(\.kind) == [.ibi])
            #expect(try RecordingFile.open(beats: file, textRate: 256).header.streams.map(\.kind) == [.ibi])
        }
    }

    @Test(arguments: [
        ("artifact", "1", "0"), ("blocker", "1", "0"), ("valid", "0", "1"), ("is_valid", "false", "true"),
        ("rejected", "yes", "no"), ("quality", "bad", "good"), ("Artefact", "True", "False"),
        ("col_artifact", "1", "0"),
        ("signal_quality", "0", "1"), ("isValid", "0", "1"), ("blockerBit", "1", "0"), ("skinContactStatus", "0", "1"),
        ("not_valid", "1", "0"), ("BAD_QUALITY", "1", "0"), ("rr_flag", "1", "0"), ("beat_ok", "false", "true"),
        ("ppErrorEstimate", "260", "14"), ("error estimate [ms]", "400", "9"),
    ])
    func `intervals that a column marks as bad are missing`(name: String, bad: String, good: String) throws {
        var random = SplitMix64(seed: 10)
        let intervals = Self.intervals(&random)
        let marked = Set((0..<9).map { _ in Int.random(in: 0..<intervals.count, using: &random) })
        let rows = zip(Self.sums(intervals), intervals).enumerated().map { place, row in
            "\(String(format: "%.3f", row.0)),\(row.1),\(marked.contains(place) ? bad : good),7"
        }
        let series = try read("time,rr,\(name),battery\n" + rows.joined(separator: "\n"))
        expectEqual(series, intervals.indices.filter { !marked.contains($0) }.map { intervals[$0] }, name)
        let verb = name.contains("rror") ? "marks by an error above 10 %" : "marks"
        #expect(
            series.notes.contains(
                "column \"\(name)\" \(verb) \(marked.count) of 120 intervals as bad: they are missing"))
        #expect(series.notes.contains("column \"battery\" is not read"))
    }

    @Test(arguments: [220.0, 2_300]) func `an unlikely median is a warning that names the likely unit`(median: Double)
        throws
    {
        let column = (0..<40).map { "\(Int(median) + $0 % 5)" }.joined(separator: "\n")
        let notes = try read("rr\n\(column)").notes
        #expect(
            notes.contains { $0.contains("is unlikely") && $0.contains("1/\(median < 300 ? 256 : 2000) s") }, "\(notes)"
        )
    }
}
