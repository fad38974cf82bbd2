import Signals

/// When clock offsets are written: soon after the start, then every 5 s, each for a moment that lies in the middle of
/// what is known, where the line is most certain.
struct OffsetSchedule {
    /// How many were written.
    var emitted = 0
    /// The moment of the last one, seconds after the epoch's start.
    private(set) var last: Seconds = 0
    private var due: Seconds = 1

    private var revision: Seconds = 20

    /// Whether it is time to write all offsets again: 20 s, 40 s, 80 s … after the start.
    mutating func isToBeRevised(_ elapsed: Seconds) -> Bool {
        guard elapsed >= revision else { return false }
        while revision <= elapsed { revision *= 2 }
        return true
    }

    /// The moment to write an offset for, when one is due `elapsed` seconds after the start.
    mutating func next(_ elapsed: Seconds) -> Seconds? {
        guard elapsed >= due else { return nil }
        // Behind a long pause those in between are left out.
        let steps = due >= 5 ? ((elapsed - due) / 5).rounded(.down) : 0
        let moment = due + steps * 5
        due = moment < 2 ? 2 : moment < 5 ? 5 : moment + 5
        last = max(last, moment - min(5, moment / 2))
        emitted += 1
        return last
    }
}
