import Formats
public import Signals

/// What is said of onsets and other moments where the source of a recording counts its times from another moment than the recording's start
/// (`RecordingHeader.sourceOrigin`), as BIDS does from the start of a run.
public enum SourceOrigin {
    /// What is added to the definition of moments that count from the recording's start.
    public static func remark(_ origin: Seconds) -> String {
        "; the run, from whose start the source counts its times, begins at \(NumberFormatting.onset(origin)) s"
    }

    /// Whether a column of a table holds moments, by its name and by the role that its sidecar tells.
    /// - Parameter role: nil where the sidecar tells none, as in tables of earlier versions.
    public static func isMoment(_ name: String, role: String?) -> Bool {
        name == "onset" || role == Column.Role.moment.rawValue || role == nil && earlierMoments.contains(name)
    }

    /// Columns of moments in tables of versions whose sidecars told no roles.
    private static let earlierMoments: Set<String> = ["foot", "peak"]

    /// Columns whose moments say so; the same where `origin` is nil.
    static func columns(_ columns: [Column], _ origin: Seconds?) -> [Column] {
        guard let origin else { return columns }
        return columns.map { column in
            guard column.role == .moment else { return column }
            var column = column
            column.definition += remark(origin)
            return column
        }
    }
}
