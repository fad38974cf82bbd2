import CVectors

/// A second opinion on where the beats are, after Elgendi's two moving averages (PLoS ONE 8:e76585, 2013; for ECG
/// Elgendi et al. 2010): where the mean power over a beat's main wave is above that over a whole beat and a share of
/// the overall mean, there is a beat, at the highest sample.
///
/// After a slow beat the mean over a beat's length holds no other wave of it, and its T wave is above it: what comes so
/// soon after a beat and stands out less is that beat's end. Where the next beat hardly comes, within 0.28 s, even a tall T
/// wave is told so; the later, the lower it must be. An early beat as small as that is passed over as well; larger ones must
/// stay, since the first detector may miss them.
struct SecondDetector: Sendable {
    /// Half lengths, in samples, of the two means.
    private let event: Int
    private let cycle: Int
    private let shortest: Int
    /// Of what a beat stands out, the share that its own end has less of, from the longest time between the two to none.
    private let tailShares: [Float]
    private var powerSums: [Float] = []
    private var excess: [Float] = []
    /// The beats found, as indices in the run.
    private(set) var beats: [Int] = []

    init(_ profile: SignalProfile, rate: Double) {
        event = max(1, Int((profile.event * rate / 2).rounded()))
        cycle = max(2, Int((profile.cycle * rate / 2).rounded()))
        shortest = max(1, Int((profile.shortest * rate).rounded()))
        // 0.75 up to 0.28 s, down to 0.15 at 0.36 s.
        tailShares = (0...Int((profile.tail * rate).rounded())).reversed().map { lag in
            Float(min(0.75, 0.15 + 7.5 * max(0, 0.36 - Double(lag) / rate)))
        }
    }

    /// Looks at the first `count` samples of the signal in which beats stand out, and its power, both of them in whole
    /// vectors; its first sample has index `start` in the run.
    mutating func find(in sharp: [Float], power: [Float], count: Int, start: Int, meanPower: Float) {
        beats.removeAll(keepingCapacity: true)
        let first = cycle
        let last = count - cycle - 1
        guard first < last else { return }
        sum(power)
        compareMeans(first, last - first, threshold: 0.08 * meanPower)
        sharp.withUnsafeBufferPointer { sharp in
            excess.withUnsafeBufferPointer { excess in
                guard let base = excess.baseAddress else { return }
                var blockStart = -1
                func end(_ place: Int) {
                    if place - blockStart >= event { add(blockStart..<place, sharp, start) }
                    blockStart = -1
                }
                for place in stride(from: first, to: last, by: 64) {
                    let bits = marey_positive(base + (place - first), min(64, last - place))
                    // Where it begins or ends to be above 0.
                    var edges = bits ^ (bits << 1 | (blockStart < 0 ? 0 : 1))
                    while edges != 0 {
                        let edge = place + edges.trailingZeroBitCount
                        edges &= edges - 1
                        if blockStart < 0 { blockStart = edge } else { end(edge) }
                    }
                }
                if blockStart >= 0 { end(last) }
            }
        }
    }

    /// Sums of all samples before each: in four quarters at once, as a sum waits for the one before it.
    private mutating func sum(_ power: [Float]) {
        let quarter = power.count / 4
        FormStretch.resize(&powerSums, to: power.count + 9)
        power.withUnsafeBufferPointer { power in
            powerSums.withUnsafeMutableBufferPointer { sums in
                var (a, b, c, d) = (Float(0), Float(0), Float(0), Float(0))
                for place in 0..<quarter {
                    (sums[place], sums[quarter + place]) = (a, b)
                    (sums[2 * quarter + place], sums[3 * quarter + place]) = (c, d)
                    a += power[place]
                    b += power[quarter + place]
                    c += power[2 * quarter + place]
                    d += power[3 * quarter + place]
                }
                for place in quarter..<2 * quarter { sums[place] += a }
                for place in 2 * quarter..<3 * quarter { sums[place] += a + b }
                for place in 3 * quarter..<4 * quarter { sums[place] += a + b + c }
                for place in 4 * quarter..<sums.count { sums[place] = a + b + c + d }
            }
        }
    }

    /// By how much the mean over a wave exceeds the one over a beat and the threshold.
    private mutating func compareMeans(_ first: Int, _ count: Int, threshold: Float) {
        let eventScale = 1 / Float(2 * event + 1)
        let cycleScale = 1 / Float(2 * cycle + 1)
        let (event, cycle) = (event, cycle)
        FormStretch.resize(&excess, to: (count + 7) / 8 * 8)
        powerSums.withUnsafeBytes { sums in
            func load(_ place: Int) -> SIMD8<Float> {
                sums.loadUnaligned(fromByteOffset: place &* 4, as: SIMD8<Float>.self)
            }
            excess.withUnsafeMutableBytes { excess in
                for vector in 0..<excess.count / 32 {
                    let place = first &+ vector &* 8
                    let wave = (load(place &+ event &+ 1) - load(place &- event)) * eventScale
                    let whole = (load(place &+ cycle &+ 1) - load(place &- cycle)) * cycleScale
                    let result = wave - whole - threshold
                    excess.storeBytes(of: result, toByteOffset: vector &* 32, as: SIMD8<Float>.self)
                }
            }
        }
    }

    private mutating func add(_ block: Range<Int>, _ sharp: UnsafeBufferPointer<Float>, _ start: Int) {
        var best = block.lowerBound
        for place in block where abs(sharp[place]) > abs(sharp[best]) { best = place }
        guard !isTail(best, of: block, sharp) else { return }
        let index = start + best
        if let previous = beats.last, index - previous < shortest {
            if abs(sharp[previous - start]) < abs(sharp[best]) { beats[beats.count - 1] = index }
        } else {
            beats.append(index)
        }
    }

    /// Whether the highest sample of a block is lower than what is shortly before the block.
    private func isTail(_ best: Int, of block: Range<Int>, _ sharp: UnsafeBufferPointer<Float>) -> Bool {
        let first = max(0, best - tailShares.count + 1)
        guard first < block.lowerBound else { return false }
        return tailShares.withUnsafeBufferPointer { shares in
            guard let values = sharp.baseAddress, let last = shares.baseAddress.map({ $0 + shares.count - 1 }) else {
                return false
            }
            return marey_any_above(values + first, last - (best - first), block.lowerBound - first, abs(sharp[best]))
        }
    }
}
