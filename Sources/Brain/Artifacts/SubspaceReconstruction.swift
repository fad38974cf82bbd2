import Foundation
import Kernels
public import Signals

/// Artefact subspace reconstruction, streaming: bursts larger than a clean EEG's are rebuilt from the directions they
/// are not in. Output i belongs to input i; a clean EEG passes to the bit.
///
/// Mullen et al. 2015. Every quarter of a window the covariance of the window around is judged, and the change from one
/// rebuilding to the next is blended with a raised cosine.
public struct SubspaceReconstruction: BlockStage, Sendable {
    private let calibration: SubspaceCalibration
    private let step: Int
    private var shaping: LinearPhaseFilter
    private var shaped: [SampleBlock] = []
    /// Raw and shaped frames of the run that are not done, an array per channel, and the number of the first step held.
    private var raw: FrameQueue
    private var shape: FrameQueue
    /// Products over the last four steps, oldest first.
    private var products: [Matrix] = []
    private var stepsShaped = 0
    private var stepsDone = 0
    private var last: Matrix?
    /// Steps that were judged so far, and those of them in which something was rebuilt.
    private var judged = 0
    private var rebuilt = 0
    private let rising: [Float]

    /// A reconstruction by `calibration`.
    public init(_ calibration: SubspaceCalibration) {
        self.calibration = calibration
        let rate = calibration.sampleRate
        step = max(2, Int((calibration.parameters.window * rate / 4).rounded()))
        shaping = LinearPhaseFilter(
            SubspaceFilter.design(sampleRate: rate), channels: calibration.channels, sampleRate: rate)
        raw = FrameQueue(channels: calibration.channels)
        shape = raw
        let count = step
        rising = (1...count).map { Float((1 - cos(Double.pi * Double($0) / Double(count))) / 2) }
    }

    /// Of the steps so far, the share in which something was rebuilt, 0…1.
    public var rebuiltShare: Double { judged > 0 ? Double(rebuilt) / Double(judged) : 0 }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { shaping.lookAhead + Double(4 * step) / calibration.sampleRate }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
        shaping.begin(segment, into: &shaped)
    }

    /// The next frames of the run.
    /// - Precondition: all samples finite, as many channels as the calibration has.
    public mutating func push(_ block: SampleBlock, into outputs: inout [SampleBlock]) {
        precondition(block.channelCount == calibration.channels, "as many channels")
        raw.append(block)
        shaping.push(block, into: &shaped)
        advance(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
    }

    private mutating func endRun(into outputs: inout [SampleBlock]) {
        shaping.finish(into: &shaped)
        advance(into: &outputs)
        // The last steps are judged by what there is around them.
        while raw.count >= step, !products.isEmpty { giveStep(into: &outputs) }
        if raw.count > 0 { outputs.append(applied(last, last, count: raw.count)) }
        raw.removeAll()
        shape.removeAll()
        products.removeAll()
        (stepsShaped, stepsDone, last) = (0, 0, nil)
    }

    private mutating func advance(into outputs: inout [SampleBlock]) {
        for block in shaped { shape.append(block) }
        shaped.removeAll(keepingCapacity: true)
        while shape.count >= step {
            takeStep()
            // The end of step k is judged by the steps k − 1 to k + 2.
            if stepsShaped >= stepsDone + 3 { giveStep(into: &outputs) }
        }
    }

    private mutating func takeStep() {
        let block = shape.first(step)
        shape.removeFirst(step)
        if let gram = try? SubspaceWindow.gram(block, 0..<step) { products.append(gram) }
        stepsShaped += 1
    }

    private mutating func giveStep(into outputs: inout [SampleBlock]) {
        // Held are the products of the steps from stepsShaped − products.count on.
        let oldest = stepsShaped - products.count
        let first = max(stepsDone - 1, oldest) - oldest
        let end = min(stepsDone + 3, stepsShaped) - oldest
        let next = first < end ? decide(Array(products[first..<end])) : last
        outputs.append(applied(stepsDone == 0 ? next : last, next, count: step))
        raw.removeFirst(step)
        last = next
        judged += 1
        if next != nil { rebuilt += 1 }
        stepsDone += 1
        let unneeded = min(stepsDone - 1 - oldest, products.count - 1)
        if unneeded > 0 { products.removeFirst(unneeded) }
    }

    private func decide(_ products: [Matrix]) -> Matrix? {
        var covariance = products[0]
        // What cannot be told is left as it is.
        do {
            for product in products.dropFirst() { try covariance.subtract(product, times: -1) }
            covariance.scale(by: 1 / Double(products.count * step))
            return try SubspaceWindow.repair(covariance, calibration)
        } catch {
            return nil
        }
    }

    /// The first `count` frames, rebuilt by `from` fading into `to`; nil leaves them as they are.
    private func applied(_ from: Matrix?, _ to: Matrix?, count: Int) -> SampleBlock {
        let block = raw.first(count)
        guard from != nil || to != nil else { return block }
        let (before, after) = (from.map { product(block, $0) } ?? block, to.map { product(block, $0) } ?? block)
        var result = block
        for channel in 0..<block.channelCount {
            for frame in 0..<count {
                let weight = frame < rising.count ? rising[frame] : 1
                let place = channel * count + frame
                result.samples[place] = weight * after.samples[place] + (1 - weight) * before.samples[place]
            }
        }
        return result
    }

    private func product(_ block: SampleBlock, _ matrix: Matrix) -> SampleBlock {
        let samples = try? Matrix(
            rows: block.channelCount, columns: block.frameCount, elements: block.samples.map(Double.init))
        guard let samples, let product = try? matrix.multiplied(by: samples) else { return block }
        return SampleBlock(channelCount: block.channelCount, samples: product.elements.map(Float.init))
    }
}
