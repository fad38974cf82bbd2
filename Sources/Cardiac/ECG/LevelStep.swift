import CVectors

/// How much of a wave is a step of the level rather than a wave.
///
/// After a QRS complex the signal comes back to where it was before, at the latest once the T wave is over; after an
/// electrode has moved, or a stage has been switched, it stays where it has gone.
struct LevelStep {
    /// Low-rate samples from a wave's middle to where the complex is over, and between two looks at the level after it.
    private let side: Int
    private let spacing: Int
    /// Samples averaged at each look.
    private static let width = 8
    /// Low-rate samples needed to each side of a wave's middle.
    var reach: Int { side + 2 * spacing + Self.width }

    init(_ frame: ECGFrame) {
        side = max(Self.width / 2, Int((0.08 * frame.lowRate).rounded()))
        spacing = Int((0.12 * frame.lowRate).rounded())
    }

    /// How far the level has moved about the wave at `center`, as a share of the wave's height from lowest to highest:
    /// the least of three looks in the 0.4 s after it, 0 where these do not agree on the direction. How far the level had
    /// been drifting before, in the time from that look to the first of these, is taken off.
    func share(_ low: UnsafePointer<Float>, at center: Int) -> Float {
        let height = marey_range(low + center - side, Int32(2 * side + 1))
        guard height > 0 else { return 0 }
        let first = center - side - Self.width + 1
        let before = marey_total(low + first, Self.width)
        var most = -Float.infinity
        var least = Float.infinity
        for look in 0...2 {
            let moved = marey_total(low + center + side + look * spacing, Self.width) - before
            (least, most) = (min(least, moved), max(most, moved))
        }
        // In the same time; P and T waves move one of the two looks at most.
        let near = abs(before - marey_total(low + first - spacing, Self.width))
        let far = abs(before - marey_total(low + first - 2 * spacing, Self.width))
        let drift = min(2 * near, far)
        return max(max(least, -most) - drift, 0) / (Float(Self.width) * height)
    }
}
