/// What was seen of a signal during one step; windows are put together from these.
struct SignalCell: Sendable {
    /// Samples that there should have been.
    var expected = 0.0
    /// Samples that were there.
    var present = 0
    /// Samples in runs of the same value that last 1 s or longer.
    var flat = 0
    /// Samples in runs of the same value that last 0.1 s or longer.
    var still = 0
    /// Plateaus at the highest and at the lowest value that has any.
    var top = Plateau()
    var bottom = Plateau()
    var lowest = Float.infinity
    var highest = -Float.infinity
    /// Mean square of the second difference over a few milliseconds, in a typical 40 ms.
    var fast: Float = 0
    /// Mean square of the mains' fundamental.
    var mains: Float = 0
    /// Mean square of the signal in which beats stand out, in a typical 40 ms and over all.
    var background: Float = 0
    var form: Float = 0
    /// Lowest and highest mean over 0.2 s.
    var lowestLevel = Float.infinity
    var highestLevel = -Float.infinity
    /// The same of a pulse without slow wander.
    var lowestBare = Float.infinity
    var highestBare = -Float.infinity
    /// Largest change of level from before to after a moment, and the same where no beat accounts for it.
    var jump: Float = 0
    var pop: Float = 0
    /// Beats the second detector found, and those of them that the first one found too.
    var second = 0
    var shared = 0

    /// Takes in another run's part of the same step.
    mutating func merge(_ other: SignalCell) {
        present += other.present
        flat += other.flat
        still += other.still
        top.merge(other.top) { $0 > $1 }
        bottom.merge(other.bottom) { $0 < $1 }
        fast = max(fast, other.fast)
        mains = max(mains, other.mains)
        background = max(background, other.background)
        form = max(form, other.form)
        second += other.second
        shared += other.shared
        widen(to: other)
    }

    /// Takes in another step of the same window: its counts and extremes.
    mutating func add(_ other: SignalCell) {
        expected += other.expected
        present += other.present
        flat += other.flat
        still += other.still
        second += other.second
        shared += other.shared
        widen(to: other)
    }

    private mutating func widen(to other: SignalCell) {
        lowest = min(lowest, other.lowest)
        highest = max(highest, other.highest)
        lowestLevel = min(lowestLevel, other.lowestLevel)
        highestLevel = max(highestLevel, other.highestLevel)
        lowestBare = min(lowestBare, other.lowestBare)
        highestBare = max(highestBare, other.highestBare)
        jump = max(jump, other.jump)
        pop = max(pop, other.pop)
    }

    /// Samples on plateaus at an extreme of a window's range that are reached steeply, as a beat or a jump does, not
    /// the rounded tops and flat feet of a finely sampled signal: those that time a beat, and those that one may be lost in. A
    /// cut S wave or foot of a pulse does neither.
    func clipped(lowest: Float, highest: Float) -> (timing: Int, long: Int) {
        let range = highest - lowest
        var clipped = (timing: 0, long: 0)
        if top.value >= highest - 0.005 * range, top.steepness >= 10 * range {
            clipped = (top.timing, top.long)
        }
        if bottom.value <= lowest + 0.005 * range, bottom.steepness >= 10 * range {
            clipped = (clipped.timing + bottom.timing, clipped.long + bottom.long)
        }
        return clipped
    }
}

/// Runs of one value.
struct Plateau: Sendable {
    /// The value; only meaningful where `samples` is above 0.
    var value: Float = 0
    /// How many samples lie in the runs.
    var samples = 0
    /// The samples in runs that time a beat, and in runs so long that a beat may be lost in them.
    var timing = 0
    var long = 0
    /// How fast the signal came to the value, in units per second; infinite for runs of 0.2 s and longer.
    var steepness: Float = 0

    /// Takes in runs at `other.value`: added where it is the same value, and instead where it lies further out.
    mutating func merge(_ other: Plateau, isFurther: (Float, Float) -> Bool) {
        guard other.samples > 0 else { return }
        if samples == 0 || isFurther(other.value, value) {
            self = other
        } else if other.value == value {
            samples += other.samples
            timing += other.timing
            long += other.long
            steepness = max(steepness, other.steepness)
        }
    }
}
