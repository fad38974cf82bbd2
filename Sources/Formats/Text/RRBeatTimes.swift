import Signals

/// Times of beats, or their sample numbers, as programs write that find peaks: a column that only rises.
enum RRBeatTimes {
    /// As many rising rows are no intervals: of eight in no order, one in 40,000 rises by chance.
    static let fewest = 8

    /// True where a name is that of beats: `R_peaks`, `beat_times (s)`, `systolic_peak_timestamp`.
    static func isNamed(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }.map(String.init)
        return words.contains { word in
            names.contains(word)
                || ["rpeak", "ppgpeak", "ecgpeak", "heartbeat", "beattime"].contains(where: word.hasPrefix)
        }
    }

    private static let names: Set<String> = ["peak", "peaks", "beat", "beats", "qrs"]

    /// True where numbers only rise, by steps that are apart as beats are in some unit.
    static func areBeats(_ values: [Double], unit: IntervalUnit?) -> Bool {
        let present = values.filter { !$0.isNaN }
        guard present.count >= fewest, rises(present) else { return false }
        let steps = zip(present.dropFirst(), present).map { $0 - $1 }.sorted()
        let (low, middle, high) = (steps[steps.count / 20], steps.upperMedian, steps[steps.count * 19 / 20])
        // Even steps are those of a clock or a count, and very uneven ones those of events.
        guard high - low > 0.002 * middle, high < 10 * low else { return false }
        switch unit ?? Self.unit(of: present) {
        case .perSecond(let count): return IntervalChain.plausible.contains(middle / count)
        // At 15 to 20,000 Hz.
        case .samples, nil: return middle >= 5 && middle <= 60_000
        }
    }

    static func rises(_ values: [Double]) -> Bool {
        zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// The unit that the numbers imply: clocks that count since 1970, and fractions of seconds. Whole numbers
    /// may be samples as well as milliseconds: nil.
    static func unit(of values: [Double]) -> IntervalUnit? {
        let present = values.filter { !$0.isNaN }
        guard let first = present.first else { return nil }
        if let unit = DelimitedTime.unit(first: first, spacing: .nan), unit.countsSince1970 {
            return .perSecond(unit.perSecond)
        }
        let steps = zip(present.dropFirst(), present).map { $0 - $1 }.filter { $0 > 0 }
        guard !steps.isEmpty, present.contains(where: { $0 != $0.rounded() }) else { return nil }
        if IntervalChain.plausible.contains(steps.upperMedian) { return .perSecond(1) }
        return (200...5000).contains(steps.upperMedian) ? .perSecond(1000) : nil
    }

    /// The intervals between beats at `values` in `unit`; NaN is a beat that is missing.
    /// - Parameters:
    ///   - rate: samples per second, where it is stated.
    ///   - lines: the numbers of the lines.
    /// - Throws: `FormatError` where their unit is not known, they do not rise, or are apart as beats are not.
    static func series(
        _ values: [Double], stated: IntervalUnit?, rate: Double?, _ lines: [Int], _ text: RRTextLines
    ) throws -> RRSeries {
        let file = text.file
        let known = stated ?? unit(of: values)
        var perSecond = known?.perSecond(sampleRate: rate ?? text.sampleRate)
        if known == nil { perSecond = rate ?? text.sampleRate }
        guard let perSecond else {
            throw FormatError(
                file,
                "its numbers only rise, so they are times or sample numbers of beats rather than intervals, and their unit "
                    + "is not stated",
                advice:
                    "give the samples per second with --text-rate (1000 where they are milliseconds), or state the unit "
                    + "in a heading, such as \"beats (ms)\"")
        }
        var onsets: [Seconds] = []
        var breaks: [Int: Bool] = [:]
        var (last, repeated, missing) = (-Double.infinity, 0, 0)
        for (value, line) in zip(values, lines) {
            guard !value.isNaN else {
                missing += 1
                breaks[onsets.count] = true
                continue
            }
            guard value > last else {
                if value == last {
                    repeated += 1
                    continue
                }
                throw FormatError(file, at: "line \(line)", "the beat at \(value) does not follow the one at \(last)")
            }
            guard (value / perSecond).isPlaceable else {
                throw FormatError(file, at: "line \(line)", "the beat is at \(value), which is no time")
            }
            last = value
            onsets.append(value / perSecond)
        }
        guard onsets.count > 1 else {
            throw FormatError(file, "has \(onsets.count.counted("beat")), expected two or more")
        }
        var series = RRSeries(intervals: [])
        var isBroken = true
        if let first = onsets.first, first >= 5e8, let moment = Plausible.moment(first) {
            series.start = moment
            onsets = onsets.map { $0 - moment.secondsSince1970 }
        }
        for place in onsets.indices.dropFirst() {
            if breaks[place] == true {
                isBroken = true
                continue
            }
            series.intervals.append(onsets[place] - onsets[place - 1])
            series.onsets.append(onsets[place])
            series.followsBreak.append(isBroken)
            isBroken = false
        }
        guard !series.intervals.isEmpty else {
            throw FormatError(file, "has no two beats without a missing one between")
        }
        let median = series.intervals.upperMedian
        guard IntervalChain.plausible.contains(median) else {
            throw FormatError(
                file,
                "its beats are \(NumberFormatting.text(median)) s apart as a rule, which no heart beats",
                advice: "state their unit: --text-rate gives samples per second")
        }
        let unit =
            known.map { $0.description(sampleRate: rate ?? text.sampleRate) }
            ?? "samples at \(NumberFormatting.text(perSecond)) Hz"
        series.notes = ["the numbers are those of beats, in \(unit); intervals are their differences"]
        if repeated > 0 {
            series.notes.append("\(repeated.counted("beat")) that \(repeated.word("is", "are")) there twice count once")
        }
        if missing > 0 { series.notes.append("\(missing.counted("beat")) \(missing.word("is", "are")) missing") }
        return series
    }
}
