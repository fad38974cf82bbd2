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
    /// How many values are missing since the last one.
    private var missing = 0
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
        missing = 0
    }

    /// The next samples of the run, µS.
    public mutating func push(_ chunk: Span<Float>) {
        guard hasMotion else { return }
        for index in chunk.indices {
            guard let (onset, value) = block.take(chunk[index]) else { continue }
            newest = max(newest, onset)
            guard let value else {
                missing += 1
                let isBridged = Double(missing) <= ElectrodermalStage.longestHole * block.outputRate
                // What was last there is held, and compared with what comes after.
                if isBridged, let last = recent.last { recent.append(last) } else { recent.removeAll() }
                continue
            }
            missing = 0
            recent.append(value)
            let span = max(1, Int((block.outputRate / 2).rounded()))
            guard recent.count > span else { continue }
            recent.removeFirst(recent.count - span - 1)
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
        let ready = samples.prefix { $0.onset < certain }.count
        let over = responses.prefix { $0.peak < certain }.count
        defer { forget() }
        guard ready > 0 || over > 0 else { return }
        let times = samples[..<ready].map(\.onset) + responses[..<over].flatMap { [$0.onset, $0.peak] }
        let coupled = coupledSteps((times.min() ?? 0) - margin - 1, (times.max() ?? 0) + margin + 1)
        func isMarked(_ from: Seconds, _ to: Seconds) -> Bool {
            let step = coupled.partitioningIndex { from <= $0 + margin }
            return step < coupled.count && to >= coupled[step] - 0.5 - margin
        }
        for var sample in samples[..<ready] {
            if isMarked(sample.onset, sample.onset) { sample.markArtefact() }
            outputs.append(.sample(sample))
        }
        samples.removeFirst(ready)
        for var response in responses[..<over] {
            if isMarked(response.onset, response.peak) { response.isDoubtful = true }
            outputs.append(.response(response))
        }
        responses.removeFirst(over)
    }

    /// The steps of a time that something moved by, a second before or after.
    private func coupledSteps(_ first: Seconds, _ last: Seconds) -> [Seconds] {
        steps[steps.partitioningIndex { $0 >= first }...].prefix { $0 <= last }.filter { step in
            let second = moved.partitioningIndex { $0 + 1 >= step - 1.5 }
            return second < moved.count && moved[second] <= step + 1
        }
    }

    /// Drops what nothing that waits, or is still to come, can touch.
    private mutating func forget() {
        let earliest = min(samples.first?.onset ?? .infinity, responses.first?.onset ?? .infinity)
        let needed = min(earliest, newest - 1_200) - parameters.margin - 3
        Self.drop(&steps, before: needed)
        Self.drop(&moved, before: needed)
    }

    /// Many at once, as those that stay move up.
    private static func drop(_ times: inout [Seconds], before needed: Seconds) {
        guard times.count > 1_024, times[times.count / 2] < needed else { return }
        times.removeFirst(times.partitioningIndex { $0 >= needed })
    }
}
