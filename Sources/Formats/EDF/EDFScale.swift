import Foundation
import Signals

/// How the physical values of a channel become whole numbers in an EDF or BDF file.
struct EDFScale {
    var digitalMinimum: Int
    var digitalMaximum: Int
    var physicalMinimum: String
    var physicalMaximum: String
    /// `physical = digital * gain + offset`, as a reader finds it from the four texts.
    private(set) var gain: Double = 1
    private(set) var offset: Double = 0
    /// Whether each value of the channel has its own number.
    var isLossless = false
    private let storage: EDFStorage

    /// The stored number of a missing sample: one below the digital minimum. Nil where none can be missing.
    static func missing(below digitalMinimum: Int, _ storage: EDFStorage) -> Int32? {
        digitalMinimum > storage.lowest ? Int32(truncatingIfNeeded: digitalMinimum - 1) : nil
    }

    /// The stored number of a missing sample.
    var missing: Int32 {
        Self.missing(below: digitalMinimum, storage) ?? Int32(truncatingIfNeeded: storage.lowest)
    }

    /// The stored number of a value, missing when it is not finite.
    func digital(_ value: Double) -> Int32 {
        guard value.isFinite else { return missing }
        let level = ((value - offset) / gain).rounded()
        return Int32(max(Double(digitalMinimum), min(Double(digitalMaximum), level)))
    }

    private init?(_ digital: (Int, Int), _ physical: (EDFNumber, EDFNumber), _ storage: EDFStorage) {
        guard digital.0 < digital.1, physical.0.value < physical.1.value else { return nil }
        self.storage = storage
        (digitalMinimum, digitalMaximum) = digital
        (physicalMinimum, physicalMaximum) = (physical.0.text, physical.1.text)
        gain = (physical.1.value - physical.0.value) / Double(digital.1 - digital.0)
        offset = physical.0.value - Double(digital.0) * gain
    }

    // MARK: values on a grid

    /// The scale for values on a grid, one number per step; nil when the header's 8 characters cannot say it as exactly
    /// as another scale.
    init?(_ range: ClosedRange<Double>, grid: EDFGrid, hasMissing: Bool, _ storage: EDFStorage) {
        let first = Int(grid.index(range.lowerBound))
        let last = Int(grid.index(range.upperBound))
        // The header tells the ends of the levels, and the farther they are from the values, the less exactly these:
        // 24 bits are taken only where 16 do not reach.
        let isNear = first >= Self.lowest(hasMissing, .edf) && last <= EDFStorage.edf.highest
        let lowest = Self.lowest(hasMissing, isNear ? .edf : storage)
        let highest = (isNear ? .edf : storage).highest
        guard last - first <= highest - lowest else { return nil }
        // The values' own numbers where they fit, as 0 then stays exactly 0.
        let isCentred = first >= lowest && last <= highest
        let shift = isCentred ? 0 : first - lowest
        func physical(_ digital: Int) -> Double { grid.value(digital + shift) }
        let bottom = min(first - shift, highest - 1)
        let top = max(last - shift, bottom + 1)
        let digitalMinimum = Self.wellWritten((lowest...max(lowest, bottom)).prefix(1 << 16), physical)
        let digitalMaximum = Self.wellWritten((top...highest).reversed().prefix(1 << 16), physical)
        guard let minimum = EDFNumber(physical(digitalMinimum), .toNearestOrEven),
            let maximum = EDFNumber(physical(digitalMaximum), .toNearestOrEven)
        else { return nil }
        self.init((digitalMinimum, digitalMaximum), (minimum, maximum), storage)
        let error = max(
            abs(Double(first - shift) * gain + offset - grid.value(first)),
            abs(Double(last - shift) * gain + offset - grid.value(last)))
        // The range over 65 535 levels may be off by half a step, over those of 24 bits by 1/512.
        guard error < grid.step / (storage == .edf ? 4 : 256) else { return nil }
        isLossless = true
    }

    private static func lowest(_ hasMissing: Bool, _ storage: EDFStorage) -> Int {
        storage.lowest + (hasMissing ? 1 : 0)
    }

    /// The level of `levels` whose physical value loses least in 8 characters; the first where none is lost.
    private static func wellWritten(_ levels: some Sequence<Int>, _ physical: (Int) -> Double) -> Int {
        var best = (level: 0, error: Double.infinity)
        for level in levels {
            let value = physical(level)
            let error = EDFNumber.error(value)
            if error < best.error { best = (level, error) }
            // Nothing lost but the noise of the grid's step, known to single precision.
            if error <= abs(value) * 1e-9 { break }
        }
        return best.level
    }

    // MARK: other values

    /// The scale for any values: their range over all levels, its ends rounded outwards to 8 characters. Nil when 8
    /// characters cannot say it.
    init?(_ range: ClosedRange<Double>, hasMissing: Bool, _ storage: EDFStorage) {
        guard let minimum = EDFNumber(range.lowerBound, .down), var maximum = EDFNumber(range.upperBound, .up)
        else { return nil }
        if minimum.value == maximum.value {
            guard let above = EDFNumber(maximum.value + max(1, abs(maximum.value)), .up) else { return nil }
            maximum = above
        }
        let width = range.upperBound - range.lowerBound
        // At least 12 bits for the values themselves.
        guard width == 0 || width * 16 > maximum.value - minimum.value else { return nil }
        self.init((Self.lowest(hasMissing, storage), storage.highest), (minimum, maximum), storage)
    }
}

/// A number in the 8 characters of an EDF header.
struct EDFNumber {
    var text: String
    var value: Double

    /// Nil when 8 characters do not suffice for its whole part.
    init?(_ exact: Double, _ rule: FloatingPointRoundingRule) {
        guard let decimals = Self.decimals(exact) else { return nil }
        let power = powersOfTen[decimals]
        let rounded = (exact * power).rounded(.toNearestOrEven)
        // A value meant as a decimal stays that decimal, however it is rounded otherwise.
        let isDecimal = abs(exact * power - rounded) < max(1e-6, abs(rounded) * 1e-15)
        let scaled = isDecimal ? rounded : (exact * power).rounded(rule)
        var text = String(format: "%.\(decimals)f", scaled / power)
        if decimals > 0 {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        if text == "-0" { text = "0" }
        guard text.utf8.count <= 8, let value = Double(text) else { return nil }
        self.text = text
        self.value = value
    }

    /// How far `exact` is from what 8 characters can say.
    static func error(_ exact: Double) -> Double {
        guard let decimals = decimals(exact) else { return .infinity }
        let scaled = exact * powersOfTen[decimals]
        return abs(scaled.rounded() - scaled) / powersOfTen[decimals]
    }

    private static func decimals(_ exact: Double) -> Int? {
        guard exact.isFinite, abs(exact) < 99_999_999 else { return nil }
        var whole = 1
        while abs(exact) >= powersOfTen[whole] - 0.5 { whole += 1 }
        let room = 8 - (exact < 0 ? 1 : 0) - whole
        return room < 0 ? nil : max(0, room - 1)
    }
}

/// An even grid on which all values of a channel lie, as those of a converter do.
struct EDFGrid {
    var origin: Double
    var step: Double
    /// How exactly single precision holds the largest of the values.
    private var precision: Double

    func index(_ value: Double) -> Double { ((value - origin) / step).rounded() }
    func value(_ index: Int) -> Double { origin + Double(index) * step }

    /// Whether `value` lies on the grid as well as single precision can tell.
    func holds(_ value: Double) -> Bool {
        abs(value - origin - index(value) * step) <= 2 * precision
    }

    /// The grid of these values; nil when there is none that 16 bits can number, or the 24 of BDF where they are codes.
    init?(of values: [Float], factor: Double, range: ClosedRange<Double>, as storage: EDFStorage) {
        let sorted = Set(values).sorted()
        guard let first = sorted.first, let last = sorted.last, first < last else { return nil }
        if Self.areCodes(sorted), Int(last) - Int(first) < storage.highest - storage.lowest {
            (origin, step, precision) = (0, factor, 0)
            return
        }
        let noise = max(Double(first.magnitude), Double(last.magnitude)) * 0x1p-23
        precision = noise * factor
        if let decimal = Self.decimalStep(sorted, noise) {
            origin = 0
            step = decimal * factor
            return
        }
        let differences = zip(sorted.dropFirst(), sorted).map { Double($0) - Double($1) }
        guard let least = differences.min() else { return nil }
        for divisor in 1...6 {
            let guess = least / Double(divisor)
            // Single precision must resolve the steps, 16 bits must number them.
            guard guess > 8 * noise, Double(last - first) < 65_600 * guess else { break }
            guard let step = Self.refine(guess, differences, noise) else { continue }
            self.step = step * factor
            origin = Double(first) * factor
            if abs(origin / self.step - (origin / self.step).rounded()) < 0.01 { origin = 0 }
            self.step = Self.neat(self.step, range: range)
            return
        }
        return nil
    }

    /// Whether values are whole numbers that single precision holds exactly, as codes of triggers are: what each bit of them
    /// means is lost in any other numbers.
    private static func areCodes(_ sorted: [Float]) -> Bool {
        sorted.allSatisfy { $0 == $0.rounded() && $0.magnitude <= 0x1p23 }
    }

    /// A decimal step of which all values are multiples.
    private static func decimalStep(_ sorted: [Float], _ noise: Double) -> Double? {
        let width = Double(sorted[sorted.count - 1] - sorted[0])
        return [1, 0.5, 0.1, 0.01, 0.005, 0.001].first { step in
            guard step > 8 * noise, width < 65_000 * step else { return false }
            return sorted.allSatisfy { abs(Double($0) - (Double($0) / step).rounded() * step) <= noise }
        }
    }

    /// The step that the differences of neighbours add up to; nil when they are no multiples of `guess`.
    private static func refine(_ guess: Double, _ differences: [Double], _ noise: Double) -> Double? {
        var steps = 0.0
        var length = 0.0
        var step = guess
        for difference in differences.sorted() {
            let multiple = (difference / step).rounded()
            guard abs(difference - multiple * step) <= 2 * noise + 0.05 * step else { return nil }
            steps += multiple
            length += difference
            step = length / steps
        }
        return step
    }

    /// A round number, or one by a round number, near enough to `step` that nobody can tell the difference over the
    /// range.
    private static func neat(_ step: Double, range: ClosedRange<Double>) -> Double {
        let reach = max(abs(range.lowerBound), abs(range.upperBound), step)
        let tolerance = step / reach * 4 * 0x1p-24 + 1e-12
        let inverse = 1 / step
        for scale in [1.0, 10, 100, 1_000] where abs((inverse * scale).rounded() / (inverse * scale) - 1) < tolerance {
            if (inverse * scale).rounded() >= 1 { return scale / (inverse * scale).rounded() }
        }
        var power = 1.0
        while step * power < 1_000 { power *= 10 }
        let rounded = (step * power).rounded() / power
        return abs(rounded / step - 1) < tolerance ? rounded : step
    }
}
