import Signals

/// What the writer must know of a recording before it can write the header: runs, ranges and markers, but no samples.
struct EDFWriteScan {
    /// A stretch of a stream in which samples follow each other.
    struct Run {
        /// The source's segment, counted from 0, and the offsets in it.
        var segment: Int
        var offsets: Range<Int>
        var onset: Seconds
        var rate: Double
    }

    struct Channel {
        var least = Float.infinity
        var greatest = -Float.infinity
        /// Stretches without value that are shorter than a run's end: segment and offsets.
        var missing: [(segment: Int, offsets: Range<Int>)] = []
        var infinities = 0
        /// Values spread over the whole recording.
        var sample = ValueSample()
        fileprivate var missingFrom: Int?
    }

    struct Stream {
        var runs: [Run] = []
        var channels: [Channel]
        fileprivate var segment = -1
        fileprivate var start: SegmentStart?
        fileprivate var offset = 0
        fileprivate var runFrom: Int?
        /// How many frames in a row had no value in any channel.
        fileprivate var emptyFrames = 0

        /// The rate at which the stream is written; nil where it has none.
        func rate(nominal: Double) -> MeasuredRate? {
            MeasuredRate(runs.map { ($0.rate, $0.offsets.count) }, nominal: nominal)
        }
    }

    private(set) var streams: [Stream]
    private(set) var markers: [Marker] = []
    /// How many values irregular streams have, which EDF cannot hold.
    private(set) var irregularValues: [Int]
    private(set) var missingStretches = 0

    /// More stretches than this are not annotated one by one.
    static let mostStretches = 20_000

    /// Reads all that `reader` has.
    init(_ reader: any RecordingReader) throws {
        streams = reader.header.streams.map {
            Stream(channels: Array(repeating: Channel(), count: $0.channels.count))
        }
        irregularValues = Array(repeating: 0, count: streams.count)
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start): begin(stream, start)
            case .samples(let stream, let block): add(block, stream)
            case .values(let stream, let values): irregularValues[stream] += values.count
            case .marker(let marker): markers.append(marker)
            }
        }
        for stream in streams.indices { close(stream) }
    }

    private mutating func begin(_ stream: Int, _ start: SegmentStart) {
        close(stream)
        streams[stream].segment += 1
        streams[stream].start = start
        streams[stream].offset = 0
    }

    private mutating func close(_ stream: Int) {
        endRun(stream, at: streams[stream].offset - streams[stream].emptyFrames)
        streams[stream].emptyFrames = 0
    }

    private mutating func endRun(_ stream: Int, at end: Int) {
        guard let first = streams[stream].runFrom, let start = streams[stream].start else { return }
        streams[stream].runFrom = nil
        let segment = streams[stream].segment
        streams[stream].runs.append(
            Run(
                segment: segment, offsets: first..<end, onset: start.onset(ofOffset: first), rate: start.sampleRate))
        for channel in streams[stream].channels.indices {
            guard let from = streams[stream].channels[channel].missingFrom else { continue }
            streams[stream].channels[channel].missingFrom = nil
            if from < end { addMissing(stream, channel, from..<end) }
        }
    }

    private mutating func addMissing(_ stream: Int, _ channel: Int, _ offsets: Range<Int>) {
        missingStretches += 1
        // The first is kept whatever the number: it says that the channel has missing samples.
        guard missingStretches <= Self.mostStretches || streams[stream].channels[channel].missing.isEmpty else {
            return
        }
        streams[stream].channels[channel].missing.append((streams[stream].segment, offsets))
    }

    private mutating func add(_ block: SampleBlock, _ stream: Int) {
        guard let start = streams[stream].start else { return }
        let offset = streams[stream].offset
        var valid = 0
        for channel in 0..<block.channelCount {
            valid += streams[stream].channels[channel].take(block.samples[block.range(ofChannel: channel)])
        }
        if valid == block.samples.count {
            if streams[stream].runFrom == nil { streams[stream].runFrom = offset }
            for channel in 0..<block.channelCount { endMissing(stream, channel, at: offset) }
            streams[stream].emptyFrames = 0
        } else {
            let longest = max(1, Int(min(start.sampleRate, 1e6)))
            for frame in 0..<block.frameCount { add(block, frame, stream, longest) }
        }
        streams[stream].offset = offset + block.frameCount
    }

    /// Follows missing samples frame by frame.
    private mutating func add(_ block: SampleBlock, _ frame: Int, _ stream: Int, _ longest: Int) {
        let place = streams[stream].offset + frame
        var isEmpty = true
        for channel in 0..<block.channelCount {
            if block.samples[channel * block.frameCount + frame].isFinite {
                isEmpty = false
                endMissing(stream, channel, at: place)
            } else if streams[stream].channels[channel].missingFrom == nil {
                streams[stream].channels[channel].missingFrom = place
            }
        }
        if isEmpty {
            streams[stream].emptyFrames += 1
            // A second without any value ends the run: no data record is spent on it.
            if streams[stream].emptyFrames == longest { endRun(stream, at: place + 1 - longest) }
        } else {
            if streams[stream].runFrom == nil {
                streams[stream].runFrom = place
                for channel in 0..<block.channelCount where streams[stream].channels[channel].missingFrom != nil {
                    streams[stream].channels[channel].missingFrom = place
                }
            }
            streams[stream].emptyFrames = 0
        }
    }

    private mutating func endMissing(_ stream: Int, _ channel: Int, at end: Int) {
        guard let from = streams[stream].channels[channel].missingFrom else { return }
        streams[stream].channels[channel].missingFrom = nil
        guard let run = streams[stream].runFrom else { return }
        addMissing(stream, channel, max(from, run)..<end)
    }
}

extension EDFWriteScan.Channel {
    /// Takes samples into the range and the sample of values; returns how many are finite.
    fileprivate mutating func take(_ samples: ArraySlice<Float>) -> Int {
        var finite = 0
        for value in samples where value.isFinite {
            finite += 1
            least = min(least, value)
            greatest = max(greatest, value)
            sample.take(value)
        }
        if finite < samples.count {
            infinities += samples.reduce(0) { $0 + ($1.isInfinite ? 1 : 0) }
        }
        return finite
    }

    /// The range of its values times `factor`; nil without values.
    func range(factor: Double) -> ClosedRange<Double>? {
        least <= greatest ? Double(least) * factor...Double(greatest) * factor : nil
    }
}
