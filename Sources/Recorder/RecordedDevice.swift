import Devices
import Signals

/// What a recording knows of one device: who it is, its streams, and the clock that their stamps share.
struct RecordedDevice: Sendable {
    var identity = DeviceIdentity()
    private(set) var clock = ClockFit()
    /// Its streams by their ids, each as its place in the recording.
    var streams: [String: Int] = [:]
    /// Whether its times are the host's own.
    var hasHostTime = false
    /// Whether samples bear its clock's stamps.
    var hasStampedSamples = false
    /// The streams whose stamps tell of its clock since that began anew.
    private var stamped: Set<Int> = []

    /// Whether samples have told of the clock since it began anew: values alone may come late.
    private(set) var isToldBySamples = false

    mutating func restartClock() {
        clock.restart()
        (stamped, isToldBySamples) = ([], false)
    }

    /// Takes the stamp of a message of samples. Where a stream began anew, the clock may have: those that follow it in
    /// this do not begin it again.
    /// - Returns: how the clock ran before, where it is another from this message on.
    mutating func observe(
        samplesUntil stamp: Seconds, arrived moment: Seconds, of stream: Int, restarted: Bool
    ) -> ClockFit.Line? {
        let before = clock.line
        let beginsAnew = restarted && stamped.contains(stream)
        // What values alone told of it is forgotten, but it is the same clock.
        if beginsAnew || !isToldBySamples { restartClock() }
        stamped.insert(stream)
        isToldBySamples = true
        let verdict = clock.observe(stamp, arrived: moment, source: stream)
        return beginsAnew || verdict != .follows ? before : nil
    }

    /// Takes the stamp of values.
    mutating func observe(_ stamp: Seconds, arrived moment: Seconds, of stream: Int) {
        _ = clock.observe(stamp, arrived: moment, source: stream)
    }
}
