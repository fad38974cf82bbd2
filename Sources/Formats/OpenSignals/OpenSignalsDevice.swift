import Signals

/// One device of an OpenSignals file: makes its streams' events of the file's rows.
struct OpenSignalsDevice {
    /// Its streams, one for each kind of signal.
    let streams: [StreamHeader]
    private let described: OpenSignalsHeader.Device
    private let firstStream: Int
    /// For each stream where its channels come from.
    private let channels: [[Source]]
    private let runs: [OpenSignalsCounter.Run]
    private let rowCount: Int
    /// Whether no other device is in the file, whose markers would be called the same.
    private let isAlone: Bool
    /// A channel of the file, and what its numbers mean.
    private struct Source {
        var channel: OpenSignalsHeader.Device.Channel
        var sensor: OpenSignalsSensor
    }

    private var nextRun = 0
    private var levels: [(idle: Float, current: Float)] = []

    init(
        _ described: OpenSignalsHeader.Device, runs: [OpenSignalsCounter.Run], rowCount: Int, firstStream: Int,
        isAlone: Bool
    ) {
        self.described = described
        self.runs = runs
        self.rowCount = rowCount
        self.isAlone = isAlone
        self.firstStream = firstStream
        var groups = KindGroups<Source>(sampleRate: described.sampleRate, frameCount: rowCount)
        for channel in described.channels {
            let sensor = OpenSignalsSensor(channel, model: described.model, isConverted: described.isConverted)
            groups.add(
                Channel(label: channel.label, unit: sensor.unit), kind: sensor.kind,
                reading: Source(channel: channel, sensor: sensor))
        }
        (streams, channels) = (groups.streams, groups.channels)
    }

    /// Seconds from the start to the end of the last sample, losses included.
    var duration: Seconds { onset(ofRow: rowCount, lost: runs[runs.count - 1].lost) }

    private func onset(ofRow row: Int, lost: Int) -> Seconds { Double(row + lost) / described.sampleRate }

    /// What a reader of the recording should know of this device.
    func notes(_ counter: OpenSignalsCounter?) -> [String] {
        var notes: [String] = []
        let name =
            described.model.isEmpty
            ? "device \(described.address)"
            : isAlone ? described.model : "\(described.model) \(described.address)"
        var converted: [String] = []
        for source in channels.joined() where source.sensor.fromShare != nil {
            let text = "\(source.channel.sensor) of \(source.channel.bits ?? 0) bits"
            if !converted.contains(text) { converted.append(text) }
        }
        if !converted.isEmpty {
            notes.append(
                "counts of \(name) were converted by its maker's transfer functions: "
                    + converted.joined(separator: ", "))
        }
        if let counter, counter.counts {
            if counter.lost > 0 {
                let samples = counter.lost == 1 ? "1 sample" : "\(counter.lost) samples"
                let places = counter.places == 1 ? "1 place" : "\(counter.places) places"
                notes.append("by the sequence numbers \(samples) of \(name) got lost at \(places)")
            }
        } else {
            notes.append("\(name) has no sequence numbers that count: whether samples were lost is not told")
        }
        return notes
    }

    /// Takes rows of all columns, the first of them row `firstRow` of the file.
    mutating func take(
        _ block: SampleBlock, firstRow: Int, into events: inout [RecordingEvent], _ markers: inout [Marker]
    ) {
        let end = firstRow + block.frameCount
        var row = firstRow
        while row < end {
            if nextRun < runs.count, runs[nextRun].firstRow == row { begin(into: &events) }
            let stop = nextRun < runs.count ? min(end, runs[nextRun].firstRow) : end
            let rows = row - firstRow..<stop - firstRow
            for stream in streams.indices {
                events.append(.samples(stream: firstStream + stream, samples(of: stream, block, rows)))
            }
            addMarkers(block, rows, firstRow: firstRow, into: &markers)
            row = stop
        }
    }

    private mutating func begin(into events: inout [RecordingEvent]) {
        let run = runs[nextRun]
        let onset = onset(ofRow: run.firstRow, lost: run.lost)
        var gap: Gap?
        if nextRun > 0 {
            let end = self.onset(ofRow: run.firstRow, lost: runs[nextRun - 1].lost)
            gap = Gap(onset: end, duration: onset - end, reason: .deviceLost)
        }
        let start = SegmentStart(
            onset: onset, sample: run.firstRow, sampleRate: described.sampleRate, gap: gap)
        for stream in streams.indices { events.append(.segment(stream: firstStream + stream, start: start)) }
        nextRun += 1
    }

    private func samples(of stream: Int, _ block: SampleBlock, _ rows: Range<Int>) -> SampleBlock {
        var samples: [Float] = []
        samples.reserveCapacity(channels[stream].count * rows.count)
        for source in channels[stream] {
            let first = block.range(ofChannel: source.channel.column).lowerBound
            let counts = block.samples[first + rows.lowerBound..<first + rows.upperBound]
            if let convert = source.sensor.fromShare {
                let scale = 1 / Double(1 << (source.channel.bits ?? 0))
                samples.append(contentsOf: counts.lazy.map { Float(convert(Double($0) * scale)) })
            } else {
                samples.append(contentsOf: counts)
            }
        }
        return SampleBlock(channelCount: channels[stream].count, samples: samples)
    }

    /// A marker where a digital input leaves the level that it had at first.
    private mutating func addMarkers(
        _ block: SampleBlock, _ rows: Range<Int>, firstRow: Int, into markers: inout [Marker]
    ) {
        let lost = runs[nextRun - 1].lost
        for (place, input) in described.inputs.enumerated() {
            let first = block.range(ofChannel: input.column).lowerBound
            if place == levels.count {
                let level = block.samples[first + rows.lowerBound]
                levels.append((level, level))
            }
            for row in rows {
                let level = block.samples[first + row]
                guard level != levels[place].current, level.isFinite else { continue }
                levels[place].current = level
                guard level != levels[place].idle else { continue }
                let onset = onset(ofRow: firstRow + row, lost: lost)
                let label = "\(input.name) \(NumberFormatting.text(Double(level)))"
                markers.append(Marker(onset: onset, label: isAlone ? label : "\(label) of \(described.address)"))
            }
        }
    }
}
