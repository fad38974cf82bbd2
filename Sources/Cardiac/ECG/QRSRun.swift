import Foundation

/// The detector's work on one contiguous run of samples that are all there.
struct QRSRun {
    /// A settled beat, its place in input samples of the run.
    struct Found {
        var place: Double
        var confidence: Float
    }

    /// A peak of the modulus that has not been weighed yet.
    private struct Candidate {
        /// Low-rate sample.
        var index: Int
        /// Where between samples the top lies.
        var height: Float
        var block: Int
    }

    let frame: ECGFrame
    /// Whether a run is going on.
    private(set) var isOpen = false
    /// Place of the run's first sample in its segment.
    private(set) var start = 0
    /// Settled beats nobody has taken yet, in order of time.
    var found: [Found] = []

    private var input: SampleHistory
    private var low: SampleHistory
    private var moduli: SampleHistory
    private var decimator: TriangleDecimator
    private let wavelet: QRSWavelet
    private let peak: RPeak
    private var candidates: [Candidate] = []
    private var path: BeatPath
    private var level = QRSLevel()
    /// Input samples of the run.
    private var count = 0
    /// Blocks done.
    private var blocks = 0
    /// Blocks whose candidates are weighed.
    private var weighed = 0

    init(sampleRate: Double, parameters: ECGBeatDetector.Parameters) {
        let frame = ECGFrame(sampleRate: sampleRate, parameters: parameters)
        self.frame = frame
        peak = RPeak(frame)
        wavelet = QRSWavelet(
            frequency: parameters.waveletFrequency, width: parameters.waveletWidth, reach: frame.waveletReach,
            rate: frame.lowRate)
        decimator = TriangleDecimator(factor: frame.factor)
        // Beats are located when they are settled, a look-ahead after they were.
        let kept = Int(frame.lookAhead * frame.lowRate) + 2 * frame.block + peak.lowReach
        low = SampleHistory(keeping: kept, room: 2 * frame.block)
        moduli = SampleHistory(keeping: 2 * frame.block, room: 2 * frame.block)
        input = SampleHistory(
            keeping: kept * frame.factor + peak.inputReach, room: 2 * frame.block * frame.factor)
        path = BeatPath(refractory: parameters.refractoryPeriod)
        candidates.reserveCapacity(128)
        found.reserveCapacity(32)
    }

    /// Input samples that still fit into the current block.
    var room: Int { (blocks + 1) * frame.block * frame.factor - count }

    var lastSample: Float { input[count - 1] }

    /// Begins a run at `place` of the segment; what came before is taken to have been `first` for ever.
    mutating func open(at place: Int, first: Float) {
        isOpen = true
        start = place
        count = 0
        blocks = 0
        weighed = 0
        candidates.removeAll(keepingCapacity: true)
        path.restart()
        level.restart(forgetting: true)
        decimator.reset(first: first)
        input.reset(at: -peak.inputReach)
        input.append(repeating: first, peak.inputReach)
        let before = max(peak.lowReach, 2 * frame.waveletReach)
        low.reset(at: -before)
        low.append(repeating: 0, before)
        moduli.reset(at: -frame.waveletReach - 2)
        moduli.append(repeating: 0, 2)
    }

    mutating func append(_ sample: Float) {
        input.append(1) { $0[0] = sample }
        count += 1
    }

    mutating func append(_ samples: UnsafePointer<Float>, _ length: Int) {
        input.append(length) { $0.update(from: samples, count: length) }
        count += length
    }

    /// Ends the run: the last sample is taken to stay for ever.
    mutating func close() {
        let total = count
        let last = lastSample
        let lowCount = (total + frame.factor - 1) / frame.factor
        // Until the modulus of the last sample is there and every candidate is weighed.
        let needed = (lowCount + frame.waveletReach + 2 + frame.block - 1) / frame.block
        let end = max(needed, 1)
        while blocks < end {
            let length = room
            input.append(repeating: last, length)
            count += length
            process(lowCount: lowCount)
        }
        input.append(repeating: last, peak.inputReach)
        low.append(repeating: last, 0)
        finishPath(lowCount: lowCount, total: total)
        isOpen = false
    }

    /// Works on the block that has just become full.
    mutating func process(lowCount: Int = .max) {
        decimate()
        computeModuli(lowCount: lowCount)
        blocks += 1
        if blocks >= frame.startBlocks {
            weigh(upTo: blocks - frame.weighingDelay)
            settle(upTo: blocks - frame.weighingDelay - frame.settlingDelay)
        }
    }

    private mutating func decimate() {
        let first = blocks * frame.block * frame.factor
        let length = frame.block
        input.withSamples { input in
            low.append(length) { decimator.decimate(input + first, $0, count: length) }
        }
    }

    private mutating func computeModuli(lowCount: Int) {
        let reach = frame.waveletReach
        let first = blocks * frame.block - reach
        let length = frame.block
        var sum: Float = 0
        low.withSamples { low in
            moduli.append(length) { sum = wavelet.moduli(low + first, $0, count: length) }
        }
        let highest = collect(first - 1..<first + length - 1, lowCount: lowCount)
        level.note(block: blocks, peak: highest, mean: sum / Float(length))
    }

    /// Collects the peaks of the modulus in `range`.
    private mutating func collect(_ range: Range<Int>, lowCount: Int) -> Float {
        var highest: Float = 0
        let range = max(range.lowerBound, 0)..<max(0, min(range.upperBound, lowCount))
        guard !range.isEmpty else { return 0 }
        let apart = Int(frame.lowRate * 0.12)
        let floor = 0.05 * level.usual
        moduli.withSamples { moduli in
            for index in range {
                let value = moduli[index]
                guard value > moduli[index - 1], value >= moduli[index + 1], value > floor else { continue }
                highest = max(highest, value)
                if let last = candidates.last, index - last.index < apart {
                    if value > last.height {
                        candidates[candidates.count - 1] = Candidate(index: index, height: value, block: blocks)
                    }
                } else {
                    candidates.append(Candidate(index: index, height: value, block: blocks))
                }
            }
        }
        return highest
    }

    /// Weighs the candidates of all blocks before `end`.
    private mutating func weigh(upTo end: Int) {
        while weighed < end {
            let block = weighed
            weighed += 1
            guard let first = candidates.first, first.block <= block else { continue }
            let window = max(0, block - frame.levelPast)...blocks - 1
            let around = level.surroundings(window, rank: 3)
            var reference = level.usual
            if reference == 0 { reference = around.peak }
            if around.peak > reference {
                reference = (around.peak * reference).squareRoot()
            } else if around.peak < 0.4 * reference, around.peak > 4 * around.background {
                reference = around.peak
            }
            let threshold = min(
                max((reference * 1.8 * around.background).squareRoot(), 0.22 * reference), 0.5 * reference)
            while let candidate = candidates.first, candidate.block <= block {
                candidates.removeFirst()
                let score = min(max(1.5 * log2(Double(candidate.height / threshold)), -3), 2)
                if score > -2 {
                    path.add(
                        .init(time: Double(candidate.index) / frame.lowRate, height: candidate.height, score: score))
                }
            }
        }
    }

    /// Settles the path over all blocks before `end`.
    private mutating func settle(upTo end: Int) {
        guard end > 0 else { return }
        let limit = Double(end * frame.block - frame.waveletReach - 1) / frame.lowRate
        let now = Double(weighed * frame.block - frame.waveletReach - 1) / frame.lowRate
        take(limit: limit, now: now)
    }

    private mutating func finishPath(lowCount: Int, total: Int) {
        low.append(repeating: low[low.end - 1], peak.lowReach)
        weigh(upTo: blocks)
        take(limit: .infinity, now: Double(lowCount) / frame.lowRate)
        for index in found.indices { found[index].place = min(max(found[index].place, 0), Double(total - 1)) }
    }

    private mutating func take(limit: Double, now: Double) {
        path.settle(upTo: limit, now: now) { node in
            level.note(beat: node.height)
            let center = Int((node.time * frame.lowRate).rounded())
            let place = low.withSamples { low in
                input.withSamples { peak.locate(around: center, low: low, input: $0) }
            }
            let confidence = Float(1 / (1 + exp(-2 * node.score)))
            found.append(Found(place: place, confidence: confidence))
        }
    }
}
