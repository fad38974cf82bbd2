import Foundation
public import Signals

/// Acceleration of three axes in g in, epochs out: activity, posture, steps, stillness.
///
/// Epochs lie on the grid of multiples of their length from the recording's start; nothing is computed across a gap,
/// and an epoch that a gap divides comes once for each part. Samples that are not finite are missing.
public struct MotionStage: Stage {
    /// The lowest sample rate, in Hz, at which steps can be told.
    public static let lowestSampleRate = 10.0

    private let parameters: MotionParameters
    private var run: MotionRun?

    /// A stage with these parameters.
    /// - Throws: `MotionError` for the first parameter that has no meaning.
    public init(parameters: MotionParameters = MotionParameters()) throws(MotionError) {
        try parameters.validate()
        self.parameters = parameters
    }

    /// By how much the signal must have gone on, in seconds, before an epoch that ended is given out.
    public var lookAhead: Seconds { parameters.epoch + StepCounter.lookAhead + 3 }

    /// A run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [MotionEpoch]) {
        run?.finish(into: &outputs)
        run = nil
        guard segment.sampleRate >= 1, segment.sampleRate <= 1e5, segment.onset.isFinite, abs(segment.onset) < 1e10
        else { return }
        run = MotionRun(segment, parameters)
    }

    /// The next samples of the run, g.
    public mutating func push(_ chunk: Span<SIMD3<Float>>, into outputs: inout [MotionEpoch]) {
        guard var run else { return }
        self.run = nil
        for index in chunk.indices { run.take(chunk[index], into: &outputs) }
        self.run = run
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [MotionEpoch]) {
        run?.finish(into: &outputs)
        run = nil
    }
}

/// The epochs of one run.
struct MotionRun: Sendable {
    private let parameters: MotionParameters
    private let rate: Double
    private var grid: EpochGrid
    private var filter: GravityFilter
    private var counter: StepCounter
    private var steps: [Int] = []
    private var epoch = MotionSums()
    private var split = 0
    private var taken = 0
    private var held: SIMD3<Double>?
    private var missing: [Bool] = []
    private var missingFrom = 0
    /// Epochs whose steps are not all known, with the places of their first and last sample.
    private var waiting: [(epoch: MotionEpoch, places: Range<Int>)] = []
    private var epochStart = 0
    private var lastGravity: SIMD3<Double>?
    /// Samples of a moment: a quarter of a second, a sample where these come more seldom.
    private let moment: Int

    init(_ start: SegmentStart, _ parameters: MotionParameters) {
        self.parameters = parameters
        rate = start.sampleRate
        moment = max(1, Int((start.sampleRate / 4).rounded()))
        grid = EpochGrid(start, length: parameters.epoch)
        filter = GravityFilter(sampleRate: rate)
        counter = StepCounter(sampleRate: rate, least: parameters.stepHeight)
    }

    mutating func take(_ sample: SIMD3<Float>, into epochs: inout [MotionEpoch]) {
        let isThere = sample.x.isFinite && sample.y.isFinite && sample.z.isFinite
        if isThere { held = SIMD3(Double(sample.x), Double(sample.y), Double(sample.z)) }
        missing.append(!isThere)
        // Filters hold the last value meanwhile; what is missing is in no sum.
        let value = held ?? SIMD3(0, 0, 1)
        if rate >= MotionStage.lowestSampleRate {
            counter.take((value * value).sum().squareRoot(), into: &steps)
        }
        taken += 1
        if let known = filter.take(value) { add(known) }
        giveOut(all: false, into: &epochs)
    }

    mutating func finish(into epochs: inout [MotionEpoch]) {
        for known in filter.finish() { add(known) }
        if epoch.count > 0 { close() }
        giveOut(all: true, into: &epochs)
    }

    private mutating func add(_ known: GravityFilter.Split) {
        if !missing[split - missingFrom] {
            epoch.add(known.acceleration, known.gravity, moment: (split - epochStart) / moment)
        }
        split += 1
        if split - missingFrom > 4_096 {
            missing.removeFirst(split - missingFrom)
            missingFrom = split
        }
        if split == grid.end { close() }
    }

    private mutating func close() {
        if var made = epoch.epoch(grid, parameters, after: lastGravity) {
            made.moments = epoch.moments.enumerated().map { place, sums in
                let middle = epochStart + place * moment + moment / 2
                return MotionEpoch.Moment(
                    middle: grid.start.onset(ofOffset: middle), samples: sums.samples, counts: sums.body / rate)
            }
            waiting.append((made, epochStart..<split))
            lastGravity = made.gravity
        } else {
            lastGravity = nil
        }
        epoch = MotionSums()
        epochStart = split
        grid.advance()
    }

    private mutating func giveOut(all: Bool, into epochs: inout [MotionEpoch]) {
        while let first = waiting.first,
            all || taken >= first.places.upperBound + Int(StepCounter.lookAhead * rate)
        {
            var epoch = first.epoch
            let own = steps.prefix { $0 < first.places.upperBound }
            let isTold = rate >= MotionStage.lowestSampleRate
            let inside = own.filter { $0 >= first.places.lowerBound }
            epoch.steps = isTold ? inside.count : nil
            for step in inside {
                // Samples may be missing to its end.
                epoch.moments[min((step - first.places.lowerBound) / moment, epoch.moments.count - 1)].steps += 1
            }
            steps.removeFirst(own.count)
            epochs.append(epoch)
            waiting.removeFirst()
        }
    }
}

/// Sums over the samples of an epoch.
private struct MotionSums: Sendable {
    private var magnitudes: [Double] = []
    private var excess = 0.0
    private var sum = SIMD3<Double>.zero
    private var squares = SIMD3<Double>.zero
    private var gravity = SIMD3<Double>.zero
    private var body = 0.0
    private var bodySquares = 0.0
    /// Of each moment from the first on.
    private(set) var moments: [(samples: Int, body: Double)] = []

    var count: Int { magnitudes.count }

    mutating func add(_ acceleration: SIMD3<Double>, _ gravity: SIMD3<Double>, moment: Int) {
        let size = (acceleration * acceleration).sum().squareRoot()
        magnitudes.append(size)
        excess += max(0, size - 1)
        sum += acceleration
        squares += acceleration * acceleration
        self.gravity += gravity
        let own = acceleration - gravity
        let square = (own * own).sum()
        let length = square.squareRoot()
        body += length
        while moments.count <= moment { moments.append((0, 0)) }
        moments[moment].samples += 1
        moments[moment].body += length
        bodySquares += square
    }

    /// The epoch that these samples make; nil for none. Its steps are not known yet.
    func epoch(_ grid: EpochGrid, _ parameters: MotionParameters, after before: SIMD3<Double>?) -> MotionEpoch? {
        guard count > 0 else { return nil }
        let n = Double(count)
        let mean = magnitudes.reduce(0, +) / n
        let variance = squares / n - (sum / n) * (sum / n)
        let limit = parameters.stillness * parameters.stillness
        let direction = gravity / n
        return MotionEpoch(
            onset: grid.onset, duration: grid.length, coverage: min(1, n / grid.expected), enmo: excess / n,
            mad: magnitudes.reduce(0) { $0 + abs($1 - mean) } / n, counts: body / grid.start.sampleRate,
            gravity: direction, body: (bodySquares / n).squareRoot(),
            turn: before.flatMap { Self.angle($0, direction) },
            steps: nil, isStill: variance.max() < limit, stillness: parameters.stillness)
    }

    private static func angle(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double? {
        let size = ((one * one).sum() * (other * other).sum()).squareRoot()
        guard size > 0 else { return nil }
        return acos(min(max((one * other).sum() / size, -1), 1)) * 180 / .pi
    }
}
