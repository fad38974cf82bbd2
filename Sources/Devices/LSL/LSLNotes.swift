import Signals

/// Notes, once each, on what was done to a sender's samples or their stamps.
struct LSLNotes: Sendable {
    /// A repair of samples or stamps.
    enum Repair: Hashable {
        case sorted, repeated, bursts, otherClock, otherRate, decided
    }

    /// Clocks of devices differ by less than this share, as do rates that are estimated from the stamps of a minute.
    private static let mostDrift = 0.0003

    private var noted: Set<Repair> = []

    /// Notes a repair the first time.
    mutating func note(_ repair: Repair, _ text: String, _ actions: inout [ConversationAction]) {
        guard noted.insert(repair).inserted else { return }
        actions.emit(.log(text))
    }

    /// Notes the repairs of frames that come at `rate` Hz, of which `repeated` came twice.
    mutating func note(_ frames: LSLFrames?, rate: Double, repeated: Int, _ actions: inout [ConversationAction]) {
        guard let frames else { return }
        if frames.sorted > 0 {
            note(
                .sorted, "samples came in another order than their stamps: they are recorded by their stamps", &actions)
        }
        if repeated > 0 {
            note(
                .repeated,
                "samples come twice, with the same stamps: they are recorded once, and as they came with what was received",
                &actions)
        }
        if !frames.isExact, frames.lateness > max(0.02, 1.5 / rate) {
            note(
                .bursts,
                "its stamps are those of pushing, up to \(Int((frames.lateness * 1_000).rounded())) ms late: samples are "
                    + "placed evenly along the earliest of them, and the stamps are kept with what was received",
                &actions)
        }
        notePace(frames, rate, &actions)
    }

    /// Notes a sender whose own clock counts other than the declared number of samples a second.
    private mutating func notePace(_ frames: LSLFrames, _ rate: Double, _ actions: inout [ConversationAction]) {
        guard !noted.contains(.otherRate), let found = frames.pace.rate else { return }
        guard abs(found / rate - 1) > Self.mostDrift else {
            noted.insert(.otherRate)
            return
        }
        let hourly = abs(rate / found - 1) * 3_600
        note(
            .otherRate,
            "its stamps count \(Self.text(found)) samples a second, it declares \(Self.text(rate)), by which times "
                + "would be \(Self.text(hourly)) s off after an hour: a new segment at the measured rate begins where "
                + "recorded times are 0.05 s off", &actions)
    }

    private static func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}
