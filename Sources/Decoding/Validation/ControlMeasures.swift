import Kernels

/// The measures of control models, of each block's rows.
struct ControlMeasures {
    /// Of each source the spaces that a control model looks at: all its measures, and of the eyes the blinks by themselves.
    private(set) var spaces: [(source: ArtifactSource, spaces: [[[[Double]]]])] = []
    /// Controls that are reported and decide nothing.
    private(set) var reported: [(kind: ReportedControl, rows: [[[Double]]])] = []
    /// All measures of artifacts, side by side; nil where none was measured.
    private(set) var confounds: [[[Double]]]?

    /// The share of epochs in which a measure must be known.
    private static let leastKnown = 0.5

    init(_ blocks: [[EpochControls]]) {
        for source in ArtifactSource.allCases {
            guard let rows = Self.rows(blocks, { $0.artifacts[source] }) else { continue }
            let standardised = Self.standardised(rows)
            guard let width = standardised.first?.first?.count, width > 0 else { continue }
            var views = [standardised]
            if width > 1 {
                // Of many measures one alone may differ.
                views += (0..<width).map { place in standardised.map { $0.map { [$0[place]] } } }
            }
            spaces.append((source, views))
            confounds = confounds.map { zip($0, rows).map { zip($0, $1).map { $0 + $1 } } } ?? rows
        }
        for (kind, value) in [(ReportedControl.heartRate, \EpochControls.heartRate), (.behavior, \.responses)] {
            guard let rows = Self.rows(blocks, { control in control[keyPath: value].map { [$0] } }) else { continue }
            let standardised = Self.standardised(rows)
            if standardised.first?.first?.isEmpty == false { reported.append((kind, standardised)) }
        }
    }

    /// A source's measures, NaN where an epoch lacks it; nil where too few epochs have them.
    private static func rows(_ blocks: [[EpochControls]], _ measures: (EpochControls) -> [Double]?) -> [[[Double]]]? {
        let all = blocks.flatMap { $0 }
        guard let width = all.lazy.compactMap(measures).first?.count, width > 0 else { return nil }
        let known = all.count { measures($0)?.count == width }
        guard Double(known) >= leastKnown * Double(all.count) else { return nil }
        let none = [Double](repeating: .nan, count: width)
        return blocks.map { $0.map { control in measures(control).flatMap { $0.count == width ? $0 : nil } ?? none } }
    }

    /// The measures in standard deviations, what is unknown at 0; those that never differ are left out.
    private static func standardised(_ blocks: [[[Double]]]) -> [[[Double]]] {
        let width = blocks.first { !$0.isEmpty }?.first?.count ?? 0
        var scales: [(place: Int, mean: Double, spread: Double)] = []
        for place in 0..<width {
            let known = blocks.flatMap { $0.map { $0[place] } }.filter(\.isFinite)
            guard known.count > 1 else { continue }
            let (mean, spread) = (Statistics.mean(known), Statistics.standardDeviation(known))
            if spread.isFinite, spread > 1e-9 * max(1, abs(mean)) { scales.append((place, mean, spread)) }
        }
        return blocks.map { block in
            block.map { row in
                scales.map { scale in
                    let value = (row[scale.place] - scale.mean) / scale.spread
                    return value.isFinite ? min(max(value, -5), 5) : 0
                }
            }
        }
    }
}
