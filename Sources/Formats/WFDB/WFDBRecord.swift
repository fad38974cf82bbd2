public import Foundation
public import Signals

/// Reads a WFDB record: a header, its signal files, its segments.
///
/// Signals of one kind and rate become one stream. Samples are in the header's physical units; a sample marked as
/// missing is NaN. Null segments (`~`) and segments without a file of any signal of a stream are gaps of it, and
/// sample numbers count them, as the record's own annotations do. Where the header gives checksums they are compared
/// once a segment has been read to its end, and a difference is added to `header.notes`; a checksum of 0 counts as not
/// given. An annotation file `.atr` or `.mark` beside the header is read as markers, once the first piece is asked for.
public final class WFDBRecord: RecordingReader {
    /// What the record holds; notes are added while it is read.
    public private(set) var header: RecordingHeader
    /// The record's own header.
    public let recordHeader: WFDBHeader
    private let url: URL
    private let layout: WFDBLayout
    private let framesPerBlock: Int?
    private var segments: [(segment: WFDBSegment, firstFrame: Int)]
    private var nextSegment = 0
    private var current: WFDBSegmentReader?
    private var frame = 0
    private var isRunning: [Bool]
    /// For each stream the frame after its last run; nil before its first.
    private var ends: [Int?]
    private var pending: [RecordingEvent] = []
    private var nextPending = 0
    private var markers: [Marker] = []
    private var nextMarker = 0
    private var hasBegun = false
    /// Whether somebody wants the annotations, a whole file of them.
    public var wantsMarkers = true

    /// Whether `url`, whose first bytes are `head`, is a record's header, a signal file named by the header beside it,
    /// or the name of a record without extension.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        WFDBPlace.recognizes(head, url: url)
    }

    /// Opens the record named by its header, one of its signal files, or its name without extension.
    /// - Throws: `FormatError` when the header or one of its signal files cannot be read.
    public convenience init(_ url: URL) throws {
        try self.init(url, framesPerBlock: nil)
    }

    /// Opens a record and reads it in blocks of `framesPerBlock` frames; nil chooses a size that suits the memory.
    /// The block size never changes a sample.
    public init(_ url: URL, framesPerBlock: Int?) throws {
        let place = WFDBPlace.header(of: url)
        self.url = place
        self.framesPerBlock = framesPerBlock.map { max(1, $0) }
        let record = try WFDBHeader(reading: place)
        recordHeader = record
        var notes = record.notes
        if record.segments.isEmpty {
            let layout = WFDBLayout(record.signals, sampleRate: record.sampleRate, frameCount: record.frameCount)
            let reader = try WFDBSegmentReader(
                record, layout: layout, places: Array(record.signals.indices), frameCount: record.frameCount, url: place
            )
            // Where the header has no length, or one that the files do not have, they tell it.
            self.layout =
                record.frameCount != reader.frameCount
                ? WFDBLayout(record.signals, sampleRate: record.sampleRate, frameCount: reader.frameCount) : layout
            segments = [(WFDBSegment(name: record.name, frameCount: reader.frameCount), 0)]
            current = reader.hasSamples ? reader : nil
            nextSegment = 1
            notes += reader.notes
            if record.signals.isEmpty {
                notes.append(
                    "the record has no signals; the times between its beats are read from its annotation file, such as \(record.name).atr"
                )
            }
        } else {
            layout = try Self.layout(of: record, place)
            segments = []
            var first = 0
            for segment in record.segments {
                if segment.frameCount > 0 { segments.append((segment, first)) }
                first += segment.frameCount
            }
        }
        isRunning = layout.streams.map { _ in false }
        ends = layout.streams.map { _ in nil }
        let frames = segments.last.map { $0.firstFrame + $0.segment.frameCount } ?? 0
        header = RecordingHeader(
            start: record.start, duration: frames > 0 ? Double(frames) / record.sampleRate : nil,
            streams: layout.streams.map(\.header), format: "WFDB", notes: notes, hasTimeZone: false)
        if current != nil { beginRuns() }
    }

    private static func layout(of record: WFDBHeader, _ place: URL) throws -> WFDBLayout {
        let first = record.segments.first { $0.name != nil && ($0.frameCount > 0 || record.hasLayout) }
        guard let name = first?.name else { throw FormatError(place, "has no segment with samples") }
        let segment = try header(ofSegment: name, record, place)
        var frames = 0
        for segment in record.segments where segment.name != nil { frames += segment.frameCount }
        return WFDBLayout(
            segment.signals, sampleRate: record.sampleRate, frameCount: record.hasLayout ? nil : frames)
    }

    private static func header(ofSegment name: String, _ record: WFDBHeader, _ place: URL) throws -> WFDBHeader {
        let file = file(ofSegment: name, place)
        let segment = try WFDBHeader(reading: file)
        guard segment.segments.isEmpty else {
            throw FormatError(file, "is itself made of segments; a segment of \(record.name) may not be")
        }
        guard segment.sampleRate == record.sampleRate else {
            throw FormatError(
                file, "has \(segment.sampleRate) frames per second, its record \(record.name) \(record.sampleRate)")
        }
        return segment
    }

    private static func file(ofSegment name: String, _ place: URL) -> URL {
        place.deletingLastPathComponent().appendingPathComponent(name).appendingPathExtension("hea")
    }

    private func readMarkers() {
        for annotator in ["atr", WFDBWriter.markerAnnotator] {
            let file = url.deletingPathExtension().appendingPathExtension(annotator)
            guard UnfetchedFile.isNamed(file.path) else { continue }
            do {
                let annotations = try WFDBAnnotations(reading: file)
                let rate = annotations.timeResolution ?? recordHeader.sampleRate
                let list = annotations.list.filter { (Double($0.sample) / rate).isPlaceable }
                if list.count < annotations.list.count {
                    header.notes.append(
                        "\(annotations.list.count - list.count) annotations in \(file.lastPathComponent) are at times that "
                            + "cannot be and are not read")
                }
                markers += list.map { annotation in
                    // Notes of our own hold a marker's whole label.
                    let parts = annotator == "atr" ? [annotation.symbol, annotation.aux] : [annotation.aux]
                    let label = parts.filter { !$0.isEmpty }.joined(separator: " ")
                    return Marker(
                        onset: Double(annotation.sample) / rate, label: label, role: annotation.isBeat ? .beat : .event)
                }
            } catch {
                header.notes.append("markers were not read: \(error)")
            }
        }
        markers.sort { $0.onset < $1.onset }
    }

    /// The gains of the channels of each stream, for writing the record again without loss.
    public var gains: [[Double]] {
        layout.streams.map { stream in stream.signals.map { layout.signals[$0].gain } }
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when a signal file has no frames, or a segment cannot be read.
    public func next() throws -> RecordingEvent? {
        if !hasBegun {
            hasBegun = true
            if wantsMarkers { readMarkers() }
        }
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            guard try advance() else { return nil }
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    /// Adds the next events; false at the end of the record.
    private func advance() throws -> Bool {
        guard let reader = current else {
            guard nextSegment < segments.count else { return addMarkers(before: .infinity) }
            try openSegment()
            return true
        }
        let budget = max(1, (1 << 15) / reader.slotCount)
        if let blocks = try reader.next(framesPerBlock ?? budget) {
            let frames = blocks.first.map { $0.block.frameCount / layout.streams[$0.stream].samplesPerFrame } ?? 0
            addMarkers(before: Double(frame + frames) / recordHeader.sampleRate)
            for (stream, block) in blocks { pending.append(.samples(stream: stream, block)) }
            frame += frames
        } else {
            header.notes += reader.checksumNotes()
            for stream in isRunning.indices where isRunning[stream] { ends[stream] = frame }
            current = nil
        }
        return true
    }

    private func openSegment() throws {
        let (segment, first) = segments[nextSegment]
        nextSegment += 1
        frame = first
        guard let name = segment.name else {
            for stream in isRunning.indices { isRunning[stream] = false }
            return
        }
        let file = Self.file(ofSegment: name, url)
        let found = try Self.header(ofSegment: name, recordHeader, url)
        let places = try layout.places(in: found, byDescription: recordHeader.hasLayout, file: file)
        let reader = try WFDBSegmentReader(
            found, layout: layout, places: places, frameCount: segment.frameCount, url: file)
        header.notes += reader.notes
        guard reader.hasSamples else {
            for stream in isRunning.indices { isRunning[stream] = false }
            return
        }
        current = reader
        beginRuns()
    }

    /// Begins the runs of the streams that the current segment has and ends those of the others.
    private func beginRuns() {
        guard let reader = current, reader.frameCount > 0 else { return }
        let rate = recordHeader.sampleRate
        for (index, stream) in layout.streams.enumerated() {
            guard reader.has(stream: index) else {
                isRunning[index] = false
                continue
            }
            // A segment whose files are cut off leaves a gap.
            if isRunning[index], ends[index] == frame { continue }
            isRunning[index] = true
            let gap = ends[index].map {
                Gap(onset: Double($0) / rate, duration: Double(frame - $0) / rate, reason: .fileGap)
            }
            let start = SegmentStart(
                onset: Double(frame) / rate, sample: frame * stream.samplesPerFrame,
                sampleRate: stream.header.sampleRate, gap: gap)
            pending.append(.segment(stream: index, start: start))
        }
    }

    @discardableResult
    private func addMarkers(before onset: Seconds) -> Bool {
        let first = nextMarker
        while nextMarker < markers.count, markers[nextMarker].onset < onset {
            pending.append(.marker(markers[nextMarker]))
            nextMarker += 1
        }
        return nextMarker > first
    }
}
