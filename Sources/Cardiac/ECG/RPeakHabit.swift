/// Where beats of one shape have their R peak, so that of two tops of about the same size always the same is taken.
struct RPeakHabit {
    /// In low-rate samples from where the shape lies.
    private var place: Int?
    /// How often of late a look without any habit would have come to the same.
    private var agreement: Float = 0

    /// Follows the habit where `top` finds one there, else goes to `free`, where a look without habit ended.
    mutating func choose(free: Int, top: (Int) -> Int?) -> Int {
        guard let expected = place, agreement > 0.25, let usual = top(expected) else {
            place = free
            agreement = 0.6
            return free
        }
        let agrees = abs(free - usual) <= 1
        agreement += ((agrees ? 1 : 0) - agreement) / 8
        if agrees { place = usual }
        return usual
    }
}
