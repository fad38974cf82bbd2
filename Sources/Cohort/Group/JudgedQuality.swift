import Formats
import Kernels

/// What a table of windows of signal quality says of its signal.
struct JudgedQuality {
    /// Seconds from the recording's start to the end of the last window; nil where there is none.
    var end: Double?
    /// Their means; nil where no window has both.
    var means: (quality: Double, coverage: Double)?

    init(end: Double?, means: (quality: Double, coverage: Double)?) {
        self.end = end
        self.means = means
    }

    init(_ table: some ColumnReading) throws {
        end = zip(try table.numbers("onset"), try table.numbers("duration")).map(+).max()
        let (quality, coverage) = (try table.numbers("quality"), try table.numbers("coverage"))
        let known = quality.indices.filter { quality[$0].isFinite && coverage[$0].isFinite }
        guard !known.isEmpty else { return }
        means = (Statistics.mean(known.map { quality[$0] }), Statistics.mean(known.map { coverage[$0] }))
    }
}
