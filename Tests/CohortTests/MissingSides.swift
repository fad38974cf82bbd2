extension [String] {
    /// The lines without those that name who lacks a side of a comparison.
    var withoutMissingSides: [String] {
        filter { line in
            !["have both", "has both", "without a counterpart on the other side"].contains(where: line.contains)
        }
    }
}
