import Foundation
import Signals

/// Reads the samples of one segment, which is the whole of an ordinary record.
final class WFDBSegmentReader {
    /// As the header says, or as many as the longest file holds where that is less.
    let frameCount: Int
    /// Whether all files end before what the header says.
    let isCut: Bool
    /// What the reader found odd about the files.
    private(set) var notes: [String] = []
    private let header: WFDBHeader
    private let layout: WFDBLayout
    private let files: [WFDBSignalFile]
    /// For each signal of the layout: which file, which member of it, and the factor to the layout's unit.
    private let sources: [(file: Int, member: Int, factor: Float)?]
    private var position = 0

    /// Opens the signal files of `header`, which came from `url`.
    init(_ header: WFDBHeader, layout: WFDBLayout, places: [Int?], frameCount: Int?, url: URL) throws {
        self.header = header
        self.layout = layout
        files = try Self.open(header, url)
        var members: [Int: (file: Int, member: Int)] = [:]
        for (file, source) in files.enumerated() {
            for (member, signal) in source.members.enumerated() { members[signal.signal] = (file, member) }
        }
        sources = zip(layout.signals, places).map { wanted, place in
            guard let place, let found = members[place] else { return nil }
            return (found.file, found.member, Float(header.signals[place].unit.factor(to: wanted.unit) ?? 1))
        }
        let claimed = frameCount ?? files.map(\.storedFrameCount).min() ?? 0
        let stored = files.map(\.storedFrameCount).max() ?? 0
        isCut = stored > 0 && stored < claimed
        self.frameCount = isCut ? stored : claimed
        for file in files where !file.hasLength(claimed) {
            let (name, count) = (file.input.url.lastPathComponent, file.storedFrameCount)
            notes.append(
                count < claimed
                    ? "\(name), byte \(file.input.size): ends after \(count) of \(claimed) frames; the rest is missing"
                    : "\(name) holds \(count) frames, the header gives \(claimed)")
        }
    }

    private static func open(_ header: WFDBHeader, _ url: URL) throws -> [WFDBSignalFile] {
        var names: [String] = []
        var groups: [String: [Int]] = [:]
        for (index, signal) in header.signals.enumerated() {
            guard let file = signal.file else { continue }
            if groups[file] == nil { names.append(file) }
            groups[file, default: []].append(index)
        }
        return try names.flatMap { name in
            let signals = groups[name] ?? []
            guard Set(signals.map { header.signals[$0].format }).count == 1 else {
                throw FormatError(url, "gives \(name) more than one signal format")
            }
            let skews = Set(signals.map { header.signals[$0].skew }).sorted()
            let file = url.deletingLastPathComponent().appendingPathComponent(name)
            return try skews.map { try WFDBSignalFile(header, signals: signals, skew: $0, file: file) }
        }
    }

    /// Whether the segment has samples of a stream.
    func has(stream: Int) -> Bool {
        layout.streams[stream].signals.contains { sources[$0] != nil }
    }

    /// Whether any stream has samples here. Without them a segment is a gap, however long its header says it is.
    var hasSamples: Bool { sources.contains { $0 != nil } }

    /// Samples in one frame of all files, for choosing block sizes.
    var slotCount: Int { max(1, header.slotCount) }

    /// The next at most `frames` frames, a block for each stream that the segment has; nil at its end. Where one file
    /// ends before the others its signals are missing.
    /// - Throws: `FormatError` where no file has any frame.
    func next(_ frames: Int) throws -> [(stream: Int, block: SampleBlock)]? {
        guard position < frameCount else { return nil }
        guard files.isEmpty || files.contains(where: { $0.storedFrameCount > 0 }) else { throw truncation() }
        let count = min(frames, frameCount - position)
        let read = try files.map { try $0.read(position..<position + count) }
        position += count
        return layout.streams.indices.filter(has).map { ($0, block($0, count, read)) }
    }

    private func block(_ stream: Int, _ count: Int, _ read: [Int]) -> SampleBlock {
        let signals = layout.streams[stream].signals
        let perFrame = layout.streams[stream].samplesPerFrame
        let length = count * perFrame
        let samples = [Float](unsafeUninitializedCapacity: length * signals.count) { buffer, filled in
            filled = length * signals.count
            guard let base = buffer.baseAddress else { return }
            for (channel, signal) in signals.enumerated() {
                let target = base + channel * length
                guard let source = sources[signal] else {
                    target.initialize(repeating: .nan, count: length)
                    continue
                }
                // A skewed signal ends before the others, as one whose file is cut off does.
                let there = read[source.file]
                files[source.file].convert(source.member, frames: there, into: target)
                (target + there * perFrame).initialize(repeating: .nan, count: length - there * perFrame)
                if source.factor != 1 { for index in 0..<length { target[index] *= source.factor } }
            }
        }
        return SampleBlock(channelCount: signals.count, samples: samples)
    }

    private func truncation() -> FormatError {
        let short = files.min { $0.storedFrameCount < $1.storedFrameCount }
        let file = short?.input
        return FormatError(
            file?.url ?? URL(fileURLWithPath: header.name), at: "byte \(file?.size ?? 0)",
            "ends after \(short?.storedFrameCount ?? 0) of \(frameCount) frames", advice: "is the file complete?")
    }

    /// Once all frames are read: signals whose sum differs from the header's.
    func checksumNotes() -> [String] {
        guard position == frameCount, !isCut else { return [] }
        return files.flatMap { file in
            file.members.compactMap { member in
                guard let claimed = member.checksum,
                    UInt16(truncatingIfNeeded: claimed) != UInt16(truncatingIfNeeded: member.sum)
                else { return nil }
                let name = header.signals[member.signal].description
                return "\(file.input.url.lastPathComponent), signal \(name): the sum of the samples is "
                    + "\(Int16(truncatingIfNeeded: member.sum)), the header gives "
                    + "\(Int16(truncatingIfNeeded: claimed)); samples may be damaged"
            }
        }
    }
}
