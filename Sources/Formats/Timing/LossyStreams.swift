import Signals

/// Makes streams of a table's rows, a sample each, which are parted where samples were lost.
struct LossyStreams {
    /// Where a channel comes from.
    struct Source {
        var column: Int
        /// What its numbers mean; nil where they stay as they are.
        var convert: (@Sendable (Double) -> Double)?
    }

    let runs: SampleRuns
    private let sampleRate: Double
    private let channels: [[Source]]
    private let firstStream: Int
    private var nextRun = 0

    /// - Parameters:
    ///   - channels: for each stream where its channels come from.
    ///   - firstStream: its number in the recording.
    init(_ channels: [[Source]], runs: SampleRuns, sampleRate: Double, firstStream: Int = 0) {
        (self.channels, self.runs, self.sampleRate, self.firstStream) = (channels, runs, sampleRate, firstStream)
    }

    /// Seconds from the start to a row, losses included.
    func onset(ofRow row: Int) -> Seconds { Double(row + runs.lost(before: row)) / sampleRate }

    /// Takes rows of all columns, the first of them row `firstRow` of the table.
    mutating func take(_ block: SampleBlock, firstRow: Int, into events: inout [RecordingEvent]) {
        let end = firstRow + block.frameCount
        var row = firstRow
        while row < end {
            if nextRun < runs.runs.count, runs.runs[nextRun].firstRow == row {
                let start = runs.start(of: nextRun, sampleRate: sampleRate)
                for stream in channels.indices { events.append(.segment(stream: firstStream + stream, start: start)) }
                nextRun += 1
            }
            let stop = nextRun < runs.runs.count ? min(end, runs.runs[nextRun].firstRow) : end
            for stream in channels.indices {
                let samples = samples(of: stream, block, row - firstRow..<stop - firstRow)
                events.append(.samples(stream: firstStream + stream, samples))
            }
            row = stop
        }
    }

    private func samples(of stream: Int, _ block: SampleBlock, _ rows: Range<Int>) -> SampleBlock {
        var samples: [Float] = []
        samples.reserveCapacity(channels[stream].count * rows.count)
        for source in channels[stream] {
            let first = block.range(ofChannel: source.column).lowerBound
            let numbers = block.samples[first + rows.lowerBound..<first + rows.upperBound]
            if let convert = source.convert {
                samples.append(contentsOf: numbers.lazy.map { Float(convert(Double($0))) })
            } else {
                samples.append(contentsOf: numbers)
            }
        }
        return SampleBlock(channelCount: channels[stream].count, samples: samples)
    }
}
