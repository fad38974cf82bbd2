public import Signals

/// What was found wrong with an interval.
public enum CorrectionClass: String, Codable, CaseIterable, Sendable {
    /// One of its beats came early or late: an ectopic beat, or one marked at a wrong place.
    case ectopic
    /// A beat inside it was not seen.
    case missed
    /// One of its beats is none.
    case extra
    /// It is too long or too short for none of these reasons.
    case longShort
    /// A person added, moved or deleted a beat.
    case manual
}

/// One line of the audit: an interval that correction changed, took out or put in.
///
/// The rows of a series, in order, turn its intervals into its NN intervals (`Correction.replay`): an interval without
/// rows is kept; otherwise its rows with a `new` length stand for it, in their order.
public struct CorrectionRow: Hashable, Codable, Sendable {
    /// Place of the interval in the series of intervals, 0-based.
    public var index: Int
    /// When the corrected interval ends, in seconds from the recording's start; where it was taken out, when it ended.
    public var onset: Seconds
    /// What was wrong.
    public var kind: CorrectionClass
    /// Its length before, in seconds; nil for an interval that was put in.
    public var old: Seconds?
    /// Its length after, in seconds; nil for an interval that was taken out. One taken out with the class `extra` is
    /// part of the interval that follows; any other leaves a break.
    public var new: Seconds?
    /// What gave it away.
    public var reason: CorrectionReason

    /// A line of the audit.
    public init(
        index: Int, onset: Seconds, kind: CorrectionClass, old: Seconds?, new: Seconds?, reason: CorrectionReason
    ) {
        self.index = index
        self.onset = onset
        self.kind = kind
        self.old = old
        self.new = new
        self.reason = reason
    }
}

/// What gave a wrong interval away.
public enum CorrectionReason: String, Codable, CaseIterable, Sendable {
    /// A short and a long interval, or the reverse, around one beat.
    case shortLongPair = "short and long interval around one beat"
    /// Two short intervals and a long one around two beats.
    case couplet = "two short intervals and a long one around two beats"
    /// It and its neighbour make one normal interval.
    case sumIsNormal = "with its neighbour one normal interval"
    /// It is as long as two or three normal intervals.
    case multipleOfNormal = "as long as two or three normal intervals"
    /// It is longer than a few missed beats could explain.
    case tooLong = "longer than two missed beats explain"
    /// A jump to a longer interval and back.
    case longInterval = "long interval between normal ones"
    /// A jump to a shorter interval and back.
    case shortInterval = "short interval between normal ones"
    /// It lies between two gaps, by itself or with a few like it, and the intervals around are of another length.
    case apart = "alone between gaps and unlike the intervals around"
    /// Too many wrong intervals in a row to estimate their lengths.
    case longStretch = "in a long stretch of wrong intervals"
    /// Further from the local median than the threshold.
    case beyondThreshold = "beyond the threshold around the local median"
    /// Further from the local median than the quotient.
    case beyondQuotient = "beyond the quotient to the median of its neighbours"
    /// A person added the beat that it ends with.
    case addedByHand = "beat added by hand"
    /// A person moved the beat that it ends with.
    case movedByHand = "beat moved by hand"
    /// A person deleted the beat that it ended with.
    case deletedByHand = "beat deleted by hand"
}

/// Correction of intervals that are in memory, its table, and its audit.
public enum Correction {
    /// The columns of the audit table.
    public static let columns: [Column] = [
        Column(
            "index", unit: .dimensionless,
            "Place of the interval in the series of intervals, 0-based; of a deleted beat, of the one that spans it"),
        Column("onset", unit: .seconds, "End of the corrected interval from the start of the recording"),
        Column(
            "class",
            "What was wrong: ectopic, missed, extra or longShort; manual: a person edited a beat, before all else",
            reference: "Lipponen & Tarvainen 2019, J Med Eng Technol 43:173-181"),
        Column("old", unit: .seconds, "Length before; n/a for an interval that was put in"),
        Column("new", unit: .seconds, "Length after; n/a for an interval that was taken out"),
        Column("reason", "What gave it away"),
    ]

    /// The audit as a table.
    public static func table(_ rows: [CorrectionRow]) -> Table {
        Table(
            columns: columns,
            rows: rows.map { row in
                [
                    .integer(row.index), .onset(row.onset), .text(row.kind.rawValue), .optional(row.old),
                    .optional(row.new), .text(row.reason.rawValue),
                ]
            })
    }

    /// Corrects a series of intervals.
    /// - Throws: the first parameter that has no meaning.
    public static func correct(
        _ intervals: [IBI], parameters: CorrectionParameters = CorrectionParameters()
    ) throws(InvalidParameter) -> (intervals: [NN], rows: [CorrectionRow]) {
        var stage = try CorrectionStage(parameters)
        var outputs: [CorrectionOutput] = []
        stage.push(intervals.span, into: &outputs)
        stage.finish(into: &outputs)
        var corrected: (intervals: [NN], rows: [CorrectionRow]) = ([], [])
        for output in outputs {
            switch output {
            case .interval(let interval): corrected.intervals.append(interval)
            case .row(let row): corrected.rows.append(row)
            }
        }
        return corrected
    }

    /// The NN intervals that the audit `rows` make of `intervals`.
    public static func replay(_ rows: [CorrectionRow], on intervals: [IBI]) -> [NN] {
        var corrected: [NN] = []
        var row = 0
        var isBroken = true
        var isSwallowed = false
        for (index, interval) in intervals.enumerated() {
            if !interval.isContiguous && !isSwallowed { isBroken = true }
            isSwallowed = false
            if row == rows.count || rows[row].index != index {
                var kept = NN(interval)
                kept.isContiguous = !isBroken
                corrected.append(kept)
                isBroken = false
            }
            while row < rows.count, rows[row].index == index {
                let change = rows[row]
                row += 1
                guard let new = change.new else {
                    isSwallowed = change.kind == .extra
                    if !isSwallowed { isBroken = true }
                    continue
                }
                let status: NNStatus = change.kind == .extra ? .merged : .interpolated
                corrected.append(NN(onset: change.onset, duration: new, isContiguous: !isBroken, status: status))
                isBroken = false
            }
        }
        return corrected
    }
}

/// An output of correction: an NN interval or a line of its audit. A line comes before the interval it tells of.
public enum CorrectionOutput: Hashable, Sendable {
    /// An NN interval.
    case interval(NN)
    /// A line of the audit.
    case row(CorrectionRow)
}
