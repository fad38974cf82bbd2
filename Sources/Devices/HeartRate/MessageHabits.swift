import Signals

/// How a sensor sends its messages, learnt from the last of them.
struct MessageHabits: Sendable {
    /// Seconds between messages, and by how much they usually come off their time.
    enum Habit {
        case unknown(period: Seconds)
        /// A message every period.
        case clockwork(period: Seconds, jitter: Seconds)
        /// One as soon as what it spans is over, later than that by `lead`.
        case prompt(lead: Seconds, jitter: Seconds)
        case irregular(period: Seconds)
    }

    private var gaps: [Seconds] = []
    /// By how much each came later after the one before than the time it spans.
    private var leads: [Seconds] = []

    private static let fewest = 4
    private static let most = 16
    private static let longestSilence: Seconds = 3
    /// What most sensors do; counts until a sensor's own habit is known.
    private static let usualPeriod: Seconds = 1
    /// Share of a period by which messages of a habit come off their time.
    private static let largestSpread = 0.15

    /// Takes the distance of two messages, and by how much more that is than the time the later one spans.
    mutating func learn(_ gap: Seconds, lead: Seconds?) {
        guard gap <= Self.longestSilence else { return }
        gaps.append(gap)
        if gaps.count > Self.most { gaps.removeFirst() }
        guard let lead else { return }
        leads.append(lead)
        if leads.count > Self.most { leads.removeFirst() }
    }

    /// The habit by all that is known.
    var present: Habit {
        let period = period
        guard gaps.count >= Self.fewest, period > 0 else {
            return .unknown(period: min(Self.usualPeriod, max(Self.usualPeriod / 2, period)))
        }
        let clockwork = Self.spread(of: gaps, around: period)
        if leads.count >= Self.fewest {
            let lead = Self.middle(of: leads)
            let prompt = Self.spread(of: leads, around: lead)
            if prompt < 0.5 * clockwork, prompt < Self.largestSpread * period {
                return .prompt(lead: lead, jitter: Self.jitter(prompt))
            }
        }
        guard clockwork < Self.largestSpread * period else { return .irregular(period: period) }
        return .clockwork(period: period, jitter: Self.jitter(clockwork))
    }

    /// The mean distance of messages between which none is missing.
    private var period: Seconds {
        guard !gaps.isEmpty else { return Self.usualPeriod }
        let middle = Self.middle(of: gaps)
        let usual = gaps.filter { abs($0 - middle) <= 0.5 * middle }
        return usual.reduce(0, +) / Double(max(1, usual.count))
    }

    private static func jitter(_ spread: Seconds) -> Seconds { 0.05 + 4 * spread }

    private static func middle(of values: [Seconds]) -> Seconds { values.sorted()[values.count / 2] }

    private static func spread(of values: [Seconds], around center: Seconds) -> Seconds {
        middle(of: values.map { abs($0 - center) })
    }
}
