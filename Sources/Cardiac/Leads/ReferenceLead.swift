import Signals

/// Which lead says when the beats were.
///
/// R peaks of different leads lie up to tens of milliseconds apart, so going from lead to lead would look like
/// variability of the heart. The first lead has the word. Another takes over where the first misses many beats or
/// noise makes its times doubtful, and gives it back afterwards; for a single such beat another stands in. The
/// usual distance between the two is taken off, so that no interval shows the change.
struct ReferenceLead {
    /// When a beat was, and the sample nearest to it in the stream of a lead.
    struct Fiducial {
        var onset: Seconds
        var sample: Int
        var lead: Int
    }

    /// Where a lead has less than this share of another's weight, its time may be that of noise.
    private static let doubtful = 0.5
    /// Another lead takes over where the one that has the word had no time to be believed for this share of late beats,
    /// and the other lacked not half as many.
    private static let missed = 0.5
    /// Beats remembered for that.
    private static let memory = 20.0
    /// Seconds about the usual distance between two leads within which they mostly are; what scatters more is that of a
    /// lead whose times are noise, and nothing to be taken off.
    private static let spread = 0.02

    /// The lead that has the word.
    private(set) var lead = 0
    /// What is taken off its times.
    private var shift = 0.0
    /// The share of late beats each lead had no time for, or none to be believed.
    private var missShares: [Double]
    /// By how much each lead's R peaks, and its tops, come later than the times given out.
    private var delays: [LatestMedian]
    private var topDelays: [LatestMedian]

    init(leadCount: Int) {
        missShares = Array(repeating: 0, count: leadCount)
        delays = Array(repeating: LatestMedian(), count: leadCount)
        topDelays = delays
    }

    /// When the beat about `time` was; nil where no lead has anything there.
    /// - Parameters:
    ///   - reach: how far apart the tops of one beat in different leads are, in seconds, at most.
    ///   - limit: nothing later counts.
    ///   - weights: how far each lead is to be believed there.
    func fiducial(
        at time: Seconds, reach: Seconds, until limit: Seconds, leads: [Lead], trusts: [LeadTrust], weights: [Double]
    ) -> Fiducial? {
        if isTold(lead, weights, at: time, reach: reach, leads), let beat = leads[lead].beat(near: time, reach: reach) {
            return moved(beat.onset, beat.sample, by: -shift, lead, leads)
        }
        if let other = best(trusts, where: { isTold($0, weights, at: time, reach: reach, leads) }),
            let beat = leads[other].beat(near: time, reach: reach)
        {
            return moved(beat.onset, beat.sample, by: -delays[other].usual(within: Self.spread), other, leads)
        }
        guard let other = best(trusts, where: { leads[$0].top(near: time, reach: reach, until: limit) != nil }),
            let top = leads[other].top(near: time, reach: reach, until: limit)
        else { return nil }
        return moved(top.time, top.sample, by: -topDelays[other].usual(within: Self.spread), other, leads)
    }

    /// Whether a lead has a beat about `time`, and no other that has it too is to be believed much more.
    private func isTold(
        _ lead: Int, _ weights: [Double], at time: Seconds, reach: Seconds, _ leads: [Lead]
    ) -> Bool {
        guard leads[lead].beat(near: time, reach: reach) != nil else { return false }
        for index in leads.indices where weights[lead] < Self.doubtful * weights[index] {
            if leads[index].beat(near: time, reach: reach) != nil { return false }
        }
        return true
    }

    private func moved(
        _ onset: Seconds, _ sample: Int, by shift: Seconds, _ lead: Int, _ leads: [Lead]
    ) -> Fiducial {
        let samples = (shift * leads[lead].sampleRate).rounded()
        return Fiducial(onset: onset + shift, sample: max(0, sample + Int(samples)), lead: lead)
    }

    /// The lead that scored the beats of late highest, of those that qualify.
    private func best(_ trusts: [LeadTrust], where qualifies: (Int) -> Bool) -> Int? {
        var best: Int?
        for index in trusts.indices where qualifies(index) {
            if trusts[index].meanScore > best.map({ trusts[$0].meanScore }) ?? -.infinity { best = index }
        }
        return best
    }

    /// Learns from a beat that was given out how the leads stand to each other, and may give the word to another.
    mutating func learn(
        _ fiducial: Fiducial, at time: Seconds, reach: Seconds, until limit: Seconds, leads: [Lead], weights: [Double]
    ) {
        let isKnown = isTold(lead, weights, at: time, reach: reach, leads)
        for index in leads.indices {
            let isMissed = !isTold(index, weights, at: time, reach: reach, leads)
            missShares[index] += ((isMissed ? 1 : 0) - missShares[index]) / Self.memory
            guard isKnown else { continue }
            if let beat = leads[index].beat(near: time, reach: reach) {
                delays[index].note(beat.onset - fiducial.onset)
            }
            if let top = leads[index].top(near: time, reach: reach, until: limit) {
                topDelays[index].note(top.time - fiducial.onset)
            }
        }
        if lead != 0, missShares[0] < Self.missed / 2 {
            (lead, shift) = (0, 0)
        } else if missShares[lead] > Self.missed, let other = successor {
            (lead, shift) = (other, delays[other].usual(within: Self.spread))
        }
    }

    /// The lead that lacked fewest of late, if few enough.
    private var successor: Int? {
        var best: Int?
        for index in missShares.indices where index != lead && missShares[index] < Self.missed / 2 {
            if missShares[index] < best.map({ missShares[$0] }) ?? 1 { best = index }
        }
        return best
    }
}
