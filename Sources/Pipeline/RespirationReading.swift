public import Cardiac
public import Formats
public import Foundation
public import Signals

/// Tells the respiration of a file.
public enum RespirationReading {
    /// What `marey respiration` computes: the windows of one belt channel or one source of heart beats.
    ///
    /// Without a wish a respiration channel comes first; a request for one by its stream's name, kind or place takes it
    /// as well.
    /// - Parameters:
    ///   - url: a recording of any readable format, or a beats table.
    ///   - edits: what a person changed in the beats; a respiration channel has none.
    ///   - open: begins reading a recording; told from its content unless said otherwise.
    ///   - progress: called with the share of the recording that has been read, 0…1.
    /// - Throws: `FormatError`, `PipelineError` or `InvalidParameter`.
    public static func windows(
        of url: URL, _ request: SourceRequest = SourceRequest(), parameters: Parameters = Parameters(),
        edits: BeatEdits? = nil, opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> [RespirationWindow] {
        if !BeatsTable.recognizes(url) {
            let reader = try open(url)
            if let belt = BeltSource.meant(by: request, in: reader.header) {
                // Those that merely lie beside the recording are for its beats.
                if let edits, edits.areForAnySource, !edits.list.isEmpty {
                    throw PipelineError(
                        "\(edits.file.relativePath): \(belt.title) is a respiration channel and has no beats to edit",
                        advice: "ask for a source of beats (--as ecg, or --stream), or leave the edits out")
                }
                return try windows(of: belt, reader, parameters: parameters, progress: progress)
            }
        }
        return try CardiacReading.result(
            of: url, request, parameters: parameters, computing: .respiration, edits: edits, opening: open,
            progress: progress
        ).respiration
    }

    private static func windows(
        of belt: BeltSource, _ reader: any RecordingReader, parameters: Parameters, progress: (Double) -> Void
    ) throws -> [RespirationWindow] {
        var track = try BeltTrack(belt, parameters: parameters)
        var clock = ReadingClock(reader.header)
        while let event = try reader.next() {
            track.take(event)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
        track.finish()
        return track.result.windows
    }
}

extension BeltSource {
    /// The channel that a request means; nil where it means no respiration channel.
    static func meant(by request: SourceRequest, in header: RecordingHeader) -> BeltSource? {
        guard request.kind == nil else { return nil }
        let all = all(in: header)
        guard let wish = request.stream else { return request.channel == nil ? all.first : nil }
        let streams = header.streams.indices.filter { index in
            let stream = header.streams[index]
            return stream.name == wish || stream.kind.rawValue == wish || String(index) == wish
        }
        guard let stream = streams.first else { return nil }
        let channels = all.filter { $0.stream == stream }
        guard let channel = request.channel else { return channels.first }
        return channels.first { $0.label.label == channel || String($0.channel) == channel }
    }
}
