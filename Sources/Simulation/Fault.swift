import Kernels
public import Signals

/// Something that goes wrong with a stream for a while.
public struct Fault: Hashable, Codable, Sendable {
    /// What goes wrong.
    public var kind: Kind
    /// The kind of stream it happens to.
    public var stream: StreamKind
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Seconds it lasts.
    public var duration: Seconds

    /// `kind` happens to `stream` for `duration` seconds from `onset` on.
    public init(_ kind: Kind, stream: StreamKind, onset: Seconds, duration: Seconds) {
        self.kind = kind
        self.stream = stream
        self.onset = onset
        self.duration = duration
    }

    /// What can go wrong.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Nothing is recorded: one segment ends, another begins.
        case gap
        /// The samples are marked as missing (NaN).
        case missing
        /// The sample before it is repeated.
        case flat
        /// The amplifier stands at its rail.
        case railed
        /// The signal, four times too large, is cut off at 1.5 times its usual size.
        case clipped
        /// The electrode lets go and takes hold again: a step of four times the signal that decays.
        case electrodePop
        /// The body moves: motion noise at −10 dB.
        case motion
        /// Muscles tense: muscle noise at −6 dB.
        case muscle

        /// Whether no beat can be seen while it lasts.
        public var hidesBeats: Bool { self == .gap || self == .missing || self == .flat || self == .railed }
    }

    /// The samples it concerns at `sampleRate`.
    func frames(sampleRate: Double) -> Range<Int> {
        let first = Int((onset * sampleRate).rounded(.up))
        return first..<Swift.max(first, Int(((onset + duration) * sampleRate).rounded(.up)))
    }
}

/// Faults that happen at random.
public struct RandomFaults: Hashable, Codable, Sendable {
    /// What goes wrong.
    public var kind: Fault.Kind
    /// The kind of stream it happens to.
    public var stream: StreamKind
    /// How often per hour, on average.
    public var perHour: Double
    /// How long each lasts on average; between a half and one and a half of this.
    public var duration: Seconds

    /// `kind` happens to `stream` `perHour` times an hour, for about `duration` seconds each.
    public init(_ kind: Fault.Kind, stream: StreamKind, perHour: Double, duration: Seconds) {
        self.kind = kind
        self.stream = stream
        self.perHour = perHour
        self.duration = duration
    }

    /// The faults within `length` seconds, in order of time, not overlapping each other.
    func schedule(length: Seconds, seed: UInt64) -> [Fault] {
        guard perHour > 0, duration > 0 else { return [] }
        var random = RandomSource(seed: seed, "fault \(kind.rawValue) \(stream.rawValue)")
        var faults: [Fault] = []
        var time = 0.0
        while true {
            time += random.exponential(mean: 3_600 / perHour)
            let lasts = duration * random.uniform(0.5...1.5)
            guard time + lasts < length else { return faults }
            faults.append(Fault(kind, stream: stream, onset: time, duration: lasts))
            time += lasts
        }
    }
}
