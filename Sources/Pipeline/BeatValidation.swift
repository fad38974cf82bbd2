public import Cardiac
import Formats
public import Foundation
public import Signals

/// How well detected beats agree with reference beats, over the records of a data set.
public struct BeatValidation: Sendable {
    /// What is compared, and how.
    public struct Request: Sendable {
        /// The ending of the reference annotation files, such as `atr`.
        public var annotator = "atr"
        /// Which channel beats are detected in.
        public var source = SourceRequest()
        /// The largest distances of a pair, in seconds.
        public var tolerances: [Seconds] = [0.15, 0.05, 0.02]
        /// The time that counts, in seconds from the recording's start (EC57: from minute 5).
        public var span: Range<Seconds> = 0..<(.infinity)
        /// Whether stretches of ventricular flutter or fibrillation, from `[` to `]`, do not count.
        public var excludesFlutter = false

        /// The defaults.
        public init() {}
    }

    /// The agreement in one record.
    public struct Record: Sendable {
        /// The record's name.
        public var name: String
        /// One comparison per tolerance.
        public var comparisons: [BeatComparison]
    }

    /// The records that could be compared, in order of name.
    public var records: [Record] = []
    /// Those that could not, and why.
    public var failures: [(name: String, error: any Error)] = []
    private let tolerances: [Seconds]

    /// Compares all records, using every core.
    /// - Parameters:
    ///   - headers: recordings with a reference beside them, as `references(in:annotator:)` finds them.
    ///   - progress: called with the share of the records that is done; from any thread.
    public init(
        of recordings: [URL], _ request: Request, parameters: Parameters,
        progress: @Sendable (Double) -> Void = { _ in }
    ) {
        tolerances = request.tolerances
        let outcomes = concurrentMap(recordings, progress: progress) { recording in
            Result { try Self.compare(recording, request, parameters) }
        }
        for (recording, outcome) in zip(recordings, outcomes) {
            switch outcome {
            case .success(let record): records.append(record)
            case .failure(let error): failures.append((recording.lastPathComponent, error))
            }
        }
    }

    /// The recordings in a folder that have reference beats beside them: WFDB records with `<record>.<annotator>`, and
    /// simulated recordings with `<name>_truth.tsv`.
    public static func recordings(in folder: URL, annotator: String) -> [URL] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        let all = Set(names)
        return names.filter { name in
            let stem = URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent
            if name == stem || name.hasSuffix(".tsv") || name.hasSuffix(".json") || name.hasSuffix(".dat") {
                return false
            }
            if name.hasSuffix(".hea") {
                return all.contains("\(stem).\(annotator)") || all.contains("\(stem)_truth.tsv")
            }
            return all.contains("\(stem)_truth.tsv") && !all.contains("\(stem).hea")
        }.map { folder.appendingPathComponent($0) }
    }

    private static func compare(_ recording: URL, _ request: Request, _ parameters: Parameters) throws -> Record {
        let result = try CardiacReading.result(of: recording, request.source, parameters: parameters, computing: [])
        let reference = try ReferenceBeats(beside: recording, annotator: request.annotator, source: result.source)
        let detected = result.beats.map(\.onset)
        return Record(
            name: recording.deletingPathExtension().lastPathComponent,
            comparisons: request.tolerances.map { tolerance in
                BeatComparison(
                    detected: detected, reference: reference.onsets, tolerance: tolerance, within: request.span,
                    excluding: request.excludesFlutter ? reference.flutter : [])
            })
    }

    /// The columns of `table`.
    public static let columns = [
        Column("record", "The record; gross adds up all of them, average weighs each the same"),
        Column("tolerance", unit: .seconds, "Largest distance of a detected beat from its reference beat"),
        Column("tp", unit: .dimensionless, "Reference beats that were detected"),
        Column("fp", unit: .dimensionless, "Detected beats without a reference beat"),
        Column("fn", unit: .dimensionless, "Reference beats that were not detected"),
        Column("sensitivity", unit: .percent, "tp / (tp + fn)", reference: "ANSI/AAMI EC57"),
        Column("ppv", unit: .percent, "tp / (tp + fp)", reference: "ANSI/AAMI EC57"),
        Column("f1", unit: .percent, "2 tp / (2 tp + fp + fn)"),
        Column("offset", unit: .seconds, "Median of detected minus reference time"),
        Column("jitter", unit: .seconds, "Median absolute deviation of detected minus reference time from its median"),
    ]

    /// One row per record and tolerance, then the gross and the average rows.
    /// - Parameter worstFirst: whether the record with the lowest F1 at the first tolerance comes first.
    public func table(worstFirst: Bool = false) -> Table {
        var table = Table(columns: Self.columns)
        let ordered =
            worstFirst
            ? records.sorted { ($0.comparisons.first?.f1 ?? 0) < ($1.comparisons.first?.f1 ?? 0) } : records
        for record in ordered {
            for comparison in record.comparisons { table.append(Self.row(record.name, comparison)) }
        }
        for index in tolerances.indices { table.append(Self.row("gross", gross(index))) }
        for index in tolerances.indices { table.append(averageRow(index)) }
        return table
    }

    /// All records added up, at the tolerance of this place.
    public func gross(_ tolerance: Int) -> BeatComparison {
        BeatComparison.merged(records.map { $0.comparisons[tolerance] })
    }

    private static func row(_ name: String, _ comparison: BeatComparison) -> [Cell] {
        [
            .text(name), .number(comparison.tolerance), .integer(comparison.truePositives),
            .integer(comparison.falsePositives), .integer(comparison.falseNegatives),
            percent(comparison.sensitivity), percent(comparison.positivePredictiveValue), percent(comparison.f1),
            .optional(comparison.medianOffset.map(Beat.onGrid)), .optional(comparison.medianJitter.map(Beat.onGrid)),
        ]
    }

    private func averageRow(_ tolerance: Int) -> [Cell] {
        let comparisons = records.map { $0.comparisons[tolerance] }
        func mean(_ value: (BeatComparison) -> Double?) -> Double? {
            let values = comparisons.compactMap(value)
            return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        return [
            .text("average"), .number(tolerances[tolerance]), .missing, .missing, .missing,
            Self.percent(mean(\.sensitivity)), Self.percent(mean(\.positivePredictiveValue)), Self.percent(mean(\.f1)),
            .optional(mean(\.medianOffset).map(Beat.onGrid)), .optional(mean(\.medianJitter).map(Beat.onGrid)),
        ]
    }

    /// Three decimals are more than any data set can tell.
    private static func percent(_ share: Double?) -> Cell {
        .optional(share.map { ($0 * 100_000).rounded() / 1_000 })
    }
}
