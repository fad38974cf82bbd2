extension [Double] {
    /// The middle value; of an even number the higher of the middle two, so that it is one of them, as times are that are
    /// told in whole ticks. NaN without values.
    var upperMedian: Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }
}
