public import Electrodermal
public import Formats
public import Foundation
public import Quality
public import Signals

/// Runs the stages for one stream of skin conductance, motion, temperature or battery of a file.
public enum BodyReading {
    /// What `marey eda` computes.
    /// - Parameters:
    ///   - url: a recording of any readable format.
    ///   - request: which stream and channel; without a wish, the first of skin conductance.
    ///   - outputs: what is computed.
    ///   - open: begins reading a recording; told from its content unless said otherwise.
    ///   - progress: called with the share of the recording that has been read, 0…1.
    /// - Throws: `FormatError`, `PipelineError` or `ElectrodermalError`.
    public static func electrodermal(
        of url: URL, _ request: SourceRequest = SourceRequest(), parameters: Parameters = Parameters(),
        computing outputs: ElectrodermalStage.Outputs = .all,
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> ElectrodermalResult {
        let reader = try open(url)
        let source = try BodySource.meant(by: request, kinds: [.eda], in: reader.header, file: url.relativePath)
        var track = try ElectrodermalTrack(
            source, in: reader.header, parameters: parameters, computing: outputs, tellingQuality: false)
        try read(reader.ordered(source.stream, beside: track.acceleration.streams), progress) { track.take($0) }
        track.finish()
        var result = track.result
        result.notes = reader.header.notes
        if request.channel == nil, let (others, used) = source.leftOut(of: reader.header) {
            result.notes.append(
                "of stream \(source.name) only channel \(used) was used, not \(others): choose with --channel")
        }
        return result
    }

    /// What `marey motion` computes: acceleration, temperature or battery, in this order where nothing is asked for.
    /// - Throws: `FormatError`, `PipelineError` or `MotionError`.
    public static func motion(
        of url: URL, _ request: SourceRequest = SourceRequest(), parameters: Parameters = Parameters(),
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> MotionResult {
        let reader = try open(url)
        let source = try BodySource.meant(
            by: request, kinds: [.acceleration, .temperature, .battery], in: reader.header, file: url.relativePath)
        var track = try MotionTrack(source, in: reader.header, parameters: parameters)
        try read(reader, progress) { track.take($0) }
        track.finish()
        return track.result
    }

    /// The quality windows of a stream of skin conductance, temperature or acceleration; nil where the request means
    /// no such stream but a source of heart beats.
    /// - Throws: `FormatError`, `PipelineError`, `ElectrodermalError` or `MotionError`.
    public static func quality(
        of url: URL, _ request: SourceRequest, parameters: Parameters = Parameters(),
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> [QualityWindow]? {
        guard request.kind == nil, !BeatsTable.recognizes(url) else { return nil }
        let reader = try open(url)
        let kinds: [StreamKind] = [.eda, .temperature, .acceleration]
        let hasHeart = !SourceRequest.all(in: reader.header).isEmpty
        if request.stream == nil, hasHeart { return nil }
        let source: BodySource
        do {
            source = try BodySource.meant(by: request, kinds: kinds, in: reader.header, file: url.relativePath)
        } catch {
            // The request may mean a source of beats, or nothing: who reads beats says what is wrong.
            let isOfBody = reader.header.streams.contains { kinds.contains($0.kind) && $0.name == request.stream }
            if isOfBody || kinds.contains(where: { $0.rawValue == request.stream }) { throw error }
            return nil
        }
        if source.kind == .eda {
            var track = try ElectrodermalTrack(source, in: reader.header, parameters: parameters, computing: nil)
            try read(reader, progress) { track.take($0) }
            track.finish()
            return track.result.quality
        }
        var track = try MotionTrack(source, in: reader.header, parameters: parameters)
        try read(reader, progress) { track.take($0) }
        track.finish()
        return track.result.quality
    }

    private static func read(
        _ reader: any RecordingReader, _ progress: (Double) -> Void, _ take: (RecordingEvent) -> Void
    ) throws {
        var clock = ReadingClock(reader.header)
        while let event = try reader.next() {
            take(event)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
    }
}
