import Foundation
import Signals

/// Decides from the tops of several leads which are beats.
///
/// A top's score is the sum of what each lead that sees has for it there, weighed by how far the lead is to be
/// believed; a lead without a top there speaks against. Tops that are the best about them go to a path like that of a
/// single lead. All this happens on a grid of the recording's time, so that it does not matter which lead's samples
/// come first, or in what pieces.
struct LeadFusion {
    /// A top that is being compared with those about it.
    private struct Proposal {
        var time: Seconds
        var score: Double
        /// What its own lead has for it: of tops whose scores are equal, the one with more is taken.
        var own: Double
        /// Seconds of a cycle where the ventricles flutter, else 0.
        var cycle: Float
    }

    /// A decided or undecided node of the path.
    private struct Node {
        var time: Seconds
        var score: Double
    }

    /// Seconds between two steps.
    static let period = 0.25
    /// Tops of two leads no further apart belong to one beat, as no lead has two of them so near.
    private static let reach = 0.12
    /// Seconds by which a candidate precedes the end of what is known when the path through it is settled.
    private static let patience = 1.35
    /// By how much the leads' own beats may be behind their tops.
    static let beatLag = patience + reach
    /// A run that begins or ends nearer to a beat may have cut it.
    private static let margin = 0.1
    /// How alike the errors of two leads are: with 0 their evidence would add up, with 1 be averaged.
    private static let likeness = 0.5
    /// What a regular rhythm expects says less of a wave that several leads see than of one in a lead alone.
    private static let rhythmWeight = 0.8
    /// Where beats stand no more octaves above the background than the first, a lead says hardly anything; from the
    /// second on it says what it can.
    private static let contrasts = 1.0...3.0
    private static let leastClearness = 0.1

    private var trusts: [LeadTrust]
    private var reference: ReferenceLead
    private var path: BeatPath
    private let separation: Seconds
    private var proposals = Backlog<Proposal>()
    /// Number of the first proposal that has not been compared yet.
    private var nextProposal = 0
    private var nodes = Backlog<Node>()
    /// Number of the first top of each lead that is no proposal yet.
    private var nextTops: [Int]
    private var nextBeats: [Int]
    private var weights: [Double]
    private var momentary: [Double]
    /// Up to where everything is decided.
    private var decidedUntil = -Seconds.infinity
    private var settled: [Node] = []
    private var lastBeat = -Seconds.infinity
    private var lastOnset = -Seconds.infinity
    private var isLastCut = false

    init(leadCount: Int, refractoryPeriod: Seconds) {
        trusts = Array(repeating: LeadTrust(), count: leadCount)
        reference = ReferenceLead(leadCount: leadCount)
        nextTops = Array(repeating: 0, count: leadCount)
        nextBeats = nextTops
        weights = Array(repeating: 1, count: leadCount)
        momentary = weights
        separation = refractoryPeriod / 2
        // A node's time is that of a top of any lead, and nearer to the next one than the beats are.
        path = BeatPath(refractory: separation, rhythmWeight: Self.rhythmWeight)
        settled.reserveCapacity(16)
    }

    /// By how much later, in seconds, a beat is certain than in a lead alone, at most.
    static let lookAhead: Seconds = 1

    /// Goes on to `time`, up to which all is known.
    mutating func step(to time: Seconds, _ leads: [Lead], into beats: inout [Beat]) {
        propose(until: time - Self.reach, limit: time, leads)
        let compared = time - 2 * Self.reach
        compare(until: compared, limit: time, leads)
        settle(until: compared - Self.patience, now: compared, limit: time, leads, into: &beats)
    }

    /// No lead has seen anything for a while, or ever will: decides everything up to `time`.
    mutating func close(at time: Seconds, _ leads: [Lead], into beats: inout [Beat]) {
        propose(until: time, limit: time, leads)
        compare(until: time, limit: time, leads)
        settle(until: .infinity, now: time, limit: time, leads, into: &beats)
        path.restart()
    }

    /// Before this time, in seconds, nothing is needed any more.
    var neededFrom: Seconds {
        min(nodes.isEmpty ? decidedUntil : nodes[nodes.first].time, decidedUntil) - 2 * Self.reach
    }

    /// Scores the tops of all leads up to `end`, in order of time.
    private mutating func propose(until end: Seconds, limit: Seconds, _ leads: [Lead]) {
        while let lead = leadOfNextTop(until: end, leads) {
            let top = leads[lead].tops[nextTops[lead]]
            nextTops[lead] += 1
            let cycle = flutterCycle(at: top.time, limit: limit, leads)
            // Where the ventricles flutter there are no QRS complexes.
            if cycle > 0, top.cycle == 0 { continue }
            proposals.append(
                Proposal(
                    time: top.time, score: score(top, of: lead, cycle: cycle, limit: limit, leads),
                    own: weight(of: lead, at: top.time, leads) * top.score, cycle: cycle))
        }
    }

    private mutating func leadOfNextTop(until end: Seconds, _ leads: [Lead]) -> Int? {
        var next: Int?
        var earliest = Seconds.infinity
        for index in leads.indices {
            nextTops[index] = max(nextTops[index], leads[index].tops.first)
            guard nextTops[index] < leads[index].tops.end else { continue }
            let time = leads[index].tops[nextTops[index]].time
            if time <= end, time < earliest {
                earliest = time
                next = index
            }
        }
        return next
    }

    /// How far a lead is to be believed at `time`: where its beats hardly stand out, its tops are mostly noise, and so
    /// says the lack of one.
    private func weight(of lead: Int, at time: Seconds, _ leads: [Lead]) -> Double {
        let clearness =
            (leads[lead].contrast(at: time) - Self.contrasts.lowerBound)
            / (Self.contrasts.upperBound - Self.contrasts.lowerBound)
        return weights[lead] * min(max(clearness, Self.leastClearness), 1)
    }

    /// The cycle of the flutter of the ventricles about `time`, in seconds; 0 where not more leads see it than do not.
    private func flutterCycle(at time: Seconds, limit: Seconds, _ leads: [Lead]) -> Float {
        var cycle: Float = 0
        var most = 0.0
        var balance = 0.0
        for index in leads.indices where leads[index].sees(time, margin: 0) {
            let own = leads[index].flutterCycle(at: time, reach: Self.reach, until: limit)
            balance += own > 0 ? weights[index] : -weights[index]
            guard own > 0, weights[index] > most else { continue }
            (cycle, most) = (own, weights[index])
        }
        return balance > 0 ? cycle : 0
    }

    /// What all leads together have for a beat at a top of one.
    private func score(
        _ top: LeadAccount.Top, of lead: Int, cycle: Float, limit: Seconds, _ leads: [Lead]
    ) -> Double {
        var sum = 0.0
        var total = 0.0
        for index in leads.indices {
            let score: Double
            let weight = weight(of: index, at: top.time, leads)
            if cycle > 0, leads[index].flutterCycle(at: top.time, reach: Self.reach, until: limit) == 0 { continue }
            if index == lead {
                score = top.score
            } else if let other = leads[index].top(near: top.time, reach: Self.reach, until: limit) {
                score = other.score
            } else if leads[index].sees(top.time, margin: Self.margin) {
                score = LeadTrust.absentScore
            } else {
                continue
            }
            sum += weight * score
            total += weight
        }
        return sum / (total < 1 ? total : 1 + Self.likeness * (total - 1))
    }

    /// Takes those proposals up to `end` for nodes that nothing near surpasses.
    private mutating func compare(until end: Seconds, limit: Seconds, _ leads: [Lead]) {
        while nextProposal < proposals.end, proposals[nextProposal].time <= end {
            let proposal = proposals[nextProposal]
            if proposal.score > QRSEvidence.least, isBest(nextProposal) {
                nodes.append(Node(time: proposal.time, score: proposal.score))
                let standing = standing(at: proposal.time, limit: limit, leads)
                path.add(
                    BeatPath.Node(
                        time: proposal.time, height: 0, strength: standing.strength, score: proposal.score,
                        familiarity: standing.familiarity, cycle: proposal.cycle))
            }
            nextProposal += 1
        }
        proposals.drop { $0.time < end - Self.reach }
    }

    private func isBest(_ number: Int) -> Bool {
        let proposal = proposals[number]
        var other = number
        while other > proposals.first, proposals[other - 1].time >= proposal.time - Self.reach {
            other -= 1
            if isBetter(proposals[other], than: proposal, orEqual: true) { return false }
        }
        other = number + 1
        while other < proposals.end, proposals[other].time <= proposal.time + Self.reach {
            if isBetter(proposals[other], than: proposal, orEqual: false) { return false }
            other += 1
        }
        return true
    }

    private func isBetter(_ one: Proposal, than other: Proposal, orEqual: Bool) -> Bool {
        // Tops of one beat have the same score but for rounding.
        if abs(one.score - other.score) > 1e-6 { return one.score > other.score }
        return orEqual ? one.own >= other.own : one.own > other.own
    }

    /// How high the leads' tops are here, compared with where beats were, as a binary logarithm, and how much they look
    /// like the leads' beats of late.
    private func standing(at time: Seconds, limit: Seconds, _ leads: [Lead]) -> (strength: Double, familiarity: Double)
    {
        var strength = (sum: 0.0, total: 0.0)
        var familiarity = (sum: 0.0, total: 0.0)
        for index in leads.indices where leads[index].sees(time, margin: Self.margin) {
            let weight = weight(of: index, at: time, leads)
            familiarity.total += weight
            guard let top = leads[index].top(near: time, reach: Self.reach, until: limit) else { continue }
            familiarity.sum += weight * top.familiarity
            guard let usual = trusts[index].strength else { continue }
            strength.sum += weight * (top.strength - usual)
            strength.total += weight
        }
        return (
            strength.total > 0 ? strength.sum / strength.total : 0,
            familiarity.total > 0 ? familiarity.sum / familiarity.total : 0
        )
    }

    /// Settles the path up to `end`, and gives out its beats.
    private mutating func settle(
        until end: Seconds, now: Seconds, limit: Seconds, _ leads: [Lead], into beats: inout [Beat]
    ) {
        var taken = settled
        settled = []
        path.settle(upTo: end, now: now)
        for node in path.settled { taken.append(Node(time: node.time, score: node.score)) }
        var next = 0
        while !nodes.isEmpty, nodes[nodes.first].time < end {
            let node = nodes[nodes.first]
            nodes.drop(before: nodes.first + 1)
            let isBeat = next < taken.count && taken[next].time == node.time
            learn(node, isBeat: isBeat, limit: limit, leads)
            guard isBeat else { continue }
            next += 1
            if let beat = beat(node, limit: limit, leads) { beats.append(beat) }
        }
        decidedUntil = min(end, now)
        judge(leads)
        taken.removeAll(keepingCapacity: true)
        settled = taken
    }

    /// Looks at the beats the leads are for alone.
    private mutating func judge(_ leads: [Lead]) {
        for index in leads.indices {
            nextBeats[index] = max(nextBeats[index], leads[index].beats.first)
            while nextBeats[index] < leads[index].beats.end, leads[index].beats[nextBeats[index]].top < decidedUntil {
                let (own, top) = (leads[index].beats[nextBeats[index]].beat, leads[index].beats[nextBeats[index]].top)
                let familiarity = leads[index].top(near: top, reach: 0, until: .infinity)?.familiarity ?? 0
                trusts[index].note(
                    ownBeat: own.onset, familiarity: familiarity, followsBreak: own.followsBreak)
                nextBeats[index] += 1
            }
        }
        LeadTrust.weigh(trusts, into: &weights)
    }

    private mutating func learn(_ node: Node, isBeat: Bool, limit: Seconds, _ leads: [Lead]) {
        func top(_ index: Int) -> LeadAccount.Top? {
            leads[index].top(near: node.time, reach: Self.reach, until: limit)
        }
        func isFor(_ index: Int) -> Bool { top(index).map { $0.score > 0 } ?? false }
        for index in leads.indices {
            let top = top(index)
            if isBeat {
                trusts[index].note(beat: top, others: leads.indices.contains { $0 != index && isFor($0) })
            } else if let top {
                trusts[index].note(noBeat: top)
            }
        }
    }

    private mutating func beat(_ node: Node, limit: Seconds, _ leads: [Lead]) -> Beat? {
        for index in leads.indices { momentary[index] = weight(of: index, at: node.time, leads) }
        guard
            let fiducial = reference.fiducial(
                at: node.time, reach: Self.reach, until: limit, leads: leads, trusts: trusts, weights: momentary),
            fiducial.onset > lastOnset + separation
        else { return nil }
        let isCut = leads[fiducial.lead].ownBeat(near: node.time, reach: Self.reach)?.isCut ?? false
        let followsBreak = isCut || isLastCut || leads.allSatisfy { $0.hasBreak(after: lastBeat, until: node.time) }
        isLastCut = isCut
        lastBeat = node.time
        lastOnset = fiducial.onset
        reference.learn(
            fiducial, at: node.time, reach: Self.reach, until: limit, leads: leads, weights: momentary)
        return Beat(
            onset: fiducial.onset, sample: fiducial.sample, confidence: Float(1 / (1 + exp(-2 * node.score))),
            followsBreak: followsBreak, lead: fiducial.lead)
    }
}
