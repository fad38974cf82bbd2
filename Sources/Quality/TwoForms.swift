/// Beats of two forms, as of bigeminy, or of a pacemaker next to the heart's own: each form has a size of its own.
enum TwoForms {
    /// The share of the beats that must be of one of the two forms, and of the rarer one.
    private static let shares = (both: 0.9, rarer: 0.2)

    /// The spread of sizes within the forms: middle distance from the middle over the middle, as a mean over the beats.
    /// - Returns: nil where the beats are not of two forms.
    static func sizeSpread(_ entries: [BeatForms.Entry]) -> Double? {
        guard entries.count >= 6 else { return nil }
        let first = largestForm(of: Array(entries.indices), entries)
        let others = entries.indices.filter { !first.contains($0) }
        let second = largestForm(of: others, entries)
        guard second.count >= 2, Double(second.count) >= shares.rarer * Double(entries.count),
            Double(first.count + second.count) >= shares.both * Double(entries.count)
        else { return nil }
        var sum = 0.0
        for form in [first, second] {
            let middle = MiddleValue.of(form.count) { entries[form[$0]].size }
            guard middle > 0 else { return nil }
            let spread = MiddleValue.of(form.count) { abs(entries[form[$0]].size - middle) } / middle
            sum += Double(spread) * Double(form.count)
        }
        return sum / Double(first.count + second.count)
    }

    /// The beat that resembles the most of these others, with those.
    private static func largestForm(of places: [Int], _ entries: [BeatForms.Entry]) -> [Int] {
        var largest: [Int] = []
        for place in places {
            let form = places.filter { $0 == place || areAlike($0, place, entries) }
            if form.count > largest.count { largest = form }
        }
        return largest
    }

    private static func areAlike(_ one: Int, _ other: Int, _ entries: [BeatForms.Entry]) -> Bool {
        let (earlier, later) = (min(one, other), max(one, other))
        return later - earlier <= 32 && entries[later].alike & (1 << UInt32(later - earlier - 1)) != 0
    }
}
