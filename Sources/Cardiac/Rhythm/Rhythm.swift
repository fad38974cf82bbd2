public import Signals

/// The rhythm of beats that are in memory, and its tables. No diagnosis: see `RhythmKind`.
public enum Rhythm {
    /// The columns of the table of segments.
    public static let columns: [Column] = [
        Column("onset", unit: .seconds, "When the rhythm begins, from the start of the recording"),
        Column("duration", unit: .seconds, "How long it lasts"),
        Column(
            "rhythm",
            "The rhythm in one word, from the times of beats alone; a description, no diagnosis. "
                + RhythmKind.allCases.filter { $0 != .undetermined }.map { "\($0.rawValue): \($0.meaning)" }
                .joined(separator: "; ") + "; n/a: \(RhythmKind.undetermined.meaning)",
            reference:
                "Irregular: sparsity of the Poincaré plot, after Lian et al. 2011, Am J Cardiol 107:1494-1497 and "
                + "Lake & Moorman 2011, Am J Physiol Heart Circ 300:H319-H325",
            leastData: "30 s and 20 intervals in one piece; ectopy: 3 premature beats"),
        Column(
            "irregularity",
            "The order of the intervals, whatever the rate. regular: in order; ectopic: out of order in the pattern of "
                + "premature beats; irregular: without order", leastData: "30 s and 20 intervals in one piece"),
        Column(
            "rate",
            "The rate, whatever the order. fast: above rhythm.tachycardiaRate; slow: below "
                + "rhythm.bradycardiaRate; normal: in between", leastData: "30 s and 20 intervals in one piece"),
        Column(
            "ectopy",
            "The pattern of premature beats; n/a where there is none. bigeminy, trigeminy: every second or third beat is "
                + "premature; run: three to seven fast beats in a row that begin abruptly; frequent: no such pattern"),
        Column("intervals", unit: .dimensionless, "Number of intervals between beats in it"),
        Column(
            "heartRate", unit: .beatsPerMinute, "60 over the mean of its intervals", leastData: "One interval"),
    ]

    /// Segments as a table.
    public static func table(_ segments: [RhythmSegment]) -> Table {
        Table(
            columns: columns,
            rows: segments.map {
                [
                    .onset($0.onset), .onset($0.duration),
                    $0.kind == .undetermined ? .missing : .text($0.kind.rawValue),
                    $0.state.irregularity.map { .text($0.rawValue) } ?? .missing,
                    $0.state.rate.map { .text($0.rawValue) } ?? .missing,
                    $0.state.ectopy.map { .text($0.rawValue) } ?? .missing,
                    .integer($0.intervals), .optional($0.heartRate),
                ]
            })
    }

    /// The segments of a recording, from its beats and, where known, from where its signal could be read.
    ///
    /// They follow each other without gaps from the first thing known to the last.
    /// - Throws: the first parameter that has no meaning.
    public static func segments(
        _ beats: [Beat], signal: [(from: Seconds, until: Seconds, isReadable: Bool)] = [],
        parameters: RhythmParameters = RhythmParameters(), ofPulse isPulse: Bool = false
    ) throws(InvalidParameter) -> [RhythmSegment] {
        try segments(RhythmInput.merge(beats, signal: signal), parameters: parameters, ofPulse: isPulse)
    }

    /// The segments of a recording from inputs in order of time.
    /// - Throws: the first parameter that has no meaning.
    public static func segments(
        _ inputs: [RhythmInput], parameters: RhythmParameters = RhythmParameters(), ofPulse isPulse: Bool = false
    ) throws(InvalidParameter) -> [RhythmSegment] {
        var stage = try RhythmStage(parameters, ofPulse: isPulse)
        var outputs: [RhythmOutput] = []
        stage.push(inputs.span, into: &outputs)
        stage.finish(into: &outputs)
        return outputs.compactMap { output in
            guard case .segment(let segment) = output else { return nil }
            return segment
        }
    }
}

extension RhythmKind {
    /// What it means, in a few words.
    public var meaning: String {
        switch self {
        case .regular: "intervals in order, neither fast nor slow"
        case .ectopy: "premature beats follow each other closely"
        case .irregular: "intervals without order, as in atrial fibrillation"
        case .tachycardia: "faster than the bound, or a run of fast beats"
        case .bradycardia: "slower than the bound"
        case .asystole: "no beat in a usable ECG"
        case .noBeats: "no beat seen in a usable pulse wave"
        case .unreadable: "missing, or rejected by quality"
        case .undetermined: "too short or too few intervals to tell"
        }
    }
}
