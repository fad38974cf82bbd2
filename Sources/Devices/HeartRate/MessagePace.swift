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

    /// Takes a message that came `gap` seconds after the one before and spans `span` seconds, the newest interval of
    /// which is `newest`; both are 0 when it is empty.
    /// - Returns: whether one may be missing between the two.
    mutating func mayMissOne(after gap: Seconds, spanning span: Seconds, newest: Seconds) -> Bool {
        unspanned += gap
        let mayMiss = judge(gap, span, newest)
        if !isCatchingUp { habits.learn(gap, lead: span > 0 ? unspanned - span : nil) }
        if span > 0 { unspanned = 0 }
        return mayMiss
    }

    /// The connection began anew: what was on its way is lost.
    mutating func restart() { (lateness, owed, isCatchingUp, unspanned) = (0, 0, false, 0) }

    private mutating func judge(_ gap: Seconds, _ span: Seconds, _ newest: Seconds) -> Bool {
        switch habits.present {
        case .unknown(let period):
            return gap > 1.6 * period || span > 0 && unspanned - span > 0.6 * newest
        case .irregular(let period):
            return gap > 1.6 * period && gap - span > 0.5 * period
        case .clockwork(let period, let jitter):
            return judge(lateBy: gap - period, slack: 0.6 * period, jitter) {
                ($0 / period + 0.4).rounded(.down) * period
            }
        case .prompt(let lead, let jitter):
            // An empty message only says that the heart pauses.
            return span > 0 && judge(lateBy: unspanned - span - lead, slack: min(0.3, 0.5 * newest), jitter) { $0 }
        }
    }

    /// - Parameter whole: what of a lateness are messages.
    private mutating func judge(
        lateBy late: Seconds, slack: Seconds, _ jitter: Seconds, whole: (Seconds) -> Seconds
    ) -> Bool {
        lateness += late
        if lateness > slack { return giveUp(whole(lateness), jitter) }
        if lateness < -slack { return takeBack(whole(-lateness), slack) }
        let mayMiss = owed > slack && (isCatchingUp || abs(late) > jitter)
        // What is off by more than jitter came after one that was held up, and more may come.
        if abs(late) <= jitter || owed <= slack { (owed, isCatchingUp) = (0, false) } else { isCatchingUp = true }
        // Jitter and a period that is not quite right must not add up.
        lateness = Swift.max(0, lateness) * 0.95
        return mayMiss
    }

    private mutating func giveUp(_ messages: Seconds, _ jitter: Seconds) -> Bool {
        owed += messages
        lateness -= messages
        // What comes between two times at which messages are sent was held up.
        if abs(lateness) > jitter { isCatchingUp = true }
        return true
    }

    private mutating func takeBack(_ messages: Seconds, _ slack: Seconds) -> Bool {
        // Without a debt: it comes a second time, or all before it were held up.
        guard owed > slack else {
            (lateness, owed, isCatchingUp) = (0, 0, false)
            return true
        }
        owed -= messages
        lateness += messages
        isCatchingUp = true
        return owed > slack
    }
}
