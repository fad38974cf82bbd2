public import Foundation
public import Signals

/// Makes a whole file of a torn or damaged one: every chunk that can be read, and the footers that are missing. Chunks of
/// a stream whose header is lost are left out: nothing says how to read them, and other readers open no file with them.
///
/// XDF has no checksums: that a sample's value was changed cannot be seen.
public enum XDFRecovery {
    /// What was found in a file.
    public struct Report: Hashable, Sendable, Codable {
        /// Whether all chunks and headers are whole, all chunks belong to a stream with a header, and every stream has its
        /// footer. The values of samples cannot be checked.
        public var isIntact: Bool
        /// Whether the file was closed in order.
        public var isClosed: Bool
        /// Bytes of the file.
        public var bytes: Int
        /// Bytes that cannot be read.
        public var lostBytes: Int
        /// Where they lie.
        public var damage: [Damage]
        /// Chunks that no header says how to read, by stream; a repair leaves them out.
        public var headerless: [Headerless]
        /// What is there of each stream.
        public var streams: [Stream]
        /// What else a user should know.
        public var notes: [String]

        /// Whether there are samples or values, besides markers and the recording's own journal.
        public var holdsSamples: Bool { streams.contains { !$0.isMarkers && $0.frames > 0 } }
    }

    /// Bytes that cannot be read.
    public struct Damage: Hashable, Sendable, Codable {
        /// The first of them.
        public var offset: Int
        /// How many.
        public var count: Int
        /// Whether the file ends with them: it was cut off.
        public var isTail: Bool
    }

    /// Chunks of a stream of which no readable header stands before them.
    public struct Headerless: Hashable, Sendable, Codable {
        /// The stream's number in the file.
        public var stream: UInt32
        /// How many chunks of all kinds.
        public var chunks: Int
        /// Frames that they say they hold.
        public var frames: Int
        /// Which stream it is, and how much of it.
        public var text: String {
            "stream \(stream): \(chunks) chunks with \(frames) frames have no readable header before them"
        }
    }

    /// What is there of a stream.
    public struct Stream: Hashable, Sendable, Codable {
        /// Its name.
        public var name: String
        /// Whether it tells of events, as markers and the recording's own journal do.
        public var isMarkers: Bool
        /// Frames that can be read.
        public var frames: Int
        /// Seconds that damage took from it, as far as its stamps and the torn chunk tell.
        public var lostSeconds: Seconds
        /// Frames that the torn chunk at the end says it held.
        public var tornFrames: Int
    }

    /// Looks at a file without touching it.
    /// - Throws: `FormatError` when there is no such file, it is no XDF, or nothing in it can be read.
    public static func inspect(_ url: URL) throws -> Report {
        let window = try open(url)
        return try report(XDFSurvey(window), window)
    }

    /// Writes what can be read of `url` to `target`, which appears when it is complete.
    /// - Returns: what was found; when the file is intact nothing is written.
    /// - Throws: `FormatError` as `inspect`, and when `target` cannot be written.
    public static func repair(_ url: URL, to target: URL) throws -> Report {
        let window = try open(url)
        let survey = try XDFSurvey(window)
        let report = try report(survey, window)
        guard !report.isIntact else { return report }
        let file = try AtomicFile(target)
        try file.write(XDFBytes.magic)
        var copies = Dictionary(uniqueKeysWithValues: survey.openCopies.map { ($0.id, XDFSurvey.Stream(info: $0)) })
        var scanner = XDFScanner(window)
        while let chunk = try scanner.next() {
            if survey.rejected.contains(chunk.offset) {
                try scanner.reject(chunk)
            } else if let header = survey.mended[chunk.offset], let tag = chunk.tag {
                // As it is other readers would refuse it, and with it the file.
                let stream = tag.hasStream ? chunk.stream : nil
                try file.write(XDFEncoding.chunk(tag, stream: stream, XDFEncoding.xml(header)))
            } else if !survey.headerless.contains(chunk) {
                try copy(chunk.offset..<chunk.content.upperBound, window, file)
                try copies[chunk.stream]?.count(chunk, window)
            }
        }
        if !survey.isClosed {
            try file.write(XDFEncoding.chunk(.boundary, XDFBytes.boundary))
            let ended = survey.streams.filter { $0.footerCount == nil }
            for stream in ended + copies.values.sorted(by: { $0.info.id < $1.info.id }) {
                try file.write(
                    XDFEncoding.chunk(.streamFooter, stream: stream.info.id, XDFEncoding.xml(footer(stream))))
            }
        }
        try file.commit()
        return report
    }

    private static func open(_ url: URL) throws -> XDFWindow {
        let window = XDFWindow(try InputFile(url))
        guard try window.bytes(at: 0, 4)?.starts(with: XDFBytes.magic) ?? false else {
            throw FormatError(url, at: "byte 0", "does not begin with 'XDF:' as XDF files do")
        }
        return window
    }

    private static func copy(_ range: Range<Int>, _ window: XDFWindow, _ file: AtomicFile) throws {
        var place = range.lowerBound
        while place < range.upperBound {
            guard let held = try window.bytes(at: place, 1) else {
                throw FormatError(window.file.url, at: "byte \(place)", "ends early: the file became shorter")
            }
            let count = min(held.count, range.upperBound - place)
            try file.write(Array(held[..<count]))
            place += count
        }
    }

    /// The footer of a stream: its stamps, its samples, the offsets of its clock.
    private static func footer(_ stream: XDFSurvey.Stream) -> XDFElement {
        func leaf(_ name: String, _ text: String) -> XDFElement { XDFElement(name: name, text: text) }
        let offsets = zip(stream.clockTimes, stream.clockValues).map {
            XDFElement(name: "offset", children: [leaf("time", "\($0)"), leaf("value", "\($1)")])
        }
        return XDFElement(
            name: "info",
            children: [
                leaf("first_timestamp", "\(stream.first ?? 0)"), leaf("last_timestamp", "\(stream.last)"),
                leaf("sample_count", "\(stream.frameCount)"), XDFElement(name: "clock_offsets", children: offsets),
            ])
    }

    private static func report(_ survey: XDFSurvey, _ window: XDFWindow) throws -> Report {
        let damage = survey.damage.map { Damage(offset: $0.bytes.lowerBound, count: $0.bytes.count, isTail: $0.isTail) }
        let torn = try tornChunk(survey, window)
        let streams = survey.streams.enumerated().map { place, stream in
            let frames = torn?.stream == place ? torn?.frames ?? 0 : 0
            return Stream(
                name: stream.info.name, isMarkers: stream.info.isMarkers, frames: stream.frameCount,
                lostSeconds: stream.lost + Double(frames) * stream.info.interval, tornFrames: frames)
        }
        let headerless = survey.headerless.streams
        return Report(
            isIntact: damage.isEmpty && headerless.isEmpty && survey.mended.isEmpty && survey.isClosed,
            isClosed: survey.isClosed, bytes: window.file.size, lostBytes: damage.reduce(0) { $0 + $1.count },
            damage: damage, headerless: headerless, streams: streams, notes: survey.notes)
    }

    /// Which stream the chunk that was being written belongs to, and how many frames it says it holds.
    private static func tornChunk(_ survey: XDFSurvey, _ window: XDFWindow) throws -> (stream: Int, frames: Int)? {
        guard let tail = survey.damage.last, tail.isTail,
            let bytes = try window.bytes(at: tail.bytes.lowerBound, tail.bytes.count < 24 ? tail.bytes.count : 24),
            let length = XDFScanner.length(bytes, 0), bytes.count >= length.digits + 6,
            bytes.little(length.digits, as: UInt16.self) == XDFTag.samples.rawValue,
            let place = survey.places[bytes.little(length.digits + 2, as: UInt32.self)],
            let count = XDFScanner.length(bytes, length.digits + 6),
            count.value <= length.value / (1 + max(1, survey.streams[place].info.valueBytes))
        else { return nil }
        return (place, count.value)
    }
}

extension XDFSurvey.Stream {
    /// Counts a chunk of a copy of what was received, for its footer.
    fileprivate mutating func count(_ chunk: XDFChunk, _ window: XDFWindow) throws {
        switch chunk.tag {
        case .samples:
            var (count, first) = (0, self.first)
            _ = try XDFStamps.walk(chunk, info, window, &last) { stamps in
                count += stamps.count
                first = first ?? stamps.first
            }
            (frameCount, self.first) = (frameCount + count, first)
        case .clockOffset:
            guard let bytes = try window.bytes(at: chunk.content.lowerBound, 16) else { return }
            clockTimes.append(bytes.double(0))
            clockValues.append(bytes.double(8))
        default: break
        }
    }
}
