public import Foundation
public import Signals

/// Reads recordings of BIOPAC's AcqKnowledge (`.acq`) of versions 3 to 5, compressed ones too.
///
/// - **Streams**: channels of one kind and sample rate. Where a kind has both channels as the converter gave them and
///   computed ones, such as a filtered copy, the computed ones are of kind `other`, so that nothing is measured twice.
/// - **Gaps**: a recording that was paused and appended to is one row of samples in the file. Where a segment begins, a gap
///   is told, as long as the dates of its marks say (from version 4.4 on), else, as nobody knows, as long as a sample of the
///   slowest channel, with a note.
/// - **Markers** are the file's, those of segments among them. The journal is not read.
/// - **Start**: when the first segment's mark was made, from version 4.4 on.
public final class AcqKnowledgeReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let samples: AcqKnowledgeSamples
    private let content: AcqKnowledgeContent
    private var nextPart: [Int]
    private var nextMark = 0
    private var pending: [RecordingEvent] = []
    private var nextPending = 0

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, or its headers cannot be right.
    public init(_ url: URL) throws {
        var described = try AcqKnowledgeHeader(InputFile(url))
        var notes: [String] = []
        if described.cut() { notes.append("the file ends early: what it says of later samples is not there") }
        guard described.tickCount > 0 else { throw FormatError(url, "holds no samples") }
        var marks: [AcqKnowledgeMarkers.Mark] = []
        var compressedStart: Int?
        do {
            let place =
                described.dataStart + (described.isCompressed ? 0 : described.bytes(before: described.tickCount))
            let found = try AcqKnowledgeMarkers(described, from: place)
            marks = found.marks
            if described.isCompressed { compressedStart = try found.compressedStart(described) }
        } catch let error as FormatError where !described.isCompressed {
            // Samples come before them.
            notes.append("its markers cannot be read: \(error.problem)")
        }
        content = AcqKnowledgeContent(described, marks: marks)
        samples = try AcqKnowledgeSamples(described, compressedStart: compressedStart)
        nextPart = content.streams.map { _ in 0 }
        header = RecordingHeader(
            start: content.start, duration: content.duration, streams: content.streams.map(\.header),
            format: "AcqKnowledge", notes: notes + content.notes)
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when samples cannot be read.
    public func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            guard let piece = try samples.next() else {
                addMarkers(before: .max)
                if pending.isEmpty { return nil }
                break
            }
            for place in content.streams.indices { add(piece.samples, of: place, piece.ticks) }
            addMarkers(before: piece.ticks.upperBound)
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    /// The samples of a stream within these ticks, cut where parts begin.
    private func add(_ samples: [[Float]], of place: Int, _ ticks: Range<Int>) {
        let stream = content.streams[place]
        let first = stream.samples(before: ticks.lowerBound)
        let end = stream.samples(before: ticks.upperBound)
        var sample = first
        while sample < end {
            let parts = stream.parts
            if nextPart[place] < parts.count, parts[nextPart[place]].sample == sample {
                pending.append(.segment(stream: place, start: parts[nextPart[place]]))
                nextPart[place] += 1
            }
            let stop = nextPart[place] < parts.count ? min(end, parts[nextPart[place]].sample) : end
            let block = stream.channels.flatMap { samples[$0][sample - first..<stop - first] }
            pending.append(
                .samples(stream: place, SampleBlock(channelCount: stream.channels.count, samples: block)))
            sample = stop
        }
    }

    private func addMarkers(before tick: Int) {
        while nextMark < content.markers.count, content.markers[nextMark].tick < tick {
            pending.append(.marker(content.markers[nextMark].marker))
            nextMark += 1
        }
    }

    /// Whether a file begins like a recording of AcqKnowledge, which has no mark of its own: by version, lengths, channels
    /// and sample rate that can be right, or its name and the first of these.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        guard let begin = AcqKnowledgeHeader.Beginning(head) else { return false }
        return url.pathExtension.lowercased() == "acq" || begin.version <= 200 && begin.length < 1 << 16
    }
}
