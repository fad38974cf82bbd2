import Quality
import Signals

/// The mean quality of a signal over stretches of time. A long gap that is told as one window counts as the windows on
/// the grid that it stands for.
struct QualityMeans {
    private let step: Seconds
    /// Where the middle of each window's first place on the grid is.
    private var middles: [Seconds] = []
    /// How many places come before each window and in all, and the sum of their qualities.
    private var counts = [0.0]
    private var sums = [0.0]

    /// - Parameter windows: in order of time, made with these parameters.
    init(_ windows: [QualityWindow], _ parameters: QualityParameters) {
        step = parameters.step
        for window in windows {
            let places = parameters.places(of: window)
            middles.append(window.onset + min(window.duration, parameters.window) / 2)
            counts.append(counts[counts.count - 1] + places)
            sums.append(sums[sums.count - 1] + places * window.quality)
        }
    }

    /// The mean over the windows whose middle lies after `begin` and before `end`; nil where there is none.
    func mean(after begin: Seconds, before end: Seconds) -> Double? {
        let (first, last) = (places(before: begin), places(before: end))
        let mean = (last.sum - first.sum) / (last.count - first.count)
        return mean.isFinite ? mean : nil
    }

    private func places(before time: Seconds) -> (count: Double, sum: Double) {
        let next = middles.partitioningIndex { $0 >= time }
        guard next > 0 else { return (0, 0) }
        let all = counts[next] - counts[next - 1]
        let begun = ((time - middles[next - 1]) / step).rounded(.up)
        guard begun < all else { return (counts[next], sums[next]) }
        return (counts[next - 1] + begun, sums[next - 1] + begun / all * (sums[next] - sums[next - 1]))
    }
}
