import Foundation
import Kernels

/// The heart rates of a day and night by 30 s, and what of it is sleep by the rule of `HeartSleep`.
struct HeartRateDay {
    /// Below this quantile sleep is looked for.
    private static let quantile = 0.35
    /// Epochs of the shortest block, and between two blocks of one period: 30 and 120 minutes.
    private static let block = 60
    private static let bridge = 240
    /// By how many epochs a period may be extended: 4 hours at its start, 2 hours at its end.
    private static let reach = (start: 480, end: 240)
    /// Standard deviation, in beats per minute, of a volatile rate.
    private static let volatile = 5.0

    /// Beats per minute; not a number where it is not known.
    private let rates: [Double]
    /// The median of 5 minutes; not a number where less than half of them is known.
    private let levels: [Double]

    init(_ rates: [Double]) {
        self.rates = rates
        levels = rates.indices.map { index in
            let near = Self.known(rates, index - 5..<index + 6)
            return near.count >= 6 ? Statistics.median(near) : .nan
        }
    }

    /// Whether somebody slept, nil where it is not known; nil altogether where it cannot be told.
    func asleep() -> [Bool?]? {
        let hour = Double(HeartSleep.hour)
        guard Double(rates.count) >= HeartSleep.leastHours * hour else { return nil }
        let known = levels.filter { !$0.isNaN }
        guard Double(known.count) >= HeartSleep.leastKnown * hour else { return nil }
        let first = Statistics.quantile(known, Self.quantile)
        guard let limit = limit(of: periods(below: first)) else { return nil }
        let periods = periods(below: limit)
        guard holdsSleep(periods, limit) else { return nil }
        var isAsleep = levels.map { $0.isNaN ? nil : false as Bool? }
        for index in periods.map(extended).joined() where levels[index] <= limit { isAsleep[index] = true }
        for index in rates.indices where rates[index].isNaN { isAsleep[index] = nil }
        return isDip(isAsleep) ? isAsleep : nil
    }

    private static func known(_ values: [Double], _ range: Range<Int>) -> [Double] {
        values[range.clamped(to: values.indices)].filter { !$0.isNaN }
    }

    /// Blocks of low rate, those near one another joined.
    private func periods(below limit: Double) -> [Range<Int>] {
        var (periods, start) = ([Range<Int>](), nil as Int?)
        for index in 0...levels.count {
            if index < levels.count, levels[index] <= limit {
                start = start ?? index
            } else if let first = start {
                start = nil
                guard index - first >= Self.block else { continue }
                if let last = periods.last, first - last.upperBound <= Self.bridge {
                    periods[periods.count - 1] = last.lowerBound..<index
                } else {
                    periods.append(first..<index)
                }
            }
        }
        return periods
    }

    /// Half-way between the longest period and what lies outside all; nil where there is no such thing.
    private func limit(of periods: [Range<Int>]) -> Double? {
        guard let longest = periods.max(by: { $0.count < $1.count }) else { return nil }
        var outside = levels
        for index in periods.joined() { outside[index] = .nan }
        let (sleep, wake) = (Self.known(levels, longest), Self.known(outside, outside.indices))
        guard !wake.isEmpty else { return nil }
        return (Statistics.median(sleep) + Statistics.median(wake)) / 2
    }

    /// A period and what is steady before and after it.
    private func extended(_ period: Range<Int>) -> Range<Int> {
        var (start, end) = (period.lowerBound, period.upperBound)
        while start > 0, period.lowerBound - start < Self.reach.start, isSteady(start - 1) { start -= 1 }
        while end < rates.count, end - period.upperBound < Self.reach.end, isSteady(end) { end += 1 }
        return start..<end
    }

    private func isSteady(_ index: Int) -> Bool {
        let near = Self.known(rates, index - 10..<index + 10)
        return near.count >= 10 && Statistics.standardDeviation(near) <= Self.volatile
    }

    /// Whether the longest period is a night's sleep: long, low throughout, and most of what is low.
    private func holdsSleep(_ periods: [Range<Int>], _ limit: Double) -> Bool {
        let low = periods.map { period in period.count { levels[$0] <= limit } }
        guard let most = low.max(), let place = low.firstIndex(of: most) else { return false }
        let inPeriod = Self.known(levels, periods[place]).count
        return Double(most) >= HeartSleep.leastSleep * Double(HeartSleep.hour)
            && Double(most) >= HeartSleep.leastShare * Double(inPeriod)
            && Double(most) >= HeartSleep.leastMain * Double(low.reduce(0, +))
    }

    /// Whether there is wake enough, and the rate in sleep so much lower.
    private func isDip(_ isAsleep: [Bool?]) -> Bool {
        let sleep = rates.indices.filter { isAsleep[$0] == true }.map { rates[$0] }
        let wake = rates.indices.filter { isAsleep[$0] == false }.map { rates[$0] }
        return Double(wake.count) >= HeartSleep.leastWake * Double(HeartSleep.hour)
            && Statistics.mean(sleep) <= (1 - HeartSleep.leastDip) * Statistics.mean(wake)
    }
}
