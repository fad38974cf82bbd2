public import Foundation
public import Signals

/// Reads EEGLAB data sets: `.set`, a MATLAB file of level 5 with the samples in it, or in a file `.fdt` (or `.dat`) beside it.
///
/// - **Streams**: channels of one kind, by `chanlocs` type and label; in microvolts, EEGLAB's unit, unless the set tells
///   another. What is no voltage has no unit then.
/// - **Gaps**: where events `boundary` say that samples were cut out, as long as they say, else, as nobody knows, as long as
///   a sample and a half, with a note. Each epoch of a set of epochs is a run of its own.
/// - **Markers** are the other events, called by their type.
/// - **Start**: `etc.T0` where the set is not made of epochs, the recorder's clock, taken as UTC.
public final class EEGLABReader: FrameCounted {
    /// What the recording holds.
    public var header: RecordingHeader { frames.header }
    let frames: FrameRecording

    /// Opens the data set at `url`, or the one beside its samples at `url`.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public init(_ url: URL) throws {
        let set = try EEGLABSet(reading: Self.set(of: url))
        let samples = try EEGLABSamples(set)
        let channels = EEGLABChannels(set, try BIDSChannels(for: set.url))
        let events = EEGLABEvents(set)
        let timeline = EEGLABTimeline(set, cuts: events.cuts)
        var groups = KindGroups<BinaryFrames.Channel>(sampleRate: set.sampleRate, frameCount: set.frameCount)
        for (place, channel) in channels.channels.enumerated() {
            groups.add(channel.channel, kind: channel.kind, reading: BinaryFrames.Channel(place: place, gain: 1))
        }
        let notes = Self.notes(of: set) + samples.notes + channels.notes + timeline.notes + events.notes
        let start = set.epochCount == 1 ? try Self.start(of: set) : nil
        frames = FrameRecording(
            header: RecordingHeader(
                start: start.flatMap { Plausible.moment($0 + timeline.cutOff) }, duration: timeline.end,
                streams: groups.streams, format: "EEGLAB", notes: notes, hasTimeZone: false),
            frames: samples.frames, streams: groups.channels, runs: timeline.runs,
            markers: timeline.markers(events.events))
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` when the samples cannot be read.
    public func next() throws -> RecordingEvent? { try frames.next() }

    /// The set's name is not told: it is often its person's.
    private static func notes(of set: EEGLABSet) -> [String] {
        // What is called common is not known.
        let told = set.fields["ref"]?.text.flatMap { $0.lowercased() == "common" ? nil : $0 }
        return told.map { ["its reference is \"\($0.prefix(80))\""] } ?? []
    }

    /// When the recording began, in seconds since 1970: `etc.T0`, year to second, or days since the year 0, as MATLAB counts.
    private static func start(of set: EEGLABSet) throws -> Seconds? {
        guard case .structs(1, let fields)? = set.fields["etc"], let told = try fields["T0"]?.first?.few() else {
            return nil
        }
        if told.count == 1, (600_000..<1_000_000).contains(told[0]) { return (told[0] - 719_529) * 86_400 }
        guard told.count == 6, told.dropLast().allSatisfy({ Int(exactly: $0) != nil }), (1...9_999).contains(told[0]),
            Timestamp.exists(year: Int(told[0]), month: Int(told[1]), day: Int(told[2])),
            (0..<24).contains(told[3]), (0..<60).contains(told[4]), (0..<61).contains(told[5])
        else { return nil }
        return Timestamp(
            year: Int(told[0]), month: Int(told[1]), day: Int(told[2]), hour: Int(told[3]), minute: Int(told[4]),
            second: told[5]
        ).secondsSince1970
    }

    /// Whether a file is a data set, by its content, or its name and a beginning that is MATLAB's, or holds samples beside a
    /// data set that is called like it.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let place = set(of: url)
        if place != url { return true }
        if url.pathExtension.lowercased() == "set" {
            return MatlabVariables.isBigEndian(head) != nil || MatlabVariables.isHDF5(head)
        }
        return MatlabVariables.isBigEndian(head) != nil && EEGLABSet.isSet(url)
    }

    /// The files that the data set at `url` is made of.
    /// - Throws: `FormatError` when it cannot be read.
    public static func files(of url: URL) throws -> [URL] {
        let set = set(of: url)
        return [set] + (try EEGLABSet.sampleFile(of: set).map { [$0] } ?? [])
    }

    private static func set(of url: URL) -> URL {
        guard url.pathExtension.lowercased() == "fdt" else { return url }
        let beside = url.deletingPathExtension().appendingPathExtension("set")
        return UnfetchedFile.isNamed(beside.path) ? beside : url
    }
}
