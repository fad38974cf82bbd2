import Signals

/// Judges a signal in windows on the grid of multiples of the step from the recording's start.
///
/// The last window is the last one that ends with the signal; a recording shorter than a window has one window, as
/// long as it is. A gap as long as a window or longer is one window, with a coverage of 0. A window is given out when
/// it is known whether a flat line that it ends with lasts long enough to be one; who cannot wait for that takes windows
/// as they stand when they end: to these a line is flat from when it has lasted long enough. Where samples lie further
/// apart than steps, as many steps are one as a sample takes, and a window has a sample at the least.
struct JudgedWindows<Judge: WindowJudge>: Stage {
    private var judge: Judge
    private let parameters: QualityParameters
    private var step: Seconds
    private var stepsPerWindow: Int
    private var delay: Int
    /// The least number of equal samples that are a flat line: sensors that tell tenths say the same more than once.
    private static var fewestFlat: Double { 6 }
    /// Steps that are over, the last `stepsPerWindow + delay` or fewer; `first` is the number of the first.
    private var steps: [JudgedStep<Judge.Measures>] = []
    private var first: Int?
    private var open: JudgedStep<Judge.Measures>
    /// The number of the step after the last window given out.
    private var givenUntil = 0
    /// The same for the windows as they stand when they end.
    private var promptUntil = 0
    private var prompt: [QualityWindow] = []
    /// Room for what the steps of a window with samples show.
    private var shown: [Judge.Measures] = []
    private var windowCount = 0
    private var lastEnd: Seconds = 0
    private var run: Run?

    /// The run at hand.
    private struct Run: Sendable {
        var start: SegmentStart
        var taken = 0
        var stepEnd = 0
        var previous: Judge.Sample?
        var same = 0
        var flatFrom: Int

        var onset: Seconds { start.onset }
        var rate: Double { start.sampleRate }
    }

    init(_ judge: Judge, parameters: QualityParameters) {
        self.judge = judge
        self.parameters = parameters
        step = parameters.usedStep
        stepsPerWindow = parameters.stepsPerWindow
        delay = Int((Judge.flatFrom / step).rounded(.up))
        open = JudgedStep(Judge.nothing)
    }

    /// The grid is that of the first run.
    private mutating func setGrid(sampleRate: Double) {
        let parts = min(max((1 / (sampleRate * parameters.usedStep) - 1e-9).rounded(.up), 1), 1e9)
        step = parameters.usedStep * parts
        stepsPerWindow = max(1, Int((Double(parameters.stepsPerWindow) / parts).rounded()))
        let flat = max(Judge.flatFrom, min(Self.fewestFlat / sampleRate, 1e12))
        delay = Int((flat / step).rounded(.up))
    }

    var lookAhead: Seconds { Double(delay + 1) * step }

    /// Whether windows as they stand when they end are kept for `takePrompt`.
    var keepsPrompt = false

    /// Those that ended since they were taken last.
    mutating func takePrompt() -> [QualityWindow] {
        defer { prompt.removeAll(keepingCapacity: true) }
        return prompt
    }

    /// The number of the step at hand.
    private var number: Int { (first ?? 0) + steps.count }

    mutating func begin(_ start: SegmentStart, into windows: inout [QualityWindow]) {
        let last = run
        run = nil
        guard start.sampleRate.isFinite, start.sampleRate > 0, start.onset.isFinite, abs(start.onset) < 1e10 else {
            return
        }
        let missing = last.flatMap { $0.start.missing(after: $0.taken, before: start) }
        judge.begin(sampleRate: start.sampleRate, after: missing, into: &open.measures)
        if first == nil { setGrid(sampleRate: start.sampleRate) }
        let wanted = Int((start.onset / step + 1e-9).rounded(.down))
        enter(wanted, start, into: &windows)
        var run = Run(
            start: start,
            flatFrom: Int(max(Self.fewestFlat, min((Judge.flatFrom * start.sampleRate).rounded(.up), 1e15))))
        run.stepEnd = end(of: number, run)
        self.run = run
    }

    mutating func push(_ chunk: Span<Judge.Sample>, into windows: inout [QualityWindow]) {
        guard var run else { return }
        for index in chunk.indices {
            let sample = chunk[index]
            if Judge.isPresent(sample) {
                open.present += 1
                judge.take(sample, into: &open.measures)
                look(at: sample, &run)
            } else {
                judge.pass(into: &open.measures)
            }
            run.taken += 1
            if run.taken == run.stepEnd {
                close(expected: places(inStep: number, run.start), into: &windows)
                run.stepEnd = end(of: number, run)
            }
        }
        lastEnd = run.onset + Double(run.taken) / run.rate
        self.run = run
    }

    mutating func finish(into windows: inout [QualityWindow]) {
        giveOut(all: true, into: &windows)
        // A last, partial step counts where no window has been given out without it.
        if windowCount == 0, first != nil, open.present > 0 || !steps.isEmpty {
            if open.present > 0 {
                judge.close(&open.measures)
                judge.revise(&steps)
                let length = lastEnd - Double(number) * step
                open.expected = max(Double(open.present), length * (run?.rate ?? 0))
                steps.append(open)
            }
            let whole = window(of: steps.indices, onset: Double(first ?? 0) * step, end: lastEnd)
            windows.append(whole)
            if keepsPrompt { prompt.append(whole) }
        }
        (steps, first, run, windowCount, givenUntil, promptUntil) = ([], nil, nil, 0, 0, 0)
        open = JudgedStep(Judge.nothing)
    }

    /// Sees whether the sample goes on with a flat line. Missing samples do not end one that goes on after them.
    private mutating func look(at sample: Judge.Sample, _ run: inout Run) {
        run.same = sample == run.previous ? run.same + 1 : 1
        run.previous = sample
        if run.same > run.flatFrom {
            open.flat += 1
        } else if run.same == run.flatFrom {
            var left = run.same
            let inOpen = min(left, open.present)
            open.flat = inOpen
            left -= inOpen
            for place in steps.indices.reversed() where left > 0 {
                let here = min(left, steps[place].present)
                steps[place].flat = here
                left -= here
            }
        }
    }

    private func end(of number: Int, _ run: Run) -> Int {
        max(run.taken + 1, Int(min(place(atStep: number + 1, run.start), 1e15)))
    }

    /// The place, in a run that begins so, of the first sample in a step or after it; below 0 before the run.
    private func place(atStep number: Int, _ start: SegmentStart) -> Double {
        ((Double(number) * step - start.onset) * start.sampleRate - 1e-6).rounded(.up)
    }

    /// Samples that fall into a step, had the run always been there: not the same number in each, where steps are no
    /// whole number of samples long.
    private func places(inStep number: Int, _ start: SegmentStart) -> Double {
        place(atStep: number + 1, start) - place(atStep: number, start)
    }

    /// Goes on to a run that begins in step `wanted`, through the empty steps before it.
    private mutating func enter(_ wanted: Int, _ start: SegmentStart, into windows: inout [QualityWindow]) {
        guard first != nil else {
            (first, givenUntil, promptUntil) = (wanted, wanted, wanted)
            return
        }
        guard wanted > number else { return }
        // No flat line goes on over a gap.
        close(expected: places(inStep: number, start), into: &windows)
        let empty = wanted - number
        for _ in 0..<min(empty, stepsPerWindow - 1) {
            close(expected: places(inStep: number, start), into: &windows)
        }
        giveOut(all: true, into: &windows)
        guard empty >= stepsPerWindow else { return }
        let gap = QualityWindow(
            onset: Double(wanted - empty) * step, duration: Double(empty) * step, coverage: 0, quality: 0,
            reasons: [.gap])
        windows.append(gap)
        if keepsPrompt { prompt.append(gap) }
        windowCount += 1
        let before = stepsPerWindow - 1
        let numbers = wanted - before..<wanted
        steps = numbers.map { JudgedStep(Judge.nothing, expected: places(inStep: $0, start)) }
        first = wanted - before
        (givenUntil, promptUntil) = (wanted, wanted)
    }

    /// The step at hand is over.
    private mutating func close(expected: Double, into windows: inout [QualityWindow]) {
        judge.close(&open.measures)
        judge.revise(&steps)
        open.expected = max(Double(open.present), expected)
        steps.append(open)
        open = JudgedStep(Judge.nothing)
        giveOut(all: false, into: &windows)
    }

    /// Gives out the windows that nothing can change any more.
    private mutating func giveOut(all: Bool, into windows: inout [QualityWindow]) {
        guard let first else { return }
        let known = number - (all ? 0 : delay)
        let before = windows.count
        end(after: givenUntil, by: known, first: first, into: &windows)
        windowCount += windows.count - before
        givenUntil = max(givenUntil, known)
        if keepsPrompt {
            var ended: [QualityWindow] = []
            swap(&ended, &prompt)
            end(after: promptUntil, by: number, first: first, into: &ended)
            swap(&ended, &prompt)
            promptUntil = number
        }
        let dropped = steps.count - stepsPerWindow - delay
        if dropped > 64 {
            steps.removeFirst(dropped)
            self.first = first + dropped
        }
    }

    /// Appends the windows that end after step `given` and by step `known`, as they stand.
    private mutating func end(after given: Int, by known: Int, first: Int, into windows: inout [QualityWindow]) {
        var last = max(given + 1, first + stepsPerWindow)
        while last <= known {
            windows.append(
                window(
                    of: last - stepsPerWindow - first..<last - first,
                    onset: Double(last - stepsPerWindow) * step, end: Double(last) * step))
            last += 1
        }
    }

    private mutating func window(of places: Range<Int>, onset: Seconds, end: Seconds) -> QualityWindow {
        var expected = 0.0
        var (present, flat) = (0, 0)
        shown.removeAll(keepingCapacity: true)
        for place in places {
            expected += steps[place].expected
            present += steps[place].present
            flat += steps[place].flat
            if steps[place].present > 0 { shown.append(steps[place].measures) }
        }
        let coverage = expected > 0 ? min(1, Double(present) / expected) : 0
        var aspects = Aspects()
        aspects.add(.gap, coverage)
        if present > 0 {
            aspects.add(.flat, Aspects.score(Double(flat) / Double(present), good: 0, limit: 0.5))
            Judge.judge(shown, into: &aspects)
        }
        return aspects.window(onset: onset, duration: end - onset, coverage: coverage)
    }
}
