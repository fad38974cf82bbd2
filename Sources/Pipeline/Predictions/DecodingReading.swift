import Brain
public import Decoding
public import Formats
public import Foundation
public import Signals

/// Reads recordings as models of a person's EEG see them.
public enum DecodingReading {
    /// A recording's epochs, and what their features are.
    public struct Epochs: Sendable {
        /// What the features are.
        public var layout: FeatureLayout
        /// The epochs, in order of time.
        public var epochs: [DecodableEpoch]
        /// Markers of the recording, in order of time.
        public var markers: [Marker]
        /// The labels of the EEG channels that were read.
        public var channels: [String]
    }

    /// Reads the EEG of a recording from end to end: cleaned, cut into epochs, judged, made into features.
    /// - Parameters:
    ///   - stream: name, kind or place of the stream; nil for the first that holds EEG.
    ///   - layout: that of the model the epochs are for, which says how EEG is cleaned, cut and measured; nil for
    ///     `parameters` and the usual features.
    ///   - leftOut: labels of channels that are left out.
    /// - Throws: `FormatError`, `PipelineError`, or what `DecodableTrack` throws.
    public static func epochs(
        of url: URL, stream: String? = nil, layout: FeatureLayout? = nil, parameters: Parameters = Parameters(),
        leavingOut leftOut: [String] = [], opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> Epochs {
        let file = try open(url)
        let source = try BrainSource.meant(by: stream, in: file.header, file: url.relativePath)
        let reader = file.ordered(source.stream, beside: source.besides)
        var track = try DecodableTrack(
            source, in: reader.header, parameters: parameters, model: layout, leavingOut: leftOut)
        var result = Epochs(
            layout: track.layout, epochs: [], markers: [], channels: track.source.channels.map(\.label))
        var watch = UnitWatch()
        var clock = ReadingClock(reader.header)
        while let event = try reader.next() {
            if case .marker(let marker) = event { result.markers.append(marker) }
            watch.take(event, of: track.source)
            track.take(event, into: &result.epochs)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
        track.finish(into: &result.epochs)
        if let doubt = watch.verdict(isEnd: true).doubt(declared: source.declaredUnit) {
            throw PipelineError(
                "\(url.relativePath): stream \(source.name): \(doubt)",
                advice: "correct the unit in the file, or write it anew with the right one")
        }
        result.markers.sort { $0.onset < $1.onset }
        return result
    }
}
