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
    }

    /// Reads the EEG of a recording from end to end: cleaned, cut into epochs, judged, made into features.
    /// - Parameters:
    ///   - stream: name, kind or place of the stream; nil for the first that holds EEG.
    ///   - layout: what the features have to be; nil for the usual ones of the stream's channels.
    /// - Throws: `FormatError`, `PipelineError`, or `ModelError` where the channels are not those of `layout`.
    public static func epochs(
        of url: URL, stream: String? = nil, layout: FeatureLayout? = nil, parameters: Parameters = Parameters(),
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open, progress: (Double) -> Void = { _ in }
    ) throws -> Epochs {
        let reader = try open(url)
        let source = try BrainSource.meant(by: stream, in: reader.header, file: url.relativePath)
        var preparation = try EEGPreparation(
            channels: source.channels, sampleRate: source.sampleRate, cleaning: parameters.eeg.cleaning,
            epochs: parameters.eeg.epochs)
        let found = try FeatureLayout(
            labels: preparation.labels, sampleRate: source.sampleRate,
            parameters: layout?.parameters ?? FeatureLayout.defaultParameters)
        var assembly = try FeatureAssembly(found)
        var result = Epochs(layout: found, epochs: [], markers: [])
        var (clock, ready) = (ReadingClock(reader.header), [Epoch]())
        while let event = try reader.next() {
            switch event {
            case .segment(source.stream, let start): preparation.begin(start, into: &ready)
            case .samples(source.stream, let block): preparation.push(block, into: &ready)
            case .marker(let marker): result.markers.append(marker)
            default: break
            }
            result.epochs += ready.map { assembly.decodable($0) }
            ready.removeAll(keepingCapacity: true)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
        preparation.finish(into: &ready)
        result.epochs += ready.map { assembly.decodable($0) }
        result.markers.sort { $0.onset < $1.onset }
        return result
    }
}
