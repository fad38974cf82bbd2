import Signals

/// A stream's clock offsets as its footer repeats them for people: all of a short recording, evenly thinned ones of a long
/// one, so that days need no more memory than an hour. Readers synchronise clocks by the offsets among the samples, of
/// which none is left out.
struct XDFOffsetSummary: Sendable {
    private(set) var list: [(time: Seconds, value: Seconds)] = []
    /// Of so many offsets one is kept.
    private var stride = 1
    private var count = 0

    /// The most that are kept.
    static let most = 1_024

    mutating func append(_ time: Seconds, _ value: Seconds) {
        if count.isMultiple(of: stride) {
            if list.count == Self.most {
                list = list.indices.filter { $0.isMultiple(of: 2) }.map { list[$0] }
                stride *= 2
            }
            if count.isMultiple(of: stride) { list.append((time, value)) }
        }
        count += 1
    }
}
