import Devices
import Signals

extension HostClock {
    /// How much later than asked for a sleep may end before this program counts as having stood still.
    private var longestDelay: Seconds { 0.25 }
    /// How long it takes at most to read what came meanwhile.
    private var respite: Seconds { 0.5 }

    /// Waits until a moment, and a little longer where this program stood still shortly before it, because it was stopped or
    /// had no processor to itself: what came in that time waits to be read, and nobody can say yet what did not come.
    /// - Throws: `CancellationError`.
    func sleepAwake(until due: Seconds) async throws {
        let begun = now
        for moment in [due - respite, due] {
            try await sleep(until: moment)
            guard now - max(moment, begun) <= longestDelay else { return try await sleep(until: now + respite) }
        }
    }
}
