/// A check of rates from the pulse alone, which may be the rhythm of a movement.
///
/// A heart does not jump. Where the tracked rate does, it may have passed from the pulse to the movement; it counts again
/// once it is where the heart can have come by then, since the last rate that counted. No rate counts before three
/// windows in a row agree.
struct RateTrust: Sendable {
    /// The largest change of a heart's rate, per minute, over one window and over three.
    private static let change = (one: 12.0, three: 21.6)
    /// The fastest rise and fall of a heart's rate while it was not seen, per minute and second.
    private static let rise = 0.4
    private static let fall = 0.1
    private static let needed = 3

    private enum State {
        case seeking(Int)
        case trusted(Double)
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
        state = .trusted(rate)
        remember(rate)
    }

    /// A window's rate from the pulse alone; `isSure` where its confidence suffices.
    /// - Returns: whether it can be the heart's.
    mutating func take(_ rate: Double, isSure: Bool) -> Bool {
        let jumps =
            recent.last.map { abs(rate - $0) > Self.change.one } ?? false
            || (recent.count == 3 && abs(rate - recent[0]) > Self.change.three)
        remember(rate)
        switch state {
        case .seeking(let count):
            let agreeing = isSure && !jumps ? count + 1 : 0
            state = agreeing >= Self.needed ? .trusted(rate) : .seeking(agreeing)
        case .trusted(let last): state = jumps ? .broken(last, age: 0) : .trusted(rate)
        case .broken: break
        }
        if case .broken(let last, let age) = state {
            let later = age + PulseRateParameters.step
            let change = rate - last
            let range = (-Self.change.one - Self.fall * later)...(Self.change.one + Self.rise * later)
            state = range.contains(change) && !jumps ? .trusted(rate) : .broken(last, age: later)
        }
        if case .trusted = state { return true }
        return false
    }

    private mutating func remember(_ rate: Double) {
        recent.append(rate)
        if recent.count > 3 { recent.removeFirst() }
    }
}
