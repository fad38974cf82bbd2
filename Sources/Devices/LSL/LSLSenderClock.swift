import Signals

/// The clock of a sender's stamps: the offset to this host's clock that the library measures, and a shift for stamps of another
/// clock than that of the Lab Streaming Layer.
struct LSLSenderClock: Sendable {
    /// Stamps that lie farther from when they come than any sender holds samples back, or in the future, in seconds, are of
    /// another clock.
    private static let (oldest, latest): (Seconds, Seconds) = (600, 1)

    /// The measured offset, in seconds.
    var correction: Seconds = 0
    /// Seconds added to corrected stamps of another clock.
    private var shift: Seconds = 0
    /// Seconds from a sample's stamp to its arrival, at least.
    private var delay: Seconds?

    /// Seconds from the stamps to this host's clock.
    var offset: Seconds { correction + shift }

    /// Finds whether stamps of a chunk that arrived at `moment` are of the clock of the Lab Streaming Layer. Those of another clock
    /// are taken as if the latest of them had been sampled when it came.
    /// - Returns: where they are of another clock than before, how far from now they lie, in whole seconds.
    mutating func judge(_ first: Double, _ last: Double, at moment: Seconds) -> Int? {
        func isPlausible(_ shift: Seconds) -> Bool {
            [first, last].allSatisfy { stamp in
                let age = moment - (stamp + correction + shift)
                return age < Self.oldest && age > -Self.latest
            }
        }
        guard !isPlausible(shift) else {
            let age = moment - (last + correction + shift)
            if shift == 0 { delay = min(delay ?? age, age) }
            return nil
        }
        if isPlausible(0) {
            shift = 0
            return nil
        }
        guard (last + correction).isFinite else { return nil }
        shift = moment - max(0, delay ?? 0) - (last + correction)
        return Int(min(shift.magnitude, 1e15).rounded())
    }
}
