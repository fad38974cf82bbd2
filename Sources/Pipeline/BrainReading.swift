public import Formats
public import Foundation
public import Signals

/// Runs the stages for one EEG stream of a file.
public enum BrainReading {
    /// What `marey eeg` computes: one EEG stream of one file, read from end to end.
    /// - Parameters:
    ///   - url: a recording of any readable format.
    ///   - stream: name, kind or place of the stream; nil for the first that holds EEG.
    ///   - unit: what the numbers really are, where the file is wrong about it; nil where it is right.
    ///   - open: begins reading a recording; told from its content unless said otherwise.
    ///   - progress: called with the share of the recording that has been read, 0…1.
    /// - Throws: `FormatError`, `PipelineError`, or what `BrainTrack` throws.
    public static func result(
        of url: URL, stream: String? = nil, unit: Signals.Unit? = nil, parameters: Parameters = Parameters(),
        computing outputs: BrainTrack.Outputs = .all,
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> BrainResult {
        let file = try open(url)
        var source = try BrainSource.meant(
            by: stream, in: file.header, file: url.relativePath, believing: true)
        let reader = file.ordered(source.stream, beside: source.besides)
        if let unit { for index in source.channels.indices { source.channels[index].unit = unit } }
        var track = try BrainTrack(source, in: reader.header, parameters: parameters, computing: outputs)
        var clock = ReadingClock(reader.header)
        while let event = try reader.next() {
            track.take(event)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
        track.finish()
        if let doubt = track.result.doubt {
            throw PipelineError(
                "\(url.relativePath): stream \(source.name): \(doubt)", advice: "`marey eeg --unit` says what it is")
        }
        var result = track.result
        // Readers find out more while they read.
        result.notes = reader.header.notes
        return result
    }
}
