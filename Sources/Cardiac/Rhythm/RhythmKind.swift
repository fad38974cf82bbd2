/// What the intervals between beats look like over a stretch of time.
///
/// Told from the times of beats alone, without a look at any wave. **This is a description of a recording for
/// research, not a diagnosis**: an irregular rhythm may be atrial fibrillation, flutter with varying conduction, many
/// premature beats or a detector misled by noise, and a regular one excludes nothing.
public enum RhythmKind: String, Codable, CaseIterable, Sendable {
    /// None of the others.
    case regular
    /// Premature beats follow each other closely: bigeminy, trigeminy, frequent or paired extrasystoles.
    case ectopy
    /// Intervals without order, as in atrial fibrillation: to be looked at.
    case irregular
    /// Faster than the bound, with intervals in order.
    case tachycardia
    /// Slower than the bound, with intervals in order.
    case bradycardia
    /// No beat in a signal that would have shown one.
    case asystole
    /// Nothing can be said: a gap, a signal in which no beat could have been seen, or beats too far apart without word
    /// that the signal was there.
    case unreadable
}
