public import Signals

/// Turns a measure of successive beats that breathing modulates into windows of respiration.
///
/// Windows start at 0, `step`, 2 `step` … seconds of the recording; a beat belongs to those that hold its onset. Where
/// the recording is shorter than a window, there is one over what there is. A gap of more than `WindowGrid.mostEmpty`
/// windows is one window. Beats that do not follow the one before in
/// time are left out. Nothing is taken across a break; a window may hold several runs, and its coverage says how much
/// of it they fill.
///
/// On the methods: Moody et al. 1985, Comput Cardiol 12:113-116; Charlton et al. 2016, Physiol Meas 37:610-626; Charlton
/// et al. 2018, IEEE Rev Biomed Eng 11:2-20.
public struct ModulationRespirationStage: Stage {
    private let method: RespirationMethod
    private let parameters: RespirationParameters
    private var grid: WindowGrid
    private var held: [BeatMeasure] = []
    private var first = 0
    private var isBroken = false

    /// A stage whose windows carry `method`.
    /// - Throws: the first parameter that has no meaning.
    public init(
        _ method: RespirationMethod, parameters: RespirationParameters = RespirationParameters()
    ) throws(InvalidParameter) {
        try parameters.validate()
        self.method = method
        self.parameters = parameters
        grid = WindowGrid(length: parameters.window, step: parameters.step)
    }

    /// The length of a window.
    public var lookAhead: Seconds { parameters.window }

    /// A run begins: nothing is taken across to the beats before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [RespirationWindow]) {
        isBroken = true
    }

    /// The next beats in order of time.
    public mutating func push(_ measures: Span<BeatMeasure>, into outputs: inout [RespirationWindow]) {
        for index in measures.indices { take(measures[index], into: &outputs) }
    }

    /// Computes the windows that are complete and starts anew.
    public mutating func finish(into outputs: inout [RespirationWindow]) {
        defer {
            grid = WindowGrid(length: parameters.window, step: parameters.step)
            (held, first, isBroken) = ([], 0, false)
        }
        guard let last = held.last else { return }
        let before = held.dropLast().last
        let interval = before.map { last.onset - $0.onset } ?? 0
        emit(endingBy: last.onset + min(interval, ModulationSpectrum.longestInterval), into: &outputs)
        if grid.isFresh, let opening = held.first, last.onset > opening.onset {
            emit(WindowPlace(onset: opening.onset, duration: last.onset - opening.onset), held[...], into: &outputs)
        }
    }

    private mutating func take(_ measure: BeatMeasure, into outputs: inout [RespirationWindow]) {
        let follows = held.last.map { measure.onset > $0.onset } ?? (measure.onset >= 0)
        guard follows, measure.onset.isPlaceable else {
            isBroken = true
            return
        }
        emit(endingBy: (measure.onset - 2 * WindowGrid.tolerance), into: &outputs)
        var measure = measure
        if isBroken { measure.followsBreak = true }
        isBroken = false
        held.append(measure)
    }

    private mutating func emit(endingBy end: Seconds, into outputs: inout [RespirationWindow]) {
        let dataEnd = held.last?.onset ?? -.infinity
        while let place = grid.take(endingBy: end + WindowGrid.tolerance, dataEnd: dataEnd) {
            dropMeasures(before: place.onset)
            let inside = held[first...].prefix { $0.onset <= place.end + WindowGrid.tolerance }
            emit(place, inside, into: &outputs)
        }
    }

    private mutating func dropMeasures(before onset: Seconds) {
        while first < held.count, held[first].onset < onset - WindowGrid.tolerance { first += 1 }
        // The last two stay: the next one must follow them, and the end is told from their interval.
        guard first > 1_024, first * 2 > held.count else { return }
        let dropped = min(first, held.count - 2)
        held.removeFirst(dropped)
        first -= dropped
    }

    private func emit(
        _ place: WindowPlace, _ measures: ArraySlice<BeatMeasure>, into outputs: inout [RespirationWindow]
    ) {
        let runs = ModulationSpectrum.runs(measures)
        let coverage = min(1, ModulationSpectrum.span(runs) / place.duration)
        let result = ModulationSpectrum(method: method, parameters: parameters).rate(of: runs, in: place)
        outputs.append(RespirationWindow(place, method, coverage: coverage, result))
    }
}
