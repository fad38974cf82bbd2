public import Signals

/// A streaming detector of QRS complexes in several ECG leads together.
///
/// Every lead has a detector of its own, which says what speaks for a beat at each of its tops. The leads' evidence is
/// added up, each weighed by how often it stood against the others of late, and a shortest path through the sums
/// decides: a wave of noise in one lead is no beat, and a beat that drowns in one is found in another. The time of a
/// beat is its R peak in one lead, the reference, which changes only when another has become much clearer; where it
/// has none, another lead stands in and the usual distance between the two is taken off.
///
/// Put the lead with the best R peaks first. A lead that electrode motion has swamped from end to end, its pops as sharp
/// as complexes, costs next to nothing as second lead, but is better left out as first.
///
/// Leads may differ in sample rate, come and go, or have gaps of their own. Feed each its samples and call `advance`.
/// The beats are the same to the bit in whatever pieces and order the samples come, as long as no lead falls behind
/// the foremost by more than `patience`.
public struct MultiLeadECGDetector {
    private var leads: [Lead]
    private var fusion: LeadFusion
    private let patience: Seconds
    private let longestLookAhead: Seconds
    /// Steps done, counted from the recording's start; nil before the first.
    private var step: Int?

    /// A detector for leads of these sample rates, in Hz.
    /// - Parameters:
    ///   - parameters: for every lead.
    ///   - patience: a lead that is more than so many seconds behind the foremost is not waited for.
    public init(sampleRates: [Double], parameters: ECGBeatDetector.Parameters = .init(), patience: Seconds = 30) {
        leads = sampleRates.map { Lead(sampleRate: $0, parameters: parameters) }
        fusion = LeadFusion(leadCount: leads.count, refractoryPeriod: parameters.refractoryPeriod)
        self.patience = patience
        longestLookAhead = leads.map(\.detectorLookAhead).max() ?? 0
    }

    /// The longest time, in seconds of signal, between a sample and the last beat that may depend on it, where no lead
    /// has to be waited for; a bit less than 4 s.
    public var lookAhead: Seconds { longestLookAhead + LeadFusion.lookAhead }

    /// A contiguous run of samples of one lead begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, lead: Int) {
        leads[lead].begin(segment)
    }

    /// The next samples of one lead's run.
    public mutating func push(_ chunk: Span<Float>, lead: Int) {
        leads[lead].push(chunk)
    }

    /// Appends the beats that have become certain.
    public mutating func advance(into beats: inout [Beat]) {
        guard let foremost = leads.map(\.weighedUntil).max(), foremost.isFinite else { return }
        var known = foremost
        for lead in leads { known = min(known, max(lead.known(lag: LeadFusion.beatLag), foremost - patience)) }
        advance(to: known, into: &beats)
    }

    /// Nothing more will come.
    public mutating func finish(into beats: inout [Beat]) {
        for index in leads.indices { leads[index].finish() }
        guard let end = leads.map(\.weighedUntil).max(), end.isFinite else { return }
        advance(to: end, into: &beats)
        fusion.close(at: end, leads, into: &beats)
    }

    private mutating func advance(to known: Seconds, into beats: inout [Beat]) {
        guard known.isPlaceable else { return }
        let last = Int((known / LeadFusion.period).rounded(.down))
        while let next = nextStep(), next <= last {
            let time = Double(next) * LeadFusion.period
            if leads.allSatisfy({ $0.isBlind(from: time - LeadFusion.period, to: time) }) {
                fusion.close(at: time, leads, into: &beats)
                step = darknessEnd(from: next, until: last)
            } else {
                fusion.step(to: time, leads, into: &beats)
                step = next
            }
            for index in leads.indices { leads[index].forget(before: fusion.neededFrom) }
        }
    }

    private func nextStep() -> Int? {
        if let step { return step + 1 }
        guard let first = leads.map({ $0.firstSeen(from: -.infinity) }).min(), first.isPlaceable else { return nil }
        return Int((first / LeadFusion.period).rounded(.down)) + 1
    }

    /// The last step, from `step` to `last`, at whose end nothing is seen yet.
    private func darknessEnd(from step: Int, until last: Int) -> Int {
        let time = Double(step) * LeadFusion.period
        guard let seen = leads.map({ $0.firstSeen(from: time) }).min(), seen.isPlaceable else { return last }
        return max(step, min(last, Int((seen / LeadFusion.period).rounded(.down))))
    }
}
