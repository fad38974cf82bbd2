import Signals

/// Where a window lies.
struct WindowPlace: Hashable, Sendable {
    var onset: Seconds
    var duration: Seconds
    var end: Seconds { onset + duration }
}

/// Windows of equal length at 0, `step`, 2 `step` … seconds of the recording, in turn.
struct WindowGrid: Sendable {
    private let length: Seconds
    private let step: Seconds
    private var next = 0

    /// Beats are placed to 0.1 ms; sums of their intervals stay well within this of them.
    static let tolerance: Seconds = 1e-6
    /// A break may not give more empty windows than this; further ones are skipped.
    private static let mostEmpty = 100_000

    init(length: Seconds, step: Seconds) {
        self.length = length
        self.step = step
    }

    /// Whether no window has been handed out yet.
    var isFresh: Bool { next == 0 }

    /// Where the next window begins.
    var onset: Seconds { Double(next) * step }

    /// The next window, when it ends by `end`.
    mutating func take(endingBy end: Seconds) -> WindowPlace? {
        let place = WindowPlace(onset: onset, duration: length)
        guard place.end <= end + Self.tolerance else { return nil }
        next += 1
        return place
    }

    /// Goes on to the windows that reach beyond `onset`, where data begin again, when there are absurdly many before.
    mutating func skip(to onset: Seconds) {
        let number = ((onset - length) / step).rounded(.down)
        if number - Double(next) > Double(Self.mostEmpty) { next = Int(min(number, 1e15)) }
    }
}
