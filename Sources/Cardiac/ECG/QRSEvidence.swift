/// What speaks for a candidate being a beat, in one number: positive for, negative against.
///
/// Linear in logarithms of the candidate's height, as the best line between the heights of beats and of other waves
/// is. The weights were fitted to the MIT-BIH records 100…230 at hand, both leads, clean and with muscle and
/// electrode-motion noise added; no record was held out.
struct QRSEvidence {
    /// Weight of a doubling of the height compared with the beats of late.
    private static let usualWeight = 0.95
    /// Weight of a doubling compared with the background.
    private static let backgroundWeight = 0.55
    /// What a doubling or halving of the size of a familiar shape costs, and at most, where the rhythm is irregular and
    /// where it is regular: beats that come at even distances are equally large, unlike those of fibrillation.
    private static let gainCost = (irregular: (each: 0.2, most: 0.4), regular: (each: 0.5, most: 2.0))
    /// Octaves above the usual height up to which more height speaks for a beat; where the rhythm is regular, what stands
    /// higher is no more of one.
    private static let room = 0.2
    /// From which share of its height on a wave's step speaks against it, and what a step costs that is all there is: as
    /// much as can speak for it.
    private static let stepCost = (from: 0.5, whole: most)
    /// More than this is never needed.
    private static let most = 4.0
    /// With less than this, no rhythm makes a beat of it.
    static let least = -2.0

    private let usual: Double
    private let background: Double
    private let gainCost: (each: Double, most: Double)
    /// How much of the height beyond the room does not count, from 0 to 1.
    private let excessCost: Double

    /// How many octaves beats stand above the background here; noise alone comes to about one.
    var contrast: Double { usual - background }

    /// - Parameters:
    ///   - usual: the height of beats here, more than 0.
    ///   - background: the mean height between beats.
    ///   - regularity: of the rhythm, from 0 to 1.
    @inline(__always)
    init(usual: Float, background: Float, regularity: Double) {
        self.usual = octaves(usual)
        // A signal without any noise must not make everything a beat.
        self.background = octaves(max(background, usual * 1e-3))
        excessCost = regularity
        let (irregular, regular) = Self.gainCost
        gainCost = (
            irregular.each + (regular.each - irregular.each) * regularity,
            irregular.most + (regular.most - irregular.most) * regularity
        )
    }

    /// Whether a candidate may come to more than `least`: most do not, which takes no logarithms to tell.
    @inline(__always)
    static func isPlausible(_ height: Float, usual: Float, background: Float) -> Bool {
        // The bits of a number are its binary logarithm, too low by no more than 0.0861 of its whole numbers.
        func atMost(_ value: Float) -> Double { Double(Int32(bitPattern: value.bitPattern)) }
        let above = atMost(max(height, .leastNormalMagnitude)) + 0.0862 * 0x1p23
        return usualWeight * (above - atMost(usual)) + backgroundWeight * (above - atMost(background)) > least * 0x1p23
    }

    /// The score of a candidate.
    /// - Parameters:
    ///   - height: binary logarithm of its height.
    ///   - resemblance: to the beats of its shape; nil where there is none.
    func score(height: Double, resemblance: QRSShapes.Resemblance?) -> Double {
        let counted = height - excessCost * max(height - usual - Self.room, 0)
        var score = Self.usualWeight * (counted - usual) + Self.backgroundWeight * (counted - background)
        if let resemblance { score -= min(gainCost.each * abs(resemblance.octaves), gainCost.most) }
        return min(score, Self.most)
    }

    /// What it costs a candidate that the level moves at it, unless it looks like the beats of late.
    /// - Parameter share: the step as a share of the candidate's height.
    static func cost(ofStep share: Float, familiarity: Double) -> Double {
        let excess = (Double(share) - stepCost.from) / (1 - stepCost.from)
        return stepCost.whole * min(max(excess, 0), 1.5) * (1 - familiarity)
    }
}
