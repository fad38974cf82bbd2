public import Signals

/// Turns the signal of a respiration belt, of chest impedance or of airflow volume into windows of respiration.
///
/// Breaths are those of `BreathDetector`. A window's rate is 60 over the mean interval between the onsets of successive
/// breaths that both lie in it. Its quality is high where breaths are alike: the mean correlation of their forms with
/// the mean form, lowered further where it is as low as that of noise, times the share of intervals within half to one
/// and a half times the median, times the share of the samples' time that lies between breaths that were found
/// (Charlton et al. 2021, Biomed Signal Process Control 65:102339). Where `BreathDetector` bridges missing samples,
/// they still count as missing in the coverage. So does a stretch in which the value stands still for longer than
/// quantisation or a pause of breath explains, as where a device fills in zeros or holds the last value.
///
/// Windows start at 0, `step`, 2 `step` … seconds of the recording; where it is shorter than a window, there is one
/// over what there is. A gap of more than `WindowGrid.mostEmpty` windows is one window.
public struct BeltRespirationStage: Stage {
    private let parameters: RespirationParameters
    private var core: BreathCore
    private var grid: WindowGrid
    private var breaths: [FormedBreath] = []
    private var spans: [BreathCore.Stretch] = []
    /// What is missing within the spans.
    private var holes: [BreathCore.Stretch] = []
    /// Where the value stood still.
    private var stills: [BreathCore.Stretch] = []
    private var beginning: Seconds?

    /// A stage for a signal of `sampleRate` Hz. Outside of `BreathDetector.sampleRates` it finds nothing.
    /// - Throws: the first parameter that has no meaning.
    public init(
        sampleRate: Double, parameters: RespirationParameters = RespirationParameters()
    ) throws(InvalidParameter) {
        try parameters.validate()
        self.parameters = parameters
        core = BreathCore(sampleRate: sampleRate)
        grid = WindowGrid(length: parameters.window, step: parameters.step)
    }

    /// The length of a window and 51 s. A window that ends where samples are missing comes once they go on.
    public var lookAhead: Seconds { parameters.window + BreathCore.lookAhead }

    /// A run begins: nothing is taken across to the samples before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [RespirationWindow]) {
        core.begin(segment)
        advance(into: &outputs)
    }

    /// The next samples, in any unit; NaN stands for a missing one.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [RespirationWindow]) {
        core.push(chunk)
        advance(into: &outputs)
    }

    /// Computes the windows that are left and starts anew.
    public mutating func finish(into outputs: inout [RespirationWindow]) {
        core.finish()
        advance(into: &outputs)
        let ends = [spans.last?.end, stills.last?.end].compactMap { $0 }
        if let end = ends.max() {
            // What stood still to the end has its windows, too.
            emit(endingBy: end, into: &outputs)
            if grid.isFresh, let start = beginning, end > start {
                emit(WindowPlace(onset: start, duration: end - start), into: &outputs)
            }
        }
        grid = WindowGrid(length: parameters.window, step: parameters.step)
        (breaths, spans, holes, stills, beginning) = ([], [], [], [], nil)
    }

    private mutating func advance(into outputs: inout [RespirationWindow]) {
        let latest = core.news
        core.news.removeAll(keepingCapacity: true)
        for still in core.stills {
            beginning = min(beginning ?? still.start, still.start)
            if stills.last?.end == still.start {
                stills[stills.count - 1].end = still.end
            } else {
                stills.append(still)
            }
        }
        core.stills.removeAll(keepingCapacity: true)
        for news in latest {
            let stretch = news.stretch
            beginning = min(beginning ?? stretch.start, stretch.start)
            if let last = spans.last, stretch.start - last.end < 0.001 {
                spans[spans.count - 1].end = stretch.end
            } else {
                // Windows that end in the gap, before what comes after it is known.
                emit(endingBy: stretch.start, into: &outputs)
                spans.append(stretch)
            }
            holes += news.holes
            breaths += news.breaths
            emit(endingBy: stretch.end, into: &outputs)
        }
    }

    private mutating func emit(endingBy end: Seconds, into outputs: inout [RespirationWindow]) {
        let dataEnd = spans.last?.end ?? -.infinity
        while let place = grid.take(endingBy: end + WindowGrid.tolerance, dataEnd: dataEnd) {
            breaths.removeAll { $0.breath.onset < place.onset - WindowGrid.tolerance }
            holes.removeAll { $0.end < place.onset }
            stills.removeAll { $0.end < place.onset }
            let first = spans.firstIndex { $0.end >= place.onset } ?? spans.count
            if first > 1 { spans.removeFirst(first - 1) }
            emit(place, into: &outputs)
        }
    }

    private func emit(_ place: WindowPlace, into outputs: inout [RespirationWindow]) {
        func length(_ stretches: [BreathCore.Stretch]) -> Seconds {
            stretches.reduce(0) { $0 + max(0, min($1.end, place.end) - max($1.start, place.onset)) }
        }
        let covered = max(0, length(spans) - length(holes))
        let coverage = min(1, covered / place.duration)
        let inside = breaths.prefix { $0.breath.onset <= place.end + WindowGrid.tolerance }
            .drop { $0.breath.onset < place.onset - WindowGrid.tolerance }
        let still = min(1, length(stills) / place.duration)
        let result = BreathSeries(Array(inside)).rate(
            covered: covered, coverage: coverage, still: still, parameters)
        outputs.append(RespirationWindow(place, .belt, coverage: coverage, result))
    }
}
