import Signals

/// How good an EEG is over a stretch of time, as a whole and channel by channel.
public struct BrainWindow: Hashable, Codable, Sendable {
    /// The EEG as a whole: as good as the better half of its channels, and not better than the head's rest allows. Not
    /// good, its reasons include one that headbands have a code for: `headbandOffHead`, `motionTooHigh`, `eegFailure`.
    public var whole: QualityWindow
    /// Each channel by itself.
    public var channels: [QualityWindow]

    /// A judged stretch of time.
    public init(whole: QualityWindow, channels: [QualityWindow]) {
        self.whole = whole
        self.channels = channels
    }

    /// The headband's status code: 0 passed, 1 off head, 2 motion too high, 3 EEG failure.
    public var wireCode: Int {
        whole.isGood ? 0 : whole.reasons.compactMap(\.wireCode).min() ?? 3
    }
}

extension BrainWindow {
    /// The window that channels, judged one by one, make together.
    static func combined(
        _ channels: [BrainMeasures], motion: Double, offHead: Double, blinksPerMinute: Double, onset: Seconds,
        duration: Seconds
    ) -> BrainWindow {
        let each = channels.map {
            BrainAspects.judge($0).window(onset: onset, duration: duration, coverage: $0.coverage)
        }
        let coverage = channels.reduce(0) { $0 + $1.coverage } / Double(max(1, channels.count))
        var ranked = each.map(\.quality)
        ranked.sort(by: >)
        let half = ranked.isEmpty ? 0 : ranked[(ranked.count - 1) / 2]
        var whole = Aspects()
        whole.add(.gap, coverage)
        if half >= 0.5 {
            let good = each.count { $0.isGood }
            let alone = each.count { $0.isGood && $0.reasons.contains(.unconfirmed) }
            whole.limit(half, because: 2 * alone >= good ? .unconfirmed : nil)
        }
        whole.add(.motion, Aspects.score(motion, good: 0, limit: 0.3))
        whole.add(.headbandOffHead, Aspects.score(offHead, good: 0, limit: 0.3))
        whole.add(.manyBlinks, Aspects.score(blinksPerMinute, good: 30, limit: 60))
        if half < 0.5 {
            let bad = each.filter { !$0.isGood }
            for reason in QualityReason.allCases {
                // What most of the bad channels share, or the worst of each where they share nothing.
                let share = bad.count { $0.reasons.contains(reason) }
                if share > 0, 2 * share >= bad.count { whole.add(reason, half) }
            }
        }
        if coverage > 0, let code = code(each, half: half, motion: motion) { whole.add(code, min(half, 0.49)) }
        return BrainWindow(
            whole: whole.window(onset: onset, duration: duration, coverage: coverage), channels: each)
    }

    /// What an electrode without contact shows.
    private static let loose: Set<QualityReason> = [.offBody, .flat, .saturated, .mains, .baselineWander]

    /// What a headband would say is wrong.
    private static func code(_ channels: [QualityWindow], half: Double, motion: Double) -> QualityReason? {
        let without = channels.count { channel in
            // Muscles hide what electrodes have in common, without one being off.
            let alone = channel.reasons.contains(.uncorrelated) && !channel.reasons.contains(.noise)
            return !channel.isGood && (alone || !loose.isDisjoint(with: channel.reasons))
        }
        let moves = Aspects.score(motion, good: 0, limit: 0.3) < 0.5
        if half < 0.5, 4 * without >= 3 * channels.count { return .headbandOffHead }
        if moves { return .motionTooHigh }
        return half < 0.5 ? .eegFailure : nil
    }
}
