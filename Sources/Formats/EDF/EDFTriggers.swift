import Signals

/// The channels of a file in which numbers stand for events: `Status` of BioSemi, `Trigger`, `STI 014`, `Marker`.
///
/// A marker stands where such a channel changes to another number than 0, and is called by it. What the channel holds from
/// the beginning is no change. In BDF the lowest 16 bits are taken, as BioSemi wires them: the others tell of the
/// amplifier. A channel called `Status` or `Trigger` holds bits whatever its scale, as MNE reads it. A channel that changes all the time, as a voltage with noise does, is none, and neither is one whose name is
/// none of a trigger's, which a note tells. What an annotation of the same moment is called by is not told again. Where there
/// are several such channels a marker has the channel's label before the number. Files of this library have the markers
/// among their annotations.
struct EDFTriggers {
    private struct Channel {
        var stream: Int
        /// Its place in the stream.
        var place: Int
        var name: String
        var label: String
        /// Where its samples begin in a record.
        var offset: Int
        var scale: EDFSamples.Scale
        var isBits: Bool
        /// The stored number and what it stands for; nil before the first.
        var last: (stored: Int, number: Int)?
        var told: ToldMoments
    }

    private var channels: [Channel] = []
    private let bytesPerSample: Int

    /// Records that are looked at beforehand, evenly spread, and how many samples of each.
    private static let records = 16
    private static let samples = 4_096

    /// The triggers of a file.
    /// - Parameter records: how many whole records it has.
    /// - Throws: what reading throws.
    init(
        _ layout: EDFLayout, _ header: EDFHeader, records: Int, in file: InputFile, _ notes: inout [String]
    ) throws {
        bytesPerSample = header.bytesPerSample
        guard !layout.isOwn else { return }
        var annotated: [Marker]?
        for (index, stream) in layout.streams.enumerated() where stream.kind == .marker {
            for (place, channel) in stream.channels.enumerated() {
                guard channel.isToldTrigger || SignalKind.isTrigger(channel.label) else {
                    notes.append("channel \"\(channel.label)\" gives no markers: its name is none of a trigger's")
                    continue
                }
                let scale = channel.scale
                let markers = try annotated ?? layout.markers(records: records, in: file)
                annotated = markers
                let trigger = Channel(
                    stream: index, place: place, name: stream.name, label: channel.label, offset: channel.offset,
                    scale: scale,
                    isBits: bytesPerSample == 3
                        && (scale.gain == 1 && scale.offset == 0 || SignalKind.isStatus(channel.label)),
                    told: ToldMoments(markers, sampleRate: stream.rate))
                if try isQuiet(trigger, stream, header, records: records, in: file) {
                    channels.append(trigger)
                } else {
                    notes.append("channel \"\(channel.label)\" changes all the time: its numbers are no markers")
                }
            }
        }
    }

    /// Whether one of eight samples at most, or a handful, begins a marker.
    private func isQuiet(
        _ trigger: Channel, _ stream: EDFLayout.Stream, _ header: EDFHeader, records: Int, in file: InputFile
    ) throws -> Bool {
        var (trigger, frames, changes) = (trigger, 0, 0)
        let count = min(stream.samplesPerRecord, Self.samples)
        // From all over the file: it may be quiet at first.
        for place in 0..<min(records, Self.records) {
            let record = place * records / min(records, Self.records)
            let bytes = try file.read(
                at: header.byteCount + record * header.recordByteCount + trigger.offset, count: count * bytesPerSample)
            bytes.withUnsafeBytes { buffer in
                guard let base = buffer.baseAddress else { return }
                let stored = buffer.count / bytesPerSample
                frames += stored
                Self.read(base, stored, width: bytesPerSample, &trigger) { _, _ in changes += 1 }
            }
        }
        return changes <= max(8, frames / 8)
    }

    /// Takes what the trigger channels of a stream hold in whole records.
    /// - Parameters:
    ///   - bytes: where the first record begins.
    ///   - run: the stream's run as it was before these records.
    mutating func take(
        _ bytes: UnsafeRawPointer, records: Int, of layout: EDFLayout, stream: Int, in run: EDFStreamRun,
        into events: inout [RecordingEvent]
    ) {
        for channel in channels where channel.stream == stream {
            let count = layout.streams[stream].samplesPerRecord
            for record in 0..<records {
                take(
                    bytes + record * layout.recordByteCount + channel.offset, count, channel: channel.place,
                    stream: stream, from: record * count, in: run, into: &events)
            }
        }
    }

    /// Takes the next samples of a channel, which is passed over where it is no trigger.
    /// - Parameter from: how many samples of the stream's records lie between its run and these.
    mutating func take(
        _ bytes: UnsafeRawPointer, _ count: Int, channel: Int, stream: Int, from first: Int = 0, in run: EDFStreamRun,
        into events: inout [RecordingEvent]
    ) {
        guard let place = channels.firstIndex(where: { $0.stream == stream && $0.place == channel }) else { return }
        let (name, label) = (channels[place].name, channels.count > 1 ? channels[place].label + " " : "")
        var found: [Marker] = []
        Self.read(bytes, count, width: bytesPerSample, &channels[place]) { frame, number in
            found.append(Marker(onset: run.onset(ofNext: first + frame), label: String(number), stream: name))
        }
        for var marker in found where !channels[place].told.hold(marker.onset, marker.label) {
            marker.label = label + marker.label
            events.append(.marker(marker))
        }
    }

    /// What is to be said at the end.
    var notes: [String] {
        channels.compactMap { channel in
            channel.told.note("channel \"\(channel.label)\"")
        }
    }

    private static func read(
        _ bytes: UnsafeRawPointer, _ count: Int, width: Int, _ channel: inout Channel,
        _ tell: (_ frame: Int, _ number: Int) -> Void
    ) {
        for frame in 0..<count {
            let source = bytes + frame * width
            let low = Int(UInt16(littleEndian: source.loadUnaligned(as: UInt16.self)))
            let stored =
                width == 2
                ? Int(Int16(truncatingIfNeeded: low))
                : low | Int(source.load(fromByteOffset: 2, as: Int8.self)) << 16
            let last = channel.last
            if stored == last?.stored { continue }
            let number = channel.isBits ? low : Self.whole(stored, channel.scale)
            channel.last = (stored, number)
            if let last, number != 0, number != last.number { tell(frame, number) }
        }
    }

    /// The whole number nearest to the physical value.
    private static func whole(_ stored: Int, _ scale: EDFSamples.Scale) -> Int {
        let value = (Double(stored) * scale.gain + scale.offset).rounded()
        return abs(value) < 1e15 ? Int(value) : 0
    }
}
