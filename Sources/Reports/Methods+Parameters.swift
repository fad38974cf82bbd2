public import Pipeline

extension Methods {
    /// Which parameters are not the defaults, in a sentence that follows from the parameters alone.
    /// - Parameter version: that of the software whose defaults they are compared with.
    /// - Throws: `EncodingError` where a parameter is no finite number.
    public static func differences(of parameters: Parameters, version: String) throws -> String {
        let differences = try parameters.differences().map { "\($0.name) = \($0.value)" }
        guard !differences.isEmpty else { return "All parameters were the defaults of Marey \(version)." }
        return "Parameters that differ from the defaults of Marey \(version): \(differences.joined(separator: ", "))."
    }

    /// A number without a point where it is whole.
    static func plain(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
    }
}
