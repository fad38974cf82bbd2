import Foundation
import Signals

/// Columns whose cells hold a value in every so many rows, and nothing between them, as where signals of several rates were
/// put into one table: a stream of a rate of its own.
struct DelimitedSparse {
    /// Rows from one value to the next; 1 for a column that has one in each.
    let stride: Int
    private var next: Int?
    private var end: Seconds?
    private var sample = 0

    init(stride: Int) { self.stride = stride }

    /// The stride of a column whose cells begin with these; 1 where there is none.
    static func stride(of hasValue: [Bool]) -> Int {
        let places = hasValue.indices.filter { hasValue[$0] }
        guard places.count >= fewestValues else { return 1 }
        let steps = zip(places.dropFirst(), places).map { $0 - $1 }
        // Some may be missing, but not most of them.
        guard let step = steps.min(), steps.allSatisfy({ $0 % step == 0 }) else { return 1 }
        return steps.count { $0 == step } * 2 > steps.count && places.count * 2 > hasValue.count / step ? step : 1
    }

    private static let fewestValues = 3

    /// A run of rows begins: the first value in it tells where the others stand.
    mutating func beginRun() { next = nil }

    /// The segment of values that were placed by their times, from `onset` on at `rate` Hz.
    mutating func begin(at onset: Seconds, run: SegmentStart, _ rate: Double) -> SegmentStart {
        let gap = end.map { Gap(onset: $0, duration: max(0, onset - $0), reason: run.gap?.reason ?? .fileGap) }
        end = onset
        return SegmentStart(onset: onset, sample: sample, sampleRate: rate, gap: gap)
    }

    /// Counts the samples of that segment that were returned.
    mutating func count(_ samples: Int, rate: Double) {
        sample += samples
        end = (end ?? 0) + Double(samples) / rate
    }

    /// Whether a row stands where its having a value or none says.
    mutating func fits(_ row: Int, hasValue: Bool) -> Bool {
        guard let next else {
            if hasValue { self.next = row + stride }
            return true
        }
        if row == next { self.next = row + stride }
        return row == next || !hasValue
    }

    /// Takes the rows of a block, `offset` rows after their run began, and gives out what the stream has there.
    /// - Parameter values: the cell of a channel in a row, NaN for none.
    mutating func take(
        rows: Int, offset: Int, channelCount: Int, run: SegmentStart, stream: Int, into events: inout [RecordingEvent],
        values: (_ channel: Int, _ row: Int) -> Float
    ) {
        let first =
            next.map { $0 - offset }
            ?? (0..<rows).first { row in (0..<channelCount).contains { !values($0, row).isNaN } }
        guard let first else { return }
        let taken = Array(Swift.stride(from: first, to: rows, by: stride))
        guard !taken.isEmpty else { return }
        let rate = run.sampleRate / Double(stride)
        if next == nil {
            let onset = run.onset(ofOffset: offset + first)
            let gap = end.map { Gap(onset: $0, duration: max(0, onset - $0), reason: run.gap?.reason ?? .fileGap) }
            events.append(
                .segment(stream: stream, start: SegmentStart(onset: onset, sample: sample, sampleRate: rate, gap: gap)))
        }
        let samples = (0..<channelCount).flatMap { channel in taken.map { values(channel, $0) } }
        events.append(.samples(stream: stream, SampleBlock(channelCount: channelCount, samples: samples)))
        sample += taken.count
        next = offset + taken[taken.count - 1] + stride
        end = run.onset(ofOffset: offset + taken[taken.count - 1]) + 1 / rate
    }
}
