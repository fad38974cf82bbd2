/// What the numbers of a file can be as dates, rates and places; times are judged by `Seconds.isPlaceable`. Beyond these
/// bounds a file is damaged, and sums and products of its numbers would no longer fit: readers refuse such numbers or
/// leave them out with a note, and writers write none.
public enum Plausible {
    /// Sample rates in Hz: from a sample in twelve days to ten million a second.
    public static let sampleRates = 1e-6...1e7
    /// Counts of samples, and indices of samples: those that a `Double` tells apart.
    public static let sampleNumbers = 0...1 << 53
    /// More samples than this missing in one gap mean a wrong clock: at 1 kHz they take eleven days.
    public static let missingSamples = 1_000_000_000

    /// The moment so many seconds after 1970 began (UTC), nil outside the years 1 to 9999, which dates in files have.
    public static func moment(_ secondsSince1970: Seconds) -> Timestamp? {
        (-62_135_596_800..<253_402_300_800).contains(secondsSince1970)
            ? Timestamp(secondsSince1970: secondsSince1970) : nil
    }
}
