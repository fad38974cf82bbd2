import Signals

/// A sample of conductance without its ripples.
struct EvenSample: Sendable {
    /// Conductance, µS.
    var value: Double
    /// The amplitude of the ripples that were taken out, µS.
    var ripple = 0.0
}

/// Takes ripples of breathing and of the pulse out of conductance, so that they are not found as responses. Conductance
/// without a ripple does not change.
///
/// Breathing at 7 to 30 a minute moves conductance, or the electrodes, by 0.005 to 0.03 µS (Boucsein, Electrodermal
/// Activity, 2nd ed. 2012; Society for Psychophysiological Research, Psychophysiology 49:1017–1034, 2012),
/// so does the pulse. Each window of 32 s (16 s for the pulse) has one wave per cause; between the middles of windows, the
/// waves of two windows are blended. It takes no signal of respiration.
struct RippleRemoval: Sendable {
    /// The maximum time between a sample and the last one that its ripple depends on, in seconds.
    static let lookAhead: Seconds = 33

    /// The windows of a search that samples to come need.
    private struct Track: Sendable {
        var search: RippleSearch
        var windows: [RippleWindow] = []

        /// The last place whose ripple is known.
        var known: Double { windows.last?.middle ?? -1 }

        /// Takes the ripple out of the sample at a place, not before those asked for earlier.
        mutating func take(outOf sample: inout EvenSample, at place: Double, sampleRate: Double) {
            while windows.count > 1, windows[1].middle < place { windows.removeFirst() }
            guard let first = windows.first else { return }
            let hasNext = windows.count > 1 && first.middle < place
            let share = hasNext ? (place - first.middle) / (windows[1].middle - first.middle) : 0
            if let ripple = first.ripple {
                sample.value -= (1 - share) * ripple.value(at: place, sampleRate: sampleRate)
                sample.ripple += (1 - share) * ripple.amplitude
            }
            if hasNext, let ripple = windows[1].ripple {
                sample.value -= share * ripple.value(at: place, sampleRate: sampleRate)
                sample.ripple += share * ripple.amplitude
            }
        }
    }

    private let rate: Double
    private var tracks: [Track]
    private var pending: [Double] = []
    /// The place of the first sample that waits.
    private var next = 0

    init(_ parameters: ResponseParameters, sampleRate: Double) {
        rate = sampleRate
        let causes: [RippleBand.Cause] = parameters.largestRipple > 0 ? [.breathing, .pulse] : []
        tracks = causes.compactMap { cause in
            RippleSearch(
                cause, largest: parameters.largestRipple, responses: parameters, sampleRate: sampleRate
            ).map { Track(search: $0) }
        }
    }

    /// Takes a sample; appends those whose ripple is known now, without it.
    mutating func take(_ value: Double, into cleaned: inout [EvenSample]) {
        guard !tracks.isEmpty else { return cleaned.append(EvenSample(value: value)) }
        pending.append(value)
        var isNew = false
        for index in tracks.indices {
            guard let window = tracks[index].search.take(value) else { continue }
            tracks[index].windows.append(window)
            isNew = true
        }
        guard isNew else { return }
        let known = tracks.reduce(Double.infinity) { Swift.min($0, $1.known) }
        release(Swift.max(0, Int(known.rounded(.down)) + 1 - next), into: &cleaned)
    }

    /// Appends the last samples of the run.
    mutating func finish(into cleaned: inout [EvenSample]) {
        for index in tracks.indices {
            if let window = tracks[index].search.finish() { tracks[index].windows.append(window) }
        }
        release(pending.count, into: &cleaned)
    }

    private mutating func release(_ count: Int, into cleaned: inout [EvenSample]) {
        guard count > 0 else { return }
        for offset in 0..<count {
            var sample = EvenSample(value: pending[offset])
            for index in tracks.indices {
                tracks[index].take(outOf: &sample, at: Double(next + offset), sampleRate: rate)
            }
            cleaned.append(sample)
        }
        pending.removeFirst(count)
        next += count
    }
}
