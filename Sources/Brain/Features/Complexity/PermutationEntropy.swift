/// The entropy of the order of successive values. Bandt & Pompe 2002.
public enum PermutationEntropy {
    /// Over patterns of `order` neighbours, as a share of the greatest possible, 0…1; equal values rank by their place.
    ///
    /// Not a number for fewer than `order` + 1 values.
    /// - Precondition: an order of 2…7.
    public static func of(_ signal: Span<Double>, order: Int = 3) -> Double {
        precondition((2...7).contains(order), "patterns of 2 to 7 values")
        guard signal.count > order else { return .nan }
        let kinds = (2...order).reduce(1, *)
        var counts = [Int](repeating: 0, count: kinds)
        let patterns = signal.count - order + 1
        if order == 3 { countTriples(signal, &counts) } else { count(signal, order, &counts) }
        var entropy = 0.0
        for count in counts where count > 0 {
            let share = Double(count) / Double(patterns)
            entropy -= share * logarithm(share)
        }
        return entropy / logarithm(Double(kinds))
    }

    /// How many smaller values follow each one makes a number in a factorial base, one for each order (Lehmer's code).
    private static func count(_ signal: Span<Double>, _ order: Int, _ counts: inout [Int]) {
        for start in 0...signal.count - order {
            var code = 0
            for place in 0..<order - 1 {
                var smaller = 0
                for later in place + 1..<order where signal[start + later] < signal[start + place] { smaller += 1 }
                code = code * (order - place) + smaller
            }
            counts[code] += 1
        }
    }

    /// Three comparisons say the order of three values: of eight codes six occur.
    private static func countTriples(_ signal: Span<Double>, _ counts: inout [Int]) {
        var found = [Int](repeating: 0, count: 8)
        for start in 0..<signal.count - 2 {
            let (a, b, c) = (signal[start], signal[start + 1], signal[start + 2])
            found[(b < a ? 4 : 0) + (c < a ? 2 : 0) + (c < b ? 1 : 0)] += 1
        }
        for (place, code) in [0, 1, 3, 4, 6, 7].enumerated() { counts[place] = found[code] }
    }
}
