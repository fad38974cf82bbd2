/// How well blocks are told apart under their real names, beside how well under names shared out otherwise.
public struct PermutationResult: Hashable, Codable, Sendable {
    /// The width of the bins of `histogram`.
    public static let binWidth = 0.025
    /// The AUC under the real names.
    public let observed: Double
    /// How many labellings were compared, the real one among them.
    public private(set) var labellings = 0
    /// How many of them were told apart at least as well.
    public private(set) var asGood = 0
    /// How many of them had an AUC in each bin from 0 to 1.
    public private(set) var histogram = [Int](repeating: 0, count: 40)

    init(observed: Double) {
        self.observed = observed
    }

    /// The chance to tell blocks apart as well if they were all of one state.
    public var p: Double { labellings > 0 ? Double(asGood) / Double(labellings) : 1 }

    /// Takes a labelling's AUC in.
    mutating func count(_ auc: Double) {
        labellings += 1
        if auc >= observed - 1e-12 { asGood += 1 }
        histogram[min(histogram.count - 1, max(0, Int(auc / Self.binWidth)))] += 1
    }
}
