import Foundation
import Signals

/// Finds skin conductance responses in one run of conductance, sample by sample.
///
/// A response is a pulse of the filtered signal that rises from the lowest value since the last one by more than the
/// least amplitude and its own noise would, in which conductance itself rises more steeply than before and after: a level
/// that rises is none, and so are the single steps in which a coarse converter tells it. Responses that ride on the
/// recovery of others are found as well, and their amplitude is taken above what is left of these. One that rises gradually
/// is found by its steep part, and then measured from where it begins (`GradualOnset`).
struct ResponseDetector: Sendable {
    private let parameters: ResponseParameters
    private let filter: ResponseFilter
    private let recoveries: RecoveryRange
    private let gradual: GradualOnset
    private let rate: Double
    private var history: ConductanceHistory
    /// Place of the next filtered value, and the last few.
    private var centre: Int
    private var pulse: PulseSearch
    private var noiseLevel: NoiseLevel
    /// The amplitude of the ripples that were taken out of the latest sample, µS.
    private var ripple = 0.0
    /// The step between the values of the converter, µS; 0 where it is fine.
    var quantisationStep = 0.0
    private var pending: Pending?
    /// One that is told from what is none, and may recover still.
    private var told: ResponsePlaces?
    private var last: Peak?

    /// A response that has begun.
    private struct Pending: Sendable {
        var onset: Double
        /// What is left then of the responses before, µS.
        var left: Double
    }

    /// Where the latest response was highest.
    private struct Peak: Sendable {
        var onset: Double
        var place: Double
        /// The conductance there, µS.
        var conductance: Double
        /// How much of it is this response and what is left of those before, µS.
        var height: Double
    }

    /// How long after its onset, in seconds, a response is given out at the latest.
    static func lookAhead(_ parameters: ResponseParameters) -> Seconds {
        parameters.longestRise + parameters.longestRecovery + settling + GradualOnset.longestLead + 1
    }

    /// No response is found later than this after its onset, in seconds.
    private static let settling: Seconds = 4
    /// How much steeper a response rises than conductance does in the seconds around it, per second and as a share of its
    /// amplitude. One that rises for 3 s, which is long, does so by 0.3.
    private static let leastSteepness = 0.15
    /// How much steeper most are: one that rises as the usual form does, by 1.
    private static let usualSteepness = 0.4
    /// How far around a response its steepness is compared, in seconds.
    private static let surroundings: Seconds = 2
    /// How many of a converter's steps a response rises by at least, and how much steeper than one of them.
    private static let fewestSteps = 1.5
    /// The share of a ripple's amplitude that taking it out leaves, as a standard deviation.
    private static let remainder = 0.25

    init(_ parameters: ResponseParameters, sampleRate: Double) {
        self.parameters = parameters
        rate = sampleRate
        filter = ResponseFilter(parameters, sampleRate: sampleRate)
        recoveries = RecoveryRange(recovery: parameters.recovery)
        gradual = GradualOnset(filter, recovery: parameters.recovery, sampleRate: sampleRate)
        history = ConductanceHistory(seconds: Self.lookAhead(parameters) + 10, sampleRate: sampleRate)
        centre = filter.reach
        pulse = PulseSearch(sampleRate: sampleRate)
        noiseLevel = NoiseLevel(guess: 0.1 * parameters.leastAmplitude)
    }

    /// The next sample and whether it is an artefact; responses that are settled by it are appended, with times as
    /// places in the run.
    mutating func push(_ sample: EvenSample, _ isArtefact: Bool, into found: inout [ResponsePlaces]) {
        history.append(sample.value, isArtefact)
        noiseLevel.take(sample.value)
        ripple = sample.ripple
        guard history.end > 2 * filter.reach else { return }
        let filtered = history.weighted(filter.weights, around: centre)
        let threshold = Swift.max(
            0.7 * filter.gain * parameters.leastAmplitude, parameters.noiseFactor * filter.noiseGain * noise)
        if let onset = pulse.take(filtered, at: centre, threshold: threshold) { begin(at: onset, into: &found) }
        centre += 1
        guard pending != nil || told != nil, centre % Swift.max(1, Int(rate)) == 0 else { return }
        settle(into: &found)
    }

    /// The run ends.
    mutating func finish(into found: inout [ResponsePlaces]) {
        if let onset = pulse.finish() { begin(at: onset, into: &found) }
        close(until: history.end)
        give(until: history.end, into: &found)
    }

    /// Standard deviation of the noise, µS.
    private var noise: Double { noiseLevel.deviation }

    private mutating func begin(at onset: Double, into found: inout [ResponsePlaces]) {
        let end = Int(onset.rounded(.up))
        close(until: end)
        give(until: end, into: &found)
        pending = Pending(onset: onset, left: left(at: onset))
    }

    /// What is left at `onset` of the responses before, µS. Nothing is known to be where an artefact is among them.
    private func left(at onset: Double) -> Double {
        guard let last, !history.hasArtefact(Int(last.onset)...Swift.max(Int(last.onset), Int(onset))) else { return 0 }
        // What has not fallen: of the responses, or of a level that rises.
        let shown = last.height - (last.conductance - history.value(at: onset))
        return recoveries.left(of: last.height, after: Swift.max(0, onset - last.place) / rate, shown: shown)
    }

    /// Closes the pending response when nothing that comes can change whether it is one, and gives it out when nothing can
    /// change its recovery.
    private mutating func settle(into found: inout [ResponsePlaces]) {
        let certain = history.end - Int(Self.settling * rate)
        let longest = (parameters.longestRise + parameters.longestRecovery) * rate
        func isOver(_ onset: Double, _ response: ResponsePlaces?) -> Bool {
            Double(certain) - onset > longest || response.map { halfRecovery(of: $0, until: certain) != nil } ?? false
        }
        if let pending, isOver(pending.onset, measure(pending, until: certain)) { close(until: certain) }
        if let told, isOver(told.onset, told) { give(until: certain, into: &found) }
    }

    /// Tells the pending response, seen up to `end`, from what is none.
    private mutating func close(until end: Int) {
        guard let pending else { return }
        self.pending = nil
        guard let response = measure(pending, until: end) else { return }
        let least = Swift.max(parameters.leastAmplitude, 4 * noise, Self.fewestSteps * quantisationStep)
        if response.rise >= least { told = whole(response) }
        let conductance = history.value(at: response.peak)
        last = Peak(
            onset: response.onset, place: response.peak, conductance: conductance,
            height: conductance - history.value(at: response.onset) + pending.left)
    }

    /// Gives out the response that is told, its recovery seen up to `end`.
    private mutating func give(until end: Int, into found: inout [ResponsePlaces]) {
        guard var response = told else { return }
        told = nil
        response.halfRecovery = halfRecovery(of: response, until: end)
        found.append(response)
    }

    /// The response from where it begins to rise, if it does so gradually. It is told from what is none by its steep part
    /// alone, and so is what it leaves of the next one: in noise there would be more otherwise.
    private func whole(_ response: ResponsePlaces) -> ResponsePlaces {
        // Not before the peak of another, nor so early that it rises for longer than one does.
        let earliest = Swift.max(last?.place ?? 0, response.peak - parameters.longestRise * rate, 0)
        guard
            let onset = gradual.onset(
                of: response, since: Int(earliest.rounded(.up)), in: history, noise: noise + Self.remainder * ripple,
                quantisationStep: quantisationStep)
        else { return response }
        let recovered = left(at: onset) * (1 - exp(-(response.peak - onset) / (parameters.recovery * rate)))
        let level = Swift.min(history.value(at: onset), history.value(at: onset.rounded(.down)))
        let amplitude = history.value(at: response.peak) - level + recovered
        guard amplitude > response.amplitude else { return response }
        var whole = response
        (whole.onset, whole.amplitude, whole.level) = (onset, amplitude, level)
        return whole
    }

    /// The response that has begun, seen up to `end`; nil where it has no peak.
    private func measure(_ pending: Pending, until end: Int) -> ResponsePlaces? {
        let onset = pending.onset
        let level = history.value(at: onset)
        guard let peak = peak(after: onset, level: level, until: end) else { return nil }
        // Where the run ends, who knows how much higher it became.
        let isCut = end == history.end && peak + filter.reach >= history.end - 1
        // What was left recovers exponentially in the meantime.
        let recovered = pending.left * (1 - exp(-(Double(peak) - onset) / (parameters.recovery * rate)))
        let rise = history[peak] - level + recovered
        guard standsOut(from: onset, to: peak, rise, until: end, isCut: isCut) else { return nil }
        // Between the sample before the onset and the one after it, conductance has not risen evenly.
        let foot = Swift.min(level, history.value(at: onset.rounded(.down)))
        let amplitude = rise + level - foot
        return ResponsePlaces(
            onset: onset, peak: Double(peak), amplitude: amplitude, rise: rise, level: foot,
            isDoubtful: isCut || history.hasArtefact(Int(onset)...Swift.max(peak, Int(onset))))
    }

    /// Whether conductance rises clearly more steeply somewhere from onset to peak than before and than after. What comes
    /// after is not known where the run ends; and where the next response follows at once, standing out from what came
    /// before by more suffices.
    private func standsOut(from onset: Double, to peak: Int, _ amplitude: Double, until end: Int, isCut: Bool) -> Bool {
        let (reach, noise) = (filter.reach, filter.slopeNoiseGain * noise)
        let (first, last) = (reach, history.end - 1 - reach)
        let around = Int((Self.surroundings * rate).rounded(.up))
        let start = Swift.min(Swift.max(Int(onset), first), last)
        // The rise of the next response is none of this one's.
        let top = Swift.min(peak, last, isCut ? last : end - 1 - reach)
        var (steepest, place) = (slope(at: start), start)
        for next in start..<Swift.max(start, top) + 1 where slope(at: next) > steepest {
            (steepest, place) = (slope(at: next), next)
        }
        let steps = Self.fewestSteps * filter.slopeStepGain * quantisationStep
        let needed = Swift.max(Self.leastSteepness * amplitude, 4.5 * noise, steps)
        let before = (Swift.max(first, start - around)...start).map(slope).min() ?? steepest
        guard steepest - before >= needed else { return false }
        if isCut || place + reach > last { return true }
        if place + around >= end, steepest - before >= Swift.max(Self.usualSteepness * amplitude, 6 * noise) {
            return true
        }
        let after = (place...Swift.max(place, Swift.min(peak + around, end, last))).map(slope).min() ?? steepest
        return steepest - after >= needed
    }

    private func slope(at place: Int) -> Double { history.weighted(filter.slopeWeights, around: place) }

    /// The first maximum that matters after an onset; nil where conductance does not rise above its level there.
    private func peak(after onset: Double, level: Double, until end: Int) -> Int? {
        let first = Int(onset.rounded(.down)) + 1
        let last = Swift.min(end, Int(onset + parameters.longestRise * rate) + 1)
        guard first < last, var best = (first..<last).first(where: { history[$0] > level }) else { return nil }
        for place in best..<last {
            if history[place] > history[best] { best = place }
            if history[best] - history[place] > Swift.max(0.1 * (history[best] - level), 3 * noise) { break }
        }
        return best
    }

    /// Samples from the peak until half of the amplitude is left.
    private func halfRecovery(of response: ResponsePlaces, until end: Int) -> Double? {
        let peak = Int(response.peak)
        let half = history[peak] - response.amplitude / 2
        let last = Swift.min(end, peak + Int(parameters.longestRecovery * rate) + 1)
        guard peak + 1 < last, let place = (peak + 1..<last).first(where: { history[$0] <= half }) else { return nil }
        let (before, after) = (history[place - 1], history[place])
        return Double(place - 1 - peak) + (before - half) / Swift.max(before - after, 1e-12)
    }
}

/// A response with places in its run instead of times.
struct ResponsePlaces: Sendable {
    var onset: Double
    var peak: Double
    /// From the level before the onset, µS.
    var amplitude: Double
    /// From where its slope jumps, by which it was told from what is none, µS.
    var rise: Double
    var level: Double
    var halfRecovery: Double?
    var isDoubtful: Bool
}
