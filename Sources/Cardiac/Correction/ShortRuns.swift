import Signals

/// Finds runs of a few intervals that stand alone between gaps and are unlike the intervals of the runs around them.
///
/// Correction judges a run by itself, and of one or a few intervals it can only find that they are like one another: a
/// beat missed between two gaps would give an interval of twice its length. Such a run is judged by the nearest intervals
/// of other runs, up to five before it and five after it; where these are too few or too far away it is left as it is.
struct ShortRuns {
    /// What becomes of an interval.
    enum Verdict {
        /// Correction judges it, in the run it lies in.
        case belongs
        /// It is unlike the intervals around its run.
        case stands(apart: CorrectionClass)
    }

    /// An interval, its place in the whole series, and whether a run begins with it.
    struct Entry {
        var ibi: IBI
        var index: Int
        var begins: Bool
    }

    /// The longest run that is judged by others.
    static let longest = 5
    /// How many intervals on each side it is judged by, and the fewest on both together.
    private static let reach = 5, fewest = 5
    /// Seconds to an interval that has a say still.
    private static let nearest: Seconds = 30
    /// Intervals after one that may have a say in it: the rest of its run and those after that.
    static let lookAhead = longest + reach

    private let parameters: CorrectionParameters
    private var entries: [Entry] = []
    /// The first of `entries` that is not given out.
    private var next = 0
    private var isEnded = false

    init(_ parameters: CorrectionParameters) {
        self.parameters = parameters
    }

    /// Takes an interval and gives out those that are decided.
    mutating func append(_ entry: Entry, into decided: inout [(Entry, Verdict)]) {
        entries.append(entry)
        giveOut(&decided)
    }

    /// Gives out the rest.
    mutating func end(into decided: inout [(Entry, Verdict)]) {
        isEnded = true
        giveOut(&decided)
        entries.removeAll(keepingCapacity: true)
        (next, isEnded) = (0, false)
    }

    private mutating func giveOut(_ decided: inout [(Entry, Verdict)]) {
        while next < entries.count {
            guard entries[next].begins || next == 0 else {
                // In a run that is too long to be judged by others.
                decided.append((entries[next], .belongs))
                next += 1
                continue
            }
            let end = runEnd(from: next)
            let isLong = end - next > Self.longest
            guard isLong || isEnded || (end < entries.count && isSettled(end)) else { break }
            let verdicts = isLong ? nil : verdicts(next..<end)
            for place in next..<end { decided.append((entries[place], verdicts?[place - next] ?? .belongs)) }
            next = end
        }
        forget()
    }

    /// Where the run ends that begins at `start`, or one beyond what is short.
    private func runEnd(from start: Int) -> Int {
        var end = start + 1
        while end < entries.count, !entries[end].begins, end - start <= Self.longest { end += 1 }
        return end
    }

    /// Whether all that may have a say in a run that ends before `end` is there.
    private func isSettled(_ end: Int) -> Bool {
        entries.count - end >= Self.reach
            || (entries.last.map { $0.ibi.onset - $0.ibi.duration - entries[end - 1].ibi.onset > Self.nearest } ?? false)
    }

    /// What becomes of the intervals of a short run; nil where they belong together with those around, or nothing can be
    /// told. A run of which some fit is left to correction.
    private func verdicts(_ run: Range<Int>) -> [Verdict]? {
        let (first, last) = (entries[run.lowerBound].ibi, entries[run.upperBound - 1].ibi)
        let before = entries[..<run.lowerBound].suffix(Self.reach).map(\.ibi)
            .filter { first.onset - first.duration - $0.onset <= Self.nearest }
        let after = entries[run.upperBound...].prefix(Self.reach).map(\.ibi)
            .filter { $0.onset - $0.duration - last.onset <= Self.nearest }
        let around = (before + after).map(\.duration)
        guard around.count >= Self.fewest else { return nil }
        let usual = sortedQuantile(around.sorted(), 0.5)
        let durations = run.map { entries[$0].ibi.duration }
        let isLonger = durations.allSatisfy { $0 > usual }
        guard isLonger || durations.allSatisfy({ $0 < usual }), durations.allSatisfy({ parameters.isApart($0, around) })
        else { return nil }
        return durations.map { .stands(apart: $0 > 1.5 * usual ? .missed : .longShort) }
    }

    /// Keeps what may have a say in what comes.
    private mutating func forget() {
        guard next > 4_096 else { return }
        let count = next - 2 * Self.reach
        // The first one counts as the beginning of a run, and is given out already.
        entries.removeFirst(count)
        next -= count
    }
}

extension CorrectionParameters {
    /// Whether an interval that stands alone is unlike those around it, by the rule of the method.
    fileprivate func isApart(_ duration: Seconds, _ around: [Seconds]) -> Bool {
        let usual = sortedQuantile(around.sorted(), 0.5)
        let difference = abs(duration - usual)
        switch method {
        case .none: return false
        case .threshold: return difference > threshold
        case .quotient: return difference > quotient * usual
        case .lipponenTarvainen:
            let deviations = around.map { abs($0 - usual) }.sorted()
            // As large as breathing and irregular rhythms do not make it from one run to the next; one of those around may
            // be wrong itself.
            let spread = deviations.dropLast().last ?? 0
            return difference
                > max(ArtefactThresholds.apart * usual, alpha * sortedQuantile(deviations, 0.5), 1.5 * spread)
        }
    }
}
