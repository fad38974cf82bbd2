public import Foundation
public import Signals

/// Writes a recording as a WFDB record: a header and one signal file for each stream.
///
/// Samples are held in temporary files until `finish`, when their range is known; then each channel gets the largest
/// gain of the form 1, 2 or 5 times a power of ten that fits the format, so that values that were read from a record
/// with a common gain come back exactly. Gaps and NaN are written as the format's missing sample. Streams of
/// different rates become signals with several samples per frame. Irregular streams cannot be written; `notes` says
/// so. Nothing appears under its name before everything is written.
public final class WFDBWriter {
    /// What could not be written.
    public private(set) var notes: [String] = []
    private let url: URL
    private let recording: RecordingHeader
    private let format: WFDBSignalFormat
    private let frameRate: Double
    private var spools: [WFDBSpool?]
    private var markers: [Marker] = []
    private var farMarkers = 0
    /// The extension of the annotation file that holds a recording's markers.
    static let markerAnnotator = "mark"
    /// Its ticks per second.
    private static let markerRate = 10_000.0
    /// Seconds; each 2^31 ticks on the way there take six bytes.
    private static let farthestMarker = 1e11

    /// Begins the record at `url`, which may end in `.hea`.
    /// - Parameters:
    ///   - header: what will be written.
    ///   - format: `format16` or `format212`.
    ///   - gains: for each stream and channel the gain to take if the values fit it, such as `WFDBRecord.gains`.
    /// - Throws: `FormatError` when nothing can be written there, the record's name is not one WFDB allows (letters,
    ///   digits, `_`, `-`), or the streams' rates have no common frame rate.
    public convenience init(
        _ url: URL, header: RecordingHeader, format: WFDBSignalFormat = .format16, gains: [[Double]] = []
    ) throws {
        try self.init(url, header: header, format: format, gains: gains, frameRate: nil)
    }

    /// - Parameter frameRate: frames per second, of which all rates are multiples; nil to find it.
    private init(
        _ url: URL, header: RecordingHeader, format: WFDBSignalFormat, gains: [[Double]], frameRate known: Double?
    ) throws {
        self.url = Self.record(url)
        recording = header
        self.format = format
        try header.checkRates(for: url)
        guard format == .format16 || format == .format212 else {
            throw FormatError(url, "format \(format.rawValue) cannot be written, only 16 and 212")
        }
        let name = self.url.lastPathComponent
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else {
            throw FormatError(url, "\"\(name)\" is no record name", advice: "use letters, digits, _ and - only")
        }
        frameRate = try known ?? Self.frameRate(header.streams.filter { $0.sampleRate > 0 }, url)
        spools = []
        for (index, stream) in header.streams.enumerated() {
            guard stream.sampleRate > 0 else {
                notes.append("the stream \(stream.name) has irregular values, which a WFDB record cannot hold")
                spools.append(nil)
                continue
            }
            let perFrame = Int((stream.sampleRate / frameRate).rounded())
            let folder = self.url.deletingLastPathComponent()
            let spool = try WFDBSpool(
                stream, samplesPerFrame: perFrame, gains: index < gains.count ? gains[index] : [], folder: folder)
            spools.append(spool)
        }
        guard spools.contains(where: { $0 != nil }) else {
            throw FormatError(url, "there is no sampled stream to write")
        }
        notes += UntoldChannels.notes(header.streams, in: "WFDB")
    }

    /// Writes all that `reader` has and returns what could not be written.
    /// - Throws: the reader's error, or `FormatError` when the record cannot be written; nothing is left behind then.
    public static func write(
        _ reader: any RecordingReader, to url: URL, format: WFDBSignalFormat = .format16
    ) throws -> [String] {
        let gains = (reader as? WFDBRecord)?.gains ?? []
        let writer = try WFDBWriter(url, header: reader.header, format: format, gains: gains)
        while let event = try reader.next() { try writer.append(event) }
        try writer.finish()
        return writer.notes
    }

    /// Writes a recording at its measured sample rates.
    /// - Parameters:
    ///   - resampling: gives streams another rate where the measured rates have no frame in common.
    ///   - open: begins reading the recording from its start; called twice, to measure the rates and to write.
    /// - Returns: what could not be written, and which streams were resampled.
    /// - Throws: the reader's error, or `FormatError` when the record cannot be written; nothing is left behind then.
    public static func write(
        to url: URL, format: WFDBSignalFormat = .format16, resampling: StreamResampling,
        reading open: () throws -> any RecordingReader
    ) throws -> [String] {
        let first = try open()
        let sampled = first.header.streams.filter { $0.sampleRate > 0 }
        let measured = try MeasuredRates(first)
        let declared = sampled.isEmpty ? nil : try? frameRate(sampled, url)
        guard let rates = WFDBCommonRates(measured, first.header, declaredFrameRate: declared) else {
            return try write(try open(), to: url, format: format)
        }
        let source = try open()
        let gains = (source as? WFDBRecord)?.gains ?? []
        let reader = rates.resampled.isEmpty ? source : resampling(source, rates.resampled)
        var header = reader.header
        for (stream, rate) in rates.written { header.streams[stream].sampleRate = rate }
        let writer = try WFDBWriter(url, header: header, format: format, gains: gains, frameRate: rates.frameRate)
        for (stream, rate) in rates.resampled.sorted(by: { $0.key < $1.key }) {
            let own = Float(measured.streams[stream]?.hertz ?? 0)
            writer.notes.append(
                "\(header.streams[stream].name): resampled to \(Float(rate)) Hz from \(own) Hz, which has no frame in "
                    + "common with the other streams")
        }
        while let event = try reader.next() { try writer.append(event) }
        try writer.finish()
        return writer.notes
    }

    /// The files that a recording with this header is written to.
    /// - Returns: header and signal files, and the one there is besides where it has markers.
    public static func files(of header: RecordingHeader, at url: URL) -> (streams: [URL], markers: [URL]) {
        let record = record(url)
        let signals = signalFiles(header.streams.count { $0.sampleRate > 0 }, of: record)
        return ([record.appendingPathExtension("hea")] + signals, [record.appendingPathExtension(markerAnnotator)])
    }

    private static func record(_ url: URL) -> URL { url.pathExtension == "hea" ? url.deletingPathExtension() : url }

    private static func signalFiles(_ count: Int, of record: URL) -> [URL] {
        let name = record.lastPathComponent
        return (0..<count).map {
            record.deletingLastPathComponent().appendingPathComponent(
                count == 1 ? "\(name).dat" : "\(name)_\($0 + 1).dat")
        }
    }

    /// Takes the next piece of the recording.
    /// - Throws: `FormatError` when the disk refuses it or a gap is longer than a record can be.
    public func append(_ event: RecordingEvent) throws {
        switch event {
        case .segment(let stream, let start): try spools[stream]?.begin(start, url)
        case .samples(let stream, let block): try spools[stream]?.append(block)
        case .values: break
        case .marker(let marker):
            if marker.onset.magnitude < Self.farthestMarker { markers.append(marker) } else { farMarkers += 1 }
        }
    }

    /// Writes the record's files. Markers go to an annotation file `.mark` as notes.
    /// - Throws: `FormatError` when a file cannot be written; none appears then.
    public func finish() throws {
        let present = spools.compactMap { $0 }
        let frames = present.map(\.frameCount).max() ?? 0
        let name = url.lastPathComponent
        var lines: [String] = []
        var files: [AtomicFile] = []
        for (spool, place) in zip(present, Self.signalFiles(present.count, of: url)) {
            let file = try AtomicFile(place)
            lines += try spool.write(to: file, named: place.lastPathComponent, frames: frames, format)
            notes += spool.notes
            files.append(file)
        }
        let header = try AtomicFile(url.appendingPathExtension("hea"))
        let record = "\(name) \(lines.count) \(Self.number(frameRate)) \(frames)" + start()
        try header.write(([record] + lines).joined(separator: "\n") + "\n")
        for file in files { try file.commit() }
        let lasting = markers.count { $0.duration > 0 }
        if lasting > 0 { notes.append("\(lasting) markers last for a while, but WFDB annotations are moments") }
        let long = markers.count { $0.label.utf8.count > 255 }
        if long > 0 { notes.append("\(long) markers are cut to the 255 bytes that a WFDB annotation holds") }
        if farMarkers > 0 {
            notes.append("\(farMarkers) markers are more than \(Self.farthestMarker) s from the start and are left out")
        }
        if !markers.isEmpty {
            // A note at tick 0 is a definition to wfdb-python, which drops it.
            let list = markers.sorted { $0.onset < $1.onset }.map {
                let tick = Int(($0.onset * Self.markerRate).rounded())
                return WFDBAnnotation(sample: tick == 0 ? 1 : tick, code: 22, aux: $0.label)
            }
            try WFDBAnnotations(list, timeResolution: Self.markerRate).write(
                to: url.appendingPathExtension(Self.markerAnnotator))
        }
        try header.commit()
    }

    private func start() -> String {
        guard let start = recording.start.flatMap({ Plausible.moment($0.secondsSince1970) }) else { return "" }
        let rounded = Timestamp(secondsSince1970: (start.secondsSince1970 * 1000).rounded() / 1000)
        let text = rounded.description
        let (date, time) = (text.prefix(10).split(separator: "-"), text.dropFirst(11).prefix(12))
        return " \(time) \(date.reversed().joined(separator: "/"))"
    }

    /// The highest rate of which all rates are whole multiples.
    private static func frameRate(_ streams: [StreamHeader], _ url: URL) throws -> Double {
        let rates = streams.map(\.sampleRate)
        guard let slowest = rates.min() else { throw FormatError(url, "there is no sampled stream to write") }
        for divisor in 1...100 {
            let candidate = slowest / Double(divisor)
            let isCommon = rates.allSatisfy { abs(($0 / candidate).rounded() - $0 / candidate) < 1e-6 }
            guard isCommon else { continue }
            let slots = streams.reduce(0) { $0 + $1.sampleRate / candidate * Double($1.channels.count) }
            // What no reader takes is not written: rates so far apart that a frame of the slowest is beyond bounds.
            guard slots <= Double(WFDBHeader.mostSlots), Plausible.sampleRates.contains(candidate) else { break }
            return candidate
        }
        let listed = rates.map(NumberFormatting.text).joined(separator: ", ")
        throw FormatError(
            url, "the rates \(listed) Hz have no common frame rate", advice: "write the streams one by one")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
    }

    /// A number in full precision that WFDB programs read.
    static func number(_ value: Double) -> String {
        let short = NumberFormatting.text(value)
        if NumberParsing.double(short) == value, !short.contains("e") { return short }
        return "\(value)"
    }
}
