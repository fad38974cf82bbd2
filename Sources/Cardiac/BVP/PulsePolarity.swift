import Signals

/// The polarity of the pulses: upright or inverted, decided once for each contact of the sensor with the skin.
///
/// The evidence are the shapes of `PulseShapes` and the expectation that the source gives. The first seconds of a
/// contact wait for the decision, 12 s at most; then the likelier polarity is taken. Where the evidence was weak, it goes
/// on being gathered, and the polarity turns over once if the evidence then speaks clearly against it.
struct PulsePolarity {
    /// Log-odds from which a decision stands for the rest of the contact.
    private static let certain: Float = 4
    /// Log-odds below which pulses are taken for inverted at the end of the wait: most devices write them upright, and
    /// the first seconds of a contact hold little but movement.
    private static let likelyInverted: Float = -0.5
    /// Log-odds below which an undecided polarity is in doubt.
    private static let doubtful: Float = 1
    /// Seconds that the pulses of a contact wait for the decision: at least, and at most.
    static let shortestWait: Seconds = 5
    static let longestWait: Seconds = 12
    /// Seconds in which evidence of one strength is gathered once, and after which it is forgotten to a third: a shape that
    /// says little says no more for being seen longer.
    private static let (pace, span): (Float, Float) = (12, 40)
    /// The log-odds in favour of the polarity that the contact before had.
    private static let inherited: Float = 2.5

    private let setting: BVPParameters.Polarity
    private let expectation: Float
    private var shapes: PulseShapes
    private let waits: (shortest: Int, longest: Int)
    /// Working samples of the contact, and of the run, so far.
    private var (taken, inRun) = (0, 0)
    private var bins = 0
    /// The log-odds of the present shapes, those gathered over time, and those of the contact before.
    private var (latest, gathered, carried) = (Float(0), Float(0), Float(0))
    /// How many shapes there were when the evidence was weighed last.
    private var weighed = 0
    /// When the polarity turned over, in seconds from the recording's start.
    private var turn: Seconds?
    /// 1 for upright pulses, -1 for inverted ones.
    private(set) var sign: Float
    /// True while pulses wait for the decision, or for their height to be known.
    private(set) var isWaiting = true
    private var isCertain: Bool
    /// True once the contact's polarity was taken.
    private var isTaken = false
    /// The doubts in earlier contacts.
    private var doubts: [PulseDoubt] = []

    init(_ setting: BVPParameters.Polarity, expecting source: PulseSource, rate: Double) {
        self.setting = setting
        expectation = source.logOdds
        shapes = PulseShapes(rate: rate)
        waits = (Int(Self.shortestWait * rate), Int(Self.longestWait * rate))
        sign = setting == .inverted ? -1 : 1
        isCertain = setting != .automatic
    }

    /// True while working samples are wanted.
    var isOpen: Bool { isWaiting || !isCertain }

    /// The most working samples that `take` takes.
    var room: Int { shapes.room }

    /// Begins a run of the same contact.
    mutating func beginRun() {
        shapes.beginRun()
        // A run has its own first seconds, whose pulses wait until their height is known.
        (isWaiting, inRun) = (true, 0)
    }

    /// Begins a new contact of the sensor with the skin.
    mutating func beginContact() {
        guard setting == .automatic, taken > 0 else { return }
        if let doubt = present { doubts.append(doubt) }
        carried = isCertain ? sign * Self.inherited : 0
        (isCertain, isTaken, latest, gathered, taken, turn) = (false, false, 0, 0, 0, nil)
        (isWaiting, inRun) = (true, 0)
        shapes.forget()
    }

    /// Takes working samples, at most `room`.
    mutating func take(
        _ samples: [Float], count: Int, missing: Float, onset: Seconds, isMoving: (Double) -> Bool
    ) {
        taken += count
        inRun += count
        let isComplete = shapes.take(samples, count: count, missing: missing, isMoving: isMoving)
        guard isComplete else { return }
        bins += 1
        if !isCertain, bins % 2 == 0 { weigh(at: onset) }
        if isWaiting, inRun >= waits.shortest, isCertain || taken >= waits.longest { settle() }
    }

    /// The run ends: pulses wait no longer.
    mutating func settle() {
        guard isWaiting else { return }
        isWaiting = false
        if !isCertain, !isTaken { sign = total < Self.likelyInverted ? -1 : 1 }
        isTaken = true
    }

    private var total: Float { expectation + carried + 0.5 * latest + gathered }

    /// Weighs the shapes, once a second.
    private mutating func weigh(at onset: Seconds) {
        guard shapes.learned > weighed, let odds = shapes.logOdds else { return }
        weighed = shapes.learned
        latest = odds
        gathered += max(-2, min(2, odds)) / Self.pace - gathered / Self.span
        let total = total
        guard abs(total) >= Self.certain else { return }
        isCertain = true
        let decided: Float = total < 0 ? -1 : 1
        if isTaken, decided != sign { turn = onset }
        sign = decided
    }

    /// The doubt in the present contact.
    private var present: PulseDoubt? {
        guard setting == .automatic, isTaken else { return nil }
        if let turn { return PulseDoubt(.turned, taken: sign > 0 ? .upright : .inverted, at: turn) }
        guard !isCertain, sign * total < Self.doubtful else { return nil }
        return PulseDoubt(.undecided, taken: sign > 0 ? .upright : .inverted)
    }

    /// The present doubt; nil without one.
    var doubt: PulseDoubt? { doubts.first ?? present }
}
