public import Foundation
public import Signals

/// Reads raw data of the Empatica EmbracePlus: an Avro file, or a folder of them that follow each other.
///
/// Each sensor is a stream at the rate the device measured. Files that follow each other within 1.5 samples are one run
/// with the mean rate; else a gap lies between. Presses of the button are markers `tag`. The systolic peaks that the
/// device found are an irregular stream of the seconds since the peak before, missing where that lies in another file.
/// One file is in memory at a time.
public final class EmbracePlusSession: RecordingReader {
    /// What the session holds.
    public let header: RecordingHeader
    private let plan: EmbracePlusPlan
    private var nextFile = 0
    private var pending: [RecordingEvent] = []
    private var nextPending = 0
    private static let framesPerBlock = 1 << 14

    /// Opens an Avro file or a folder of them.
    /// - Throws: `FormatError` when one cannot be read, or is of another kind.
    public init(_ url: URL) throws {
        plan = try EmbracePlusPlan(Self.files(of: url), at: url)
        header = plan.header
    }

    /// Whether a file begins like an Avro file, or a folder has some.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        if !head.isEmpty { return head.starts(with: AvroFile.magic) }
        return (try? files(of: url)).map { $0 != [url] && !$0.isEmpty } ?? false
    }

    /// The files of a session, by name.
    /// - Throws: `FormatError` when a folder cannot be listed.
    public static func files(of url: URL) throws -> [URL] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), isDirectory.boolValue else {
            return [url]
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw FormatError(url, "is a folder that cannot be listed")
        }
        return names.sorted().map { url.appendingPathComponent($0) }.filter {
            $0.pathExtension.lowercased() == "avro"
        }
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when a file cannot be read any more.
    public func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            guard nextFile < plan.files.count else { return nil }
            try add(EmbracePlusContent(reading: plan.files[nextFile].url))
            nextFile += 1
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    private func add(_ content: EmbracePlusContent) {
        let file = plan.files[nextFile]
        for (index, series) in content.series.enumerated() where file.places.indices.contains(index) {
            let (stream, start) = file.places[index]
            if let start { pending.append(.segment(stream: stream, start: start)) }
            let block = SampleBlock(channelCount: series.channels.count, samples: series.samples)
            for first in stride(from: 0, to: block.frameCount, by: Self.framesPerBlock) {
                let frames = first..<min(first + Self.framesPerBlock, block.frameCount)
                pending.append(.samples(stream: stream, block.frames(frames)))
            }
        }
        if let stream = plan.peaksStream, !content.peaks.isEmpty {
            let befores = [nil] + content.peaks.dropLast().map(Optional.some)
            let values = zip(content.peaks, befores).map { peak, before in
                TimedValue(onset: peak - plan.origin, values: [before.map { peak - $0 } ?? .nan])
            }
            pending.append(.values(stream: stream, values))
        }
        for tag in content.tags.sorted() { pending.append(.marker(Marker(onset: tag - plan.origin, label: "tag"))) }
    }
}
