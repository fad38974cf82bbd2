import Signals

/// Where a response begins that rises gradually.
///
/// A response is found by where its slope jumps. One that sets in abruptly, like a Bateman function, begins there. One
/// that sets in smoothly, like the mean response of Bach et al. (Int J Psychophysiol 75:349–356, 2010), began nearly a
/// second before and has risen by a sixth. Its onset is where conductance leaves the course it was on, and its amplitude
/// counts from there to the peak (Boucsein, Electrodermal Activity, 2nd ed. 2012, section 3.1.3).
struct GradualOnset: Sendable {
    private let filter: ResponseFilter
    private let recovery: Seconds
    private let rate: Double

    /// How long before its slope jumps it is looked for where a response begins, in seconds; no response begins earlier.
    static let longestLead: Seconds = 2
    /// How long before its slope jumps the course that conductance is on is looked at, in seconds.
    private static let surroundings: Seconds = 4
    /// What has risen at the onset: a share of the amplitude, and a multiple of the noise's standard deviation.
    private static let (risen, noiseRisen) = (0.02, 1.0)
    /// What has risen at least where the slope jumps, if the response begins before: less is noise, or a matter of where
    /// between two samples it sets in.
    private static let (leastRisen, leastNoiseRisen) = (0.04, 3.5)
    /// How far above its lowest value the filtered signal still is on its course, in standard deviations of its noise.
    private static let course = 1.0
    /// How much faster than the usual response others may recover, so that the end of theirs is no beginning of another.
    private static let haste = 1.5

    init(_ filter: ResponseFilter, recovery: Seconds, sampleRate: Double) {
        (self.filter, self.recovery, rate) = (filter, recovery, sampleRate)
    }

    /// The place where it begins; nil where that is the jump, or where an artefact hides what was before.
    /// - Parameters:
    ///   - response: a response whose onset is the jump of its slope.
    ///   - earliest: no place before is of this response.
    ///   - noise: the standard deviation of the noise, µS.
    func onset(
        of response: ResponsePlaces, since earliest: Int, in history: ConductanceHistory, noise: Double,
        quantisationStep: Double
    ) -> Double? {
        let jump = Int(response.onset.rounded(.down))
        let first = Swift.max(earliest, jump - Int(Self.surroundings * rate)) + filter.reach
        let begin = Swift.max(first, jump - Int(Self.longestLead * rate) + filter.reach)
        guard begin < jump, jump + filter.reach < history.end, !history.hasArtefact(first - filter.reach...jump) else {
            return nil
        }
        let start = lastOnCourse(begin...jump, in: history, noise: noise)
        let rise = rise(from: start, through: jump, since: first, in: history)
        let before = rise[rise.count - 1]
        let amplitude = before + response.amplitude
        guard before >= Swift.max(Self.leastRisen * amplitude, Self.leastNoiseRisen * noise, quantisationStep) else {
            return nil
        }
        let level = Swift.max(Self.risen * amplitude, Self.noiseRisen * noise, quantisationStep / 2)
        guard let below = rise.lastIndex(where: { $0 < level }) else { return Double(start) }
        return Double(start + below) + (level - rise[below]) / (rise[below + 1] - rise[below])
    }

    /// The last of the places where the filtered signal, in which recovery is undone, is as low as it gets.
    private func lastOnCourse(_ places: ClosedRange<Int>, in history: ConductanceHistory, noise: Double) -> Int {
        let filtered = places.map { history.weighted(filter.weights, around: $0) }
        let (low, high) = (filtered.min() ?? 0, filtered.max() ?? 0)
        let limit = low + Swift.max(Self.risen * (high - low), Self.course * filter.noiseGain * noise)
        return places.lowerBound + (filtered.lastIndex { $0 <= limit } ?? 0)
    }

    /// How much conductance has risen, in µS, at every place from the first through the last above the course it was on at
    /// the first. That is a line, on which a level stays that changes steadily. The recovery of others slows down, which
    /// lifts it above the line: by as much as a fast one would, nothing has risen.
    private func rise(
        from start: Int, through last: Int, since first: Int, in history: ConductanceHistory
    ) -> [Double] {
        let level = level(at: start, in: history)
        var slope = history.weighted(filter.slopeWeights, around: start) / rate
        if first < start {
            // What falls for a moment only is noise.
            slope = Swift.max(slope, (level - self.level(at: first, in: history)) / Double(start - first))
        }
        var recovered = 0.0
        let share = Self.haste / (recovery * rate)
        return (start...last).map { place in
            let above = history[place] - level
            if place > start { recovered += (above + history[place - 1] - level) / 2 * share }
            return above - slope * Double(place - start) + Swift.min(0, recovered)
        }
    }

    /// The mean conductance around a place, µS, which is in the filtered signal beside the slope.
    private func level(at place: Int, in history: ConductanceHistory) -> Double {
        let slope = history.weighted(filter.slopeWeights, around: place)
        return (history.weighted(filter.weights, around: place) - slope) * recovery
    }
}
