import Signals

/// Holds back the first half-second of a headband's sensors, to tell when they were sampled.
///
/// A headband gathers entries of all sensors until a packet is full, and radio adds its own delay, so that an entry
/// comes up to a tenth of a second after its last frame, never before it. Each sensor's clock is therefore the
/// earliest of all arrivals held (captures of a Muse S Athena: 15 to 30 ms late instead of 60 to 120), and where a
/// segment begins does not hang on which entry had to wait longest.
struct AthenaOpening: Sendable {
    /// Samples of one sensor in their place.
    struct Held: Sendable {
        var tag: AthenaTag
        var samples: [Float]
        var index: Int
        var restarted: Bool
        /// The packet's stamp.
        var ticks: Int64
        /// When it arrived; once released, when its last frame was sampled as far as is known.
        var arrival: Seconds

        /// When the sensor's first frame would have been sampled, had this entry not waited.
        var origin: Seconds { arrival - elapsed }

        /// Seconds from the sensor's first frame to the entry's last.
        var elapsed: Seconds { Double(index + tag.frameCount - 1) / tag.sampleRate }
    }

    /// How long samples are held.
    static let length: Seconds = 0.5

    private var entries: [(run: Run, held: Held)] = []
    private var runs: [AthenaTag: Int] = [:]
    /// Until when samples are held.
    private(set) var due: Seconds = .infinity

    /// Entries of one sensor whose distances are known.
    private struct Run: Hashable {
        var tag: AthenaTag
        var number: Int
    }

    /// Whether samples of a sensor are held.
    func holds(_ tag: AthenaTag) -> Bool { runs[tag] != nil }

    /// Whether what is held has been held long enough.
    func isOver(at moment: Seconds) -> Bool { moment >= due }

    /// Holds an entry. The length counts from the first, so that nothing can put off the end.
    mutating func hold(_ entry: Held) {
        if entries.isEmpty { due = entry.arrival + Self.length }
        if entry.restarted || !holds(entry.tag) { runs[entry.tag, default: 0] += 1 }
        entries.append((Run(tag: entry.tag, number: runs[entry.tag, default: 1]), entry))
    }

    /// All that is held, in the order it came, each with the moment its last frame was sampled.
    mutating func release() -> [Held] {
        let origins = Dictionary(entries.map { ($0.run, $0.held.origin) }, uniquingKeysWith: min)
        defer { self = AthenaOpening() }
        return entries.map { run, held in
            var held = held
            if let origin = origins[run] { held.arrival = origin + held.elapsed }
            return held
        }
    }
}
