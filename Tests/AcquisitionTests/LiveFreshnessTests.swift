import Acquisition
import Brain
import Pipeline
import Quality
import Signals
import TestSupport
import Testing

/// Live values end when the data end, in simulated time.
@Suite struct LiveFreshnessTests {
    /// The causes for which the data of a headband end.
    enum Ending: CaseIterable, Sendable {
        /// The connection is lost.
        case lost
        /// It is disconnected upon request.
        case disconnected
        /// The EEG ends while the other streams of the device go on.
        case silentStream
        /// All streams stop, and the link stays.
        case stalled
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var ending: Ending
        var seed: UInt64
        var testDescription: String { "\(ending), seed \(seed)" }
    }

    private static let cases = Ending.allCases.flatMap { ending in (0..<6).map { Case(ending: ending, seed: $0) } }

    private static func header(_ name: String, _ kind: StreamKind, _ rate: Double) -> StreamHeader {
        StreamHeader(name: name, kind: kind, channels: [Channel(label: "x", unit: .unknown)], sampleRate: rate)
    }

    private static func samples(_ stream: Int, _ count: Int) -> RecordingEvent {
        .samples(stream: stream, SampleBlock(channelCount: 1, samples: Array(repeating: 0, count: count)))
    }

    private static func lapses(_ changes: [LiveFreshness.Change]) -> [LiveLapse] {
        changes.compactMap { if case .lapse(let lapse) = $0 { lapse } else { nil } }
    }

    private static func signals(_ changes: [LiveFreshness.Change]) -> [StreamSignal] {
        changes.compactMap { if case .signal(let signal) = $0 { signal } else { nil } }
    }

    /// A headband's EEG (0) and acceleration (1), and a strap's ECG (2), 20 s long in chunks of up to 0.3 s.
    @Test("every value of a headband ends within an epoch of its last sample, and no other", arguments: cases)
    func ends(test: Case) {
        var random = SplitMix64(seed: test.seed)
        var freshness = LiveFreshness()
        let rate = [256.0, 250.0, 500.0][Int.random(in: 0..<3, using: &random)]
        freshness.append(Self.header("band-eeg", .eeg, rate), of: "band")
        freshness.append(Self.header("band-acceleration", .acceleration, 52), of: "band")
        freshness.append(Self.header("strap-ecg", .ecg, 130), of: "strap")
        let rates = [rate, 52, 130]
        for (stream, rate) in rates.enumerated() {
            _ = freshness.hear(
                .segment(stream: stream, start: SegmentStart(onset: 0, sample: 0, sampleRate: rate)), at: 0)
        }
        let stop = Double.random(in: 12...14, using: &random)
        var counts = [0, 0, 0]
        var (moment, last) = (0.0, 0.0)
        var ended: [(moment: Seconds, changes: [LiveFreshness.Change])] = []
        while moment < 20 {
            moment += Double.random(in: 0.05...0.3, using: &random)
            let hasStopped = moment > stop
            if hasStopped, moment - 0.3 <= stop, test.ending == .lost || test.ending == .disconnected {
                let reason = test.ending == .lost ? LapseReason.deviceLost : .disconnectedUponRequest
                ended.append((moment, freshness.lose("band", reason)))
            }
            ended.append((moment, freshness.pass(to: moment)))
            for stream in 0..<3 {
                let goesOn = stream == 2 || stream == 1 && test.ending == .silentStream
                guard !hasStopped || goesOn else { continue }
                let count = Int(moment * rates[stream]) - counts[stream]
                counts[stream] += count
                if let change = freshness.hear(Self.samples(stream, count), at: moment) {
                    ended.append((moment, [change]))
                }
                if stream == 0 { last = moment }
            }
            // Values come as long as their data do, two seconds later.
            if !hasStopped, moment > 4 {
                let time = moment.rounded(.down) - 2
                freshness.take(
                    .prediction(stream: 0, PredictionValue(prediction: "focus", time: time, duration: 2, value: 0.9)))
                freshness.take(.prediction(stream: 0, PredictionValue(prediction: "blink", time: 5, value: 1)))
                freshness.take(
                    .quality(
                        stream: 0, QualityWindow(onset: time - 4, duration: 4, coverage: 1, quality: 1, reasons: [])))
            }
            freshness.take(.heartRate(stream: 2, onset: moment - 1, 60))
        }
        let lapses = ended.flatMap { moment, changes in Self.lapses(changes).map { (moment, $0) } }
        #expect(Set(lapses.map(\.1.value)) == [.prediction("focus"), .prediction("blink"), .quality])
        #expect(lapses.count == 3 && lapses.allSatisfy { $0.1.stream == 0 })
        #expect(lapses.allSatisfy { $0.0 - last <= StreamSilence.minimum + 0.3 })
        let focus = lapses.first { $0.1.value == .prediction("focus") }?.1
        #expect(focus.map { $0.onset <= $0.since && $0.since <= stop } == true)
        #expect(freshness.isSilent(0) && !freshness.isSilent(2))
        #expect(freshness.isSilent(1) == (test.ending != .silentStream))
        let silent = Self.signals(ended.flatMap(\.changes))
        #expect(silent.count == (test.ending == .silentStream ? 1 : 2) && silent.allSatisfy { !$0.isPresent })
    }

    @Test(
        "no value ends while samples come late and in bursts shorter than an epoch", arguments: 0..<8 as Range<UInt64>)
    func bursts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var freshness = LiveFreshness()
        freshness.append(Self.header("lsl-eeg", .eeg, 250), of: "lsl")
        _ = freshness.hear(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 250)), at: 0)
        var moment = 0.0
        while moment < 60 {
            let burst = Double.random(in: 0.1...1.9, using: &random)
            let next = moment + burst
            while moment < next - 0.1 {
                moment += 0.1
                #expect(freshness.pass(to: moment).isEmpty)
            }
            moment = next
            #expect(freshness.hear(Self.samples(0, Int(burst * 250)), at: moment) == nil)
            freshness.take(
                .prediction(stream: 0, PredictionValue(prediction: "focus", time: moment - 2, duration: 2, value: 0.5)))
        }
    }

    @Test("a stream that comes again is reported, and its values are current")
    func comesAgain() {
        var freshness = LiveFreshness()
        freshness.append(Self.header("band-eeg", .eeg, 100), of: "band")
        func come(from onset: Seconds) -> LiveFreshness.Change? {
            _ = freshness.hear(
                .segment(stream: 0, start: SegmentStart(onset: onset, sample: 0, sampleRate: 100)), at: onset)
            return freshness.hear(Self.samples(0, 100), at: onset + 1)
        }
        func value(_ time: Seconds) {
            freshness.take(
                .prediction(stream: 0, PredictionValue(prediction: "focus", time: time, duration: 2, value: 1)))
        }
        #expect(come(from: 0) == nil)
        value(1)
        #expect(freshness.deadline == 3)
        #expect(freshness.pass(to: 2.9).isEmpty)
        let ended = freshness.pass(to: 3)
        #expect(
            Self.lapses(ended) == [
                LiveLapse(stream: 0, value: .prediction("focus"), onset: 0, since: 1, reason: .silent)
            ])
        #expect(Self.signals(ended).map(\.isPresent) == [false])
        // A value that was held back ends at once.
        value(1.5)
        #expect(Self.lapses(freshness.pass(to: 3.1)).count == 1)
        #expect(come(from: 10) == .signal(StreamSignal(stream: 0, isPresent: true, since: 1, reason: nil)))
        value(10.5)
        #expect(freshness.pass(to: 12.9).isEmpty)
        #expect(freshness.age(of: 0, at: 12) == 1)
    }

    @Test("a value ends when samples come and no newer one does; that no blink came is no end")
    func noNewerValue() {
        var freshness = LiveFreshness()
        freshness.append(Self.header("strap-ecg", .ecg, 100), of: "strap")
        _ = freshness.hear(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 100)), at: 0)
        freshness.take(.heartRate(stream: 0, onset: 1, 70))
        freshness.take(.prediction(stream: 0, PredictionValue(prediction: "blink", time: 1, value: 1)))
        var lapses: [LiveLapse] = []
        for second in 1...40 {
            _ = freshness.hear(Self.samples(0, 100), at: Double(second))
            lapses += Self.lapses(freshness.pass(to: Double(second)))
        }
        #expect(lapses.map(\.value) == [.heartRate] && lapses.map(\.reason) == [.noValue])
    }

    @Test("a slow stream is silent after five samples, and one that comes only at times never is by itself")
    func slowStreams() {
        var freshness = LiveFreshness()
        freshness.append(Self.header("a", .temperature, 0.5), of: "a")
        freshness.append(Self.header("b", .battery, 0), of: "a")
        freshness.append(Self.header("c", .ibi, 0), of: "c")
        _ = freshness.hear(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 0.5)), at: 0)
        _ = freshness.hear(Self.samples(0, 1), at: 0)
        for stream in 1...2 { _ = freshness.hear(.values(stream: stream, [TimedValue(onset: 0, values: [1])]), at: 0) }
        #expect(Self.signals(freshness.pass(to: 4.9)).isEmpty)
        #expect(Self.signals(freshness.pass(to: 5)).map(\.stream) == [2])
        #expect(Self.signals(freshness.pass(to: 10)).map(\.stream) == [0])
        #expect(Self.signals(freshness.pass(to: 1_000)).isEmpty)
        #expect(Self.signals(freshness.lose("a", .deviceLost)).map(\.stream) == [1])
    }
}
