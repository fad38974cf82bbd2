import GroupStatistics

/// Two sides of a comparison, index by index.
protocol ComparedSides {
    /// What is the same on both sides, or taken out.
    var held: [Circumstance] { get }
    /// What they differ by; nil where there are too few people.
    func comparison(_ key: RecordingMeans.Key) -> Comparison?
    /// All recordings on either side, for the linear model.
    func measurements(_ key: RecordingMeans.Key) -> [SideModel.Measurement]
}

/// What recordings are made under besides what is compared.
enum Circumstance: String, CaseIterable {
    case task, session
}
