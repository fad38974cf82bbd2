import Quality
import Signals

/// The moments that quality drops, as its windows become known. A moment is judged by the window whose middle is nearest
/// to it, the earlier of two; a long gap that is told as one window counts as the windows that it stands for.
struct QualityDrops: Sendable {
    private let parameters: QualityParameters
    /// Windows in a row that say the same, from the middle of the first to that of the last.
    private var stretches: [(first: Seconds, last: Seconds, isGood: Bool)] = []
    /// Stretches that are kept where a session goes on: those of hours at least.
    private static let kept = 16_384

    /// Nothing is dropped yet.
    /// - Parameter parameters: those that the windows are made with.
    init(_ parameters: QualityParameters = QualityParameters()) { self.parameters = parameters }

    /// Up to when all moments are judged.
    var judgedUntil: Seconds { stretches.last?.last ?? -.infinity }

    /// Takes the next windows, in order of time.
    mutating func take(_ windows: [QualityWindow]) {
        for window in windows { take(window, isGood: window.isGood) }
    }

    /// Takes the next window, which is good or not for a reason of its own.
    mutating func take(_ window: QualityWindow, isGood: Bool) {
        let first = window.onset + min(window.duration, parameters.window) / 2
        take(from: first, to: first + (parameters.places(of: window) - 1) * parameters.step, isGood: isGood)
    }

    /// Takes the verdict on what lies around these middles.
    mutating func take(from first: Seconds, to last: Seconds, isGood: Bool) {
        if let before = stretches.last, before.isGood == isGood {
            stretches[stretches.count - 1].last = max(before.last, last)
        } else {
            let first = max(first, judgedUntil)
            stretches.append((first, max(first, last), isGood))
        }
    }

    /// Whether quality drops a moment. What no window judges is not dropped.
    func drops(_ time: Seconds) -> Bool { !stretches.isEmpty && !stretches[place(of: time)].isGood }

    /// Whether quality drops a moment of a stretch of time, its ends included.
    func drops(anyOf time: ClosedRange<Seconds>) -> Bool {
        guard !stretches.isEmpty else { return false }
        // Neighbours say different things.
        let (first, last) = (place(of: time.lowerBound), place(of: time.upperBound))
        return first < last || !stretches[first].isGood
    }

    /// Share of a stretch of time that quality drops, 0…1.
    func share(from begin: Seconds, to end: Seconds) -> Double {
        guard !stretches.isEmpty, begin < end else { return 0 }
        let (first, last) = (place(of: begin), place(of: end))
        let dropped = (first...last).filter { !stretches[$0].isGood }.reduce(0.0) { sum, place in
            // Each reaches to the middle between it and its neighbour.
            let from = place == first ? begin : (stretches[place - 1].last + stretches[place].first) / 2
            let to = place == last ? end : (stretches[place].last + stretches[place + 1].first) / 2
            return sum + max(0, to - from)
        }
        return min(1, dropped / (end - begin))
    }

    /// Drops what lies far back.
    mutating func forget() {
        if stretches.count > 2 * Self.kept { stretches.removeFirst(stretches.count - Self.kept) }
    }

    private func place(of time: Seconds) -> Int {
        let next = stretches.partitioningIndex { $0.first > time }
        guard next > 0 else { return 0 }
        let isNearer = next < stretches.count && stretches[next].first - time < time - stretches[next - 1].last
        return isNearer ? next : next - 1
    }
}

/// Rows that wait, in their order, until the quality of their time is known.
struct UnjudgedRows<Row: Sendable>: Sendable {
    private var waiting: [Row] = []

    /// Holds back a row.
    mutating func hold(_ row: Row) { waiting.append(row) }

    /// The rows whose time, up to `end`, is judged by now; at the end all.
    mutating func judged(by drops: QualityDrops, isEnd: Bool, until end: (Row) -> Seconds) -> [Row] {
        // Also what lies at no time is not held for ever.
        let ready = isEnd ? waiting.count : waiting.prefix { !(end($0) > drops.judgedUntil) }.count
        guard ready > 0 else { return [] }
        defer { waiting.removeFirst(ready) }
        return Array(waiting[..<ready])
    }
}
