import Signals

/// The columns of the tables over a whole cohort, declared once.
enum GroupColumns {
    static let labels = [
        Column("participant", "Participant label"),
        Column("session", "Session label"),
        Column("task", "Task label"),
        Column("acquisition", "Acquisition label"),
        Column("run", unit: .dimensionless, "Run number"),
    ]

    static let long =
        labels + [
            Column(
                "window", unit: .dimensionless,
                "Number of the window within its table, from 0 on; n/a for the mean over a table of epochs or samples"),
            Column("onset", unit: .seconds, "Start of the window from the recording's start"),
            Column("duration", unit: .seconds, "Length of the window"),
            Column("signal", "The signal, and what tells its rows apart, such as the method or the channel"),
            Column("index", "The index, defined in the sidecar of the recording's own table"),
            Column("value", "Its value in that unit; n/a where it could not be computed"),
            Column("unit", "Its unit"),
            Column("coverage", unit: .dimensionless, "Share of the window that has data, 0 to 1"),
            Column("quality", unit: .dimensionless, "Quality of the signal in the window, 0 to 1"),
            Column("n", unit: .dimensionless, "How many beats, epochs or the like the value rests on"),
        ]

    static let missingness =
        labels + [
            Column("state", "done, failed, or why there are no results"),
            Column("signal", "The signal"),
            Column("windows", unit: .dimensionless, "How many windows it has"),
            Column("present", unit: .dimensionless, "Share of its values that could be computed, 0 to 1"),
            Column("coverage", unit: .dimensionless, "Mean coverage of its windows, 0 to 1"),
            Column("quality", unit: .dimensionless, "Mean quality of its windows, 0 to 1"),
            Column("remarks", "What the recording's reader found: damage, a clock that was not set, empty streams"),
        ]

    static let descriptives = [
        Column("session", "Session label"),
        Column("task", "Task label"),
        Column("signal", "The signal"),
        Column("index", "The index"),
        Column("unit", "Its unit"),
        Column("n", unit: .dimensionless, "Participants with a value"),
        Column("missing", unit: .dimensionless, "Participants with a recording but no value"),
        Column("mean", "Mean over participants of their means over windows"),
        Column("sd", "Standard deviation over participants, n - 1 in the denominator"),
        Column("min", "Smallest"),
        Column("q1", "Lower quartile, linearly interpolated", reference: "Hyndman & Fan 1996, type 7"),
        Column("median", "Median"),
        Column("q3", "Upper quartile, linearly interpolated", reference: "Hyndman & Fan 1996, type 7"),
        Column("max", "Largest"),
    ]

    static let failures =
        labels + [
            Column("class", "The kind of failure"),
            Column("message", "What went wrong and what to do"),
            Column("place", "The file it went wrong in, and where"),
            Column("recording", "The recording, relative to the data set"),
        ]

    /// What is to be known of a recording, in one cell.
    static func cell(_ remarks: [String]) -> Cell {
        remarks.isEmpty ? .missing : .text(remarks.joined(separator: "; "))
    }

    /// The labels of a recording, under `labels`.
    static func cells(_ unit: CohortUnit) -> [Cell] {
        func text(_ value: String?) -> Cell { value.map(Cell.text) ?? .missing }
        return [
            .text(unit.participant), text(unit.session), text(unit.task), text(unit.acquisition),
            unit.run.map(Cell.integer) ?? .missing,
        ]
    }
}
