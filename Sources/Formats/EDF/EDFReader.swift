public import Foundation
public import Signals

/// Reads EDF, EDF+, BDF and BDF+ files, continuous and discontinuous, piece by piece.
///
/// Signals of the same kind and sample rate form one stream. Samples are physical values. The recording starts with
/// the first data record; a break between the records of a discontinuous file is a `Gap` (`fileGap`) in every stream.
/// Annotations are markers, and so are the numbers of trigger channels (`EDFTriggers`), which stay streams as well. Times
/// of day are the recorder's own clock, taken as UTC. A BIDS table of channels that applies to the file has its say on what
/// they are. Notes on oddities met on the way are added to `header.notes` while
/// reading.
///
/// Kemp et al., Electroencephalogr. Clin. Neurophysiol. 82:391, 1992; Kemp & Olivan, Clin. Neurophysiol. 114:1755,
/// 2003; edfplus.info/specs.
public final class EDFReader: RecordingReader {
    /// What the recording holds; notes are added while it is read.
    public private(set) var header: RecordingHeader
    /// The header as it stands in the file.
    public let edf: EDFHeader

    private let file: InputFile
    private let layout: EDFLayout
    /// Number of whole records to read.
    private let recordCount: Int
    private let recordsPerBlock: Int
    private let sliceBytes: Int
    /// What the first record says of its start, in seconds after the header's start.
    private let zero: Seconds

    private var timeline: EDFTimeline
    private var runs: [EDFStreamRun]
    private var triggers: EDFTriggers
    private var record = 0
    private var slice = 0
    private var bytes: [UInt8] = []
    private var queue: [RecordingEvent] = []
    private var queued = 0
    private var failure: FormatError?
    private var noted: Set<String> = []

    /// Opens a file and reads its header.
    /// - Parameter blockSize: about how many bytes to read at a time; does not change what is read.
    /// - Throws: `FormatError` when there is no such file, it is no EDF or BDF file, its header is damaged, or
    ///   the table of its channels cannot be read.
    public init(_ url: URL, blockSize: Int = 1 << 17) throws {
        let file = try InputFile(url)
        let edf = try EDFHeaderParser.parse(file)
        let layout = EDFLayout(edf, try BIDSChannels(for: url))
        self.file = file
        self.edf = edf
        self.layout = layout
        var notes = edf.notes + layout.notes
        let records = try Self.countRecords(edf, file, &notes)
        recordCount = records
        recordsPerBlock = max(1, blockSize / layout.recordByteCount)
        sliceBytes = max(1 << 16, blockSize)
        timeline = EDFTimeline(
            recordDuration: edf.recordDuration, rounding: edf.recordDurationRounding,
            highestRate: layout.streams.map(\.rate).max() ?? 0)
        runs = layout.streams.map { EDFStreamRun(rate: $0.rate) }
        let first = try layout.annotations(of: 0, in: file)
        zero = first.onset ?? 0
        triggers = try EDFTriggers(layout, edf, records: records, in: file, &notes)
        let duration = try Self.duration(edf, layout, records, file, first.onset ?? 0)
        header = RecordingHeader(
            start: edf.start.flatMap { Plausible.moment($0.secondsSince1970 + (first.onset ?? 0)) }, duration: duration,
            subject: edf.subjectCode,
            streams: layout.streams.map { $0.header(records) }, format: edf.format, notes: notes,
            hasTimeZone: false)
    }

    private static func duration(
        _ edf: EDFHeader, _ layout: EDFLayout, _ records: Int, _ file: InputFile, _ zero: Seconds
    ) throws -> Seconds? {
        guard edf.recordDuration > 0 else { return nil }
        let end = try layout.endOfLastRecord(records, edf.recordDuration, in: file)
        let stored = Double(records - 1) * edf.recordDuration + end
        guard edf.continuity == .discontinuous else { return stored }
        return try layout.annotations(of: records - 1, in: file).onset.map { max(stored, $0 - zero + end) }
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when the file shrinks while it is read, or a record of a discontinuous file does not
    ///   say when it starts, or starts before the previous one.
    public func next() throws -> RecordingEvent? {
        while queued == queue.count {
            if let failure { throw failure }
            guard record < recordCount else {
                for text in triggers.notes { note(text, text) }
                return nil
            }
            queue.removeAll(keepingCapacity: true)
            queued = 0
            if layout.recordByteCount > EDFLayout.largestBlock { try readSlice() } else { try readBlock() }
        }
        defer { queued += 1 }
        return queue[queued]
    }

    private static func countRecords(_ edf: EDFHeader, _ file: InputFile, _ notes: inout [String]) throws -> Int {
        let length = edf.recordByteCount
        guard length > 0 else { throw FormatError(file.url, at: "byte 256", "no signal has samples in a data record") }
        let stored = file.size - edf.byteCount
        let whole = stored / length
        guard whole > 0 else {
            throw FormatError(
                file.url, at: "byte \(file.size)",
                "ends \(stored == 0 ? "after the header" : "within the first data record"), "
                    + "expected \(edf.recordCount.map(String.init) ?? "some") data records of \(length) bytes")
        }
        guard let stated = edf.recordCount else {
            notes.append("the header does not say how many data records there are; the file holds \(whole)")
            if stored > whole * length { notes.append(incomplete(whole, stored - whole * length, length)) }
            return whole
        }
        if whole < stated {
            notes.append("\(stated - whole) of \(stated) data records are missing at the end of the file")
            if stored > whole * length { notes.append(incomplete(whole, stored - whole * length, length)) }
        } else if stored > stated * length {
            notes.append("\(stored - stated * length) bytes after the last data record are not read")
        }
        return min(whole, stated)
    }

    private static func incomplete(_ record: Int, _ found: Int, _ expected: Int) -> String {
        "data record \(record + 1) is incomplete (\(found) of \(expected) bytes) and is not read"
    }

    // MARK: blocks of whole records

    private func readBlock() throws {
        let count = min(recordsPerBlock, recordCount - record)
        let length = layout.recordByteCount
        try fill(at: edf.byteCount + record * length, count: count * length)
        var first = 0
        var samples: [RecordingEvent] = []
        bytes.withUnsafeBufferPointer { buffer in
            for index in 0..<count {
                guard place(buffer, index) else {
                    emit(buffer, first..<index, into: &samples)
                    first = count
                    break
                }
                // A run that begins inside the block: what came before it goes out first.
                if let start = pendingStart {
                    emit(buffer, first..<index, into: &samples)
                    begin(start)
                    first = index
                }
            }
            emit(buffer, first..<count, into: &samples)
        }
        record += count
        queue += samples
    }

    private var pendingStart: (onset: Seconds, reason: Gap.Reason)?

    /// Parses the annotations of a record and places it in time. False when reading must stop before it.
    private func place(_ buffer: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        pendingStart = nil
        guard layout.hasAnnotations else {
            if record + index == 0 { pendingStart = (0, .fileGap) }
            return true
        }
        let base = index * layout.recordByteCount
        let said = layout.annotations {
            UnsafeBufferPointer(rebasing: buffer[base + $0.lowerBound..<base + $0.upperBound])
        }
        return take(said, record: record + index)
    }

    private func take(_ said: EDFRecordAnnotations, record: Int) -> Bool {
        let place = "record \(record + 1)"
        if said.isDamaged { note("annotations", "annotations of \(place) and perhaps others are damaged") }
        if said.isLatin1 { note("latin1", "annotations of \(place) and perhaps others are no UTF-8, read as Latin-1") }
        if said.onset == nil, edf.continuity != .plain, edf.recordDuration > 0 {
            guard edf.continuity == .continuous else {
                failure = FormatError(file.url, at: place, "does not say when it starts, which \(edf.format) requires")
                return false
            }
            note("onset", "\(place) and perhaps others do not say when they start; they are placed after the previous")
        }
        if edf.recordDuration > 0 {
            guard settle(timeline.place(said.onset.map { $0 - zero }), place) else { return false }
        }
        for event in said.events {
            if let marker = layout.marker(event, zero: zero) { queue.append(.marker(marker)) }
        }
        return true
    }

    private func settle(_ placement: EDFTimeline.Placement, _ place: String) -> Bool {
        switch placement {
        case .continues: return true
        case .begins(let onset, let late):
            pendingStart = (onset, .fileGap)
            if late > 0, edf.continuity != .discontinuous {
                note(
                    "late", "\(place) starts \(Float(late)) s late though the file says it is continuous; kept as a gap"
                )
            }
        case .overlaps(let onset, let early):
            pendingStart = (onset, .clockReset)
            note(
                "early \(place)",
                "\(place) says it starts \(Float(early)) s before the previous one ends; placed right after it")
        case .backwards(let stated, let previous):
            failure = FormatError(
                file.url, at: place, "says it starts at \(stated) s, not after the record before it at \(previous) s")
            return false
        }
        return true
    }

    private func begin(_ start: (onset: Seconds, reason: Gap.Reason)) {
        for stream in runs.indices { runs[stream].begin(start.onset, start.reason) }
    }

    private func emit(_ buffer: UnsafeBufferPointer<UInt8>, _ records: Range<Int>, into events: inout [RecordingEvent])
    {
        guard !records.isEmpty, let base = buffer.baseAddress else { return }
        let bytes = UnsafeRawPointer(base) + records.lowerBound * layout.recordByteCount
        for (index, stream) in layout.streams.enumerated() {
            let converted = layout.convert(stream, bytes, records: records.count)
            triggers.take(bytes, records: records.count, of: layout, stream: index, in: runs[index], into: &events)
            runs[index].emit(converted.block, stream: index, hasMissing: converted.hasMissing, into: &events)
        }
    }

    // MARK: slices of large records

    private func readSlice() throws {
        if slice == 0 {
            pendingStart = nil
            if layout.hasAnnotations {
                guard take(try layout.annotations(of: record, in: file), record: record) else { return }
            } else if record == 0 {
                pendingStart = (0, .fileGap)
            }
            if let start = pendingStart { begin(start) }
        }
        let most = layout.streams.map { $0.samplesPerRecord * $0.channels.count }.max() ?? 0
        let slices = max(1, (most * edf.bytesPerSample + sliceBytes - 1) / sliceBytes)
        for (index, stream) in layout.streams.enumerated() {
            // Header fields have 8 digits, so the products fit.
            let frames = stream.samplesPerRecord * slice / slices..<stream.samplesPerRecord * (slice + 1) / slices
            if frames.isEmpty { continue }
            let converted = try convert(index, frames)
            runs[index].emit(converted.block, stream: index, hasMissing: converted.hasMissing, into: &queue)
        }
        slice += 1
        if slice == slices {
            slice = 0
            record += 1
        }
    }

    private func convert(_ index: Int, _ frames: Range<Int>) throws -> EDFLayout.Converted {
        let stream = layout.streams[index]
        var samples: [Float] = []
        var hasMissing = false
        let recordStart = edf.byteCount + record * layout.recordByteCount
        for (number, channel) in stream.channels.enumerated() {
            let place = recordStart + channel.offset + frames.lowerBound * edf.bytesPerSample
            try fill(at: place, count: frames.count * edf.bytesPerSample)
            let part = bytes.withUnsafeBytes { layout.convert($0, frames.count, channel.scale) }
            samples += part.samples
            hasMissing = hasMissing || part.hasMissing
            bytes.withUnsafeBytes { buffer in
                guard let base = buffer.baseAddress else { return }
                triggers.take(
                    base, frames.count, channel: number, stream: index, in: runs[index], into: &queue)
            }
        }
        return (SampleBlock(channelCount: stream.channels.count, samples: samples), hasMissing)
    }

    // MARK: small means

    private func fill(at place: Int, count: Int) throws {
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
        let got = try bytes.withUnsafeMutableBytes { try file.read(at: place, into: $0) }
        guard got == count else {
            throw FormatError(
                file.url, at: "byte \(place + got)", "ends early: the file became shorter while it was read")
        }
    }

    /// Adds a note, once for each `topic`, and no more than a page of them.
    private func note(_ topic: String, _ text: String) {
        guard noted.count < 50, noted.insert(topic).inserted else { return }
        header.notes.append(text)
    }
}
