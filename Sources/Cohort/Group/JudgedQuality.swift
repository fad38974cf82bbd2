import Formats
import Quality

/// What a table of windows of signal quality says of its signal.
struct JudgedQuality {
    /// Seconds from the recording's start to the end of the last window; nil where there is none.
    var end: Double?
    /// Their means over time, in which a long gap counts as long as it is; nil where no window has both.
    var means: (quality: Double, coverage: Double)?

    init(end: Double?, means: (quality: Double, coverage: Double)?) {
        self.end = end
        self.means = means
    }

    init(_ table: some ColumnReading) throws {
        let (onsets, durations) = (try table.numbers("onset"), try table.numbers("duration"))
        end = zip(onsets, durations).map(+).max()
        var (quality, coverage) = (try table.numbers("quality"), try table.numbers("coverage"))
        for row in quality.indices where !(quality[row].isFinite && coverage[row].isFinite) {
            (quality[row], coverage[row]) = (.nan, .nan)
        }
        let places = WindowPlaces(onsets: onsets, durations: durations)
        guard let mean = places.mean(quality), let covered = places.mean(coverage) else { return }
        means = (mean, covered)
    }
}
