public import Brain
public import Signals

/// The tables of one EEG stream.
public enum BrainTables {
    /// A row per epoch and channel: the features, or why there are none.
    public static func epochs(_ result: BrainResult, parameters: BrainParameters) throws -> Table {
        let features = try EpochFeatures(labels: result.labels, parameters: parameters.features)
        return Table(columns: features.channelColumns, rows: result.epochs.flatMap { features.rows($0) })
    }

    /// A row per window of epochs and pair of channels.
    public static func pairs(_ result: BrainResult, parameters: BrainParameters) throws -> Table {
        let features = try EpochFeatures(labels: result.labels, parameters: parameters.features)
        return Table(columns: features.pairColumns, rows: result.pairs.flatMap { features.rows($0) })
    }

    /// The columns of `blinks`.
    public static let blinkColumns = [
        Column("onset", unit: .seconds, "Start of the second, from the recording's start"),
        Column("blink", unit: .dimensionless, "1 where the eyes blinked in the second, else 0; n/a without signal"),
    ]

    /// A row per second of the recording: whether the eyes blinked.
    public static func blinks(_ result: BrainResult) -> Table {
        var table = Table(columns: blinkColumns)
        guard let first = result.runs.first?.lowerBound, let last = result.runs.last?.upperBound, last - first < 1e7
        else { return table }
        let seconds = Int(first.rounded(.down))..<Int(last.rounded(.up))
        let track = EyeEvent.blinks(result.eyes, inSeconds: seconds)
        for (second, blink) in zip(seconds, track) {
            let isThere = result.runs.contains { $0.lowerBound < Double(second + 1) && $0.upperBound > Double(second) }
            table.append([.onset(Double(second)), isThere ? .integer(blink) : .missing])
        }
        return table
    }
}
