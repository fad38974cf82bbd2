import Devices
import Signals

/// The host's monotonic clock, which stamps all samples.
enum SystemTime {
    /// Seconds since an arbitrary beginning.
    static var now: Seconds { SystemClock().now }
}
