import Foundation

extension Ticks {
    /// Labels of an axis of logarithms to the base of ten: powers of ten, and where fewer than two of these lie within the
    /// range, round numbers between them, as one number alone tells no scale.
    /// - Parameters:
    ///   - lower: the logarithm of the least value.
    ///   - upper: that of the greatest.
    static func logarithmic(_ lower: Double, _ upper: Double) -> Ticks {
        guard lower.isFinite, upper.isFinite, upper > lower, upper - lower < 600 else { return Ticks(labels: []) }
        let decades = linear(lower, upper, count: 3).labels.map(\.value).filter { $0 == $0.rounded() }
        if decades.count > 1 { return Ticks(labels: decades.map { ($0, power(Int($0))) }) }
        let exponents = Int(lower.rounded(.down))...Int(upper.rounded(.down))
        for digits in [[1], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]] {
            let values = exponents.flatMap { exponent in digits.map { (exponent, $0) } }
            let labels = values.map { (value: Double($0.0) + log10($0.1), text: number($0.1, $0.0)) }
                .filter { $0.value >= lower && $0.value <= upper }
            if labels.count > 1 { return Ticks(labels: labels) }
        }
        return linear(lower, upper, count: 3)
    }

    /// 10², with raised digits.
    private static func power(_ exponent: Int) -> String {
        let raised = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
        let digits = String(abs(exponent)).compactMap(\.wholeNumberValue).map { String(raised[$0]) }
        return "10" + (exponent < 0 ? "⁻" : "") + digits.joined()
    }

    /// A round number; far from 1 with a power of ten.
    private static func number(_ digit: Double, _ exponent: Int) -> String {
        guard (-3...3).contains(exponent) else {
            return digit == 1 ? power(exponent) : NumberText.significant(digit, 2) + "·" + power(exponent)
        }
        return NumberText.fixed(digit * pow(10, Double(exponent)), max(0, (digit == 1.5 ? 1 : 0) - exponent))
    }
}
