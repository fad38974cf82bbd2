public import Signals

/// A kind of live value that is shown until a newer one replaces it.
public enum LiveValue: Hashable, Sendable {
    /// A prediction, by its name.
    case prediction(String)
    /// Heart rate.
    case heartRate
    /// Heart rate of a moving pulse wave.
    case pulseRate
    /// Heart rate variability.
    case variability
    /// Heart rhythm.
    case rhythm
    /// Signal quality of a stream.
    case quality
    /// Usability of the electrodes of an EEG stream.
    case electrodes
    /// Respiration rate.
    case respiration
}

/// Why a live value is missing.
public enum LapseReason: String, Hashable, Sendable {
    /// The connection to the device was lost.
    case deviceLost
    /// The device was disconnected upon request.
    case disconnectedUponRequest
    /// The device is connected, but no sample of the stream came in time.
    case silent
    /// Samples come, but no value was computed from them in time.
    case noValue
}

/// The end of a live value: no newer one came in time.
public struct LiveLapse: Hashable, Sendable {
    /// The stream the value was computed from, by its place in the recording.
    public var stream: Int
    /// The kind of value.
    public var value: LiveValue
    /// The first moment without a value, seconds from the recording's start: never later than the next value.
    public var onset: Seconds
    /// The end of the stream's last sample, seconds from the recording's start.
    public var since: Seconds
    /// Why.
    public var reason: LapseReason

    /// A value that ended.
    public init(stream: Int, value: LiveValue, onset: Seconds, since: Seconds, reason: LapseReason) {
        (self.stream, self.value, self.onset) = (stream, value, onset)
        (self.since, self.reason) = (since, reason)
    }
}

/// A change between samples and no samples of a stream.
public struct StreamSignal: Hashable, Sendable {
    /// The stream, by its place in the recording.
    public var stream: Int
    /// True when samples come again.
    public var isPresent: Bool
    /// The end of the last sample before the change, seconds from the recording's start.
    public var since: Seconds
    /// Why none came; nil when they come again.
    public var reason: LapseReason?

    /// A change of a stream.
    public init(stream: Int, isPresent: Bool, since: Seconds, reason: LapseReason?) {
        (self.stream, self.isPresent, self.since, self.reason) = (stream, isPresent, since, reason)
    }
}
