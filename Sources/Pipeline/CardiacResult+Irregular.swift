import Cardiac

extension CardiacResult {
    /// From this share of corrected intervals on it is worth a word.
    private static let leastCorrected = 0.05

    /// What whoever uses the variability should know where the rhythm has no order, as in atrial fibrillation: correction
    /// looks for beats that leave the order of a sinus rhythm, and there takes many for ectopic that are none. Nil where it
    /// changed few intervals, or the rhythm was not told.
    public var correctionRemark: String? {
        let irregular = rhythm.filter { $0.kind == .irregular }
        var (place, all, corrected) = (0, 0, 0)
        for interval in nn {
            while place < irregular.count, irregular[place].end < interval.onset { place += 1 }
            guard place < irregular.count else { break }
            guard interval.onset > irregular[place].onset else { continue }
            all += 1
            if interval.isCorrected { corrected += 1 }
        }
        guard corrected > 0, Double(corrected) >= Self.leastCorrected * Double(all) else { return nil }
        return """
            \(corrected) of \(all) intervals in irregular rhythm were corrected as if it were sinus rhythm: should it be atrial \
            fibrillation, variability there is too small (--correction none leaves the intervals as they are)
            """
    }
}
