import Signals

/// Numbers as readers and SVG want them: a point, no exponent where avoidable, never a non-number.
enum NumberText {
    /// What stands for a value that is not there.
    static let missing = "n/a"

    /// `value` with `decimals` digits after the point.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return missing }
        let decimals = min(max(decimals, 0), powersOfTen.count - 1)
        let scale = powersOfTen[decimals]
        let scaled = (value.magnitude * Double(scale)).rounded()
        guard scaled < 9e15 else { return value.description }
        let number = Int(scaled)
        let sign = value < 0 && number != 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(number) }
        let fraction = String(number % scale)
        return "\(sign)\(number / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    /// `value` with `digits` significant digits, trailing zeros kept; whole numbers in full.
    static func significant(_ value: Double, _ digits: Int = 4) -> String {
        guard value.isFinite else { return missing }
        if value == 0 { return "0" }
        if value == value.rounded(), value.magnitude < 1e15 { return fixed(value, 0) }
        let exponent = exponentOfTen(value)
        if exponent < -4 {
            return fixed(value * powerOfTen(-exponent), digits - 1) + "e\(exponent)"
        }
        return fixed(value, max(0, digits - 1 - exponent))
    }

    /// Two limits as `text` writes each; once `n/a` where there are none.
    static func range(_ low: Double, _ high: Double, _ text: (Double) -> String) -> String {
        low.isFinite || high.isFinite ? "\(text(low)) … \(text(high))" : missing
    }

    /// A coordinate in a picture, to a tenth of a unit.
    static func coordinate(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let tenths = Int((min(max(value, -1e6), 1e6) * 10).rounded())
        if tenths % 10 == 0 { return String(tenths / 10) }
        return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }

    /// A whole number in groups of three.
    static func count(_ value: Int) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0, digits.count > 4 { text += "\u{202F}" }
            text.append(digit)
        }
        return text
    }

    /// A share 0…1 in percent.
    static func percent(_ share: Double?) -> String {
        guard let share, share.isFinite else { return missing }
        return Percentage(share).description
    }

    /// A time from the recording's start: `0:42`, `12:05`, `3:07:20`; with tenths where asked.
    static func clock(_ seconds: Seconds, decimals: Int = 0) -> String {
        guard seconds.isFinite, seconds.magnitude < 1e12 else { return missing }
        let scale = powersOfTen[decimals]
        let total = Int((seconds.magnitude * Double(scale)).rounded())
        let whole = total / scale
        let fraction = decimals > 0 ? "." + padded(total % scale, decimals) : ""
        let sign = seconds < 0 && total > 0 ? "-" : ""
        let tail = padded(whole % 60, 2) + fraction
        return whole >= 3_600
            ? "\(sign)\(whole / 3_600):\(padded(whole / 60 % 60, 2)):\(tail)" : "\(sign)\(whole / 60):\(tail)"
    }

    /// A length of time in words: `42.5 s`, `5 min 12 s`, `23 h 59 min`.
    static func length(_ seconds: Seconds) -> String {
        guard seconds.isFinite, seconds.magnitude < 1e12 else { return missing }
        if seconds < 120 { return fixed(seconds, seconds == seconds.rounded() ? 0 : 1) + " s" }
        let whole = Int(seconds.rounded())
        if whole < 3_600 { return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s") }
        let minutes = Int((seconds / 60).rounded())
        return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    }

    /// The exponent of a finite number that is not 0, such as 2 for 812.
    static func exponentOfTen(_ value: Double) -> Int {
        var exponent = 0
        var rest = value.magnitude
        while rest >= 10, exponent < 400 {
            rest /= 10
            exponent += 1
        }
        while rest < 1, exponent > -400 {
            rest *= 10
            exponent -= 1
        }
        return exponent
    }

    /// 10 to the power of `exponent`.
    static func powerOfTen(_ exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent.magnitude { power *= 10 }
        return exponent < 0 ? 1 / power : power
    }

    static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static let powersOfTen = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
}
