import Brain
import Cardiac
import Electrodermal
import Motion
import Pipeline
import Quality
import Signals

/// A live result as a row of numbers for other programs: which of its stream's results it is, its columns, and its moment.
struct OutletRow {
    /// The result's name behind `STREAM-live-`.
    var name: String
    /// The kind that the row's first number has as a stream.
    var kind: StreamKind
    /// A column for each number.
    var channels: [Channel]
    /// Seconds from the recording's start.
    var onset: Seconds
    /// NaN for what is missing.
    var values: [Double]

    private init(_ name: String, _ kind: StreamKind = .other, at onset: Seconds, _ columns: [(String, Unit, Double?)]) {
        (self.name, self.kind, self.onset) = (name, kind, onset)
        channels = columns.map { Channel(label: $0.0, unit: $0.1) }
        values = columns.map { $0.2 ?? .nan }
    }

    /// A result as a row of numbers; nil for results without numbers.
    /// - Parameters:
    ///   - header: the stream it was computed from.
    ///   - features: the features of an epoch of EEG, in their order.
    init?(_ update: LiveUpdate, of header: StreamHeader?, features: [EEGFeature]) {
        switch update {
        case .beat(_, let beat):
            self.init("beats", at: beat.onset, [("confidence", .dimensionless, Double(beat.confidence))])
        case .interval(_, let interval):
            self.init("ibi", .ibi, at: interval.onset, [("IBI", .seconds, interval.duration)])
        case .heartRate(_, let onset, let rate):
            self.init("heartRate", .heartRate, at: onset, [("heartRate", .beatsPerMinute, rate)])
        case .pulseRate(_, let window):
            self.init(
                "pulseRate", at: window.end,
                [
                    ("heartRate", .beatsPerMinute, window.rate), ("confidence", .dimensionless, window.confidence),
                ])
        case .hrv(_, let window):
            self.init(
                "hrv", at: window.onset + window.duration,
                zip(HRVIndex.all, window.values).map { ($0.name, $0.unit, $1?.isFinite == true ? $1 : nil) })
        case .quality(_, let window):
            self.init(
                "quality", at: window.onset + window.duration, [("quality", .dimensionless, window.quality)])
        case .respiration(_, let window):
            self.init(
                "respiration-\(window.method.rawValue)", at: window.onset + window.duration,
                [("rate", Unit("1/min"), window.rate), ("quality", .dimensionless, window.quality)])
        case .skin(_, let response):
            self.init(
                "responses", at: response.onset,
                [
                    ("amplitude", .microsiemens, response.amplitude), ("level", .microsiemens, response.level),
                    ("riseTime", .seconds, response.riseTime),
                    ("artefact", .dimensionless, response.isDoubtful ? 1 : 0),
                ])
        case .eeg(_, let epoch): self.init(epoch, of: header, features)
        case .eyes(_, let event):
            self.init(
                event.kind.rawValue, at: event.onset,
                [("duration", .seconds, event.duration), ("amplitude", .microvolts, Double(event.amplitude))])
        case .motion(_, let epoch):
            self.init(
                "motion", at: epoch.onset + epoch.duration,
                [
                    ("enmo", .g, epoch.usable?.enmo), ("mad", .g, epoch.usable?.mad),
                    ("steps", .dimensionless, epoch.usable?.steps.map { Double($0) }),
                ])
        case .temperature(_, let window):
            self.init(
                "temperature", .temperature, at: window.onset + window.duration,
                [("mean", .degreesCelsius, window.usable?.mean)])
        case .prediction(_, let value):
            self.init("prediction-\(value.prediction)", at: value.time, [(value.prediction, .unknown, value.value)])
        case .battery(_, let estimate):
            self.init("battery", .battery, at: estimate.onset, [("charge", .dimensionless, estimate.charge)])
        case .rhythm, .predictionRefused: return nil
        }
    }

    /// The band powers of an epoch of EEG, channel by channel.
    private init?(_ epoch: ChannelValues, of header: StreamHeader?, _ features: [EEGFeature]) {
        let powers = features.indices.filter { features[$0].name.hasSuffix("Power") }
        guard let header, !powers.isEmpty, epoch.values.channels > 0 else { return nil }
        // Channels of other kinds are set apart before features are computed.
        let electrodes = header.channels.filter { ($0.kind ?? .eeg) == .eeg && $0.fault == nil }
        let isKnown = electrodes.count == epoch.values.channels
        let columns = (0..<epoch.values.channels).flatMap { channel in
            powers.map { feature in
                let label = isKnown ? electrodes[channel].label : "\(channel + 1)"
                return ("\(label) \(features[feature].name)", features[feature].unit, epoch.values[channel, feature])
            }
        }
        self.init("bandPowers", at: epoch.onset + epoch.duration, columns)
    }

    /// The mean skin conductance of a second.
    init(level: Double, at onset: Seconds) {
        self.init("level", .eda, at: onset, [("level", .microsiemens, level)])
    }
}

/// The mean of every second of a stream of skin conductance, as it goes on.
struct ConductanceLevel {
    private let rate: Double
    private var onset: Seconds = 0
    private var frames = 0
    private var (sum, count) = (0.0, 0)
    private var second: Int?

    init(rate: Double) { self.rate = rate }

    /// A segment begins.
    mutating func begin(_ onset: Seconds) {
        (self.onset, frames) = (onset, 0)
        (sum, count, second) = (0, 0, nil)
    }

    /// Takes the next frames, of which the first channel counts.
    /// - Returns: the seconds that are complete, each with its end.
    mutating func take(_ block: SampleBlock) -> [OutletRow] {
        var complete: [OutletRow] = []
        for sample in block.channel(0) {
            let number = Int((Double(frames) / rate).rounded(.down))
            if let second, second != number {
                if count > 0 { complete.append(OutletRow(level: sum / Double(count), at: onset + Double(number))) }
                (sum, count) = (0, 0)
            }
            second = number
            frames += 1
            guard sample.isFinite else { continue }
            sum += Double(sample)
            count += 1
        }
        return complete
    }
}

extension LiveValue {
    /// The beginning of the names of its outlets behind `STREAM-live-`. Each prediction has an outlet of its own.
    var outletName: String {
        switch self {
        case .heartRate: "heartRate"
        case .pulseRate: "pulseRate"
        case .quality: "quality"
        case .variability: "hrv"
        case .respiration: "respiration-"
        case .prediction(let name): "prediction-\(name)"
        case .rhythm, .electrodes: "\(self)"
        }
    }
}
