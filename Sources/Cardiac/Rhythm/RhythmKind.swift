/// The rhythm of a stretch of time in one word: the first that holds of those below.
///
/// Told from the times of beats alone, without a look at any wave. **This is a description of a recording for
/// research, not a diagnosis**: an irregular rhythm may be atrial fibrillation, flutter with varying conduction, many
/// premature beats or a detector misled by noise, and a regular one excludes nothing.
public enum RhythmKind: String, Codable, CaseIterable, Sendable {
    /// Intervals in order, neither fast nor slow.
    case regular
    /// Premature beats follow each other closely: bigeminy, trigeminy, frequent or paired extrasystoles.
    case ectopy
    /// Intervals without order, as in atrial fibrillation, at any rate: to be looked at.
    case irregular
    /// Faster than the bound, with intervals in order; a run of three or more fast beats as well.
    case tachycardia
    /// Slower than the bound, with intervals in order.
    case bradycardia
    /// No beat in an ECG that would have shown one.
    case asystole
    /// No beat in a pulse wave that would have shown one: no pulse was seen, whatever the heart did.
    case noBeats
    /// Nothing can be said: a gap, a signal that quality rejects, or beats too far apart without word that the signal was
    /// there.
    case unreadable
    /// Too few intervals, or too short a time, to tell a rhythm from: `n/a` in tables.
    case undetermined
}

/// The order of the intervals of a stretch of time.
public enum Irregularity: String, Codable, CaseIterable, Sendable {
    /// Intervals in order.
    case regular
    /// Intervals out of order in the pattern of premature beats (`EctopyPattern`).
    case ectopic
    /// Intervals without order.
    case irregular
}

/// The rate of a stretch of time, against the bounds of `RhythmParameters`.
public enum RateBand: String, Codable, CaseIterable, Sendable {
    case slow, normal, fast
}

/// The pattern that premature beats make.
public enum EctopyPattern: String, Codable, CaseIterable, Sendable {
    /// Every second beat is premature, three times in a row or more.
    case bigeminy
    /// Every third beat is premature, three times in a row or more.
    case trigeminy
    /// Three to seven fast beats in a row that begin abruptly; longer runs are a fast rhythm of their own.
    case run
    /// Premature beats in no such pattern.
    case frequent
}

/// The rhythm of a stretch of time, its parts apart.
public struct RhythmState: Hashable, Codable, Sendable {
    /// The rhythm in one word.
    public var kind: RhythmKind
    /// The order of the intervals; nil where there are none or too few.
    public var irregularity: Irregularity?
    /// The rate; nil where there are no intervals or too few.
    public var rate: RateBand?
    /// The pattern of premature beats; nil where there is none.
    public var ectopy: EctopyPattern?

    /// A rhythm.
    public init(
        _ kind: RhythmKind, irregularity: Irregularity? = nil, rate: RateBand? = nil, ectopy: EctopyPattern? = nil
    ) {
        self.kind = kind
        self.irregularity = irregularity
        self.rate = rate
        self.ectopy = ectopy
    }

    /// The rhythm of intervals with this order and rate.
    init(order irregularity: Irregularity, rate: RateBand, ectopy: EctopyPattern? = nil) {
        let kind: RhythmKind =
            switch (irregularity, ectopy, rate) {
            case (.irregular, _, _): .irregular
            case (_, .run?, _): .tachycardia
            case (.ectopic, _, _): .ectopy
            case (.regular, _, .fast): .tachycardia
            case (.regular, _, .slow): .bradycardia
            case (.regular, _, .normal): .regular
            }
        self.init(kind, irregularity: irregularity, rate: rate, ectopy: ectopy)
    }
}
