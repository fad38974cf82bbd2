import Signals

/// Where the samples of a run fall on the grid of epochs from the recording's start.
struct EpochGrid: Sendable {
    let length: Seconds
    let start: SegmentStart
    /// The epoch of the next sample.
    private(set) var number: Int
    /// The place, in the run, of the first sample after it.
    private(set) var end: Int

    init(_ start: SegmentStart, length: Seconds) {
        (self.length, self.start) = (length, start)
        number = Int((start.onset / length + 1e-9).rounded(.down))
        end = 0
        end = place(ofEnd: number, after: 0)
    }

    /// Seconds from the recording's start to the epoch's.
    var onset: Seconds { Double(number) * length }

    /// Samples that an epoch has room for.
    var expected: Double { length * start.sampleRate }

    /// The epoch is over: goes on to the next one that has a sample.
    mutating func advance() {
        // Samples may lie further apart than epochs are long.
        number = max(number + 1, Int(min(start.onset(ofOffset: end) / length + 1e-9, 1e15).rounded(.down)))
        end = place(ofEnd: number, after: end)
    }

    private func place(ofEnd number: Int, after earlier: Int) -> Int {
        let offset = ((Double(number + 1) * length - start.onset) * start.sampleRate - 1e-6).rounded(.up)
        return max(earlier + 1, Int(min(max(offset, 0), 1e15)))
    }
}
