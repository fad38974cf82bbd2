public import Signals

/// What a simulated recording really holds.
public struct Truth: Sendable {
    /// A beat as it appears in a stream.
    public struct Beat: Hashable, Codable, Sendable {
        /// Seconds from the recording's start to its R peak (ECG) or systolic peak (BVP), exact.
        public var onset: Seconds
        /// Index of the nearest sample; sample i lies at i/rate seconds, gaps counted.
        public var sample: Int
        /// Where it came from.
        public var kind: SimulatedBeat.Kind
        /// Whether the samples around its peak are there to be seen: not in a gap, missing, flat or railed.
        public var isVisible: Bool
    }

    /// The beats of each stream, by the stream's name, in order of time.
    public var beats: [String: [Beat]]
    /// All faults, in order of time.
    public var faults: [Fault]
    /// The stretches of another rhythm.
    public var episodes: [RhythmEpisode]

    /// A table of all beats, by stream and time.
    public var beatsTable: Table {
        var table = Table(columns: Self.beatColumns)
        for (stream, beats) in beats.sorted(by: { $0.key < $1.key }) {
            for beat in beats {
                table.append([
                    .onset(beat.onset), .integer(beat.sample), .text(beat.kind.rawValue),
                    .integer(beat.isVisible ? 1 : 0), .text(stream),
                ])
            }
        }
        return table
    }

    /// A table of all faults and episodes, in order of time.
    public var faultsTable: Table {
        let faults = faults.map { ($0.onset, $0.duration, $0.kind.rawValue, $0.stream.rawValue) }
        let episodes = episodes.map { ($0.onset, $0.duration, $0.kind.rawValue, "rhythm") }
        var table = Table(columns: Self.faultColumns)
        for (onset, duration, kind, stream) in (faults + episodes).sorted(by: { $0.0 < $1.0 }) {
            table.append([.onset(onset), .onset(duration), .text(kind), .text(stream)])
        }
        return table
    }

    private static let beatColumns = [
        Column("onset", unit: .seconds, "True time of the R peak or systolic peak, from the recording's start"),
        Column("sample", unit: .dimensionless, "Index of the nearest sample in its stream, 0-based, gaps counted"),
        Column("kind", "Origin of the beat", reference: "ANSI/AAMI EC57"),
        Column(
            "visible", unit: .dimensionless, "1 where the samples around the peak were recorded undisturbed, else 0"),
        Column("stream", "Name of the stream the beat appears in"),
    ]

    private static let faultColumns = [
        Column("onset", unit: .seconds, "When it begins, from the recording's start"),
        Column("duration", unit: .seconds, "How long it lasts"),
        Column("kind", "What goes wrong, or which rhythm it is"),
        Column("stream", "Kind of stream it happens to; rhythm for the heart itself"),
    ]
}
