import GroupStatistics

/// Two sides of a comparison, index by index.
protocol ComparedSides {
    /// What is the same on both sides, or taken out.
    var held: [Circumstance] { get }
    /// What they differ by; nil where there are too few people.
    func comparison(_ key: RecordingMeans.Key) -> Comparison?
    /// The mean lengths, in seconds, of the windows behind what is compared; nil where it does not rest on windows.
    func lengths(_ key: RecordingMeans.Key) -> (first: Double, second: Double)?
    /// All recordings on either side, for the linear model.
    func measurements(_ key: RecordingMeans.Key) -> [SideModel.Measurement]
}

/// What recordings are made under besides what is compared.
enum Circumstance: String, CaseIterable {
    case task, session, acquisition, run

    /// All choices of these to hold equal, the largest first; of two as large the one that gives up a run or an
    /// acquisition rather than a task, and that rather than a session.
    static func choices(of circumstances: some Sequence<Circumstance>) -> [[Circumstance]] {
        let steadiest = [run, acquisition, task, session].filter(Set(circumstances).contains)
        let choices = (0..<(1 << steadiest.count)).sorted {
            ($1.nonzeroBitCount, $1) < ($0.nonzeroBitCount, $0)
        }
        return choices.map { choice in
            let kept = Set(steadiest.indices.filter { choice & (1 << $0) != 0 }.map { steadiest[$0] })
            return allCases.filter(kept.contains)
        }
    }
}
