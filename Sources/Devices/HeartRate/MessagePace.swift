import Signals

/// Says of messages that bear neither number nor time whether one may be missing before the newest, from when they come.
///
/// Sensors have one of two habits: they tell every second what they measured meanwhile, or each beat when it was. A
/// message that is late by about a period, or by more than the time it spans, has lost one before it, or was held up;
/// which of the two it was shows only when those that were held up come all at once. So what comes then counts as
/// following nothing, until as many have come as were due.
struct MessagePace: Sendable {
    private var habits = MessageHabits()
    /// Seconds since the last message that spans any time.
    private var unspanned: Seconds = 0
    /// How late the newest came, by its habit, beyond those that came soonest.
    private var lateness: Seconds = 0
    /// Seconds' worth of messages that were given up and may still come.
    private var owed: Seconds = 0
    /// Whether some of these were held up rather than lost.
    private var isCatchingUp = false

    /// What a message's coming tells.
    enum Verdict {
        /// It follows the one before.
        case follows
        /// One may be missing before it.
        case doubtful
        /// It came too late: those due before it are lost, or were held up and may still come.
        case late
        /// With it, all have come that were held up.
        case caughtUp
        /// It follows the one before, and came when it was due: what is still owed is lost.
        case writtenOff
    }

    /// Takes a message that came `gap` seconds after the one before and spans `span` seconds, the newest interval of
    /// which is `newest`; both are 0 when it is empty.
    mutating func judge(after gap: Seconds, spanning span: Seconds, newest: Seconds) -> Verdict {
        unspanned += gap
        let verdict = verdict(gap, span, newest)
        if !isCatchingUp { habits.learn(gap, lead: span > 0 ? unspanned - span : nil) }
        if span > 0 { unspanned = 0 }
        return verdict
    }

    /// How many seconds ago the newest was due, where messages come by the clock; else 0. None comes before it is due.
    var delay: Seconds {
        guard case .clockwork(let period, let jitter) = habits.present else { return 0 }
        return lateness < -jitter ? lateness + period : Swift.max(0, lateness)
    }

    /// Seconds within which what was held up comes after a message whose newest interval is `newest`: those that come by
    /// the clock within half a period, those of single beats with the next beat.
    func patience(newest: Seconds) -> Seconds {
        switch habits.present {
        case .clockwork(let period, _): Swift.max(Self.shortestPatience, 0.5 * period)
        case .prompt: Swift.max(Self.shortestPatience, newest)
        case .unknown, .irregular: Self.shortestPatience
        }
    }

    private static let shortestPatience: Seconds = 0.5

    /// The connection began anew: what was on its way is lost.
    mutating func restart() { (lateness, owed, isCatchingUp, unspanned) = (0, 0, false, 0) }

    private mutating func verdict(_ gap: Seconds, _ span: Seconds, _ newest: Seconds) -> Verdict {
        switch habits.present {
        case .unknown(let period):
            return gap > 1.6 * period || span > 0 && unspanned - span > 0.6 * newest ? .doubtful : .follows
        case .irregular(let period):
            return gap > 1.6 * period && gap - span > 0.5 * period ? .doubtful : .follows
        case .clockwork(let period, let jitter):
            return judge(lateBy: gap - period, slack: 0.6 * period, jitter) { lateness in
                (lateness / period + 0.4).rounded(.down) * period
            }
        case .prompt(let lead, let jitter):
            // An empty message only says that the heart pauses.
            guard span > 0 else { return .follows }
            let slack = min(0.3, 0.5 * newest)
            // What was held up was due by the beats alone: over many messages the smallest error of the lead adds up.
            let late = unspanned - span - (isCatchingUp ? 0 : lead)
            return judge(lateBy: late, slack: slack, jitter) { lateness in
                lateness > slack || lateness < -jitter ? lateness : 0
            }
        }
    }

    /// - Parameter whole: what of a lateness are messages; less than 0 what of an earliness are.
    private mutating func judge(
        lateBy late: Seconds, slack: Seconds, _ jitter: Seconds, whole: (Seconds) -> Seconds
    ) -> Verdict {
        lateness += late
        if lateness > slack { return giveUp(whole(lateness), jitter) }
        // What is owed comes as early as it was late: by the same measure it is one message or none.
        if owed > slack ? whole(lateness) < 0 : lateness < -slack { return takeBack(-whole(lateness), slack) }
        let isOnTime = abs(late) <= jitter
        let verdict: Verdict =
            owed <= slack ? (owed > 0 ? .caughtUp : .follows) : isCatchingUp || !isOnTime ? .doubtful : .writtenOff
        // What is off by more than jitter came after one that was held up, and more may come.
        if isOnTime || owed <= slack { (owed, isCatchingUp) = (0, false) } else { isCatchingUp = true }
        // Jitter and a period that is not quite right must not add up.
        lateness = Swift.max(0, lateness) * 0.95
        return verdict
    }

    private mutating func giveUp(_ messages: Seconds, _ jitter: Seconds) -> Verdict {
        owed += messages
        lateness -= messages
        // What comes between two times at which messages are sent was held up.
        if abs(lateness) > jitter { isCatchingUp = true }
        return .late
    }

    private mutating func takeBack(_ messages: Seconds, _ slack: Seconds) -> Verdict {
        // More than is owed: it comes a second time, or all before it were held up.
        guard messages <= owed + slack else {
            (lateness, owed, isCatchingUp) = (0, 0, false)
            return .doubtful
        }
        owed -= messages
        lateness += messages
        isCatchingUp = true
        return owed > slack ? .doubtful : .caughtUp
    }
}
