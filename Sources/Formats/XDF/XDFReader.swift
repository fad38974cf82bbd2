public import Foundation
public import Signals

/// Reads XDF recordings, of Lab Streaming Layer programs and our own, piece by piece.
///
/// Times are on the recorder's clock, from the earliest sample on: stamps are mapped by the clock offsets with resets of a
/// stream's clock, and within a run of a regular stream time is even, both as pyxdf 1.17 does by default. Runs end where
/// stamps jump by more than 1 s and 500 sample intervals, as there, and at shorter drop-outs too, over which pyxdf smears
/// the time of all samples (`XDFRunFinder`). Streams of text, and irregular ones of type Markers, are markers. A regular
/// stream that declares `can_drop_samples` has exact stamps and is read as an irregular one. A signal that declares no
/// rate and comes evenly by its stamps is read as a regular one (`EvenPace`).
///
/// Our own recordings say in the stream `marey-events` how they were placed when they were recorded, and are read as the
/// live computation got them; `Clock.host` places them by the fitted clocks instead.
///
/// Where bytes make no sense reading goes on after the next boundary chunk; the header's notes say what was lost.
///
/// XDF 1.0, github.com/sccn/xdf/wiki/Specifications.
public final class XDFReader: RecordingReader {
    /// Whose time a segment of our own recording is placed in.
    public enum Clock: Sendable {
        /// As it was when it was recorded: segments begin at host time and run at the nominal rate.
        case recorded
        /// Host time by the clock fits of the whole recording: segments have the measured rate. For comparing devices.
        case host
    }

    /// What the recording holds; notes are added while it is read.
    public private(set) var header: RecordingHeader
    /// Time on the recorder's clock, in seconds, of the recording's start.
    public let origin: Seconds

    private let window: XDFWindow
    private let rejected: Set<Int>
    private let headerless: XDFHeaderless
    private let places: [UInt32: Int]
    private var scanner: XDFScanner
    private var lanes: [XDFLane]
    private let markerLines: [Int: XDFJournalLine]
    private var markerCount = 0
    private var queue: [RecordingEvent] = []
    private var queued = 0
    private var isFinished = false

    /// Opens a file and walks over it once or twice, which finds streams, clocks and times.
    /// - Throws: `FormatError` when there is no such file or it is no XDF.
    public init(_ url: URL, clock: Clock = .recorded) throws {
        let file = try InputFile(url)
        window = XDFWindow(file)
        guard try window.bytes(at: 0, 4)?.starts(with: XDFBytes.magic) ?? false else {
            throw FormatError(url, at: "byte 0", "does not begin with 'XDF:' as XDF files do")
        }
        let survey = try XDFSurvey(window)
        guard !survey.streams.isEmpty else {
            throw FormatError(
                url, "has no stream header that can be read", advice: survey.notes.first ?? "was it cut off at once?")
        }
        var lanes = XDFLane.lanes(survey, clock)
        try XDFPass.findTimes(&lanes, survey, window)
        rejected = survey.rejected
        headerless = survey.headerless
        places = survey.places
        markerLines = survey.markers
        scanner = XDFScanner(window)
        let isOwn = survey.journal != nil
        let zero = isOwn ? 0 : lanes.compactMap(\.firstTime).min() ?? 0
        origin = zero
        for index in lanes.indices { lanes[index].zero = zero }
        self.lanes = lanes
        let ends = lanes.compactMap(\.endTime).map { $0 - zero }
        let marey = survey.file?["marey"]
        var notes = survey.notes
        let start = XDFReader.start(survey.file, &notes)
        header = RecordingHeader(
            start: start?.moment, duration: ends.max(), subject: marey?.value("subject"),
            session: marey?.value("session"), task: marey?.value("task"),
            streams: lanes.filter { $0.event != nil }.map(\.header), format: "XDF",
            notes: notes + XDFNotes.damage(survey, size: file.size) + lanes.flatMap(\.notes),
            hasTimeZone: start?.hasZone ?? true)
        header.utcOffset = survey.file?.value("datetime").flatMap { ISODate.utcOffset($0[...]) }
    }

    /// Whether another program than ours described a stream, by its place in the header.
    var areForeign: [Bool] { lanes.filter { $0.event != nil }.map { $0.info.marey == nil } }

    /// The next piece in the order of the file; nil at the end.
    /// - Throws: `FormatError` when the disk refuses, or the file becomes shorter while it is read.
    public func next() throws -> RecordingEvent? {
        while queued == queue.count {
            guard !isFinished else { return nil }
            queue.removeAll(keepingCapacity: true)
            queued = 0
            try readChunk()
        }
        defer { queued += 1 }
        return queue[queued]
    }

    private func readChunk() throws {
        guard let chunk = try scanner.next() else {
            isFinished = true
            for lane in lanes where lane.missing > 0 {
                header.notes.append(
                    "\(lane.info.name): \(lane.missing) frames are missing in damaged parts of the file")
            }
            header.notes += lanes.compactMap(\.precisionNote)
            return
        }
        if rejected.contains(chunk.offset) { return try scanner.reject(chunk) }
        guard chunk.tag == .samples, !headerless.contains(chunk), let place = places[chunk.stream] else { return }
        if lanes[place].info.isMarkers {
            try lanes[place].readMarkers(chunk, window, markerLines, &markerCount, into: &queue)
        } else {
            try lanes[place].readFrames(chunk, window, into: &queue)
        }
    }

    private static func start(
        _ file: XDFElement?, _ notes: inout [String]
    ) -> (moment: Timestamp, hasZone: Bool)? {
        if let marey = file?["marey"], let text = marey.value("start") {
            if let start = Double(text).flatMap(Plausible.moment) {
                return (start, marey.value("timeZone") != XDFRecordingEncoder.unknownZone)
            }
            notes.append("the start '\(text.prefix(40))' in the file header is no date and is not used")
        }
        return file?.value("datetime").flatMap { text in
            ISODate.seconds(text[...]).map { (Timestamp(secondsSince1970: $0), ISODate.hasZone(text[...])) }
        }
    }
}

/// What is to be said of damage.
enum XDFNotes {
    static func damage(_ survey: XDFSurvey, size: Int) -> [String] {
        let headerless = survey.headerless.streams.map { $0.text + " and are not read" }
        guard !survey.damage.isEmpty else { return headerless }
        let lost = survey.damage.reduce(0) { $0 + $1.bytes.count }
        let tail = survey.damage.last.map { $0.isTail && $0.bytes.upperBound == size } ?? false
        var notes: [String] = []
        if tail, let last = survey.damage.last {
            notes.append(
                "the file is cut off: its last \(last.bytes.count) bytes are an incomplete chunk and are not read")
        }
        let inside = survey.damage.dropLast(tail ? 1 : 0)
        if let first = inside.first {
            let bytes = lost - (tail ? survey.damage.last?.bytes.count ?? 0 : 0)
            notes.append(
                "\(bytes) bytes in \(inside.count) places are damaged and are not read, the first at byte "
                    + "\(first.bytes.lowerBound)")
        }
        return notes + headerless
    }
}

extension XDFReader {
    /// Whether a file begins as XDF does.
    static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        head.starts(with: XDFBytes.magic)
    }
}
