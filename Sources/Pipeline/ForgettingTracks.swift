import Signals

/// Live, results are told as they come. Where nobody asks for them again they are forgotten, so that a session of days
/// needs little more memory than one of minutes: gaps stay, and the intervals that devices measured.
extension CardiacTrack {
    /// Intervals that the heart rate is taken from.
    private static let latest = 16

    /// Forgets what was computed so far, but for the latest intervals; all of them where intervals are all there is: their
    /// quality is judged at the end.
    mutating func forgetResults() {
        result.beats.removeAll(keepingCapacity: true)
        result.quality.removeAll(keepingCapacity: true)
        result.signalQuality.removeAll(keepingCapacity: true)
        result.windows.removeAll(keepingCapacity: true)
        result.corrections.removeAll(keepingCapacity: true)
        result.rhythm.removeAll(keepingCapacity: true)
        result.rhythmChanges.removeAll(keepingCapacity: true)
        result.respiration.removeAll(keepingCapacity: true)
        result.pulseRates.removeAll(keepingCapacity: true)
        guard result.source.kind != .ibi else { return }
        result.nn.removeAll(keepingCapacity: true)
        let surplus = result.intervals.count - Self.latest
        if surplus > Self.latest { result.intervals.removeFirst(surplus) }
    }
}

extension BeltTrack {
    /// Forgets what was computed so far.
    mutating func forgetResults() { result.windows.removeAll(keepingCapacity: true) }
}

extension ElectrodermalTrack {
    /// Forgets what was computed so far, and the events it would be told by; then there is no summary at the end.
    mutating func forgetResults() {
        markers.removeAll(keepingCapacity: true)
        result.samples.removeAll(keepingCapacity: true)
        result.responses.removeAll(keepingCapacity: true)
        result.quality.removeAll(keepingCapacity: true)
    }
}

extension MotionTrack {
    /// Forgets what was computed so far.
    mutating func forgetResults() {
        result.epochs.removeAll(keepingCapacity: true)
        result.sleep.removeAll(keepingCapacity: true)
        result.temperature.removeAll(keepingCapacity: true)
        result.battery.removeAll(keepingCapacity: true)
        result.quality.removeAll(keepingCapacity: true)
    }
}

extension BrainTrack {
    /// Forgets what was computed so far, but for the epochs: of these only the latest are in memory.
    mutating func forgetResults() {
        result.pairs = BrainPairs(PairLayout())
        result.eyes.removeAll(keepingCapacity: true)
        result.quality.removeAll(keepingCapacity: true)
        result.unseen.byQuality.forget()
        result.unseen.bySamples.forget()
    }
}
