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

    /// The weighted sums of two straight lines: of the even sample before the newest sample, and of the one after it.
    private struct Sums {
        typealias Pair = SIMD2<Double>
        var weight = Pair.zero
        var first = Pair.zero
        var second = Pair.zero
        var value = Pair.zero
        var slope = Pair.zero

        /// Adds a sample `offset` after the first and 1 - `offset` before the second, in even samples.
        @inline(__always)
        mutating func add(_ sample: Double, offset: Double) {
            let offsets = Pair(offset, offset - 1)
            let share = Pair(1 - offset, offset)
            let moment = share * offsets
            weight += share
            first += moment
            second += moment * offsets
            value += share * sample
            slope += moment * sample
        }

        /// The second becomes the first, where the next even sample follows it.
        mutating func advance(_ isNext: Bool) {
            func moved(_ pair: Pair) -> Pair { Pair(isNext ? pair.y : 0, 0) }
            (weight, first, second) = (moved(weight), moved(first), moved(second))
            (value, slope) = (moved(value), moved(slope))
        }

        /// A line at its even sample; NaN without samples.
        func fitted(_ line: Int) -> Double {
            guard weight[line] > 1e-3 else { return .nan }
            let determinant = weight[line] * second[line] - first[line] * first[line]
            guard determinant > 0.02 * weight[line] * weight[line] else { return value[line] / weight[line] }
            return (second[line] * value[line] - first[line] * slope[line]) / determinant
        }
    }

    /// The even samples that no further sample changes, with their numbers in rising order; those without samples are
    /// left out.
    private var numbers: [Int] = []
    private var values: [Double] = []
    private var head = 0
    private var sums = Sums()
    /// The number of the first of the two lines; nil before the first sample.
    private var latest: Int?

    /// The next samples, the first of which is the sample `frame` of `run`. A sample before the latest even one is
    /// ignored.
    mutating func push(_ samples: Span<Float>, of run: SegmentStart, from frame: Int) {
        var sums = sums
        var floor = latest.map { Double($0) } ?? -.infinity
        for index in samples.indices {
            let sample = samples[index]
            guard sample.isFinite else { continue }
            let place = run.onset(ofOffset: frame + index) * Self.rate
            if place >= floor + 1 {
                let next = place.rounded(.down)
                if floor > -.infinity {
                    let number = Int(floor)
                    close(sums.fitted(0), number: number)
                    if next > floor + 1 { close(sums.fitted(1), number: number + 1) }
                    sums.advance(next == floor + 1)
                }
                floor = next
            }
            guard place >= floor else { continue }
            sums.add(Double(sample), offset: place - floor)
        }
        self.sums = sums
        if floor > -.infinity { latest = Int(floor) }
    }

    private mutating func close(_ value: Double, number: Int) {
        guard !value.isNaN else { return }
        numbers.append(number)
        values.append(value)
    }

    /// The even samples of a window, less `reference`.
    struct Window {
        var values: [Float]
        var reference: Double
    }

    /// The even samples from `first` on; nil where a tenth of them or half a second in one piece is missing. Shorter gaps
    /// are filled along a straight line.
    func window(from first: Int, count: Int) -> Window? {
        let start = numbers[head...].partitioningIndex { $0 >= first }
        let end = start + count - 1
        if end < numbers.count, numbers[start] == first, numbers[end] == first + count - 1 {
            let reference = values[start]
            return values.withUnsafeBufferPointer { values in
                Window(
                    values: Array(unsafeUninitializedCapacity: count) { target, filled in
                        for place in 0..<count { target[place] = Float(values[start + place] - reference) }
                        filled = count
                    }, reference: reference)
            }
        }
        return filled(from: first, count: count, at: start)
    }

    private func filled(from first: Int, count: Int, at start: Int) -> Window? {
        var window = Window(values: [Float](repeating: 0, count: count), reference: 0)
        var (found, longest, last) = (0, 0, -1)
        var before = 0.0
        func put(_ value: Double, number: Int) {
            let place = number - first
            guard !value.isNaN, place > last, place < count else { return }
            if found == 0 { (window.reference, before) = (value, value) }
            let gap = place - last - 1
            let (from, to) = (before - window.reference, value - window.reference)
            for filled in last + 1..<place {
                window.values[filled] = Float(from + Double(filled - last) / Double(gap + 1) * (to - from))
            }
            window.values[place] = Float(to)
            (found, longest, last, before) = (found + 1, max(longest, gap), place, value)
        }
        var index = start
        while index < numbers.count, numbers[index] < first + count {
            put(values[index], number: numbers[index])
            index += 1
        }
        if let latest {
            put(sums.fitted(0), number: latest)
            put(sums.fitted(1), number: latest + 1)
        }
        longest = max(longest, count - 1 - last)
        guard found * 10 >= count * 9, longest <= Self.longestFill, last >= 0 else { return nil }
        for filled in last + 1..<max(count, last + 1) { window.values[filled] = window.values[last] }
        return window
    }

    /// Forgets the even samples before `number`.
    mutating func forget(before number: Int) {
        while head + 2 < numbers.count, numbers[head] < number { head += 1 }
        guard head > 1024 else { return }
        numbers.removeFirst(head)
        values.removeFirst(head)
        head = 0
    }
}
