extension [String] {
    /// `a`, `a and b`, `a, b and c`; empty where there are none.
    public var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
