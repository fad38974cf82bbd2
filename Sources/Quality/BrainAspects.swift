import Brain
import Signals

/// What a window holds of one EEG channel.
struct BrainMeasures {
    /// Share of the window that is there, 0…1.
    var coverage = 0.0
    /// Share of the seconds in which no sample is missing, 0…1: features are told of these alone.
    var whole = 0.0
    /// Share of samples without change.
    var flat = 0.0
    /// Share cut off at a rail.
    var clipped = 0.0
    /// Shares of seconds in which something is wrong.
    var fast = 0.0
    /// See `fast`.
    var hum = 0.0
    /// See `fast`.
    var huge = 0.0
    /// See `fast`.
    var pop = 0.0
    /// Usual agreement with the channel it agrees with best; nil where there is no other, or too little of them.
    var agreement: Double?
    /// How many other channels bear it out or give it away; 0 where it has its reference in common with none, as bipolar
    /// ones.
    var others = 0
    /// Share of the seconds in which the headband says that the electrode has no contact, of those that it tells of.
    var loose = 0.0
    /// Seconds that were looked at.
    var seconds = 0

    /// Adds what a second shows of the channel; once all are there, `share` makes shares of these sums.
    mutating func count(_ second: ChannelSecond) {
        seconds += 1
        flat += second.flat
        clipped += second.clipped
        fast += second.fast
        hum += second.hum
        huge += second.huge
        pop += second.pop
    }

    /// See `count`.
    mutating func share() {
        guard seconds > 0 else { return }
        let count = Double(seconds)
        (flat, clipped) = (flat / count, clipped / count)
        (fast, hum, huge, pop) = (fast / count, hum / count, huge / count, pop / count)
    }
}

/// What a second adds to the measures of a channel: the same in every window that it lies in.
struct ChannelSecond: Sendable {
    /// Share of samples marked as missing, 0…1.
    let missing: Double
    /// Whether there are enough samples to tell of.
    let isMeasured: Bool
    /// See `BrainMeasures`.
    let flat, clipped, fast, hum, huge, pop: Double

    init(_ second: EEGSecond.Channel) {
        func one(_ isTrue: Bool) -> Double { isTrue ? 1 : 0 }
        (missing, isMeasured) = (second.missing, second.isMeasured)
        flat = second.isFlat && !second.isAtRail ? max(second.flat, 0.5) : 0
        clipped = second.isAtRail ? 1 : second.clipped
        (fast, hum) = (one(second.isFast), one(second.isHum))
        (huge, pop) = (one(second.isHuge), one(second.isPop))
    }
}

/// The aspects of an EEG channel.
enum BrainAspects {
    /// The fewest seconds in which two channels are compared: in fewer noise agrees by chance.
    static let leastSeconds = 5
    /// The most that is believed of a channel that not two others bear out: noise of an EEG's spectrum looks as good.
    static let unconfirmed = 0.75

    static func judge(_ m: BrainMeasures) -> Aspects {
        var aspects = Aspects()
        aspects.add(.gap, min(m.coverage, m.whole))
        guard m.coverage > 0, m.seconds > 0 else { return aspects }
        aspects.add(.offBody, Aspects.score(m.loose, good: 0, limit: 0.5))
        aspects.add(.flat, Aspects.score(m.flat, good: 0, limit: 0.2))
        aspects.add(.saturated, Aspects.score(m.clipped, good: 0, limit: 0.02))
        aspects.add(.noise, Aspects.score(m.fast, good: 0, limit: 0.35))
        aspects.add(.mains, Aspects.score(m.hum, good: 0, limit: 0.3))
        aspects.add(.electrodePop, Aspects.score(m.pop, good: 0, limit: 0.15))
        aspects.add(.baselineWander, Aspects.score(m.huge, good: 0, limit: 0.15))
        if m.others < 2 { aspects.limit(unconfirmed, because: .unconfirmed) }
        if let agreement = m.agreement {
            // Two channels may have nothing in common, and so may bipolar ones, however many.
            if m.others > 1 {
                aspects.add(.uncorrelated, Aspects.score(agreement, good: 0.3, limit: ChannelLimits.agreement))
            }
            // Not even neighbours are alike to half a per cent.
            aspects.add(.uncorrelated, Aspects.score(agreement, good: 0.99, limit: 0.995))
        }
        return aspects
    }
}
