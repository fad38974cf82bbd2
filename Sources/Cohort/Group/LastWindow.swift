import Formats

/// Where the windows of a recording's indexes end, of tables that come window by window.
struct LastWindow {
    /// Seconds from the recording's start to the end of the last window; nil without windows.
    private(set) var end: Double?
    /// By how many seconds the recording may be longer: as far as the next window would have reached.
    private(set) var slack = 0.0
    private var latest: (onset: String, duration: String) = ("", "")
    private var start = 0.0

    /// Looks at the window of a value.
    mutating func take(_ value: ResultTables.Value) {
        guard let window = value.window, let onset = value.onset, let duration = value.duration,
            onset != latest.onset || duration != latest.duration
        else { return }
        latest = (onset, duration)
        guard let first = NumberParsing.double(onset), let length = NumberParsing.double(duration),
            first.isFinite, length.isFinite
        else { return }
        let step = window > 0 && first > start ? min(first - start, length) : length
        start = first
        guard let known = end else {
            (end, slack) = (first + length, step)
            return
        }
        if first + length > known {
            (end, slack) = (first + length, step)
        } else if first + length == known {
            slack = min(slack, step)
        }
    }
}
