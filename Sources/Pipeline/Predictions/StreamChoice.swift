import Signals

/// Which of several streams something is told from, decided by what they are and when they begin in the recording. In
/// which order they were announced or arrived does not matter, so a recording gives what its session told.
struct StreamChoice {
    /// Seconds from a stream's beginning until it has a say: its first piece has arrived by then.
    static let patience: Seconds = 4

    private var begun: [(stream: Int, rank: Rank, onset: Seconds)] = []

    /// How good a stream is: the least by kind, then by name.
    struct Rank: Comparable {
        var place: Int
        var name: String

        static func < (one: Rank, other: Rank) -> Bool { (one.place, one.name) < (other.place, other.name) }
    }

    /// A stream begins; its later runs change nothing.
    mutating func begin(_ stream: Int, _ rank: Rank, at onset: Seconds) {
        guard !begun.contains(where: { $0.stream == stream }) else { return }
        begun.append((stream, rank, onset))
    }

    /// The moments from which streams have a say.
    var beginnings: [Seconds] { begun.map { $0.onset + Self.patience } }

    /// True where a stream is the one at some moment after the start of a range and before its end.
    /// - Parameters:
    ///   - changes: the other moments at which the answer of `tells` may change.
    ///   - tells: whether it is the one at a moment.
    func mayTell(within range: Range<Seconds>, changes: [Seconds] = [], tells: (Seconds) -> Bool) -> Bool {
        // Before the first moment at which a stream has a say no stream is the one.
        guard let first = beginnings.min(), first < range.upperBound else { return false }
        let begin = max(range.lowerBound, first)
        let moments = (beginnings + changes).filter { $0 > begin && $0 < range.upperBound }.sorted()
        let bounds = [begin] + moments + [range.upperBound]
        return zip(bounds, bounds.dropFirst()).contains { earlier, later in
            tells((earlier + later) / 2) || earlier > range.lowerBound && tells(earlier)
        }
    }

    /// Whether `stream` is the one at a moment: the best of those that had a say by then and are not silent; the best of
    /// all where every one is.
    func tells(_ stream: Int, at time: Seconds, isSilent: (_ stream: Int, _ onset: Seconds) -> Bool = { _, _ in false })
        -> Bool
    {
        let known = begun.filter { $0.onset + Self.patience <= time }
        let heard = known.filter { !isSilent($0.stream, $0.onset) }
        return (heard.isEmpty ? known : heard).min { $0.rank < $1.rank }?.stream == stream
    }
}

extension StreamChoice.Rank {
    /// For the heart: an ECG rather than a device's intervals rather than a pulse.
    static func heart(_ source: CardiacSource) -> Self {
        let kinds: [CardiacSource.Kind] = [.ecg, .ibi, .bvp]
        return Self(place: kinds.firstIndex(of: source.kind) ?? kinds.count, name: source.name)
    }

    /// For sleep, which is told by how a limb lies: a device that measures neither the chest's ECG nor the head's EEG
    /// rather than one that does. Nil for what is no acceleration.
    static func sleep(_ stream: Int, in header: RecordingHeader) -> Self? {
        guard header.streams.indices.contains(stream), header.streams[stream].kind == .acceleration else { return nil }
        let name = header.streams[stream].name
        let device = AccelerationSource.device(of: name)
        let isOfTrunk = header.streams.contains {
            [.ecg, .eeg].contains($0.kind) && AccelerationSource.device(of: $0.name) == device
        }
        return Self(place: isOfTrunk ? 1 : 0, name: name)
    }
}

extension RecordingEvent {
    /// When what it brings began, seconds from the recording's start; nil for samples, which go on, and markers.
    var streamOnset: (stream: Int, onset: Seconds)? {
        switch self {
        case .segment(let stream, let start): (stream, start.onset)
        case .values(let stream, let values): values.first.map { (stream, $0.onset) }
        case .samples, .marker: nil
        }
    }
}
