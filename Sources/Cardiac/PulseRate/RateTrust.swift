/// A check of rates from the pulse alone, which may be the rhythm of a movement.
///
/// A heart does not jump. Where the tracked rate does, it may have passed from the pulse to the movement; it counts again
/// once it is where the heart can have come by then, since the last rate that counted. A rate that soon jumps was not
/// the heart's, and the search begins again. No rate counts before two windows in a row agree.
struct RateTrust: Sendable {
    /// The largest change of a heart's rate, per minute, over one window and over three.
    private static let change = (one: 10.0, three: 18.0)
    /// The fastest rise and fall of a heart's rate while it was not seen, per minute and second.
    private static let rise = 0.4
    private static let fall = 0.1
    /// The distance from the last rate that counted, per minute, at which one window is enough.
    private static let near = 6.0
    /// The share of the minimum confidence that is enough for a rate close to the one before.
    private static let steady = 0.75
    private static let needed = 2
    /// The windows after which a rate that jumps is remembered.
    private static let established = 5

    private enum State {
        case seeking(Int)
        case trusted(Double, windows: Int)
        case broken(Double, age: Double)
    }

    private var state = State.seeking(0)
    private var recent: [Double] = []

    /// True until enough windows in a row agree.
    var isSeeking: Bool {
        if case .seeking = state { return true }
        return false
    }

    /// Forgets all that was known.
    mutating func reset() { self = RateTrust() }

    /// A window's rate whose origin is known: it counts.
    mutating func know(_ rate: Double) {
        state = .trusted(rate, windows: Self.established)
        remember(rate)
    }

    /// A window's rate from the pulse alone.
    /// - Parameter minimum: the minimum confidence of a rate.
    /// - Returns: whether it can be the heart's, and whether it is sure enough.
    mutating func take(
        _ rate: Double, confidence: Double, minimum: Double
    ) -> (isHeart: Bool, isSure: Bool) {
        let jumps =
            recent.last.map { abs(rate - $0) > Self.change.one } ?? false
            || (recent.count == 3 && abs(rate - recent[0]) > Self.change.three)
        remember(rate)
        var isSure = confidence >= minimum
        switch state {
        case .seeking(let count):
            let agreeing = isSure && !jumps ? count + 1 : 0
            state = agreeing >= Self.needed ? .trusted(rate, windows: 0) : .seeking(agreeing)
        case .trusted(let last, let windows):
            if jumps {
                state = windows < Self.established ? .seeking(0) : .broken(last, age: 0)
            } else {
                state = .trusted(rate, windows: windows + (isSure ? 1 : 0))
                if abs(rate - last) <= Self.change.one / 2 { isSure = confidence >= Self.steady * minimum }
            }
        case .broken: break
        }
        if case .broken(let last, let age) = state {
            let later = age + PulseRateParameters.step
            let change = rate - last
            let range = (-Self.change.one - Self.fall * later)...(Self.change.one + Self.rise * later)
            if range.contains(change), !jumps {
                state = .trusted(rate, windows: Self.established)
            } else if abs(change) <= Self.near, isSure {
                state = .trusted(rate, windows: Self.established)
                recent = [rate]
            } else {
                state = .broken(last, age: later)
            }
        }
        if case .trusted = state { return (true, isSure) }
        return (false, isSure)
    }

    private mutating func remember(_ rate: Double) {
        recent.append(rate)
        if recent.count > 3 { recent.removeFirst() }
    }
}
