import Brain
import Cardiac
import Decoding
import Signals

/// The predictions that were asked for, told as a recording goes on: models on the first EEG stream, sleep from the
/// first accelerometer, heart and blinks from what is computed of them anyway.
struct LivePredictions {
    private let request: PredictionRequest
    private let parameters: Parameters
    private var header = RecordingHeader(format: "XDF")
    private var track: PredictionTrack?
    private var refusal: (stream: Int, why: String)?
    private var sleep: (stream: Int, watch: SleepWatch)?
    private var hearts: [Int: RecentHeart] = [:]
    private var values: [PredictionValue] = []
    private var slept: [SleepWatch.Value] = []

    init(_ request: PredictionRequest, parameters: Parameters) {
        (self.request, self.parameters) = (request, parameters)
    }

    /// The first piece of a stream comes.
    mutating func begin(_ stream: Int, in header: RecordingHeader) {
        guard !request.names.isEmpty else { return }
        self.header = header
        if track == nil, refusal == nil, !request.decoded.isEmpty, let source = BrainSource.all(in: header).first,
            source.stream == stream || source.acceleration?.stream == stream
        {
            do {
                track = try PredictionTrack(request, on: source, in: header, parameters: parameters)
            } catch { refusal = (source.stream, "\(error)") }
        }
        if sleep == nil, request.has(.sleep), header.streams.indices.contains(stream),
            header.streams[stream].kind == .acceleration
        {
            let form = header.streams[stream]
            sleep = (stream, SleepWatch(channels: form.channels, sampleRate: form.sampleRate))
        }
    }

    mutating func take(_ event: RecordingEvent, into updates: inout [LiveUpdate]) {
        if let (stream, why) = refusal, !why.isEmpty {
            updates.append(.predictionRefused(stream: stream, why))
            refusal = (stream, "")
        }
        track?.take(event, into: &values)
        switch event {
        case .segment(let stream, let start) where stream == sleep?.stream: sleep?.watch.begin(start, into: &slept)
        case .samples(let stream, let block) where stream == sleep?.stream: sleep?.watch.push(block, into: &slept)
        default: break
        }
        tell(&updates)
    }

    mutating func take(_ interval: IBI, of stream: Int, into updates: inout [LiveUpdate]) {
        guard request.has(.heartRate) || request.has(.heartRateVariability), isHeart(stream) else { return }
        for value in hearts[stream, default: RecentHeart()].next(interval).predictions
        where request.names.contains(value.prediction) {
            updates.append(.prediction(stream: stream, value))
        }
    }

    mutating func take(_ event: EyeEvent, of stream: Int, into updates: inout [LiveUpdate]) {
        guard request.has(.blink), event.kind == .blink else { return }
        updates.append(
            .prediction(
                stream: stream, PredictionValue(prediction: Prediction.blink.name, time: event.onset, value: 1)))
    }

    mutating func finish(into updates: inout [LiveUpdate]) {
        track?.finish(into: &values)
        sleep?.watch.finish(into: &slept)
        tell(&updates)
    }

    private mutating func tell(_ updates: inout [LiveUpdate]) {
        for value in values { updates.append(.prediction(stream: track?.source.stream ?? 0, value)) }
        values.removeAll(keepingCapacity: true)
        for value in slept { updates.append(.prediction(stream: sleep?.stream ?? 0, PredictionValue(value))) }
        slept.removeAll(keepingCapacity: true)
    }

    private func isHeart(_ stream: Int) -> Bool {
        Self.heart(in: header) == stream
    }

    /// The stream that the heart is told from: an ECG rather than a device's intervals rather than a pulse.
    static func heart(in header: RecordingHeader) -> Int? {
        [StreamKind.ecg, .ibi, .bvp].lazy.compactMap { kind in
            header.streams.firstIndex { $0.kind == kind }
        }.first
    }
}
