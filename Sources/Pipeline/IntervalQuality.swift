import Cardiac
import Quality
import Signals

/// The quality of intervals that a device measured: how much of a window they cover, and how many of them stand.
enum IntervalQuality {
    /// Windows on the grid that those of signals lie on; the last ends by the last interval.
    static func windows(of intervals: [IBI], _ nn: [NN], parameters: QualityParameters) -> [QualityWindow] {
        guard let end = intervals.last?.onset, parameters.window > 0, parameters.step > 0 else { return [] }
        var windows: [QualityWindow] = []
        var first = 0
        var number = 0
        while Double(number) * parameters.step + parameters.window <= end + 1e-6 || number == 0 {
            let onset = Double(number) * parameters.step
            let span = onset..<min(onset + parameters.window, max(end, onset + parameters.step))
            while first < nn.count, nn[first].onset <= span.lowerBound { first += 1 }
            if let gap = gap(
                from: onset, until: first < nn.count ? nn[first].onset - nn[first].duration : end, parameters)
            {
                windows.append(gap)
                number += Int((gap.duration / parameters.step).rounded())
                continue
            }
            windows.append(window(span, nn[first...]))
            number += 1
        }
        return windows
    }

    /// A stretch without intervals that is as long as a window or longer is one window, so that hours without data, or
    /// times counted from 1970, cost nothing.
    private static func gap(from onset: Seconds, until next: Seconds, _ parameters: QualityParameters) -> QualityWindow?
    {
        let steps = ((next - onset) / parameters.step).rounded(.down)
        guard steps * parameters.step >= parameters.window, steps < 1e15 else { return nil }
        return QualityWindow(
            onset: onset, duration: steps * parameters.step, coverage: 0, quality: 0, reasons: [.gap])
    }

    private static func window(_ span: Range<Seconds>, _ nn: ArraySlice<NN>) -> QualityWindow {
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
