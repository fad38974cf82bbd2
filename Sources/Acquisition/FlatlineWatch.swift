package import Signals

/// Watches a stream without a sample rate, which windows of quality do not judge, for standing still. It goes by the times of
/// the values, which may come in bursts.
package struct FlatlineWatch: Sendable {
    /// Seconds without a change after which a signal counts as flat, and with one after which it does not.
    package static let length: Seconds = 3

    private var last: TimedValue?
    private var begun: Seconds = 0
    private var changed: Seconds = 0

    /// Has seen nothing yet.
    package init() {}

    /// Takes rows of a stream, of which the first number is watched.
    /// - Returns: whether the signal stands still; nil while that is not known.
    package mutating func take(_ rows: [TimedValue]) -> Bool? {
        for row in rows {
            guard let value = row.values.first, value.isFinite else { continue }
            if let last, row.onset - last.onset <= Self.length {
                if last.values.first != value { changed = row.onset }
            } else {
                (begun, changed) = (row.onset, row.onset)
            }
            last = row
        }
        guard let now = last?.onset, now - begun >= Self.length else { return nil }
        return now - changed >= Self.length
    }
}
