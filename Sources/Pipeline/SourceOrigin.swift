import Formats
public import Signals

/// What is said of onsets and other moments where the source of a recording counts its times from another moment than the recording's start
/// (`RecordingHeader.sourceOrigin`), as BIDS does from the start of a run.
public enum SourceOrigin {
    /// What is added to the definition of moments that count from the recording's start.
    public static func remark(_ origin: Seconds) -> String {
        "; the run, from whose start the source counts its times, begins at \(NumberFormatting.onset(origin)) s"
    }

    /// Whether a column of seconds holds moments, which count from the recording's start, rather than lengths of time.
    public static func isMoment(_ name: String, _ definition: String) -> Bool {
        name == "onset" || definition.contains("the recording's start") || definition.contains("start of the recording")
    }

    /// Columns whose moments say so; the same where `origin` is nil.
    static func columns(_ columns: [Column], _ origin: Seconds?) -> [Column] {
        guard let origin else { return columns }
        return columns.map { column in
            guard column.unit == .seconds, isMoment(column.name, column.definition) else { return column }
            var column = column
            column.definition += remark(origin)
            return column
        }
    }
}
