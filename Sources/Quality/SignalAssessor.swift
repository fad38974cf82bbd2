public import Cardiac
public import Signals

/// Judges the quality of an ECG or a blood volume pulse in windows, from its samples and the beats found in it.
///
/// Feed it each run's samples and, at any time before the signal has gone on by `lookAhead`, the beats within them.
/// Windows lie on the grid of multiples of the step from the recording's start. The last window is the last one that
/// ends with the signal; a recording shorter than a window has one window, as long as it is. A gap that is as long as
/// a window or longer is one window, with a coverage of 0.
public struct SignalAssessor: Sendable {
    /// Kinds of signal it can judge.
    public enum Modality: String, Codable, CaseIterable, Sendable {
        case ecg, bvp
    }

    private let modality: Modality
    private let profile: SignalProfile
    private let step: Seconds
    private let stepsPerWindow: Int
    private let detectorLookAhead: Seconds
    private var run: AssessedRun?
    private var cells: [SignalCell] = []
    /// Number, on the grid, of the cell after the last of `cells`.
    private var nextCell: Int?
    private var open = SignalCell()
    private var windowCount = 0
    private var lastEnd: Seconds = 0
    private var forms: BeatForms
    /// Size of beats in the windows of about the last minute that were good but for their size.
    private var usualSize: Float = 0
    private var spoilt: [SpoiltStretch] = []
    private var verdicts: [IntervalVerdict] = []

    /// An assessor of signals at `sampleRate` Hz whose beats come from a detector with this look-ahead.
    public init(
        _ modality: Modality, sampleRate: Double, detectorLookAhead: Seconds,
        parameters: QualityParameters = QualityParameters()
    ) {
        self.modality = modality
        profile = modality == .ecg ? .ecg : .bvp
        step = parameters.usedStep
        stepsPerWindow = parameters.stepsPerWindow
        self.detectorLookAhead = detectorLookAhead.isFinite ? min(max(detectorLookAhead, 0), 600) : 600
        let usable = AssessedRun.usableRates.contains(sampleRate) ? sampleRate : 250
        forms = BeatForms(
            profile, rate: FormSignal(sampleRate: usable, formRate: profile.formRate, history: 0).rate)
    }

    /// By how much the signal must have gone on, in seconds, before a window that ended is given out.
    public var lookAhead: Seconds { detectorLookAhead + AssessedRun.reach(profile) }

    /// Up to when, in seconds from the recording's start, all windows have been given out.
    public var assessedUntil: Seconds { Double(nextCell ?? 0) * step }

    /// A run begins: the previous one is judged to its end.
    public mutating func begin(_ start: SegmentStart, into windows: inout [QualityWindow]) {
        endRun(into: &windows)
        guard AssessedRun.usableRates.contains(start.sampleRate), start.onset.isFinite, abs(start.onset) < 1e10 else {
            return
        }
        let previous = run
        run = AssessedRun(start, profile, step: step, lag: lookAhead)
        guard var run else { return }
        if previous?.rate != run.rate { forms = BeatForms(profile, rate: run.formRate) }
        enter(run.firstCell, into: &windows)
        run.startNoEarlier(than: nextCell ?? run.firstCell)
        self.run = run
    }

    /// The next samples of the run.
    public mutating func push(_ chunk: Span<Float>, into windows: inout [QualityWindow]) {
        guard run != nil else { return }
        var first = 0
        while first < chunk.count, let room = run?.room {
            let count = min(room, chunk.count - first)
            run?.take(chunk.extracting(first..<first + count))
            first += count
            settle(all: false, into: &windows)
        }
    }

    /// How many samples may be pushed before beats found in them have to be handed over; nil where any number may.
    var room: Int? { run?.room }

    /// A beat of the current run; beats must come in order.
    public mutating func take(_ beat: Beat) {
        run?.take(beat)
    }

    /// The recording ends.
    public mutating func finish(into windows: inout [QualityWindow]) {
        endRun(into: &windows)
        run = nil
        guard nextCell != nil else { return }
        // A last, partial step counts where no window has been given out without it.
        if windowCount == 0, open.present > 0 || !cells.isEmpty {
            let partial = open.expected > 0
            if partial { close(into: &windows) }
            if windowCount == 0 { emit(cells[...], endingAt: lastEnd, into: &windows) }
        }
        cells = []
        nextCell = nil
        open = SignalCell()
        windowCount = 0
        usualSize = 0
        forms.removeAll(before: .max)
    }

    /// What became known since the last time of stretches that no interval may reach into, `SpoiltStretch.lateness` later
    /// than the windows that end with them at the latest.
    public mutating func takeSpoilt() -> [SpoiltStretch] {
        defer { spoilt.removeAll(keepingCapacity: true) }
        return spoilt
    }

    /// Takes the verdicts on intervals that became known, those within `IntervalTrust.reach` of what is judged left out.
    public mutating func takeVerdicts() -> [IntervalVerdict] {
        defer { verdicts.removeAll(keepingCapacity: true) }
        return verdicts
    }

    private mutating func endRun(into windows: inout [QualityWindow]) {
        guard run != nil else { return }
        run?.end()
        settle(all: true, into: &windows)
        verdicts += run?.takeVerdicts(all: true) ?? []
        spoilt += run?.lastSpoilt() ?? []
    }

    /// Judges the pieces whose surroundings are known.
    private mutating func settle(all: Bool, into windows: inout [QualityWindow]) {
        while run?.canSettle(all: all) == true {
            let meanPower = meanPower
            guard let piece = run?.settled(all: all, meanPower: meanPower, &forms) else { return }
            if !piece.spoilt.isEmpty { spoilt += piece.spoilt }
            verdicts += run?.takeVerdicts(all: false) ?? []
            open.merge(piece.cell)
            open.expected += piece.cell.expected
            lastEnd = piece.end
            if piece.endsCell { close(into: &windows) }
        }
    }

    private var meanPower: Float {
        guard !cells.isEmpty else { return 0 }
        let first = max(0, cells.count - 4)
        var sum: Float = 0
        for place in first..<cells.count { sum += cells[place].form }
        return sum / Float(cells.count - first)
    }

    /// Goes on to a run that begins in cell `number`, through the empty cells before it.
    private mutating func enter(_ number: Int, into windows: inout [QualityWindow]) {
        guard let current = nextCell else {
            nextCell = number
            open = SignalCell()
            return
        }
        guard number > current else { return }
        // The cell in which the last run ended is complete.
        if open.expected > 0 { close(into: &windows) }
        let empty = number - (nextCell ?? number)
        guard empty >= stepsPerWindow else {
            for _ in 0..<max(0, empty) { closeEmpty(into: &windows) }
            return
        }
        let firstEmpty = number - empty
        for _ in 0..<stepsPerWindow - 1 { closeEmpty(into: &windows) }
        windows.append(
            QualityWindow(
                onset: Double(firstEmpty) * step, duration: Double(empty) * step, coverage: 0, quality: 0,
                reasons: [.gap]))
        windowCount += 1
        cells = (0..<stepsPerWindow - 1).map { _ in emptyCell }
        nextCell = number
        forms.removeAll(before: number - stepsPerWindow + 1)
    }

    private var emptyCell: SignalCell {
        var cell = SignalCell()
        cell.expected = run?.samplesPerCell ?? 1
        return cell
    }

    private mutating func closeEmpty(into windows: inout [QualityWindow]) {
        open = emptyCell
        close(into: &windows)
    }

    private mutating func close(into windows: inout [QualityWindow]) {
        if let samples = run?.samplesPerCell { open.expected = samples }
        cells.append(open)
        open = SignalCell()
        let next = (nextCell ?? 0) + 1
        nextCell = next
        guard cells.count >= stepsPerWindow else { return }
        forms.removeAll(before: next - stepsPerWindow)
        emit(cells.suffix(stepsPerWindow), endingAt: Double(next) * step, into: &windows)
        if cells.count >= 2 * stepsPerWindow { cells.removeFirst(cells.count - stepsPerWindow) }
    }

    private mutating func emit(
        _ cells: ArraySlice<SignalCell>, endingAt end: Seconds, into windows: inout [QualityWindow]
    ) {
        let onset = Double((nextCell ?? 0) - cells.count) * step
        let measures = SignalMeasures(
            cells, onset: onset, step: step, entries: forms.entries, shortest: profile.shortest, usualSize: usualSize,
            hasTwoForms: modality == .ecg)
        let aspects = modality == .ecg ? ECGAspects.judge(measures) : BVPAspects.judge(measures)
        windows.append(aspects.window(onset: onset, duration: end - onset, coverage: measures.coverage))
        rememberSize(measures.size, aspects)
        windowCount += 1
    }
    /// Where only the size speaks against a window, the new size is learnt, but slowly.
    private mutating func rememberSize(_ size: Float, _ aspects: Aspects) {
        guard aspects.isGoodBySize, size > 0 else { return }
        let share = usualSize == 0 ? 1 : min(1, step / (aspects.worst >= 0.5 ? 60 : 600))
        usualSize += (size - usualSize) * Float(share)
    }
}
