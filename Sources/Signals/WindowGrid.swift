/// Where a window lies.
public struct WindowPlace: Hashable, Sendable {
    /// Seconds from the recording's start to its start.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// Seconds from the recording's start to its end.
    public var end: Seconds { onset + duration }

    /// The window of `duration` seconds from `onset` on.
    public init(onset: Seconds, duration: Seconds) {
        (self.onset, self.duration) = (onset, duration)
    }
}

/// Windows of equal length at multiples of `step` seconds from the recording's start, or from another origin, in turn.
///
/// A gap costs little, however long it is: where it holds more than `mostEmpty` windows, they are handed out as one, as
/// long as they are together.
public struct WindowGrid: Sendable {
    /// The length of a window in seconds.
    public let length: Seconds
    /// Seconds from one window's start to the next one's.
    public let step: Seconds
    /// The moment that windows are counted from, in seconds from the recording's start.
    private let origin: Seconds
    private let mostEmpty: Int
    private let beginning: Int
    private var next: Int

    /// Beats are placed to 0.1 ms; sums of their intervals stay well within this of them, in seconds.
    public static let tolerance: Seconds = 1e-6
    /// How many windows of one gap have a row each, unless told otherwise: a day's at a step of 30 s.
    public static let mostEmpty = 2_880

    /// The windows from the one on that begins at `start` or up to a step before it.
    /// - Parameter origin: the moment at which a window begins; the others begin whole steps before or after it.
    public init(
        length: Seconds, step: Seconds, from start: Seconds? = nil, origin: Seconds = 0, mostEmpty: Int = Self.mostEmpty
    ) {
        (self.length, self.step, self.origin, self.mostEmpty) = (length, step, origin, mostEmpty)
        beginning = Self.number(at: (start ?? origin) - origin, step: step)
        next = beginning
    }

    /// Whether no window has been handed out yet.
    public var isFresh: Bool { next == beginning }

    /// Where the next window begins.
    public var onset: Seconds { origin + Double(next) * step }

    /// The next window.
    public mutating func take() -> WindowPlace {
        defer { next += 1 }
        return WindowPlace(onset: onset, duration: length)
    }

    /// The next window, or a gap's windows as one, when it ends by `end`.
    /// - Parameter dataEnd: up to when there are data; none lie between it and `end`. Infinite where windows are no gap.
    public mutating func take(endingBy end: Seconds, dataEnd: Seconds) -> WindowPlace? {
        guard end.isPlaceable, onset + length <= end else { return nil }
        var place = take()
        guard dataEnd < place.onset else { return place }
        let further = lastNumber(endingBy: end) - (next - 1)
        if further >= mostEmpty {
            place.duration += Double(further) * step
            next += further
        }
        return place
    }

    /// The number of the last window that ends by `end`.
    private func lastNumber(endingBy end: Seconds) -> Int {
        let number = Self.number(at: end - length - origin, step: step)
        // A quotient may be rounded up to a window that ends later, or down from one that does not.
        if origin + Double(number) * step + length > end { return number - 1 }
        return origin + Double(number + 1) * step + length <= end ? number + 1 : number
    }

    /// The number of the step that holds a moment; whole numbers up to 2^53 are exact.
    private static func number(at moment: Seconds, step: Seconds) -> Int {
        Int(min(max((moment / step).rounded(.down), -0x1p53), 0x1p53))
    }
}
