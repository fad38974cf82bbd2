/// A list of names that stays short.
public enum Listing {
    /// The first few, and how many more there are.
    public static func text(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }
}
