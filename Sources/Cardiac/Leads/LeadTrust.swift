import Foundation

/// How far one lead is to be believed, from how it stood to what all leads together decided of late.
struct LeadTrust {
    /// A lead that saw nothing at all where others have a top scores a bit less than the least that is weighed.
    static let absentScore = QRSEvidence.least - 0.2
    /// Decisions it remembers.
    private static let memory = 20.0
    /// Shares of errors below the first are as good as none; the second keeps a lead from being silenced for ever. One
    /// that was against nearly half of the decisions has hardly a say.
    private static let errors = 0.02...0.4
    /// A lead that is this sure of what is no beat was wrong.
    private static let surely = 1.0
    /// Leads whose irregularities differ by this much do not see the same beats…
    private static let unlike = 0.08
    /// …and where one's own beats are refused more often than this, the wrong one was believed…
    private static let oftenRefused = 0.3
    /// …if its own beats look no more alike than this: those of a heart do, however irregular they are…
    private static let alike = 0.7
    /// Own beats over which that is judged.
    private static let longMemory = 60.0
    /// …and if it never agreed with the others on so many of the late beats: one that did has seen the heart, and a heart
    /// may become irregular while an artefact keeps step in another lead.
    private static let agreement = 0.8

    /// The share of late decisions the lead was against.
    private var errorShare = 0.0
    /// The share of the late tops it was sure of that were decided to be no beats.
    private var refusedShare = 0.0
    private var beatCount = 0.0
    /// The mean score it gave the beats of late.
    private(set) var meanScore = 0.0
    /// The mean of its tops' strengths where beats were; nil before the first.
    private(set) var strength: Double?
    /// How much successive intervals between the lead's own beats differ, from 0 to 1.
    private(set) var irregularity = 0.0
    /// How much the lead's own beats look like those before, from 0 to 1.
    private var familiarity = 1.0
    private var ownCount = 0.0
    /// The share of late beats for which this lead and another were.
    private var agreedShare = 0.0
    private var hasAgreed = false
    private var lastBeat = Double.nan
    private var lastInterval = Double.nan
    /// From 0.1 to 1: the logarithm of its odds of being right, 1 where it is hardly ever wrong.
    private(set) var weight = 1.0

    /// Whether enough beats were seen to compare it with others.
    var isKnown: Bool { beatCount >= 8 }

    /// The lead alone is for a beat at `time`, whose top looks as much like the beats before as `familiarity` says.
    mutating func note(ownBeat time: Double, familiarity: Double, followsBreak: Bool) {
        ownCount = min(ownCount + 1, Self.longMemory)
        self.familiarity += (familiarity - self.familiarity) / ownCount
        if followsBreak { (lastBeat, lastInterval) = (.nan, .nan) }
        let interval = time - lastBeat
        let change = abs(interval - lastInterval) / (interval + lastInterval)
        if !change.isNaN { irregularity += (min(change, 0.33) - irregularity) / Self.memory }
        (lastBeat, lastInterval) = (time, interval)
    }

    /// A beat was decided where the lead has this top, or none.
    /// - Parameter others: whether another lead is for that beat.
    mutating func note(beat top: LeadAccount.Top?, others: Bool) {
        let score = top?.score ?? Self.absentScore
        note(error: score < 0)
        agreedShare += ((others && score > 0 ? 1 : 0) - agreedShare) / Self.memory
        if agreedShare > Self.agreement { hasAgreed = true }
        if score > Self.surely { refusedShare -= refusedShare / Self.memory }
        beatCount = min(beatCount + 1, Self.memory)
        meanScore += (score - meanScore) / beatCount
        if let top { strength = strength.map { $0 + (top.strength - $0) / Self.memory } ?? top.strength }
    }

    /// It was decided that the lead's top is no beat.
    mutating func note(noBeat top: LeadAccount.Top) {
        guard top.score > Self.surely else { return }
        note(error: true)
        refusedShare += (1 - refusedShare) / Self.memory
    }

    private mutating func note(error: Bool) {
        errorShare += ((error ? 1 : 0) - errorShare) / Self.memory
        let share = min(max(errorShare, Self.errors.lowerBound), Self.errors.upperBound)
        weight = log((1 - share) / share) / log((1 - Self.errors.lowerBound) / Self.errors.lowerBound)
    }

    /// Whether what it takes for beats may be no heart's.
    private var maySeeNoHeart: Bool { familiarity < Self.alike && !hasAgreed }

    /// How far each lead is to be believed beside the others. What the heart does all leads see alike, so one with more
    /// irregular beats than another sees some that are none or misses some, whatever was decided; above all where the
    /// other's beats are refused.
    static func weigh(_ trusts: [LeadTrust], into weights: inout [Double]) {
        var least = 1.0
        for trust in trusts { least = min(least, trust.irregularity) }
        let isWrong =
            trusts.contains { $0.irregularity > least + unlike && $0.maySeeNoHeart }
            && trusts.contains { $0.irregularity <= least + unlike / 2 && $0.refusedShare > oftenRefused }
        for index in trusts.indices {
            let excess = trusts[index].irregularity - least
            if isWrong, excess <= unlike / 2 {
                weights[index] = max(trusts[index].weight, 0.5)
            } else {
                weights[index] =
                    trusts[index].weight
                    * max(isWrong && trusts[index].maySeeNoHeart ? 0.1 : 0.5, 1 - excess / 0.2)
            }
        }
    }
}
