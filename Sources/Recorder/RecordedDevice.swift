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

    mutating func restartClock() {
        clock.restart()
        stamped = []
    }

    /// Takes the stamp of a stream's message. Where a stream began anew, the clock may have: those that follow it in
    /// this do not begin it again.
    /// - Returns: how the clock ran before, where it begins anew with this message.
    mutating func observe(
        _ stamp: Seconds, arrived moment: Seconds, of stream: Int, restarted: Bool
    ) -> ClockFit.Line? {
        let before = clock.line
        let beginsAnew = restarted && stamped.contains(stream)
        if beginsAnew { restartClock() }
        stamped.insert(stream)
        let verdict = clock.observe(stamp, arrived: moment, source: stream)
        return beginsAnew || verdict != .follows ? before : nil
    }
}
