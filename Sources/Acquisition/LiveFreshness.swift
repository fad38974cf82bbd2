import Brain
import Cardiac
public import Pipeline
import Quality
public import Signals

/// The age of a session's live values. A value ends when its stream is silent (`StreamSilence`, which is also the rule of the
/// verdicts), and at once when its device is lost. A value also ends when samples come but no newer value does.
///
/// The type has no clock. Its caller passes the present moment, in seconds from the recording's start.
public struct LiveFreshness: Sendable {
    /// An end, or a new beginning.
    public enum Change: Hashable, Sendable {
        /// Samples of a stream ended or came again.
        case signal(StreamSignal)
        /// A live value ended.
        case lapse(LiveLapse)
    }

    /// The least pace of intervals, heart rates and pulses, in values a second: they come with the beats. Five seconds without one
    /// are a silence.
    private static let beatPace = 1.0
    /// The age at which a value ends although samples come, in seconds. Beat detectors look ahead by some seconds.
    public static let longestAge: Seconds = 15

    private struct Source: Sendable {
        var device: String
        /// The rule of its silence; nil where samples come only at times.
        var watch: StreamSilence?
        /// True after the first sample.
        var hasCome = false
        /// The end of the last sample.
        var end: Seconds = 0
        var silence: LapseReason?
        /// The present segment, and its samples so far.
        var segment: (start: SegmentStart, count: Int)?
    }

    private struct Key: Hashable, Sendable {
        var stream: Int
        var value: LiveValue
    }

    private struct Current: Sendable {
        /// The end of what the value is of.
        var time: Seconds
        /// The first moment without a value when none follows.
        var next: Seconds
        /// Seconds after which it ends although samples come; nil: never.
        var longestAge: Seconds?
    }

    private var sources: [Source] = []
    private var values: [Key: Current] = [:]

    /// No streams yet.
    public init() {}

    /// The recording's next stream.
    /// - Parameter pace: values a second of an irregular stream; nil where they are not known.
    public mutating func append(_ header: StreamHeader, of device: String, pace: Double? = nil) {
        let known = header.sampleRate > 0 ? header.sampleRate : pace ?? 0
        let comesWithBeats = [.ibi, .heartRate, .ecg, .bvp].contains(header.kind)
        let rate = known > 0 ? known : comesWithBeats ? Self.beatPace : 0
        sources.append(Source(device: device, watch: rate > 0 ? StreamSilence(rate: rate, at: 0) : nil))
    }

    /// Something of a stream came.
    /// - Returns: that the stream's samples come again, where they did not before.
    public mutating func hear(_ event: RecordingEvent, at moment: Seconds) -> Change? {
        switch event {
        case .segment(let stream, let start):
            guard sources.indices.contains(stream) else { return nil }
            sources[stream].segment = (start, 0)
            return nil
        case .samples(let stream, let block):
            guard sources.indices.contains(stream), block.frameCount > 0 else { return nil }
            guard let (start, count) = sources[stream].segment else { return nil }
            sources[stream].segment = (start, count + block.frameCount)
            return hear(
                stream, block.frameCount, until: start.onset(ofOffset: count + block.frameCount), at: moment)
        case .values(let stream, let values):
            guard sources.indices.contains(stream), let last = values.last else { return nil }
            return hear(stream, values.count, until: last.onset, at: moment)
        case .marker: return nil
        }
    }

    private mutating func hear(_ stream: Int, _ count: Int, until end: Seconds, at moment: Seconds) -> Change? {
        let before = sources[stream]
        _ = sources[stream].watch?.hear(count, at: moment)
        sources[stream].hasCome = true
        sources[stream].end = Swift.max(before.end, end)
        sources[stream].silence = nil
        guard before.silence != nil else { return nil }
        return .signal(StreamSignal(stream: stream, isPresent: true, since: before.end, reason: nil))
    }

    /// A value was computed.
    public mutating func take(_ update: LiveUpdate) {
        guard let (value, current) = Self.current(update) else { return }
        values[Key(stream: update.stream, value: value)] = current
        // A prediction comes from one stream at a time.
        guard case .prediction = value else { return }
        for key in values.keys where key.value == value && key.stream != update.stream { values[key] = nil }
    }

    /// A device went.
    /// - Returns: what ended with it.
    public mutating func lose(_ device: String, _ reason: LapseReason) -> [Change] {
        var changes: [Change] = []
        for stream in sources.indices where sources[stream].device == device {
            changes += silence(stream, reason)
        }
        return changes
    }

    /// Time goes on.
    /// - Returns: what ended.
    public mutating func pass(to moment: Seconds) -> [Change] {
        var changes: [Change] = []
        for (stream, source) in sources.enumerated() {
            if source.hasCome, source.silence == nil, source.watch?.isSilent(at: moment) == true {
                changes += silence(stream, .silent)
            } else if let reason = source.silence {
                // A value that was held back and reported since is old.
                changes += end(reason) { key, _ in key.stream == stream }
            }
        }
        changes += end(.noValue) { _, current in current.longestAge.map { moment - current.time >= $0 } ?? false }
        return changes
    }

    /// The next moment at which something ends when nothing comes; nil where nothing can end.
    public var deadline: Seconds? {
        let silences = sources.compactMap { source -> Seconds? in
            guard source.hasCome, source.silence == nil else { return nil }
            return source.watch?.due
        }
        let ages = values.values.compactMap { current in current.longestAge.map { current.time + $0 } }
        return (silences + ages).min()
    }

    /// Seconds from the end of a stream's last sample to `moment`; nil where none came.
    public func age(of stream: Int, at moment: Seconds) -> Seconds? {
        guard sources.indices.contains(stream), sources[stream].hasCome else { return nil }
        return Swift.max(0, moment - sources[stream].end)
    }

    /// True where samples of a stream came and come no more.
    public func isSilent(_ stream: Int) -> Bool { sources.indices.contains(stream) && sources[stream].silence != nil }

    private mutating func silence(_ stream: Int, _ reason: LapseReason) -> [Change] {
        guard sources[stream].hasCome else { return [] }
        var changes: [Change] = []
        if sources[stream].silence == nil {
            let since = sources[stream].end
            changes.append(.signal(StreamSignal(stream: stream, isPresent: false, since: since, reason: reason)))
        }
        sources[stream].silence = reason
        return changes + end(reason) { key, _ in key.stream == stream }
    }

    private mutating func end(_ reason: LapseReason, _ isOver: (Key, Current) -> Bool) -> [Change] {
        let over = values.filter { isOver($0.key, $0.value) }
        for key in over.keys { values[key] = nil }
        return over.sorted { ($0.key.stream, "\($0.key.value)") < ($1.key.stream, "\($1.key.value)") }.map {
            let since = sources.indices.contains($0.key.stream) ? sources[$0.key.stream].end : $0.value.time
            return .lapse(
                LiveLapse(
                    stream: $0.key.stream, value: $0.key.value, onset: $0.value.next, since: since, reason: reason))
        }
    }

    /// The value that an update reports; nil for events, such as a beat.
    private static func current(_ update: LiveUpdate) -> (LiveValue, Current)? {
        switch update {
        case .prediction(_, let value):
            return (
                .prediction(value.prediction),
                Current(
                    time: value.time, next: value.onset + (value.duration > 0 ? 1 : shortestInterval),
                    longestAge: value.isEvent ? nil : longestAge)
            )
        case .heartRate(_, let onset, _):
            return (.heartRate, Current(time: onset, next: onset + shortestInterval, longestAge: longestAge))
        case .hrv(_, let window):
            let end = window.onset + window.duration
            return (.variability, Current(time: end, next: end, longestAge: nil))
        case .rhythm(_, let change): return (.rhythm, Current(time: change.onset, next: change.onset, longestAge: nil))
        case .quality(_, let window):
            let end = window.onset + window.duration
            return (.quality, Current(time: end, next: end, longestAge: nil))
        case .eeg(_, let epoch):
            let end = epoch.onset + epoch.duration
            return (.electrodes, Current(time: end, next: end, longestAge: nil))
        case .respiration(_, let window):
            let end = window.onset + window.duration
            return (.respiration, Current(time: end, next: end, longestAge: nil))
        case .pulseRate(_, let window):
            return (.pulseRate, Current(time: window.end, next: window.end, longestAge: nil))
        case .beat, .interval, .skin, .motion, .temperature, .battery, .eyes, .predictionRefused: return nil
        }
    }

    /// No interval between beats is shorter, in seconds.
    private static let shortestInterval: Seconds = 0.2
}
