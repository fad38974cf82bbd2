public import Foundation
public import Signals

/// Reads Holter ECGs in the ISHNE format (`.ecg`): a header of 522 bytes, then 16-bit samples, leads interleaved.
///
/// All leads are one stream in millivolts. The time of recording is the recorder's clock, taken as UTC. Names and dates
/// of birth are not passed on.
public final class ISHNEReader: RecordingReader {
    /// What the recording holds.
    public var header: RecordingHeader { frames.header }
    private let frames: FrameRecording

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, or its header cannot be right.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        // The block of free length between header and samples is part of what the checksum covers.
        let described = try ISHNEHeader(input.read(at: 0, count: 1 << 16), file: url)
        let width = described.leads.count * 2
        let available = max(0, input.size - described.offset) / width
        var notes: [String] = []
        if !described.isChecksumRight { notes.append("the header's checksum is wrong: it may have been changed") }
        if described.isPaced { notes.append("the header says that the heart is paced") }
        // Some recorders count the samples of all leads together.
        let stated = described.samplesPerLead
        if stated != available, stated != available * described.leads.count {
            notes.append("the header counts \(stated) samples a lead, the file has \(available)")
        }
        if !described.recorder.isEmpty { notes.append("recorded by \(described.recorder)") }
        var groups = KindGroups<BinaryFrames.Channel>(sampleRate: described.sampleRate, frameCount: available)
        for (place, lead) in described.leads.enumerated() {
            groups.add(
                Channel(label: lead.label, unit: .millivolts), kind: .ecg,
                reading: BinaryFrames.Channel(place: place, gain: lead.nanovolts / 1e6))
        }
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: described.sampleRate)
        frames = FrameRecording(
            header: RecordingHeader(
                start: described.start, duration: Double(available) / described.sampleRate, streams: groups.streams,
                format: "ISHNE", notes: notes, hasTimeZone: false),
            frames: BinaryFrames(
                input: input, offset: described.offset, channelCount: described.leads.count, frameCount: available),
            streams: groups.channels,
            runs: available > 0 ? [FrameRecording.Run(frames: 0..<available, start: start)] : [])
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when the samples cannot be read.
    public func next() throws -> RecordingEvent? { try frames.next() }

    /// Whether a file begins like an ISHNE file.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool { head.starts(with: ISHNEHeader.magic) }
}
