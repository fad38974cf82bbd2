import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Random files of RR intervals: each value comes out within 0.5 %, or the file is refused, or a warning says what is in doubt.
@Suite struct RRTextFuzzTests {
    /// A file, and the intervals that it holds.
    private struct RandomFile {
        var text = ""
        var intervals: [Double] = []
        var description = ""
        /// True where missing, repeated or marked rows leave room for doubt.
        var isPlain = true

        private enum Unit: CaseIterable {
            case milliseconds, seconds, ticks1024, ticks256, microseconds, bareMilliseconds, bareSeconds, samples
        }

        init(_ random: inout SplitMix64) {
            func between(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
            func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
            func one<Choice>(_ choices: [Choice]) -> Choice { choices.randomElement(using: &random)! }

            let unit = one(Unit.allCases)
            let rate = one([128, 250, 256, 500, 512, 1000])
            let (perSecond, headings): (Double, [String]) =
                switch unit {
                case .milliseconds:
                    (1000, ["RR (ms)", "rr_ms", "IBI [msec]", "NN interval [ms]", "Ibi(MS)", "R-R (ms)"])
                case .seconds: (1, ["RR [s]", "ibi_s", "RR (sec)", "NN seconds", "IBI (S)"])
                case .ticks1024: (1024, ["RR (1/1024 s)", "RR 1/1024s", "rr [1/1024 SEC]"])
                case .ticks256: (256, ["RR [1/256 s]", "rr (1/256 S)"])
                case .microseconds: (1e6, ["RR [us]", "IBI (µs)"])
                case .bareMilliseconds: (1000, ["RR", "rr", "IBI", "RR-interval", "Nn"])
                case .bareSeconds: (1, ["RR", "ibi", "RRI"])
                case .samples: (Double(rate), ["RR [samples at \(rate) Hz]"])
                }
            let (mean, depth) = (between(0.5...1.2), between(0.005...0.05))
            let digits = perSecond == 1 ? one([3, 4, 6]) : perSecond == 1000 && chance(0.3) ? 2 : 0
            var cells = (0..<one([40, 120, 300])).map { beat -> String in
                let wave = depth * sin(Double(beat) * 0.9) + 0.7 * depth * sin(Double(beat) * 0.2)
                return String(format: "%.\(digits)f", (mean + wave + between(-0.01...0.01)) * perSecond)
            }
            let all = cells.map { (Double($0) ?? .nan) / perSecond }
            var bad: Set<Int> = []
            let layout = one(["one column", "times", "table"])
            let separator = one([",", ";", "\t"])
            let mark = layout == "one column" || separator != "," ? one([".", ".", ","]) : "."
            if chance(0.3) {
                let codes = ["0", "-1", "NaN", "n/a", "0.0", "-65535"] + (layout == "one column" ? [] : [""])
                let code = one(codes)
                for _ in 0..<3 { bad.insert(Int.random(in: 1..<cells.count, using: &random)) }
                for place in bad { cells[place] = code }
            }
            let (flag, bads, goods) = one([
                ("artifact", "1", "0"), ("is_valid", "0", "1"), ("Quality", "0", "1"), ("BLOCKER", "1", "0"),
                ("Artefact", "true", "false"), ("isValid", "no", "yes"), ("errorEstimate", "400", "12"), ("hr", "", ""),
            ])
            let stamps = one(["s", "ms", "iso", "clock", "unix s", "unix ms"])
            let share = layout == "one column" ? 0 : one([0, 0, 0.05, 0.2, 1])
            let isNewestFirst = layout != "one column" && chance(0.15)
            var time = between(0...30)
            var rows: [String] = []
            for place in all.indices {
                time += all[place]
                var row = cells[place].replacingOccurrences(of: ".", with: mark)
                if layout != "one column" {
                    row = Self.stamp(time, stamps).replacingOccurrences(of: ".", with: mark) + separator + row
                }
                if layout == "table" {
                    let isMarked = flag != "hr" && chance(0.05)
                    if isMarked { bad.insert(place) }
                    row += separator + (flag == "hr" ? "\(Int(60 / all[place]))" : isMarked ? bads : goods)
                }
                rows += chance(share) ? [row, row] : [row]
            }
            if isNewestFirst { rows.reverse() }
            var names = [one(headings)]
            if layout != "one column" { names.insert(one(["time", "Time", "TIMESTAMP", "t", "datetime"]), at: 0) }
            if layout == "table" { names.append(flag) }
            let isBare = unit == .bareMilliseconds || unit == .bareSeconds
            let heading = layout == "one column" && isBare && chance(0.5) ? [] : [names.joined(separator: separator)]
            let comment = chance(0.2) ? ["# exported"] : []
            let end = one(["\n", "\r\n"])
            text = (chance(0.1) ? "\u{FEFF}" : "") + (comment + heading + rows).joined(separator: end) + one(["", end])
            intervals = all.indices.filter { !bad.contains($0) }.map { all[$0] }
            isPlain = bad.isEmpty && share == 0 && !isNewestFirst
            description = "\(unit) \(names) \(layout) \"\(separator)\" \"\(mark)\" \(stamps) repeated \(share)"
        }

        private static func stamp(_ exact: Double, _ form: String) -> String {
            let time = (exact * 1000).rounded() / 1000
            let (hours, minutes, seconds) = (
                Int(time) / 3600, Int(time) / 60 % 60, time.truncatingRemainder(dividingBy: 60)
            )
            return switch form {
            case "ms": "\(Int((time * 1000).rounded()))"
            case "iso": String(format: "2024-03-05T%02d:%02d:%06.3f", 8 + hours, minutes, seconds)
            case "clock": String(format: "%d:%02d:%06.3f", hours, minutes, seconds)
            case "unix s": String(format: "%.3f", 1_709_600_000 + time)
            case "unix ms": "\(Int(((1_709_600_000 + time) * 1000).rounded()))"
            default: String(format: "%.3f", time)
            }
        }
    }

    private static let count = 300

    @Test func `every value is within 0.5 percent, or the file is refused, or doubt is stated`() throws {
        var random = SplitMix64(seed: 57)
        var (refused, plainRefused) = (0, 0)
        for number in 0..<Self.count {
            let file = RandomFile(&random)
            let series: RRSeries
            do {
                series = try RRText.read(bytes: Array(file.text.utf8), file: URL(fileURLWithPath: "t.csv"))
            } catch let error as FormatError {
                refused += 1
                if file.isPlain { plainRefused += 1 }
                #expect(!"\(error)".isEmpty)
                continue
            }
            let isRight =
                series.intervals.count == file.intervals.count
                && zip(series.intervals, file.intervals).allSatisfy { abs($0 / $1 - 1) < 0.005 }
            let isDoubtful = series.notes.contains { $0.hasPrefix("warning:") }
            #expect(isRight || isDoubtful, "\(number): \(file.description): \(series.notes)")
        }
        #expect(plainRefused == 0)
        #expect(refused <= Self.count / 50, "\(refused) of \(Self.count) refused")
    }
}
