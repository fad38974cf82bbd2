extension Int {
    /// `1 epoch`, `2 epochs`.
    /// - Parameter plural: where that is more than an `s` behind it.
    public func counted(_ singular: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
    }
}
