import Cardiac
import Quality
import Signals

/// The quality of intervals that a device measured: how much of a window they cover, and how many of them stand.
///
/// A stretch without beats that is as long as a window or longer is one window, so that hours without data, or times
/// counted from 1970, cost nothing.
enum IntervalQuality {
    /// Windows on the grid that those of signals lie on; the last ends by the last interval.
    static func windows(of intervals: [IBI], _ nn: [NN], parameters: QualityParameters) -> [QualityWindow] {
        guard let end = intervals.last?.onset, parameters.window > 0, parameters.step > 0 else { return [] }
        // Between two beats that are a window or more apart there is nothing.
        let nn = nn.filter { $0.duration < parameters.window }
        var windows: [QualityWindow] = []
        var grid = WindowGrid(length: parameters.window, step: parameters.step, mostEmpty: 0)
        var first = 0
        while true {
            while first < nn.count, nn[first].onset <= grid.onset { first += 1 }
            let next = first < nn.count ? nn[first].onset - nn[first].duration : end
            if let gap = grid.take(endingBy: next + WindowGrid.tolerance, dataEnd: -.infinity) {
                windows.append(
                    QualityWindow(
                        onset: gap.onset, duration: gap.duration, coverage: 0, quality: 0, reasons: [.gap]))
            } else if let place = grid.take(endingBy: end + WindowGrid.tolerance, dataEnd: .infinity) {
                windows.append(window(place, until: end, step: parameters.step, nn[first...]))
            } else {
                // A recording shorter than a window is one.
                guard grid.isFresh else { return windows }
                windows.append(window(grid.take(), until: end, step: parameters.step, nn[first...]))
            }
        }
    }

    private static func window(
        _ place: WindowPlace, until end: Seconds, step: Seconds, _ nn: ArraySlice<NN>
    ) -> QualityWindow {
        let span = place.onset..<min(place.end, max(end, place.onset + step))
        var covered = 0.0
        var kept = 0.0
        for interval in nn {
            let start = interval.onset - interval.duration
            if start >= span.upperBound { break }
            let inside = max(0, min(interval.onset, span.upperBound) - max(start, span.lowerBound))
            covered += inside
            if !interval.isCorrected { kept += inside }
        }
        let duration = span.upperBound - span.lowerBound
        let coverage = min(1, covered / duration)
        let quality = min(1, kept / duration)
        var reasons: [QualityReason] = []
        if coverage < 0.95 { reasons.append(.gap) }
        if coverage - quality > 0.5 { reasons.append(.implausibleRate) }
        return QualityWindow(
            onset: span.lowerBound, duration: duration, coverage: coverage, quality: quality, reasons: reasons)
    }
}
