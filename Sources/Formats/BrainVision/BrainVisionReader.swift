public import Foundation
public import Signals

/// Reads BrainVision recordings: a header `.vhdr`, samples `.eeg`, markers `.vmrk` (BrainVision Core Data Format 1.0).
///
/// Channels of one kind are one stream, in the units of the header. A marker `New Segment` begins a new run: the pause
/// before it is a gap, as long as the dates of the markers say; where they say nothing the gap is of no length and a
/// note tells so. Other markers are called `type/description`. Times are those of the recorder's clock, taken as UTC.
public final class BrainVisionReader: FrameCounted {
    /// What the recording holds.
    public var header: RecordingHeader { frames.header }
    let frames: FrameRecording

    /// Opens the recording whose header, samples or markers are at `url`.
    /// - Throws: `FormatError` when one of the files cannot be read or understood.
    public init(_ url: URL) throws {
        let described = try BrainVisionHeader(reading: Self.header(of: url))
        var notes: [String] = []
        let data = try described.dataFile()
        data.note.map { notes.append($0) }
        let input = try InputFile(data.url)
        guard input.size > 0 else { throw FormatError(data.url, "is empty, expected the samples of the recording") }
        let width = described.channels.count * described.number.byteCount
        let count = input.size / width
        if let stated = described.frameCount, stated != count {
            notes.append("the header counts \(stated) data points, the file has \(count)")
        }
        if input.size % width != 0 { notes.append("the file ends within a data point, which was left out") }
        if described.isVectorized, input.size % width != 0 || described.frameCount.map({ $0 != count }) == true {
            throw FormatError(
                data.url, "has \(input.size) bytes, which is not a whole number of data points of all channels",
                advice: "the file seems cut off")
        }
        let marks = try Self.marks(of: described, &notes)
        let source = BinaryFrames(
            input: input, offset: 0, channelCount: described.channels.count, frameCount: count,
            number: described.number, isBigEndian: described.isBigEndian, isVectorized: described.isVectorized)
        let timeline = BrainVisionTimeline(marks.marks, frameCount: count, sampleRate: described.sampleRate)
        notes += timeline.notes
        if described.isSegmented { notes.append("the recording was cut into segments before it was saved") }
        var groups = KindGroups<BinaryFrames.Channel>(sampleRate: described.sampleRate, frameCount: count)
        let channels = try Self.channels(of: described, &notes)
        for (place, channel) in channels.enumerated() {
            groups.add(
                channel.channel, kind: channel.kind,
                reading: BinaryFrames.Channel(place: place, gain: described.channels[place].resolution))
        }
        let markers = timeline.markers(marks.marks, kinds: channels.map(\.kind))
        let lost = marks.marks.count { !$0.isNewSegment } - markers.count
        if lost > 0 { notes.append("\(lost) markers are at times that cannot be and are not read") }
        frames = FrameRecording(
            header: RecordingHeader(
                start: timeline.start, duration: timeline.end, streams: groups.streams, format: "BrainVision",
                notes: notes, hasTimeZone: false),
            frames: source, streams: groups.channels, runs: timeline.runs,
            markers: markers)
    }

    /// What the channels are. Voltages that are numbered, not named, are EEG where no channel is called by an electrode: the
    /// format is one of EEG recorders.
    private static func channels(
        of header: BrainVisionHeader, _ notes: inout [String]
    ) throws -> [DescribedChannel] {
        var channels = header.channels.map {
            DescribedChannel(
                Channel(label: $0.name, unit: SignalKind.meant($0.unit, label: $0.name)),
                kind: SignalKind.kind(label: $0.name, transducer: "", unit: $0.unit))
        }
        if let told = try BIDSChannels(for: header.url) { notes += told.describe(&channels) }
        if channels.takeNumberedForEEG() {
            notes.append("the channels are numbered, not named by electrodes; those in volts are taken for EEG")
        }
        return channels
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when the samples cannot be read.
    public func next() throws -> RecordingEvent? { try frames.next() }

    private static func marks(of header: BrainVisionHeader, _ notes: inout [String]) throws -> BrainVisionMarkers {
        guard let file = header.markerFile() else {
            if header.namesMarkers { notes.append("the file of markers is not there") }
            return BrainVisionMarkers()
        }
        file.note.map { notes.append($0) }
        return try BrainVisionMarkers(reading: file.url)
    }

    /// Whether a file that begins with `head` is a header, or there is a header beside it that is called like it.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        if BrainVisionText.isTitled(head, "header file") { return true }
        let place = header(of: url)
        guard place != url else { return false }
        guard let start = try? InputFile(place).read(at: 0, count: 128) else {
            return UnfetchedFile.error(at: place) != nil
        }
        return BrainVisionText.isTitled(start, "header file")
    }

    /// The files that the recording at `url` is made of.
    /// - Throws: `FormatError` when the header cannot be read.
    public static func files(of url: URL) throws -> [URL] {
        let described = try BrainVisionHeader(reading: header(of: url))
        return try [described.url, described.dataFile().url] + (described.markerFile().map { [$0.url] } ?? [])
    }

    private static func header(of url: URL) -> URL {
        guard ["eeg", "vmrk"].contains(url.pathExtension.lowercased()) else { return url }
        let beside = url.deletingPathExtension().appendingPathExtension("vhdr")
        return UnfetchedFile.isNamed(beside.path) ? beside : url
    }
}
