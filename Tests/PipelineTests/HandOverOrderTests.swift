import Foundation
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// Heart rates come from one stream and then from another, whose values take another time to arrive.
struct HandOverOrderTests {
    /// A session of 70 s with a pulse and a device's intervals, which begin, end and come late at random.
    struct Case: CustomTestStringConvertible, Sendable {
        var seed: UInt64
        /// Seconds from a sample or an interval to its arrival.
        var pulseDelay: Double, intervalDelay: Double
        /// When the device measures intervals.
        var measured: [ClosedRange<Double>]
        var testDescription: String { "seed \(seed)" }

        init(seed: UInt64, longestDelay: Double) {
            self.seed = seed
            var random = SplitMix64(seed: seed)
            pulseDelay = Double.random(in: 0...longestDelay, using: &random)
            intervalDelay = Double.random(in: 0...longestDelay, using: &random)
            let begin = Double.random(in: 0...25, using: &random)
            let end = begin + Double.random(in: 3...25, using: &random)
            measured = [begin...end, min(65, end + Double.random(in: 5...30, using: &random))...70]
        }
    }

    private static let pulse: Signals.Stream = {
        var parameters = SimulationParameters()
        parameters.duration = 70
        let made = SimulatedSession(parameters).recording()
        var stream = made.streams.first { $0.header.kind == .bvp } ?? Signals.Stream(header: made.streams[0].header)
        stream.header.name = "muse-ppg"
        return stream
    }()

    private static let header: RecordingHeader = {
        let intervals = StreamHeader(
            name: "empatica-e4-ibi", kind: .ibi, channels: [Channel(label: "ibi", unit: .seconds)], sampleRate: 0)
        return RecordingHeader(duration: 70, streams: [pulse.header, intervals], format: "test")
    }()

    /// The chunks of both streams, with the moments at which they come.
    private static func arrivals(_ test: Case) -> [(moment: Seconds, event: RecordingEvent)] {
        var random = SplitMix64(seed: test.seed ^ 0x5EED)
        var arrivals: [(moment: Seconds, event: RecordingEvent)] = []
        let segment = pulse.segments[0]
        let rate = pulse.header.sampleRate
        arrivals.append((0, .segment(stream: 0, start: segment.start)))
        var (first, latest) = (0, 0.0)
        while first < segment.block.frameCount {
            let next = min(segment.block.frameCount, first + Int.random(in: 1...Int(rate), using: &random))
            // A stream keeps its order.
            latest = max(latest, Double(next) / rate + Double.random(in: 0...1, using: &random) * test.pulseDelay)
            arrivals.append((latest, .samples(stream: 0, segment.block.frames(first..<next))))
            first = next
        }
        for times in test.measured {
            var (moment, latest) = (times.lowerBound, 0.0)
            while moment < times.upperBound {
                let duration = Double.random(in: 0.7...0.95, using: &random)
                moment += duration
                latest = max(latest, moment + Double.random(in: 0...1, using: &random) * test.intervalDelay)
                arrivals.append((latest, .values(stream: 1, [TimedValue(onset: moment, values: [duration])])))
            }
        }
        return arrivals.enumerated().sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }
            .map(\.element)
    }

    private static func told(_ test: Case) throws -> (values: [(stream: Int, value: PredictionValue)], late: Int) {
        var analysis = try LiveAnalysis(
            parameters: Parameters(), predictions: PredictionRequest(["heartRate", "heartRateVariability"]))
        analysis.declare(header)
        var updates: [LiveUpdate] = []
        for arrival in arrivals(test) { analysis.take(arrival.event, into: &updates) }
        analysis.finish(into: &updates)
        return (
            updates.compactMap {
                if case .prediction(let stream, let value) = $0 { (stream, value) } else { nil }
            }, analysis.latePredictions
        )
    }

    @Test(
        "values are in order of time across every hand-over, for any delays",
        arguments: (0..<24).map { Case(seed: $0, longestDelay: $0 % 3 == 0 ? 9 : 3) })
    func monotone(test: Case) throws {
        let told = try Self.told(test).values
        #expect(Set(told.map(\.stream)).count == 2)
        for name in ["heartRate", "heartRateVariability"] {
            let times = told.filter { $0.value.prediction == name }.map(\.value.time)
            #expect(times.count > 30)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test(
        "live values equal those of the recording, to the bit, while streams come within seconds",
        arguments: (100..<112).map { Case(seed: $0, longestDelay: 2) })
    func sameAsTheRecording(test: Case) throws {
        let (told, late) = try Self.told(test)
        var recording = Recording(
            header: Self.header, streams: [Self.pulse, Signals.Stream(header: Self.header.streams[1])])
        for arrival in Self.arrivals(test) {
            if case .values(1, let values) = arrival.event { recording.streams[1].values += values }
        }
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let results = try PredictionReading.results(
            PredictionRequest(["heartRate"]), of: analysis, parameters: Parameters()
        ) { RecordedEvents(recording) }
        let shown = told.map(\.value).filter { $0.prediction == "heartRate" }
        #expect(late == 0)
        #expect(
            shown.map { [$0.time.bitPattern, $0.value.bitPattern] }
                == results.series[0].values.map { [$0.time.bitPattern, $0.value.bitPattern] })
    }
}
