import Signals

/// What a beat looks like in a signal.
protocol Morphology: Sendable {
    /// Number of channels it draws.
    var channelCount: Int { get }
    /// The waves of `beat`, which `next` follows; one array per channel.
    func waves(of beat: SimulatedBeat, next: SimulatedBeat) -> [[Bump]]
    /// The longest time by which a wave begins before its beat's R peak.
    var longestLead: Seconds { get }
}

/// Draws the waves of a rhythm's beats into successive blocks of samples, holding only the beats at hand.
struct WaveQueue<M: Morphology>: Sendable {
    let morphology: M
    let sampleRate: Double
    private var rhythm: HeartRhythm
    private var upcoming: SimulatedBeat
    private var drawn: [(end: Seconds, waves: [[Bump]])] = []

    init(_ morphology: M, rhythm: HeartRhythm, sampleRate: Double) {
        self.morphology = morphology
        self.sampleRate = sampleRate
        self.rhythm = rhythm
        upcoming = self.rhythm.next()!
    }

    /// Sums of the waves at the samples of `frames`, one array per channel. Blocks must follow one another.
    mutating func render(_ frames: Range<Int>) -> [[Double]] {
        let start = Double(frames.lowerBound) / sampleRate
        let end = Double(frames.upperBound) / sampleRate
        while upcoming.onset - morphology.longestLead <= end {
            let beat = upcoming
            upcoming = rhythm.next()!
            let waves = morphology.waves(of: beat, next: upcoming)
            drawn.append((waves.joined().map(\.end).max() ?? beat.onset, waves))
        }
        drawn.removeAll { $0.end < start }
        return (0..<morphology.channelCount).map { channel in
            var sums = [Double](repeating: 0, count: frames.count)
            for beat in drawn {
                for wave in beat.waves[channel] { wave.add(to: &sums, frames: frames, sampleRate: sampleRate) }
            }
            return sums
        }
    }
}
