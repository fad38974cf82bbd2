import Brain
import Cardiac
import Decoding
import Signals

/// The predictions that were asked for, told as a recording goes on: models and blinks on the first EEG stream, sleep
/// from acceleration and the heart from beats, each from the best stream there is.
struct LivePredictions {
    private let request: PredictionRequest
    private let parameters: Parameters
    private var track: PredictionTrack?
    private var refusal: (stream: Int, why: String)?
    private var begun: Set<Int> = []
    private var brain: Int?
    private var sleep = SleepPredictions()
    private var heart: HeartPredictions
    /// The runs that go on, and how many samples of each came.
    private var runs: [Int: (start: SegmentStart, count: Int)] = [:]
    private var values: [PredictionValue] = []

    /// - Parameter hasPulseRates: whether windows of every pulse wave will come.
    init(_ request: PredictionRequest, parameters: Parameters, hasPulseRates: Bool) {
        (self.request, self.parameters) = (request, parameters)
        heart = HeartPredictions(hasPulseRates: hasPulseRates)
    }

    /// A piece of a stream comes, perhaps its first.
    mutating func begin(_ stream: Int, with event: RecordingEvent, in header: RecordingHeader) {
        guard !request.names.isEmpty, begun.insert(stream).inserted else { return }
        let source = BrainSource.all(in: header).first
        brain = source?.stream
        if track == nil, refusal == nil, !request.decoded.isEmpty, let source,
            source.stream == stream || source.besides.contains(stream)
        {
            do {
                track = try PredictionTrack(request, on: source, in: header, parameters: parameters)
            } catch { refusal = (source.stream, "\(error)") }
        }
        guard let (_, onset) = event.streamOnset else { return }
        if request.has(.sleep) { sleep.begin(stream, at: onset, in: header) }
        if let source = SourceRequest.all(in: header).first(where: { $0.stream == stream }) {
            heart.begin(source, at: onset)
        }
    }

    mutating func take(_ event: RecordingEvent, into updates: inout [LiveUpdate]) {
        hear(event)
        if let (stream, why) = refusal, !why.isEmpty {
            updates.append(.predictionRefused(stream: stream, why))
            refusal = (stream, "")
        }
        track?.take(event, into: &values)
        tell(&updates)
        sleep.take(event) { updates.append(.prediction(stream: $0, $1)) }
    }

    mutating func take(_ interval: IBI, of stream: Int, into updates: inout [LiveUpdate]) {
        guard tellsHeart else { return }
        for value in heart.take(interval, of: stream) where request.names.contains(value.prediction) {
            updates.append(.prediction(stream: stream, value))
        }
    }

    mutating func take(_ window: PulseRateWindow, of stream: Int, into updates: inout [LiveUpdate]) {
        guard tellsHeart else { return }
        for value in heart.take(window, of: stream) where request.names.contains(value.prediction) {
            updates.append(.prediction(stream: stream, value))
        }
    }

    mutating func take(_ event: EyeEvent, of stream: Int, into updates: inout [LiveUpdate]) {
        guard request.has(.blink), event.kind == .blink, stream == brain else { return }
        updates.append(
            .prediction(
                stream: stream, PredictionValue(prediction: Prediction.blink.name, time: event.onset, value: 1)))
    }

    mutating func finish(into updates: inout [LiveUpdate]) {
        if tellsHeart {
            for (stream, values) in heart.finish() {
                for value in values where request.names.contains(value.prediction) {
                    updates.append(.prediction(stream: stream, value))
                }
            }
        }
        track?.finish(into: &values)
        tell(&updates)
        sleep.finish { updates.append(.prediction(stream: $0, $1)) }
    }

    private mutating func hear(_ event: RecordingEvent) {
        guard tellsHeart else { return }
        if case .segment(let stream, let start) = event { runs[stream] = (start, 0) }
        guard case .samples(let stream, let block) = event, let (start, count) = runs[stream] else { return }
        runs[stream] = (start, count + block.frameCount)
        heart.hear(stream, start.onset(ofOffset: count)...start.onset(ofOffset: count + block.frameCount))
    }

    private var tellsHeart: Bool { request.has(.heartRate) || request.has(.heartRateVariability) }

    private mutating func tell(_ updates: inout [LiveUpdate]) {
        for value in values { updates.append(.prediction(stream: track?.source.stream ?? 0, value)) }
        values.removeAll(keepingCapacity: true)
    }
}
