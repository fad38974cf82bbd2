/// The order in which people put labels: numbers in them count as numbers, 2 before 10.
enum NaturalOrder {
    /// Whether one label stands before another.
    static func precedes(_ one: String, _ other: String) -> Bool {
        let (first, second) = (parts(of: one), parts(of: other))
        for (a, b) in zip(first, second) where a != b { return isBefore(a, b) }
        return first.count == second.count ? one < other : first.count < second.count
    }

    /// Digits without leading zeros, or what stands between.
    private enum Part: Equatable {
        case number(String)
        case text(String)
    }

    private static func isBefore(_ a: Part, _ b: Part) -> Bool {
        switch (a, b) {
        case (.number(let a), .number(let b)): (a.utf8.count, a) < (b.utf8.count, b)
        case (.text(let a), .text(let b)): a < b
        case (.number, .text): true
        case (.text, .number): false
        }
    }

    private static func parts(of label: String) -> [Part] {
        var parts: [Part] = []
        var rest = label[...]
        while let first = rest.first {
            let isNumber = isDigit(first)
            let run = rest.prefix { isDigit($0) == isNumber }
            parts.append(isNumber ? .number(String(run.drop { $0 == "0" })) : .text(String(run)))
            rest = rest[run.endIndex...]
        }
        return parts
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
