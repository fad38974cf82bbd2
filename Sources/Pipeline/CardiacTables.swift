public import Cardiac
public import Signals

/// The tables of one source of heart beats.
public enum CardiacTables {
    /// The columns of `beats`.
    public static let beatColumns = [
        Column(
            "onset", unit: .seconds,
            "Time of the R peak (ECG), or of the pulse's systolic peak or other point that bvp.fiducial names (BVP), from the recording's start, on a grid of 0.1 ms"
        ),
        Column("sample", unit: .dimensionless, "Index of the nearest sample in its stream, 0-based"),
        Column("kind", "What kind of beat it is; beat where nobody has classified it", reference: "ANSI/AAMI EC57"),
        Column(
            "confidence", unit: .dimensionless, "How sure the detector is, 0 to 1; n/a where a device found the beat"),
        Column(
            "ibi", unit: .seconds,
            "Time since the previous beat; n/a for the first beat, after a gap, and where quality drops the signal"),
    ]

    /// The column that `beats` has more where the beats are pulses.
    public static let footColumn = Column(
        "foot", unit: .seconds,
        "Onset of the pulse: where the tangent to its upstroke meets the minimum before it, from the recording's start",
        reference: "Chiu, Arand & Shroff 1991, Am Heart J 121:1460", role: .moment)

    /// The column that `beats` has more where several leads were looked at together.
    public static let leadColumn = Column("lead", "The lead that gave the time")

    /// One row per beat.
    /// - Parameters:
    ///   - pulses: whether they are pulses, with a foot.
    ///   - leads: the labels of the leads that were looked at together; each beat says which gave its time.
    ///   - extent: from the start of the signal in which they were found to its end; nil where that is not known.
    public static func beats(
        _ beats: [Beat], pulses: Bool = false, leads: [String] = [], extent: Range<Seconds>? = nil
    ) -> BeatRows {
        BeatRows(beats, pulses: pulses, leads: leads, extent: extent)
    }

    /// One row per beat of a recording.
    public static func beats(of result: CardiacResult) -> BeatRows {
        beats(
            result.beats, pulses: result.source.kind == .bvp, leads: result.source.leads.map(\.label),
            extent: result.extent)
    }

    /// One row per beat between which a device measured intervals: the intervals stay as they were measured.
    public static func beats(between intervals: [IBI]) -> Table {
        var table = Table(columns: beatColumns)
        func append(_ onset: Seconds, _ kind: BeatKind, _ ibi: Cell) {
            table.rows.append([.onset(onset), .missing, .text(kind.rawValue), .missing, ibi])
        }
        var last = -Seconds.infinity
        for interval in intervals {
            let opening = Beat.onGrid(interval.onset - interval.duration)
            if !interval.isContiguous, opening > last { append(opening, .beat, .missing) }
            append(interval.onset, interval.kind, .number(interval.duration))
            last = interval.onset
        }
        return table
    }

    /// The columns of `intervals`.
    public static let intervalColumns = [
        Column("onset", unit: .seconds, "Time of the later of its two beats from the recording's start"),
        Column("nn", unit: .seconds, "Length of the interval after correction"),
        Column(
            "status", "kept as measured, merged after an extra beat was taken out, or interpolated from its neighbours"),
        Column("contiguous", unit: .dimensionless, "1 where the interval before it ends where it begins, else 0"),
    ]

    /// One row per interval after correction.
    public static func intervals(_ nn: [NN]) -> IntervalRows { IntervalRows(nn) }

    /// The columns of `missing`.
    public static let missingColumns = [
        Column("onset", unit: .seconds, "Start of the window from the recording's start"),
        Column("duration", unit: .seconds, "Length of the window; a long gap is one window"),
        Column("index", "The index that has no value there; all where none has one, all for the same reason"),
        Column("reason", "Why it has none"),
    ]

    /// What the column `index` has where no index has a value.
    public static let allIndexes = "all"

    /// One row per index of a window that has no value, and why; one for all where the reason is the same for all.
    public static func missing(_ windows: [HRVWindow], parameters: HRVParameters) -> Table {
        let names = HRVIndex.list(parameters).map(\.name)
        var table = Table(columns: missingColumns)
        for window in windows {
            if let reason = window.commonReason, names.count > 1 {
                table.append([
                    .onset(window.onset), .onset(window.duration), .text(allIndexes), .text("\(reason)"),
                ])
                continue
            }
            for (name, reason) in zip(names, window.missing) {
                guard let reason else { continue }
                table.append([.onset(window.onset), .onset(window.duration), .text(name), .text("\(reason)")])
            }
        }
        return table
    }
}
