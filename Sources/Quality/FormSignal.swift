import Signals

/// The recent signal at the low rate at which the form of beats is looked at.
struct FormSignal: Sendable {
    /// Input samples per sample here.
    let factor: Int
    /// Samples per second here.
    let rate: Double
    private let keep: Int
    private var samples: [Float] = []
    /// Index, in the run, of `samples[0]`.
    private var first = 0
    private var partial: Float = 0
    private var partialCount = 0

    /// Brings `sampleRate` down to about `formRate`, and keeps at least `history` seconds.
    init(sampleRate: Double, formRate: Double, history: Seconds) {
        factor = max(1, Int((sampleRate / formRate).rounded()))
        rate = sampleRate / Double(factor)
        keep = Int(history * rate) + 8
        samples.reserveCapacity(keep + keep / 4 + 1_024)
    }

    /// Number of samples of the run so far.
    var end: Int { first + samples.count }

    /// Takes input samples: means of `factor` at a time.
    mutating func append(_ input: UnsafePointer<Float>, count: Int) {
        if samples.count > keep + keep / 4 {
            let surplus = samples.count - keep
            samples.removeFirst(surplus)
            first += surplus
        }
        var place = 0
        while partialCount > 0, place < count {
            take(input[place])
            place += 1
        }
        let groups = (count - place) / factor
        appendMeans(input + place, groups)
        for index in place + groups * factor..<count { take(input[index]) }
    }

    private mutating func take(_ sample: Float) {
        partial += sample
        partialCount += 1
        guard partialCount == factor else { return }
        samples.append(partial * (1 / Float(factor)))
        partial = 0
        partialCount = 0
    }

    private mutating func appendMeans(_ input: UnsafePointer<Float>, _ groups: Int) {
        let (factor, old) = (factor, samples.count)
        samples.append(contentsOf: repeatElement(0, count: groups))
        samples.withUnsafeMutableBufferPointer { samples in
            guard groups > 0, let target = samples.baseAddress.map({ $0 + old }) else { return }
            // The usual factors are known to the compiler, so that it can unroll.
            switch factor {
            case 2: Self.means(input, 2, target, groups)
            case 3: Self.means(input, 3, target, groups)
            case 4: Self.means(input, 4, target, groups)
            default: Self.means(input, factor, target, groups)
            }
        }
    }

    @inline(__always)
    private static func means(
        _ input: UnsafePointer<Float>, _ factor: Int, _ target: UnsafeMutablePointer<Float>, _ groups: Int
    ) {
        let scale = 1 / Float(factor)
        for group in 0..<groups {
            var sum: Float = 0
            for index in 0..<factor { sum += input[group &* factor &+ index] }
            target[group] = sum * scale
        }
    }

    /// Copies `range` of the run; what lies outside of what is kept is filled with the nearest sample.
    func copy(_ range: Range<Int>, into target: inout [Float]) {
        target.removeAll(keepingCapacity: true)
        guard let oldest = samples.first, let newest = samples.last else {
            target.append(contentsOf: repeatElement(0, count: range.count))
            return
        }
        let kept = range.clamped(to: first..<end)
        if kept.isEmpty {
            target.append(contentsOf: repeatElement(range.lowerBound < first ? oldest : newest, count: range.count))
            return
        }
        target.append(contentsOf: repeatElement(oldest, count: kept.lowerBound - range.lowerBound))
        target.append(contentsOf: samples[kept.lowerBound - first..<kept.upperBound - first])
        target.append(contentsOf: repeatElement(newest, count: range.upperBound - kept.upperBound))
    }
}
