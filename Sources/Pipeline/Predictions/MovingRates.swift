import Cardiac
import Signals

/// The heart rate while moving, where beats of a pulse wave are no measure of it: that of the latest window, for beats that
/// come half a second after its end or later.
///
/// A beat waits until that window is known; by then it is known, live, whatever the order of arrival.
struct MovingRates {
    /// Seconds from the end of a window to the first beat that takes its rate.
    private static let delay: Seconds = 0.5
    /// Seconds for which windows are kept.
    private static let memory: Seconds = 300

    private let firstEnd: Seconds
    private var windows: [PulseRateWindow] = []
    /// The beats that wait, each as the interval that it ends.
    var waiting: [IBI] = []

    /// The windows of a pulse wave that begins at `onset`.
    init(from onset: Seconds) { firstEnd = PulseRateStage.firstWindow(from: onset) + PulseRateParameters.window }

    mutating func take(_ window: PulseRateWindow) { windows.append(window) }

    /// True where the window that decides at a beat is known.
    func isKnown(at time: Seconds) -> Bool {
        let moment = time - Self.delay
        return moment < firstEnd || (windows.last?.end ?? -.infinity) > moment - PulseRateParameters.step
    }

    /// The moving window that gives the heart rate at a beat; nil where the beats themselves give it.
    mutating func window(at time: Seconds) -> PulseRateWindow? {
        let moment = time - Self.delay
        let old = windows.prefix { $0.end < time - Self.memory }
        if old.count > 100 { windows.removeFirst(old.count) }
        let place = windows.partitioningIndex { $0.end > moment }
        guard place > 0 else { return nil }
        let latest = windows[place - 1]
        return latest.isMoving && latest.end > moment - PulseRateParameters.step ? latest : nil
    }
}
