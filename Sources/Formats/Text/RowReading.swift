import Foundation
import Signals

/// The readings of the rows of one stamp: intervals that these rows are, if some rows or all of them were written again.
struct RowReading: Hashable {
    /// The intervals, without repeats.
    var intervals: [Seconds]
    /// The negative logarithm of the likelihood.
    var cost: Double

    /// The shares of rows and packets that are written again, and of intervals that equal the one before.
    struct Shares {
        var rows: Double
        var packets: Double
        var equals: Double

        /// True where other shares would hardly change a cost.
        func isNear(_ other: Self) -> Bool {
            abs(rows - other.rows) < 0.01 && abs(packets - other.packets) < 0.01 && abs(equals - other.equals) < 0.01
        }

        /// A share between limits at which a cost still counts.
        static func limited(_ share: Double, to highest: Double = 0.98) -> Double { min(max(share, 0.002), highest) }
    }

    private static let mostForms = 24
    /// Readings that are less likely by this much more are left out.
    private static let margin = 25.0
    /// The additional cost of rows that are there three times and more, and of a repeated part of a stamp's rows.
    private static let manyTimes = 4.0, part = 1.0

    /// The readings of `rows`, the likeliest first.
    static func all(of rows: [Seconds], _ shares: Shares) -> [RowReading] {
        guard rows.count > 1, Set(rows).count < rows.count else { return [RowReading(intervals: rows, cost: 0)] }
        var costs: [[Seconds]: Double] = [:]
        for (form, cost) in forms(of: rows, shares) {
            for reading in withoutRepeatedRows(form, shares) {
                costs[reading.intervals] = min(costs[reading.intervals] ?? .infinity, cost + reading.cost)
            }
        }
        // In an order of their own, so that results never hang on that of a dictionary.
        let list = costs.map { RowReading(intervals: $0.key, cost: $0.value) }.sorted {
            ($0.cost, $0.intervals.count) != ($1.cost, $1.intervals.count)
                ? ($0.cost, $0.intervals.count) < ($1.cost, $1.intervals.count)
                : $0.intervals.lexicographicallyPrecedes($1.intervals)
        }
        return list.filter { $0.cost < list[0].cost + margin }
    }

    /// The rows without packets that follow themselves, with the costs of these.
    private static func forms(of rows: [Seconds], _ shares: Shares) -> [([Seconds], Double)] {
        var forms = [(rows, -log(1 - shares.packets))]
        var seen: Set<[Seconds]> = [rows]
        var next = 0
        while next < forms.count, forms.count < mostForms {
            let form = forms[next].0
            next += 1
            guard form.count > 3 else { continue }
            for size in 2...form.count / 2 {
                for start in 0...form.count - 2 * size {
                    let block = form[start..<start + size]
                    guard block.elementsEqual(form[start + size..<start + 2 * size]), Set(block).count > 1 else {
                        continue
                    }
                    let shorter = Array(form[..<start] + form[(start + size)...])
                    guard seen.insert(shorter).inserted else { continue }
                    let isWhole = start == 0 && 2 * size == form.count
                    forms.append((shorter, -log(shares.packets) + (isWhole ? 0 : part)))
                }
            }
        }
        return forms
    }

    /// The rows where each may have been written twice in a row.
    private static func withoutRepeatedRows(_ rows: [Seconds], _ shares: Shares) -> [RowReading] {
        let (once, twice, equal) = (-log(1 - shares.rows), -log(shares.rows), -log(shares.equals))
        var readings = [RowReading(intervals: [], cost: 0)]
        var place = 0
        while place < rows.count {
            var end = place + 1
            while end < rows.count, rows[end] == rows[place] { end += 1 }
            let count = end - place
            var endings = ((count + 1) / 2...count).map { kept in
                let ways = Double(binomial(kept, count - kept))
                let cost =
                    Double(count - kept) * twice + Double(2 * kept - count) * once + Double(kept - 1) * equal
                    - (kept == 1 ? 0 : log(ways))
                return RowReading(intervals: Array(repeating: rows[place], count: kept), cost: cost)
            }
            if count > 2 {
                endings.append(RowReading(intervals: [rows[place]], cost: manyTimes + twice * Double(count - 1)))
            }
            readings = readings.flatMap { reading in
                endings.map {
                    RowReading(intervals: reading.intervals + $0.intervals, cost: reading.cost + $0.cost)
                }
            }
            if readings.count > mostForms {
                readings.sort { ($0.cost, $0.intervals.count) < ($1.cost, $1.intervals.count) }
                readings.removeLast(readings.count - mostForms)
            }
            place = end
        }
        return readings
    }

    private static func binomial(_ all: Int, _ chosen: Int) -> Int {
        (0..<min(chosen, all - chosen)).reduce(1) { $0 * (all - $1) / ($1 + 1) }
    }
}
