import Signals

/// When rows arrived by the computer's clock. Packets come late and in bursts, but never early: what moves the earliest
/// arrivals of some seconds, of all rows as they should come at the board's rate, is a loss.
struct OpenBCIArrivals {
    private let sampleRate: Double
    private let rowsPerBlock: Int
    /// For each block of rows the earliest arrival, in seconds besides even time.
    private var earliest: [Seconds] = []
    /// Rows that arrived long after the one before, and how long.
    private var lateRows: [(row: Int, wait: Seconds)] = []
    private var last: Seconds?
    private var row = 0

    /// Blocks a second.
    private static let pace = 4.0
    /// Blocks that are looked at before and behind a row: packets are held up for less than 10 s.
    private static let reach = 40
    /// With fewer blocks behind a row nothing is told of it.
    private static let fewest = 8
    /// Seconds between rows that may hide a loss; a round of numbers lasts more.
    private static let late: Seconds = 0.4
    private static let mostLateRows = 1 << 16
    /// Of a longer loss it would be too much of a coincidence that the numbers go on.
    private static let longestSilentLoss: Seconds = 10
    /// Clocks that go on later than that were set.
    private static let longest: Seconds = 366 * 86_400

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        rowsPerBlock = max(1, Int(sampleRate / Self.pace))
    }

    /// The next row's time in seconds; nil where it has none.
    mutating func take(_ time: Seconds?) {
        defer { row += 1 }
        if row.isMultiple(of: rowsPerBlock) { earliest.append(.infinity) }
        guard let time, time.isPlaceable else { return }
        let excess = time - Double(row) / sampleRate
        earliest[earliest.count - 1] = min(earliest[earliest.count - 1], excess)
        if let last, time - last > Self.late, lateRows.count < Self.mostLateRows { lateRows.append((row, time - last)) }
        last = time
    }

    /// The losses that the numbers tell, with those that only arrivals show: of whole rounds of numbers, or of any length
    /// where the board was stopped and began anew.
    /// - Parameters:
    ///   - round: how many samples a round of numbers has; nil where they do not count.
    ///   - beginnings: rows after a loss with which a round begins.
    func completed(_ counted: SampleRuns, round: Int?, beginnings: Set<Int>) -> SampleRuns {
        var runs = SampleRuns()
        let drift = drift(counted)
        let numbered = counted.runs.dropFirst().map(\.firstRow)
        // What is late soon after numbers that jump is late for the same loss: rows of a packet bear one time.
        let near = Int(sampleRate / Self.pace)
        let late = lateRows.map(\.row).filter { row in
            let place = numbered.partitioningIndex { $0 > row }
            return place == 0 || row - numbered[place - 1] > near
        }
        let rows = Set(late).union(numbered).sorted()
        for (place, row) in rows.enumerated() {
            let told = counted.lost(before: row) - counted.lost(before: row - 1)
            let next = place + 1 < rows.count ? rows[place + 1] : Int.max
            let delay = delay(of: row, runs, counted, before: next, drift).map { Int(($0 * sampleRate).rounded()) } ?? 0
            let extra = extra(delay, besides: told, round, isBeginning: beginnings.contains(row))
            runs.lose(told + extra, before: row, reason: extra == 0 ? .deviceLost : .fileGap)
        }
        return runs
    }

    /// Samples that were lost besides those that the numbers tell.
    private func extra(_ delay: Int, besides told: Int, _ round: Int?, isBeginning: Bool) -> Int {
        let slack = Int(0.15 * sampleRate)
        guard abs(delay) > slack else { return 0 }
        guard let round else { return max(0, delay) }
        // Numbers that just go on after a long time: the computer's clock was set.
        guard told > 0 || delay <= Int(Self.longestSilentLoss * sampleRate) else { return 0 }
        let rounds = Int((Double(delay) / Double(round)).rounded()) * round
        if abs(delay - rounds) <= slack { return max(0, rounds) }
        // Numbers that go on were not begun anew. What they tell is surer than arrivals, unless the board was, or was for long.
        if told == 0 || !isBeginning && delay < round { return 0 }
        return max(-told, delay)
    }

    /// How much later than those before it the rows from a row on arrived, besides what is known to be lost.
    private func delay(
        of row: Int, _ runs: SampleRuns, _ counted: SampleRuns, before next: Int, _ drift: Double
    ) -> Seconds? {
        let block = row / rowsPerBlock
        let end = min(block + 1 + Self.reach, earliest.count, next / rowsPerBlock)
        guard block > 0, end - block - 1 >= fewestBlocks(behind: row) else { return nil }
        let told = runs.lost + counted.lost(before: row) - counted.lost(before: row - 1)
        let before = (max(0, block - Self.reach)..<block).map { excess($0, runs) - drift * Double($0) / Self.pace }
        let behind = (block + 1..<end).map { block in
            earliest[block] - Double(told) / sampleRate - drift * Double(block) / Self.pace
        }
        guard let first = before.min(), let next = behind.min(), abs(next - first) < Self.longest else { return nil }
        return next - first
    }

    /// How many blocks must follow a row: packets that were held up take as long as they were to be in time again, and would
    /// pass for a loss until then.
    private func fewestBlocks(behind row: Int) -> Int {
        let place = lateRows.partitioningIndex { $0.row >= row }
        guard place < lateRows.count, lateRows[place].row == row else { return Self.fewest }
        let blocks = lateRows[place].wait * Self.pace
        return blocks < Double(Self.reach) ? max(Self.fewest, Int(blocks) + 1) : Self.fewest
    }

    /// Seconds by which a second of rows takes longer than at the board's rate, by what stretches of 10 s tell: losses make
    /// some of them longer, so that it is a quarter that are shorter still.
    func drift(_ counted: SampleRuns) -> Double {
        let stretches = stride(from: 0, through: earliest.count - Self.reach, by: Self.reach).map { first in
            (first..<first + Self.reach).map { excess($0, counted) }.min() ?? .infinity
        }
        let steps = zip(stretches, stretches.dropFirst()).map { $1 - $0 }.filter(\.isFinite).sorted()
        return steps.count < 3 ? 0 : steps[steps.count / 4] * Self.pace / Double(Self.reach)
    }

    /// The earliest arrival of a block besides even time, what is lost before it taken out.
    private func excess(_ block: Int, _ runs: SampleRuns) -> Seconds {
        earliest[block] - Double(runs.lost(before: block * rowsPerBlock)) / sampleRate
    }
}
