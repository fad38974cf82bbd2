import Signals

/// One device of an OpenSignals file: makes its streams' events of the file's rows.
struct OpenSignalsDevice {
    /// Its streams, one for each kind of signal.
    let streams: [StreamHeader]
    private let described: OpenSignalsHeader.Device
    /// Sensors whose counts are converted, for a note.
    private let converted: [String]
    private let rowCount: Int
    /// Whether no other device is in the file, whose markers would be called the same.
    private let isAlone: Bool
    private var rows: LossyStreams
    private var levels: [(idle: Float, current: Float)] = []

    init(
        _ described: OpenSignalsHeader.Device, runs: SampleRuns, rowCount: Int, firstStream: Int, isAlone: Bool
    ) {
        self.described = described
        self.rowCount = rowCount
        self.isAlone = isAlone
        var groups = KindGroups<LossyStreams.Source>(sampleRate: described.sampleRate, frameCount: rowCount)
        var converted: [String] = []
        for channel in described.channels {
            let sensor = OpenSignalsSensor(channel, model: described.model, isConverted: described.isConverted)
            var source = LossyStreams.Source(column: channel.column)
            if let convert = sensor.fromShare {
                let bits = channel.bits ?? 0
                let scale = 1 / Double(1 << bits)
                source.convert = { convert($0 * scale) }
                let text = "\(channel.sensor) of \(bits) bits"
                if !converted.contains(text) { converted.append(text) }
            }
            groups.add(Channel(label: channel.label, unit: sensor.unit), kind: sensor.kind, reading: source)
        }
        streams = groups.streams
        self.converted = converted
        rows = LossyStreams(
            groups.channels, runs: runs, sampleRate: described.sampleRate, firstStream: firstStream)
    }

    /// Seconds from the start to the end of the last sample, losses included.
    var duration: Seconds { rows.onset(ofRow: rowCount) }

    /// What a reader of the recording should know of this device.
    func notes(_ counter: OpenSignalsCounter?) -> [String] {
        var notes: [String] = []
        let name =
            described.model.isEmpty
            ? "device \(described.address)"
            : isAlone ? described.model : "\(described.model) \(described.address)"
        if !converted.isEmpty {
            notes.append(
                "counts of \(name) were converted by its maker's transfer functions: "
                    + converted.joined(separator: ", "))
        }
        if let counter, counter.counts {
            if counter.runs.lost > 0 {
                notes.append("by the sequence numbers \(counter.runs.told("of \(name) got lost"))")
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
        rows.take(block, firstRow: firstRow, into: &events)
        for place in described.inputs.indices { addMarkers(of: place, block, firstRow: firstRow, into: &markers) }
    }

    /// A marker where a digital input leaves the level that it had at first.
    private mutating func addMarkers(
        of place: Int, _ block: SampleBlock, firstRow: Int, into markers: inout [Marker]
    ) {
        let input = described.inputs[place]
        let samples = block.samples[block.range(ofChannel: input.column)]
        if place == levels.count, let level = samples.first { levels.append((level, level)) }
        for (row, level) in samples.enumerated() where level != levels[place].current && level.isFinite {
            levels[place].current = level
            guard level != levels[place].idle else { continue }
            let label = "\(input.name) \(NumberFormatting.text(Double(level)))"
            markers.append(
                Marker(
                    onset: rows.onset(ofRow: firstRow + row),
                    label: isAlone ? label : "\(label) of \(described.address)"))
        }
    }
}
