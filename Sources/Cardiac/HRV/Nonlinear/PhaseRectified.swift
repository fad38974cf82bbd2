/// Phase-rectified signal averaging (Bauer et al. 2006, Lancet 367:1674-1681).
enum PhaseRectified {
    /// Deceleration or acceleration capacity, in ms: (X₀ + X₁ − X₋₁ − X₋₂) / 4 averaged over all anchors; with
    /// `isModified` (X₀ − X₋₁) / 2, the same wavelet at half the scale.
    ///
    /// An anchor is an interval longer (deceleration) or shorter (acceleration) than the one before it by no more than
    /// `limit` of that one; it needs `margin` intervals before and after it in its stretch.
    static func capacity(
        _ stretches: [[Double]], decelerating: Bool, limit: Double, margin: Int, isModified: Bool = false
    ) -> Double? {
        var (sum, anchors) = (0.0, 0)
        for stretch in stretches {
            let last = stretch.count - 1 - max(margin, 1)
            for place in stride(from: max(margin, 2), through: last, by: 1) {
                let (step, most) = (stretch[place] - stretch[place - 1], limit * stretch[place - 1])
                // A change of just the limit counts, whatever rounding made of it.
                guard step != 0, (step > 0) == decelerating, abs(step) <= most * (1 + 1e-9) else { continue }
                sum += isModified ? step / 2 : (step + stretch[place + 1] - stretch[place - 2]) / 4
                anchors += 1
            }
        }
        return anchors > 0 ? sum / Double(anchors) : nil
    }
}
