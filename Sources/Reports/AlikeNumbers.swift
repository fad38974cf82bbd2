extension NumberText {
    /// How the numbers of one row are written, with as many decimals each: so many that the largest of `values` has
    /// `digits` significant digits, and up to two more where a small one would read as nothing. Rows of whole numbers
    /// have none.
    static func alike(_ values: [Double], _ digits: Int = 4) -> (Double) -> String {
        let known = values.filter { $0.isFinite && $0 != 0 }
        guard known.contains(where: { $0 != $0.rounded() }),
            let largest = known.map(\.magnitude).max(), let smallest = known.map(\.magnitude).min(),
            // Smaller ones are written with a power of ten, and all with the same digits.
            exponentOfTen(largest) >= -4
        else { return { significant($0, digits) } }
        let usual = max(0, digits - 1 - exponentOfTen(largest))
        let decimals = max(usual, min(usual + 2, -exponentOfTen(smallest)))
        return { value in
            let text = fixed(value, decimals)
            // What would read as nothing keeps its own digits.
            let isLost = value.isFinite && value != 0 && !text.contains { ("1"..."9").contains($0) }
            return isLost ? significant(value, digits) : text
        }
    }
}
