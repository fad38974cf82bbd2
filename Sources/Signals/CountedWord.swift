extension Int {
    /// `1 epoch`, `2 epochs`.
    /// - Parameter plural: where that is more than an `s` behind it.
    public func counted(_ singular: String, _ plural: String? = nil) -> String {
        "\(self) \(word(singular, plural))"
    }

    /// The word for so many: `epoch` of one, else `epochs`.
    /// - Parameters:
    ///   - singular: the word for one.
    ///   - plural: where that is more than an `s` behind it.
    public func word(_ singular: String, _ plural: String? = nil) -> String {
        self == 1 ? singular : plural ?? singular + "s"
    }
}
