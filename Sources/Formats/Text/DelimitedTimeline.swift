import Foundation
import Signals

/// Where the runs of a delimited text file begin and how fast their samples come, told from its time column.
struct DelimitedTimeline {
    /// A run of rows without a gap.
    struct Run {
        var firstRow: Int
        var rowCount: Int
        /// Times of its first and last row, in seconds.
        var first: Seconds
        var last: Seconds
        /// How exactly it is known how far they lie apart, where that is not how finely the times are written.
        var precision: Seconds?
        /// How far the rows' times stray from even time, root mean square.
        var residual: Seconds = 0
        /// The longest time from one stamp to the next that differs.
        var longestStep: Seconds = 0
        /// The shortest period that the rows keep, where their rate stays off for seconds.
        var shortestPeriod: Seconds?
        /// Their times, where the rate stays off for seconds.
        var paced: PacedTimes?
        /// The offset of the paced times, in seconds.
        var pacedOrigin: Seconds = 0
        /// The time of a row, where they are paced.
        func pacedTime(ofRow row: Int) -> Seconds? { paced.map { $0.time(ofRow: row) - pacedOrigin } }
        /// The samples of a stream that has one in each row.
        var sampleCount: Int { paced?.sampleCount ?? rowCount }
    }

    /// The runs in order.
    private(set) var runs: [Run] = []
    /// The usual rate in Hz.
    private(set) var sampleRate: Double
    /// What time 0 is; nil where the times have no date.
    private(set) var start: Timestamp?
    /// Whether the start is told with a time zone.
    private(set) var hasTimeZone = true
    private let origin: Seconds
    /// What a clock without a date read at time 0, in seconds; nil where its times are the recording's.
    private var reading: Seconds?
    /// Whether the times count from 1904.
    private var hasLabVIEWTimes = false
    /// What a column map would say of dates whose day and month cannot be told apart.
    private var undated: String?
    private var reversals = (count: 0, largest: 0.0)
    /// How finely the times are written, in seconds; nil where there are none.
    private var resolution: Seconds?
    /// A rate that the file states besides the times, which have their own.
    private var unusedRate: Double?
    /// The rate that the user gives, or the file states where the times have none.
    private var statedRate: Double?
    /// The most rows with the same stamp, among the first.
    private var rowsPerTick = 1
    private static let mostRuns = 1 << 20
    /// Numbers of seconds that would lie after 2066 count from 1904, as LabVIEW's do.
    private static let latestStart = Timestamp(year: 2066, month: 1, day: 1)
    private static let secondsFrom1904: Seconds = 2_082_844_800
    /// Times that begin no later are counted from the file's beginning, in seconds.
    private static let latestBeginning: Seconds = 1

    /// A file without times.
    init(rowCount: Int, sampleRate: Double) {
        self.sampleRate = sampleRate
        origin = 0
        guard rowCount > 0 else { return }
        runs = [Run(firstRow: 0, rowCount: rowCount, first: 0, last: Double(rowCount - 1) / sampleRate)]
    }

    /// Reads the time column of a whole file.
    /// - Parameter isClocked: whether times without a date are known to be those of a clock that began before the file.
    /// - Throws: `FormatError` naming the line where a time is missing, is no time, or goes back.
    init(
        _ lines: DelimitedLines, _ dialect: DelimitedDialect, column: Int, date: Int? = nil,
        unit given: ColumnMap.TimeUnit?, isClocked: Bool, splitsPaces: Bool = true, file: URL
    ) throws {
        let finder = DelimitedColumnFinder(dialect: dialect, file: file)
        let name = finder.name(column)
        let cells = DelimitedTimeCells(column: column, date: date, dialect)
        let sample = dialect.sample.compactMap(cells.text)
        let stamps = DelimitedStamps(sample, given: given, mark: dialect.mark)
        if stamps.isAmbiguous, let cell = sample.first {
            undated = "time: {column: \(name), unit: dmy} or mdy for \(cell)"
        }
        var early = stamps
        var numbers = sample.compactMap { early.time($0) }
        if numbers.isEmpty, let cell = sample.first(where: { !$0.isEmpty }), cell.contains(where: \.isNumber) {
            throw Self.notUnderstood(cell, name, line: dialect.firstLine, file)
        }
        if StampTicks(numbers).isShort { numbers = try Self.ticks(lines.fromStart(), cells, stamps) }
        rowsPerTick = StampTicks(numbers).mostRows
        let spacing = Self.spacing(numbers)
        let first = numbers.first ?? 0
        let (scale, countsSince1970) = try Self.scale(
            dialect, column, name, given: stamps.isClock ? .iso8601 : given, first: first, spacing: spacing ?? 0, file)
        if let rate = dialect.sampleRate, dialect.isRateGiven {
            sampleRate = rate
            statedRate = rate
            let told = StampTicks(numbers).period ?? (StampTicks(numbers).isShort ? nil : spacing)
            if let told, told > 0, abs(scale / told / rate - 1) > Self.farRate {
                throw Self.contradicted(rate, by: scale / told, name, file)
            }
        } else if let spacing, spacing > 0, Plausible.sampleRates.contains(scale / spacing) {
            let rate = scale / spacing
            let whole = rate.rounded()
            sampleRate = whole >= 1 && abs(rate - whole) < 1e-6 * rate ? whole : rate
            unusedRate = dialect.sampleRate
        } else if let rate = dialect.sampleRate {
            sampleRate = rate
            statedRate = rate
        } else if let spacing, spacing > 0 {
            throw FormatError(
                file,
                "the times in column \"\(name)\" are \(NumberFormatting.text(spacing / scale)) s apart, "
                    + "so there is no sample rate",
                advice: "give the unit of the times, or the sample rate, in a column map")
        } else {
            let ticks = StampTicks(numbers)
            throw FormatError(
                file,
                ticks.tickCount == 0
                    ? "the times in column \"\(name)\" are all the same, so there is no sample rate"
                    : "the times in column \"\(name)\" change \(ticks.tickCount.counted("time")) in "
                        + "\(numbers.count.counted("row")), too seldom to measure the sample rate",
                advice: "give the sample rate (--text-rate, or sampleRate in a column map)")
        }
        // Clock readings since 1970 or midnight: time 0 is the first of them.
        let moment = first / scale >= 5e8 ? Plausible.moment(first / scale) : nil
        origin = moment?.secondsSince1970 ?? (stamps.isTimeOfDay ? first : 0)
        if countsSince1970 {
            start = moment
            hasTimeZone = stamps.hasZone || DelimitedTime.isUTC(name)
        } else if scale == ColumnMap.TimeUnit.days.perSecond {
            start = DelimitedTime.moment(days: first)
            hasTimeZone = false
        }
        if !stamps.isClock, countsSince1970, let moment, moment > Self.latestStart {
            start = Timestamp(secondsSince1970: moment.secondsSince1970 - Self.secondsFrom1904)
            hasLabVIEWTimes = true
        }
        let pace = lines.fromStart()
        try findRuns(lines, dialect, cells, stamps, scale, name, file)
        if statedRate != nil { try useStatedRate(name, file) }
        if splitsPaces { try findPaces(pace, cells, stamps, scale) }
        if moment == nil, !stamps.isTimeOfDay { beginWithFirst(always: isClocked) }
        if statedRate == nil, let longest = runs.max(by: { $0.rowCount < $1.rowCount }) { sampleRate = rate(longest) }
    }

    /// The largest share by which a rate that the user gives may differ from that of the first times, and of all times of a run.
    private static let farRate = 0.05
    private static let otherRate = 0.01
    /// The most ticks and rows that are read where times are coarser than the sample period.
    private static let (manyTicks, manyRows) = (16, 1 << 20)

    private static func contradicted(_ rate: Double, by told: Double, _ name: String, _ file: URL) -> FormatError {
        func text(_ rate: Double) -> String { NumberFormatting.text((rate * 1e4).rounded() / 1e4) }
        return FormatError(
            file,
            "the stated sample rate of \(text(rate)) Hz contradicts the times in column \"\(name)\": samples come at "
                + "\(text(told)) Hz",
            advice:
                "leave the rate out; or name the columns and the rate, but no time, in a column map (--columns) to take "
                + "the rows as evenly spaced")
    }

    /// The first times of a file whose clock is coarser than the sample period, over enough ticks to measure the rate.
    private static func ticks(
        _ lines: DelimitedLines, _ cells: DelimitedTimeCells, _ stamps: DelimitedStamps
    ) throws -> [Double] {
        var (stamps, times, ticks) = (stamps, [Double](), StampTicks())
        while times.count < manyRows, ticks.tickCount < manyTicks, let line = try lines.next() {
            guard let value = cells.value(line, &stamps)?.value else { continue }
            times.append(value)
            ticks.add(value)
        }
        return times
    }

    /// Ends each run where its rows do at the stated rate.
    /// - Throws: `FormatError` where the times contradict the rate that the user gives.
    private mutating func useStatedRate(_ name: String, _ file: URL) throws {
        guard let rate = statedRate else { return }
        for place in runs.indices where runs[place].rowCount > 1 {
            let run = runs[place]
            let lasts = Double(run.rowCount - 1) / rate
            let slack = Self.otherRate * lasts + 2 * run.longestStep + 1 / rate
            guard abs(run.last - run.first - lasts) <= slack else {
                throw Self.contradicted(rate, by: Double(run.rowCount - 1) / (run.last - run.first), name, file)
            }
            runs[place].last = run.first + lasts
        }
    }

    /// Finds the times of rows whose rate stays off for seconds.
    private mutating func findPaces(
        _ lines: DelimitedLines, _ cells: DelimitedTimeCells, _ stamps: DelimitedStamps, _ scale: Double
    ) throws {
        guard runs.contains(where: { $0.shortestPeriod != nil }) else { return }
        var stamps = stamps
        for place in runs.indices {
            var paced = runs[place].shortestPeriod.map(PacedTimes.init)
            for _ in 0..<runs[place].rowCount {
                guard let line = try lines.next() else { break }
                guard let value = cells.value(line, &stamps)?.value else { continue }
                paced?.add(value / scale - origin)
            }
            paced?.finish()
            guard let paced, Plausible.sampleRates.contains(paced.gridRate) else { continue }
            runs[place].first = paced.time(ofRow: 0)
            runs[place].last = runs[place].first + Double(paced.sampleCount - 1) / paced.gridRate
            runs[place].residual = 0
            runs[place].paced = paced
        }
    }

    /// Makes the first sample time 0 where the times are those of a clock that began somewhere else, such as when the
    /// computer did: where they are larger than the file lasts, or it is known (`always`).
    private mutating func beginWithFirst(always: Bool) {
        guard let first = runs.first?.first, let end, first > Self.latestBeginning, always || first > end - first
        else { return }
        for index in runs.indices {
            runs[index].first -= first
            runs[index].last -= first
            runs[index].pacedOrigin = first
        }
        reading = first
    }

    /// How many of the times' units are a second: by the unit that is given, that the file states or that the numbers
    /// suggest; else, as where samples are counted, by the sample rate.
    private static func scale(
        _ dialect: DelimitedDialect, _ column: Int, _ name: String, given: ColumnMap.TimeUnit?, first: Double,
        spacing: Double, _ file: URL
    ) throws -> (perSecond: Double, countsSince1970: Bool) {
        func known(_ unit: ColumnMap.TimeUnit) -> (Double, Bool) { (unit.perSecond, unit.countsSince1970) }
        if let given { return known(given) }
        let byRate = dialect.sampleRate.flatMap { spacing > 0 ? $0 * spacing : nil }
        switch DelimitedTime.stated(name: name, unit: dialect.ownUnit(column)) {
        case .unit(let stated): return known(stated)
        case .fraction(let perSecond): return (perSecond, false)
        case .unknown(let text):
            if let byRate { return (byRate, false) }
            let known = ColumnMap.TimeUnit.allCases.map(\.rawValue).joined(separator: ", ")
            throw FormatError(
                file, "the times in column \"\(name)\" are in \"\(text)\", which is no known unit of time",
                advice: "known are \(known); give one in a column map (--columns)")
        case .nothing: break
        }
        if let unit = DelimitedTime.unit(first: first, spacing: spacing) { return known(unit) }
        guard let byRate else {
            throw FormatError(
                file, "the unit of the times in column \"\(name)\" cannot be told",
                advice: "they are \(NumberFormatting.text(spacing)) apart; give the unit in a column map")
        }
        return (byRate, false)
    }

    private static func notUnderstood(_ cell: Substring, _ name: String, line: Int, _ file: URL) -> FormatError {
        FormatError(
            file, at: "line \(line), column \(name)",
            "found \"\(cell.prefix(40))\", a time whose format is not understood",
            advice:
                "times are numbers, dates (2021-03-28T01:59:55.000, 28.03.2021 01:59:55, 3/28/2021 1:59:55 AM) or times "
                + "of day (01:59:55.000); "
                + "or name the columns and a sample rate, but no time, in a column map (--columns)")
    }

    /// The usual spacing of times: the median of means over 64 rows, which rounding of the times does not disturb; that
    /// between the gaps of few rows, of which means over many hold too much.
    private static func spacing(_ times: [Double]) -> Double? {
        guard times.count >= 2 else { return nil }
        if let period = StampTicks(times).period { return period }
        if let few = StampPacing(few: times) { return few.period }
        let reach = min(64, max(1, times.count / 8))
        let means = stride(from: reach, to: times.count, by: reach).map {
            (times[$0] - times[$0 - reach]) / Double(reach)
        }
        return (means.isEmpty ? [times[1] - times[0]] : means).upperMedian
    }

    private mutating func findRuns(
        _ lines: DelimitedLines, _ dialect: DelimitedDialect, _ cells: DelimitedTimeCells, _ stamps: DelimitedStamps,
        _ scale: Double, _ name: String, _ file: URL
    ) throws {
        var stamps = stamps
        var fineness = DelimitedResolution()
        var finder = DelimitedRunFinder(
            period: 1 / sampleRate, isStated: statedRate != nil, rowsPerTick: rowsPerTick)
        let isClock = stamps.isClock
        while let line = try lines.next() {
            guard let read = cells.value(line, &stamps) else { continue }
            if let number = read.number { fineness.see(number) }
            guard let value = read.value, (value / scale).isPlaceable else {
                if lines.isUnfinished {
                    lines.leaveOutLast()
                    break
                }
                let found = cells.found(line) ?? read.value.map { "\($0)" } ?? ""
                throw FormatError(
                    file, at: "line \(lines.number), column \(name)", "found \"\(found)\", expected a time")
            }
            let time = value / scale - origin
            finder.slack = isClock ? 1e-6 : fineness.step / scale
            guard finder.push(time) else {
                if lines.isUnfinished {
                    lines.leaveOutLast()
                    break
                }
                throw FormatError(
                    file, at: "line \(lines.number), column \(name)",
                    "the time goes back by \(NumberFormatting.text(finder.last - time)) s",
                    advice:
                        "cut the file in two there, or name the columns and a sample rate, but no time, in a column map "
                        + "(--columns) to take the rows as evenly spaced")
            }
            guard finder.runs.count < Self.mostRuns else { break }
        }
        finder.finish()
        runs = finder.runs
        reversals = finder.reversals
        resolution = finder.slack
        let rows = runs.reduce(0) { $0 + $1.rowCount }
        guard runs.count <= 8 || runs.count * 32 <= rows else {
            throw FormatError(
                file, "the times in column \"\(name)\" are too uneven for samples: \(runs.count - 1) breaks",
                advice: "name the columns and a sample rate, but no time, in a column map to take the rows as evenly "
                    + "spaced")
        }
    }

    /// The rate within a run: measured, where it is long enough to be told; a whole number where the times, as finely
    /// as they are written, allow it.
    func rate(_ run: Run) -> Double {
        if let statedRate { return statedRate }
        if let paced = run.paced { return paced.gridRate }
        guard let resolution, run.rowCount >= 16, run.last > run.first else { return sampleRate }
        let periods = Double(run.rowCount - 1)
        let rate = periods / (run.last - run.first)
        guard Plausible.sampleRates.contains(rate) else { return sampleRate }
        let whole = rate.rounded()
        let slack = max(run.precision ?? resolution, 1e-9 * run.last.magnitude)
        return whole >= 1 && abs(periods / whole - (run.last - run.first)) <= slack ? whole : rate
    }

    /// What a reader should know of the times.
    var notes: [String] {
        var notes: [String] = []
        if let reading {
            notes.append(
                "time 0 is the first sample: the clock of the file's times has no date and read "
                    + "\(NumberFormatting.onset(reading)) s then; take that off the times of events by the same clock")
        }
        if hasLabVIEWTimes { notes.append("the times are taken to count seconds since 1904, as LabVIEW does") }
        if let undated {
            notes.append(
                "the recording has no start, as day and month of its dates cannot be told apart; a column map (--columns) "
                    + "tells which comes first: \(undated)")
        }
        if reversals.count > 0 {
            let largest = NumberFormatting.text((reversals.largest * 1e4).rounded() / 1e4)
            notes.append(
                "the times go back \(reversals.count.counted("time")), by \(largest) s at most: samples were taken as evenly "
                    + "spaced"
            )
        }
        // A nominal rate and the clock's differ a little.
        if let unusedRate, abs(unusedRate - sampleRate) > 0.01 * sampleRate {
            notes.append(
                "the stated sample rate of \(NumberFormatting.text(unusedRate)) Hz is not used: by their times the samples "
                    + "come at \(NumberFormatting.text((sampleRate * 1e4).rounded() / 1e4)) Hz")
        }
        if runs.contains(where: { $0.paced != nil }) {
            let rates = runs.compactMap { $0.paced?.gridRate }
            notes.append(
                "the rate of the rows stays off for seconds: samples were placed by their times, by linear interpolation on "
                    + "an even grid of \(NumberFormatting.text(((rates.max() ?? 0) * 1e4).rounded() / 1e4)) Hz")
        }
        let worst = runs.lazy.filter { $0.rowCount >= 16 }.map(\.residual).max() ?? 0
        return notes
            + [StampLine.note("the times", of: "samples", straying: worst, rate: sampleRate)].compactMap(\.self)
    }

    /// Seconds from time 0 to just after the last sample.
    var end: Seconds? { runs.last.map { $0.last + 1 / sampleRate } }
}
