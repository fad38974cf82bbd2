import Signals

/// Tells samples of an LSL stream that came before, with their stamps and their values, from new ones.
///
/// Stamps of one moment are no repetition: some senders stamp all of a chunk alike, and a signal may stand still. Only what
/// goes back to a stamp that is past can be one, and what follows it.
struct LSLRepeats: Sendable {
    /// What came lately, each stamp and its values as one number.
    private var marks: [Int] = []
    private var oldest = 0
    private var known: Set<Int> = []
    private let most: Int
    /// Whether the sample before was one that came twice.
    private var isRepeating = false

    /// Keeps the last `most` samples.
    init(most: Int) {
        self.most = max(1, most)
    }

    /// Whether the sample came before; if not it is kept.
    /// - Parameters:
    ///   - last: the latest stamp so far.
    ///   - isExact: whether stamps are of the sender's sample clock, of which no two are alike.
    mutating func isRepeated(_ frame: [Double], at stamp: Seconds, last: Seconds, isExact: Bool) -> Bool {
        let mark = Self.mark(frame, stamp)
        isRepeating = (stamp < last || (isExact || isRepeating) && stamp == last) && known.contains(mark)
        if !isRepeating { keep(mark) }
        return isRepeating
    }

    private mutating func keep(_ mark: Int) {
        if marks.count < most {
            marks.append(mark)
        } else {
            known.remove(marks[oldest])
            marks[oldest] = mark
            oldest = (oldest + 1) % most
        }
        known.insert(mark)
    }

    private static func mark(_ frame: [Double], _ stamp: Seconds) -> Int {
        var hasher = Hasher()
        hasher.combine(stamp)
        hasher.combine(frame)
        return hasher.finalize()
    }
}
