public import Signals

/// Marks what motion did to skin conductance: where an electrode shifts, the conductance steps faster than skin does,
/// and the accelerometer of the same device moved within a second of it.
///
/// Motion alone is no artefact, as who walks sweats. Samples and responses are held back until both are known, and no
/// longer than `patience`.
public struct MotionCoupling: Sendable {
    /// Up to how many seconds acceleration may be late; what comes later is not heard.
    public static let patience: Seconds = 120

    private let parameters: ArtefactParameters
    private let hasMotion: Bool
    private var block = AveragedBlock(sampleRate: 4)
    /// The averages of the last half second and the one before.
    private var recent: [Double] = []
    /// When conductance stepped, and the seconds that moved, both in order.
    private var steps: [Seconds] = []
    private var moved: [Seconds] = []
    private var heard = -Seconds.infinity
    private var newest = -Seconds.infinity
    private var samples: [ElectrodermalSample] = []
    private var responses: [SkinConductanceResponse] = []

    /// A gate; one without an accelerometer lets all pass at once.
    public init(_ parameters: ArtefactParameters, hasMotion: Bool) {
        (self.parameters, self.hasMotion) = (parameters, hasMotion)
    }

    /// A run of skin conductance begins.
    public mutating func begin(_ segment: SegmentStart) {
        let isRate = segment.sampleRate >= ElectrodermalStage.lowestSampleRate && segment.sampleRate <= 1e6
        block = AveragedBlock(sampleRate: isRate ? segment.sampleRate : 4)
        block.onset = segment.onset
        recent.removeAll()
    }

    /// The next samples of the run, µS.
    public mutating func push(_ chunk: Span<Float>) {
        guard hasMotion else { return }
        for index in chunk.indices {
            guard let (onset, value) = block.take(chunk[index]) else { continue }
            newest = max(newest, onset)
            guard let value else {
                recent.removeAll()
                continue
            }
            recent.append(value)
            let span = max(1, Int((block.outputRate / 2).rounded()))
            guard recent.count > span else { continue }
            if isStep(from: recent.removeFirst(), to: value) { steps.append(onset) }
        }
    }

    /// Within half a second: a fall that no recovery is as fast as, or a rise that no response begins with.
    private func isStep(from before: Double, to value: Double) -> Bool {
        let level = max(before, 0)
        return before - value > max(0.1, parameters.coupledFall * level)
            || value - before > max(0.3, parameters.coupledRise * level)
    }

    /// What the accelerometer says of a second; seconds come in order.
    /// - Parameter movement: the standard deviation of the acceleration in g; nil where the second is not complete.
    public mutating func take(second onset: Seconds, movement: Double?) {
        guard hasMotion else { return }
        heard = max(heard, onset + 1)
        if movement ?? 0 > parameters.movement { moved.append(onset) }
    }

    /// Holds back what was found.
    public mutating func hold(_ output: ElectrodermalOutput) {
        switch output {
        case .sample(let sample): samples.append(sample)
        case .response(let response): responses.append(response)
        }
    }

    /// Gives out what is certain by now, all of it at the end.
    public mutating func release(isEnd: Bool = false, into outputs: inout [ElectrodermalOutput]) {
        let margin = parameters.margin
        let certain =
            isEnd || !hasMotion
            ? Seconds.infinity : min(newest - margin, max(heard - margin - 2, newest - Self.patience))
        let coupled = steps.filter { step in moved.contains { $0 <= step + 1 && $0 + 1 >= step - 1.5 } }
        func isMarked(_ from: Seconds, _ to: Seconds) -> Bool {
            coupled.contains { from <= $0 + margin && to >= $0 - 0.5 - margin }
        }
        let ready = samples.prefix { $0.onset < certain }.count
        for var sample in samples[..<ready] {
            if isMarked(sample.onset, sample.onset) {
                (sample.isArtefact, sample.tonic, sample.phasic) = (true, .nan, .nan)
            }
            outputs.append(.sample(sample))
        }
        samples.removeFirst(ready)
        let over = responses.prefix { $0.peak < certain }.count
        for var response in responses[..<over] {
            if isMarked(response.onset, response.peak) { response.isDoubtful = true }
            outputs.append(.response(response))
        }
        responses.removeFirst(over)
        forget()
    }

    /// Drops what nothing that waits, or is still to come, can touch.
    private mutating func forget() {
        let earliest = min(samples.first?.onset ?? .infinity, responses.first?.onset ?? .infinity)
        let needed = min(earliest, newest - 1_200) - parameters.margin - 3
        if let first = steps.first, first < needed { steps.removeAll { $0 < needed } }
        if let first = moved.first, first < needed { moved.removeAll { $0 < needed } }
    }
}
