/// What a parameter is: declarations tell a compiler, and this tells people, on the page `docs/parameters.md`.
public struct ParameterDefinition: Hashable, Sendable {
    /// What a parameter may be.
    public enum Values: Hashable, Sendable {
        /// A number, both ends included.
        case between(Double, Double)
        /// A number above one, and at most another where there is one.
        case above(Double, atMost: Double?)
        /// This number or a larger one.
        case atLeast(Double)
        /// Words that are listed: one of them, or a list of any.
        case words
        /// What is told in these words.
        case told(String)
    }

    /// The way to its key, such as `hrv.bands.lf`.
    public let name: String
    /// The unit of its numbers; empty where they have none.
    public let unit: String
    /// What it may be.
    public let values: Values
    /// What it is, in a sentence.
    public let meaning: String

    init(_ name: String, _ unit: String, _ values: Values, _ meaning: String) {
        (self.name, self.unit, self.values, self.meaning) = (name, unit, values, meaning)
    }

    /// All parameters, those of a section one after the other.
    public static let all: [ParameterDefinition] =
        [
            ParameterDefinition(
                "outputs", "", .words,
                "What the analysis of a file computes besides beats and intervals; what is left out is not written.")
        ] + beats + variability + rhythm + body + brain

    /// The words that it may be; empty where it is no word.
    public var words: [String] {
        guard values == .words else { return [] }
        return Parameters.choices[name] ?? AnalysisOutput.allCases.map(\.rawValue)
    }
}
