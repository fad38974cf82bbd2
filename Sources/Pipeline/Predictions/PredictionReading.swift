import Brain
import Cardiac
public import Decoding
import Formats
import Foundation
public import Signals

/// The predictions of a recording, computed from its file as they were live.
public struct PredictionResults: Sendable {
    /// The values of one prediction, in order of time.
    public struct Series: Sendable {
        /// The prediction's name.
        public var prediction: String
        /// Its values.
        public var values: [PredictionValue]

        /// The values of a prediction.
        public init(prediction: String, values: [PredictionValue]) {
            (self.prediction, self.values) = (prediction, values)
        }
    }

    /// A series per prediction that was asked for, in that order.
    public var series: [Series]
    /// How far the recording lies from the calibration of each model.
    public var drift: [String: DriftReport]
    /// Where blinks were asked for, second by second whether the eyes blinked, 1 or 0; nil where no electrode could show it.
    public var blinkSeconds: [(onset: Seconds, blink: Int?)] = []
    /// What was asked for and could not be told: what, and why.
    public var notTold: [(what: String, why: String)]

    /// The predictions of a recording.
    public init(
        series: [Series], drift: [String: DriftReport], notTold: [(what: String, why: String)],
        blinkSeconds: [(onset: Seconds, blink: Int?)] = []
    ) {
        (self.series, self.drift, self.notTold, self.blinkSeconds) = (series, drift, notTold, blinkSeconds)
    }

    /// The values of a prediction; none where it was not asked for.
    public func values(of prediction: Prediction) -> [PredictionValue] {
        series.first { $0.prediction == prediction.name }?.values ?? []
    }
}

/// Reads a recording for predictions.
public enum PredictionReading {
    /// The predictions of a recording that was analyzed.
    /// - Parameters:
    ///   - analysis: what heart and blinks are taken from.
    ///   - open: begins reading the recording.
    /// - Throws: what the reader throws.
    public static func results(
        _ request: PredictionRequest, of analysis: RecordingAnalysis, parameters: Parameters,
        opening open: () throws -> any RecordingReader
    ) throws -> PredictionResults {
        var values: [String: [PredictionValue]] = [:]
        var results = PredictionResults(series: [], drift: [:], notTold: [])
        func take(_ found: [PredictionValue]) {
            for value in found { values[value.prediction, default: []].append(value) }
        }
        if !request.decoded.isEmpty {
            do {
                let epochs = try Self.epochs(request, parameters, open)
                var decoders = try PredictionDecoders(request.models, asked: request.decoded, layout: epochs.layout)
                for epoch in epochs.epochs { take(decoders.values(epoch)) }
                for name in PredictionDecoders.needed(request.names) {
                    results.drift[name] = request.models[name]?.baseline.drift(epochs.epochs)
                }
            } catch let error as FormatError { throw error } catch {
                results.notTold = request.decoded.map { ($0, "\(error)") }
            }
        }
        if request.has(.sleep) {
            let hasMotion = analysis.header.streams.contains { $0.kind == .acceleration }
            take(hasMotion ? try sleep(open) : sleep(analysis))
        }
        take(heart(analysis))
        take(blinks(analysis))
        if request.has(.blink) { results.blinkSeconds = blinking(analysis)?.blinkSeconds ?? [] }
        results.series = request.names.map { PredictionResults.Series(prediction: $0, values: values[$0] ?? []) }
        return results
    }

    private static func epochs(
        _ request: PredictionRequest, _ parameters: Parameters, _ open: () throws -> any RecordingReader
    ) throws -> (layout: FeatureLayout, epochs: [DecodableEpoch]) {
        let file = try open()
        let source = try BrainSource.meant(by: nil, in: file.header, file: "the recording")
        let reader = file.ordered(source.stream, beside: source.besides)
        var track = try DecodableTrack(source, in: reader.header, parameters: parameters, model: request.layout)
        var epochs: [DecodableEpoch] = []
        while let event = try reader.next() { track.take(event, into: &epochs) }
        track.finish(into: &epochs)
        return (track.layout, epochs)
    }

    private static func sleep(_ open: () throws -> any RecordingReader) throws -> [PredictionValue] {
        let reader = try open()
        var (sleep, found) = (SleepPredictions(), [SleepPredictions.Output]())
        while let event = try reader.next() {
            if let (stream, onset) = event.streamOnset { sleep.begin(stream, at: onset, in: reader.header) }
            sleep.take(event, into: &found)
        }
        sleep.finish(into: &found)
        return found.filter(\.isTold).map(\.value).sorted { $0.time < $1.time }
    }

    /// Without an accelerometer sleep is told from the EEG, which takes the whole recording: no session has it live.
    private static func sleep(_ analysis: RecordingAnalysis) -> [PredictionValue] {
        (analysis.brains.first?.sleep ?? []).map {
            PredictionValue(
                prediction: Prediction.sleep.name, time: $0.onset + SleepEpoch.length, duration: SleepEpoch.length,
                value: $0.asleep.map(Double.init) ?? .nan)
        }
    }

    private static func heart(_ analysis: RecordingAnalysis) -> [PredictionValue] {
        var heart = HeartPredictions(hasPulseRates: analysis.parameters.wants(.heartRate))
        for result in analysis.results {
            guard let onset = analysis.inventory.streams[result.source.stream].onset else { continue }
            heart.begin(result.source, at: onset)
            for window in result.pulseRates { _ = heart.take(window, of: result.source.stream) }
            for run in result.runs { heart.hear(result.source.stream, run.lowerBound...run.upperBound) }
        }
        // As they come in a session: which stream tells depends on what the others did.
        let intervals = analysis.results.flatMap { result in result.intervals.map { (result.source.stream, $0) } }
        let moments =
            intervals.sorted { $0.1.onset < $1.1.onset }.flatMap { heart.take($1, of: $0) }
            + heart.finish().flatMap(\.moments)
        return moments.sorted { $0.time < $1.time }.flatMap(\.values)
    }

    private static func blinks(_ analysis: RecordingAnalysis) -> [PredictionValue] {
        (blinking(analysis)?.eyes ?? []).filter { $0.kind == .blink }.map {
            PredictionValue(prediction: Prediction.blink.name, time: $0.onset, value: 1)
        }
    }

    /// What was found in the EEG that blinks are told of, which is the first.
    private static func blinking(_ analysis: RecordingAnalysis) -> BrainResult? {
        let first = BrainSource.all(in: analysis.header).first?.stream
        return analysis.brains.first { $0.source.stream == first }
    }
}
