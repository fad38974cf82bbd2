public import Formats
public import Foundation
public import Quality
public import Signals

/// Tells the signal quality of one stream of a file.
public enum QualityReading {
    /// What `marey quality` computes: the windows of one source of heart beats, or of one EEG stream where it is meant
    /// by its name, kind or place, or where there are no beats to be had.
    /// - Parameters:
    ///   - url: a recording of any readable format.
    ///   - open: begins reading a recording; told from its content unless said otherwise.
    ///   - progress: called with the share of the recording that has been read, 0…1.
    /// - Throws: `FormatError`, `PipelineError` or `InvalidParameter`.
    public static func windows(
        of url: URL, _ request: SourceRequest = SourceRequest(), parameters: Parameters = Parameters(),
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> [QualityWindow] {
        if !BeatsTable.recognizes(url), let stream = try eegStream(request, open(url).header) {
            return try BrainReading.result(
                of: url, stream: stream, parameters: parameters, computing: .quality, opening: open,
                progress: progress
            ).quality
        }
        return try CardiacReading.result(
            of: url, request, parameters: parameters, computing: .quality, opening: open, progress: progress
        ).quality
    }

    private static func eegStream(_ request: SourceRequest, _ header: RecordingHeader) -> String? {
        guard request.kind == nil else { return nil }
        let source = try? BrainSource.meant(by: request.stream, in: header, file: "")
        guard let source, request.stream != nil || SourceRequest.all(in: header).isEmpty else { return nil }
        return source.name
    }
}
