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
    private var heartOrder = HandOverOrder()
    private var sleepOrder = HandOverOrder()
    /// The runs that go on, and how many samples of each came.
    private var runs: [Int: (start: SegmentStart, count: Int)] = [:]
    private var values: [PredictionValue] = []

    /// - Parameter hasPulseRates: whether windows of every pulse wave will come.
    init(_ request: PredictionRequest, parameters: Parameters, hasPulseRates: Bool) {
        (self.request, self.parameters) = (request, parameters)
        heart = HeartPredictions(hasPulseRates: hasPulseRates)
    }

    /// A chunk of a stream comes, perhaps its first.
    /// - Parameter early: what came of a stream before.
    mutating func begin(
        _ stream: Int, with event: RecordingEvent, in header: RecordingHeader,
        after early: (_ stream: Int) -> [RecordingEvent]
    ) {
        guard !request.names.isEmpty, begun.insert(stream).inserted else { return }
        let source = BrainSource.all(in: header).first
        brain = source?.stream
        if track == nil, refusal == nil, !request.decoded.isEmpty, let source,
            source.stream == stream || source.besides.contains(stream)
        {
            do {
                var made = try PredictionTrack(request, on: source, in: header, parameters: parameters)
                // Acceleration may have come before the EEG was declared: without its beginning, epochs would wait for it.
                for event in source.besides.flatMap(early) { made.take(event, into: &values) }
                track = made
            } catch { refusal = (source.stream, "\(error)") }
        }
        guard let (_, onset) = event.streamOnset else { return }
        if request.has(.sleep), sleep.begin(stream, at: onset, in: header) { sleepOrder.begin(stream) }
        if let source = SourceRequest.all(in: header).first(where: { $0.stream == stream }) {
            heart.begin(source, at: onset)
            heartOrder.begin(stream)
        }
    }

    mutating func take(_ event: RecordingEvent, into updates: inout [LiveUpdate]) {
        hear(event, into: &updates)
        if let (stream, why) = refusal, !why.isEmpty {
            updates.append(.predictionRefused(stream: stream, why))
            refusal = (stream, "")
        }
        track?.take(event, into: &values)
        tell(&updates)
        var slept: [SleepPredictions.Output] = []
        sleep.take(event, into: &slept)
        tellSleep(slept, &updates)
    }

    mutating func take(_ interval: IBI, of stream: Int, into updates: inout [LiveUpdate]) {
        guard tellsHeart else { return }
        order(heart.take(interval, of: stream), of: stream)
        tellHeart(&updates)
    }

    mutating func take(_ window: PulseRateWindow, of stream: Int, into updates: inout [LiveUpdate]) {
        guard tellsHeart else { return }
        order(heart.take(window, of: stream), of: stream)
        tellHeart(&updates)
    }

    private mutating func order(_ moments: [HeartPredictions.Moment], of stream: Int) {
        for moment in moments { heartOrder.take(moment.values, at: moment.time, of: stream) }
    }

    /// The number of moments whose values came too late to be reported in order. The recording's tables have them.
    var lateCount: Int { heartOrder.lateCount + sleepOrder.lateCount }

    mutating func take(_ event: EyeEvent, of stream: Int, into updates: inout [LiveUpdate]) {
        guard request.has(.blink), event.kind == .blink, stream == brain else { return }
        updates.append(
            .prediction(
                stream: stream, PredictionValue(prediction: Prediction.blink.name, time: event.onset, value: 1)))
    }

    mutating func finish(into updates: inout [LiveUpdate]) {
        if tellsHeart {
            for (stream, moments) in heart.finish() { order(moments, of: stream) }
        }
        track?.finish(into: &values)
        tell(&updates)
        var slept: [SleepPredictions.Output] = []
        sleep.finish(into: &slept)
        tellSleep(slept, &updates)
        for entry in sleepOrder.finish() + heartOrder.finish() { tell(entry, &updates) }
    }

    private mutating func tellSleep(_ slept: [SleepPredictions.Output], _ updates: inout [LiveUpdate]) {
        guard !slept.isEmpty else { return }
        for output in slept {
            sleepOrder.take(output.isTold ? [output.value] : [], at: output.value.time, of: output.stream)
        }
        for entry in sleepOrder.release(sleep.mayTell) { tell(entry, &updates) }
    }

    private mutating func tellHeart(_ updates: inout [LiveUpdate]) {
        for entry in heartOrder.release(heart.mayTell) { tell(entry, &updates) }
    }

    private func tell(_ entry: HandOverOrder.Entry, _ updates: inout [LiveUpdate]) {
        for value in entry.values where request.names.contains(value.prediction) {
            updates.append(.prediction(stream: entry.stream, value))
        }
    }

    private mutating func hear(_ event: RecordingEvent, into updates: inout [LiveUpdate]) {
        guard tellsHeart else { return }
        if case .segment(let stream, let start) = event { runs[stream] = (start, 0) }
        guard case .samples(let stream, let block) = event, let (start, count) = runs[stream] else { return }
        runs[stream] = (start, count + block.frameCount)
        let end = start.onset(ofOffset: count + block.frameCount)
        heart.hear(stream, start.onset(ofOffset: count)...end)
        heartOrder.hear(until: end)
        tellHeart(&updates)
    }

    private var tellsHeart: Bool { request.has(.heartRate) || request.has(.heartRateVariability) }

    private mutating func tell(_ updates: inout [LiveUpdate]) {
        for value in values { updates.append(.prediction(stream: track?.source.stream ?? 0, value)) }
        values.removeAll(keepingCapacity: true)
    }
}
