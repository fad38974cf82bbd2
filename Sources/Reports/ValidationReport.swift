public import Pipeline

/// A page about the accuracy of beats on a data set: scores, worst first, and the worst strips of signal.
public struct ValidationReport: Sendable {
    let title: String
    let validation: BeatValidation
    let strips: [ValidationStrip]
    let grouping: ValidationGrouping
    let software: String

    /// The report of a validation.
    /// - Parameters:
    ///   - title: what was scored, such as the name of the data set.
    ///   - grouping: what the rows of the second table are; records have a table anyhow.
    ///   - stripCount: how many strips are drawn at most.
    /// - Throws: what reading the strips' samples throws.
    public init(
        _ validation: BeatValidation, title: String, grouping: ValidationGrouping = .record, stripCount: Int = 24
    ) throws {
        self.title = title
        self.validation = validation
        self.grouping = grouping
        strips = try validation.worstStrips(stripCount)
        software = "Marey \(MareyVersion.current)"
    }

    /// Where the first strip of a channel is on the page.
    func stripID(ofChannel channel: Int) -> String? {
        strips.firstIndex { $0.channel == channel }.map { "strip-\($0)" }
    }
}
