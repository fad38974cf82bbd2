import Signals

/// One channel at 12.5 Hz: each even sample is a straight line fitted to the samples around it.
///
/// The weights fall linearly to 0 at one spacing from the even sample. Any sample rate from 12.5 Hz on is possible;
/// samples that are not finite are missing. Only the order of the samples matters, not their chunks.
struct EvenSamples: Sendable {
    /// Even samples per second.
    static let rate = 12.5
    /// The longest gap that is filled, in even samples.
    private static let longestFill = 6

    private struct Sums {
        var number: Int
        var weight = 0.0
        var first = 0.0
        var second = 0.0
        var value = 0.0
        var slope = 0.0

        init(_ number: Int) { self.number = number }

        mutating func add(_ sample: Double, offset: Double) {
            let share = 1 - abs(offset)
            weight += share
            first += share * offset
            second += share * offset * offset
            value += share * sample
            slope += share * offset * sample
        }

        var fitted: Double? {
            guard weight > 1e-3 else { return nil }
            let determinant = weight * second - first * first
            guard determinant > 0.02 * weight * weight else { return value / weight }
            return (second * value - first * slope) / determinant
        }
    }

    private var sums: [Sums] = []
    private var head = 0

    /// The next sample, at `time` seconds. A sample before the latest even one is ignored.
    mutating func push(_ sample: Float, at time: Seconds) {
        guard sample.isFinite else { return }
        let place = time * Self.rate
        let floor = place.rounded(.down)
        let number = Int(floor)
        if let last = sums.last?.number {
            guard number + 1 >= last else { return }
            if last < number { sums.append(Sums(number)) }
            if last < number + 1 { sums.append(Sums(number + 1)) }
        } else {
            sums += [Sums(number), Sums(number + 1)]
        }
        let (offset, value) = (place - floor, Double(sample))
        let index = sums.count - 1
        sums[index].add(value, offset: offset - 1)
        if index > 0, sums[index - 1].number == number { sums[index - 1].add(value, offset: offset) }
    }

    /// The even samples from `first` on; nil where a tenth of them or half a second in one piece is missing. Shorter gaps
    /// are filled along a straight line.
    func values(from first: Int, count: Int) -> [Double]? {
        var values = [Double](repeating: .nan, count: count)
        var (found, longest, latest) = (0, 0, -1)
        var index = sums[head...].partitioningIndex { $0.number >= first }
        while index < sums.count, sums[index].number < first + count {
            if let value = sums[index].fitted {
                let place = sums[index].number - first
                let gap = place - latest - 1
                for filled in latest + 1..<place {
                    let share = Double(filled - latest) / Double(gap + 1)
                    values[filled] = latest < 0 ? value : values[latest] + share * (value - values[latest])
                }
                values[place] = value
                (found, longest, latest) = (found + 1, max(longest, gap), place)
            }
            index += 1
        }
        longest = max(longest, count - 1 - latest)
        guard found * 10 >= count * 9, longest <= Self.longestFill, latest >= 0 else { return nil }
        for filled in latest + 1..<max(count, latest + 1) { values[filled] = values[latest] }
        return values
    }

    /// Forgets the even samples before `number`.
    mutating func forget(before number: Int) {
        while head + 2 < sums.count, sums[head].number < number { head += 1 }
        guard head > 1024 else { return }
        sums.removeFirst(head)
        head = 0
    }
}
