import Signals

/// A contiguous run of frames of a regular stream.
struct XDFRun: Hashable {
    /// Index of its first frame among those of the stream in the file.
    var frame: Int
    var count: Int
    /// Time of its first frame and Hz, on the recorder's clock.
    var onset: Seconds
    var rate: Double
}

/// Finds the runs of a regular stream and the even times within each, from its frames' stamps in order: a run ends where
/// two stamps are more than 1 s and 500 sample intervals apart; within it time is the least-squares line over the frames'
/// stamps (the jitter removal of pyxdf 1.17 with its defaults).
struct XDFRunFinder {
    private(set) var runs: [XDFRun] = []
    private let rate: Double
    private let threshold: Seconds
    private var first = 0.0
    private var last = 0.0
    private var frame = 0
    private var count = 0
    // Sums of the deviations from the nominal rate, and of their product with the place in the run.
    private var sum = 0.0
    private var product = 0.0

    init(rate: Double) {
        self.rate = rate
        threshold = max(1, 500 / rate)
    }

    /// How many frames there were.
    var frameCount: Int { frame + count }

    /// Takes the next frame's stamp on the recorder's clock.
    mutating func add(_ stamp: Seconds) {
        if count == 0 || abs(stamp - last) > threshold {
            close()
            first = stamp
        }
        let place = Double(count)
        let deviation = stamp - first - place / rate
        sum += deviation
        product += deviation * place
        last = stamp
        count += 1
    }

    /// Ends the last run.
    mutating func finish() -> [XDFRun] {
        close()
        return runs
    }

    private mutating func close() {
        guard count > 0 else { return }
        let n = Double(count)
        let middle = (n - 1) / 2
        let spread = n * (n * n - 1) / 12
        let slope = count > 1 ? (product - middle * sum) / spread : 0
        let step = 1 / rate + slope
        let isUsable = step > 0 && step.isFinite
        let onset = isUsable ? first + sum / n - slope * middle : first
        runs.append(XDFRun(frame: frame, count: count, onset: onset, rate: isUsable && count > 1 ? 1 / step : rate))
        frame += count
        count = 0
        sum = 0
        product = 0
    }
}
