public import Signals

/// A simulated recording and its truth.
public struct SimulatedSession: Sendable {
    /// What determines it.
    public let parameters: SimulationParameters
    /// All faults, those at random times included, in order of time.
    public let faults: [Fault]

    /// The session these parameters determine.
    public init(_ parameters: SimulationParameters) {
        self.parameters = parameters
        let random = parameters.randomFaults.flatMap {
            $0.schedule(length: parameters.duration, seed: parameters.seed)
        }
        faults = (parameters.faults + random).sorted { $0.onset < $1.onset }
    }

    /// Makes the recording block by block, holding only a block of it.
    public func reader(blockDuration: Seconds = 4) -> SimulatedReader {
        SimulatedReader(self, blockDuration: blockDuration)
    }

    /// The whole recording.
    public func recording() -> Recording {
        let reader = reader()
        let streams = Recording.collect(reader.header.streams, next: reader.next).streams
        return Recording(header: reader.header, streams: streams)
    }

    /// The beats, faults and rhythms that are in the recording.
    public func truth() -> Truth {
        var beats: [String: [Truth.Beat]] = [:]
        let respiration = parameters.rhythm.variability.respirationRate
        if let ecg = parameters.ecg { beats["ecg"] = trueBeats(.ecg, ecg.sampleRate) { $0.onset } }
        if let bvp = parameters.bvp {
            beats["bvp"] = trueBeats(.bvp, bvp.sampleRate) { bvp.systolicPeak(of: $0, respirationRate: respiration) }
        }
        return Truth(beats: beats, faults: faults, episodes: parameters.rhythm.episodes)
    }

    /// The beats of the rhythm without regard to any stream, up to the recording's end.
    public func rhythm() -> [SimulatedBeat] {
        var beats: [SimulatedBeat] = []
        for beat in HeartRhythm(parameters.rhythm, seed: parameters.seed) {
            guard beat.onset < parameters.duration else { break }
            beats.append(beat)
        }
        return beats
    }

    private func trueBeats(
        _ kind: StreamKind, _ sampleRate: Double, peak: (SimulatedBeat) -> Seconds
    ) -> [Truth.Beat] {
        let frames = Int((parameters.duration * sampleRate).rounded())
        let hiding = faults.filter { $0.stream == kind && $0.kind.hidesBeats }
            .map { $0.frames(sampleRate: sampleRate) }
        var beats: [Truth.Beat] = []
        for beat in HeartRhythm(parameters.rhythm, seed: parameters.seed) {
            guard beat.onset < parameters.duration else { break }
            let onset = peak(beat)
            let sample = Int((onset * sampleRate).rounded())
            guard sample < frames else { break }
            let isVisible = !hiding.contains { $0.contains(sample) }
            beats.append(Truth.Beat(onset: onset, sample: sample, kind: beat.kind, isVisible: isVisible))
        }
        return beats
    }
}
