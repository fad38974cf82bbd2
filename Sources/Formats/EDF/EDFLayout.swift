import Foundation
import Signals

/// Where the samples of each stream and the annotations lie in a data record.
struct EDFLayout {
    /// A channel: where its samples begin in a record, and their scale.
    struct Channel {
        var label: String
        var offset: Int
        var scale: EDFSamples.Scale
        /// Whether its data set says that its numbers stand for events.
        var isToldTrigger = false
    }

    /// Signals of one kind and rate.
    struct Stream {
        var name: String
        var kind: StreamKind
        var samplesPerRecord: Int
        var rate: Double
        var channels: [Channel] = []
        var described: [Signals.Channel] = []

        func header(_ records: Int) -> StreamHeader {
            StreamHeader(
                name: name, kind: kind, channels: described, sampleRate: rate, frameCount: records * samplesPerRecord)
        }
    }

    typealias Converted = (block: SampleBlock, hasMissing: Bool)

    /// Records longer than this are read in slices.
    static let largestBlock = 8 << 20
    /// No sane record has more bytes of annotations.
    private static let largestAnnotations = 16 << 20

    private(set) var streams: [Stream] = []
    let recordByteCount: Int
    private let headerByteCount: Int
    private let bytesPerSample: Int
    private var annotationRanges: [Range<Int>] = []
    /// Whether this library wrote the file.
    let isOwn: Bool
    /// What is to be said of the channels.
    private(set) var notes: [String] = []

    var hasAnnotations: Bool { !annotationRanges.isEmpty }

    init(_ header: EDFHeader, _ told: BIDSChannels? = nil) {
        recordByteCount = header.recordByteCount
        headerByteCount = header.byteCount
        bytesPerSample = header.bytesPerSample
        isOwn = header.equipment == EDFWriter.equipment
        var offset = 0
        var places: [StreamKey: Int] = [:]
        var named: [StreamKind: Int] = [:]
        let signals = header.signals.filter { $0.samplesPerRecord > 0 }
        var described = signals.filter { !$0.isAnnotations }.map {
            DescribedChannel(Signals.Channel(label: $0.label, unit: $0.unit), kind: $0.kind)
        }
        notes = told?.describe(&described) ?? []
        var next = described.makeIterator()
        for signal in signals {
            let length = signal.samplesPerRecord * bytesPerSample
            defer { offset += length }
            if signal.isAnnotations {
                annotationRanges.append(offset..<offset + length)
                continue
            }
            guard let channel = next.next() else { break }
            let key = StreamKey(kind: channel.kind, samplesPerRecord: signal.samplesPerRecord)
            let place = places[key] ?? streams.count
            if place == streams.count {
                places[key] = place
                named[key.kind, default: 0] += 1
                let number = named[key.kind] ?? 1
                streams.append(
                    Stream(
                        name: key.kind.rawValue + (number > 1 ? "\(number)" : ""), kind: key.kind,
                        samplesPerRecord: key.samplesPerRecord, rate: Self.rate(signal, header)))
            }
            streams[place].channels.append(
                Channel(
                    label: signal.label, offset: offset,
                    scale: Self.scale(signal, isOwn ? (header.bytesPerSample == 2 ? .edf : .bdf) : nil),
                    isToldTrigger: channel.isTrigger))
            streams[place].described.append(channel.channel)
        }
    }

    private struct StreamKey: Hashable {
        var kind: StreamKind
        var samplesPerRecord: Int
    }

    /// Samples per second; a whole number where the record's duration, as rounded in the header, allows it.
    private static func rate(_ signal: EDFSignal, _ header: EDFHeader) -> Double {
        let samples = Double(signal.samplesPerRecord)
        let rate = samples / header.recordDuration
        let whole = rate.rounded()
        if whole >= 1, abs(samples / whole - header.recordDuration) <= header.recordDurationRounding { return whole }
        return rate
    }

    private static func scale(_ signal: EDFSignal, _ own: EDFStorage?) -> EDFSamples.Scale {
        let scale = signal.scale ?? (1, 0)
        let missing = own.flatMap { EDFScale.missing(below: signal.digitalMinimum, $0) }
        return EDFSamples.Scale(gain: scale.gain, offset: scale.offset, missing: missing)
    }

    // MARK: samples

    /// The physical values of a stream over `records` records that lie at `bytes`.
    func convert(_ stream: Stream, _ bytes: UnsafeRawPointer, records: Int) -> Converted {
        let perRecord = stream.samplesPerRecord
        let frames = perRecord * records
        var hasMissing = false
        let samples = [Float](unsafeUninitializedCapacity: frames * stream.channels.count) { out, count in
            count = frames * stream.channels.count
            guard let base = out.baseAddress else { return }
            for (index, channel) in stream.channels.enumerated() {
                let column = base + index * frames
                for record in 0..<records {
                    let source = bytes + record * recordByteCount + channel.offset
                    if convert(source, perRecord, column + record * perRecord, channel.scale) { hasMissing = true }
                }
            }
        }
        return (SampleBlock(channelCount: stream.channels.count, samples: samples), hasMissing)
    }

    /// The physical values of `count` samples of a channel.
    func convert(
        _ bytes: UnsafeRawBufferPointer, _ count: Int, _ scale: EDFSamples.Scale
    ) -> (samples: [Float], hasMissing: Bool) {
        var hasMissing = false
        let samples = [Float](unsafeUninitializedCapacity: count) { out, filled in
            filled = count
            guard let source = bytes.baseAddress, let base = out.baseAddress else { return }
            hasMissing = convert(source, count, base, scale)
        }
        return (samples, hasMissing)
    }

    @inline(__always)
    private func convert(
        _ source: UnsafeRawPointer, _ count: Int, _ out: UnsafeMutablePointer<Float>, _ scale: EDFSamples.Scale
    ) -> Bool {
        if bytesPerSample == 2 { return EDFSamples.convert16(source, count, out, scale) }
        return EDFSamples.convert24(source, count, out, scale)
    }

    /// When the last sample of the last record ends, in seconds after that record's start. In files of this library the
    /// record may not be full.
    func endOfLastRecord(_ records: Int, _ duration: Seconds, in file: InputFile) throws -> Seconds {
        guard isOwn, recordByteCount <= Self.largestBlock else { return duration }
        let bytes = try file.read(at: headerByteCount + (records - 1) * recordByteCount, count: recordByteCount)
        guard bytes.count == recordByteCount else { return duration }
        var end = 0.0
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            for stream in streams {
                let samples = convert(stream, base, records: 1).block.samples
                let frames = stream.channels.indices.compactMap { channel in
                    samples[channel * stream.samplesPerRecord..<(channel + 1) * stream.samplesPerRecord]
                        .lastIndex { !$0.isNaN }.map { $0 - channel * stream.samplesPerRecord }
                }
                end = max(end, Double((frames.max() ?? -1) + 1) / stream.rate)
            }
        }
        return end > 0 ? end : duration
    }

    // MARK: annotations

    /// The annotations of a record whose bytes `slice` gives.
    func annotations(_ slice: (Range<Int>) -> UnsafeBufferPointer<UInt8>) -> EDFRecordAnnotations {
        var said = EDFRecordAnnotations()
        for (index, range) in annotationRanges.enumerated() { said.parse(slice(range), isFirstSignal: index == 0) }
        return said
    }

    /// The annotations of a file.
    func markers(records: Int, in file: InputFile) throws -> [Marker] {
        guard hasAnnotations else { return [] }
        var zero: Seconds?
        return try (0..<records).flatMap { record in
            let said = try annotations(of: record, in: file)
            let start = zero ?? said.onset ?? 0
            zero = start
            return said.events.compactMap { marker($0, zero: start) }
        }
    }

    /// The annotations of one record, read from the file.
    func annotations(of record: Int, in file: InputFile) throws -> EDFRecordAnnotations {
        var said = EDFRecordAnnotations()
        for (index, range) in annotationRanges.enumerated() {
            guard range.count <= Self.largestAnnotations else {
                throw FormatError(
                    file.url, at: "record \(record + 1)",
                    "has \(range.count) bytes of annotations, expected at most \(Self.largestAnnotations)")
            }
            let bytes = try file.read(
                at: headerByteCount + record * recordByteCount + range.lowerBound, count: range.count)
            bytes.withUnsafeBufferPointer { said.parse($0, isFirstSignal: index == 0) }
        }
        return said
    }

    /// The marker an annotation makes. `text@@label` belongs to the signal called `label`. Nil for the annotations with
    /// which the writer tells others of missing samples; this reader sees those in the samples.
    func marker(_ event: EDFRecordAnnotations.Event, zero: Seconds) -> Marker? {
        if isOwn, event.text.hasPrefix(EDFWriter.missingText) { return nil }
        var marker = Marker(onset: event.onset - zero, duration: event.duration, label: event.text)
        if let mark = event.text.range(of: "@@", options: .backwards), mark.lowerBound > event.text.startIndex {
            let label = event.text[mark.upperBound...]
            if let stream = streams.first(where: { $0.channels.contains { $0.label == label } }) {
                marker.label = String(event.text[..<mark.lowerBound])
                marker.stream = stream.name
            }
        }
        return marker
    }
}
