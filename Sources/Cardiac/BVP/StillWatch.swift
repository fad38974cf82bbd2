import CVectors
import Kernels

/// Takes stretches in which a signal stands still for missing samples: what devices write, zeros or the last value, while
/// packets are lost or the sensor has no hold.
///
/// A stretch of 1 s or more is one whatever the signal is like. From 0.25 s on it is one where no pulse can stand still: far
/// outside of where the signal has been in the last seconds, or well within it where its steps are fine. Near the ends of that
/// range a pulse whose tops or feet are cut off stands still in every beat, and coarse steps do so anywhere.
///
/// Samples of one value are held back until they differ or are 0.25 s long.
struct StillWatch: Sendable {
    /// Of the range of the last seconds: how small the steps of a fine signal are, how far from the ends of the range a value
    /// is well within it, and how far beyond them it is far outside.
    private static let finest: Float = 0.005
    private static let within: Float = 0.05
    private static let outside: Float = 0.5

    /// Stands for a sample in a stretch that stands still.
    static let mark = Float.infinity

    /// Lengths in samples of the stretches that may be ones, and of those that are.
    let shortest: Int
    private let long: Int
    private var reach: RecentReach
    /// The value of the latest samples, how many have it, and how many of these are held back.
    private var last = Float.nan
    private var length = 0
    private var held = 0
    private var isStill = false
    /// The smallest difference of two samples in a row but 0.
    private var quantum = Float.infinity

    /// A watch for samples at `sampleRate` Hz.
    init(sampleRate: Double) {
        shortest = max(4, Int((0.25 * sampleRate).rounded(.up)))
        long = max(shortest, Int(sampleRate.rounded(.up)))
        reach = RecentReach(binLength: max(1, Int((0.5 * sampleRate).rounded())))
    }

    /// How long samples are held back at most, in seconds.
    static let delay: Double = 0.25

    /// Takes the next samples, and appends those that are certain to `passed`: as they are, `mark` where they
    /// stand still, or NaN where they are missing.
    mutating func take(_ samples: Span<Float>, into passed: inout [Float]) {
        var first = 0
        while first < samples.count {
            let piece = samples.extracting(first..<min(first + Self.piece, samples.count))
            if isLively(piece) {
                takeLively(piece, into: &passed)
            } else {
                takeEach(piece, into: &passed)
            }
            first += piece.count
        }
    }

    /// So many samples are looked at at once.
    private static let piece = 64

    /// Whether every sample is there, and none is the third of one value.
    private func isLively(_ samples: Span<Float>) -> Bool {
        samples.count > 2 && samples[0] != last && Scans.largestMagnitude(samples) < 1e30
            && !Scans.hasThreeEqual(samples)
    }

    /// Takes such samples: the same as one by one.
    private mutating func takeLively(_ samples: Span<Float>, into passed: inout [Float]) {
        release(into: &passed)
        let step = abs(samples[0] - last)
        if step < quantum { quantum = step }
        let end = samples.count
        held = samples[end - 1] == samples[end - 2] ? 2 : 1
        (last, length, isStill) = (samples[end - 1], held, false)
        samples.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { quantum = min(quantum, marey_smallest_step(start, samples.count)) }
            passed.append(contentsOf: samples[..<(end - held)])
        }
        reach.take(samples.extracting(..<(end - held)))
    }

    private mutating func takeEach(_ samples: Span<Float>, into passed: inout [Float]) {
        for index in samples.indices {
            let sample = samples[index]
            if sample == last {
                goOn(into: &passed)
            } else {
                change(to: sample, into: &passed)
            }
        }
    }

    /// The run ends: appends what was held back, and forgets it.
    mutating func end(into passed: inout [Float]) {
        release(into: &passed)
        (last, length, isStill, quantum) = (.nan, 0, false, .infinity)
        reach.reset()
    }

    @inline(__always)
    private mutating func change(to sample: Float, into passed: inout [Float]) {
        release(into: &passed)
        isStill = false
        guard abs(sample) < 1e30 else {
            passed.append(.nan)
            (last, length) = (.nan, 0)
            return
        }
        let step = abs(sample - last)
        if step < quantum { quantum = step }
        (last, length, held) = (sample, 1, 1)
    }

    /// One sample more of the latest value.
    private mutating func goOn(into passed: inout [Float]) {
        length += 1
        if isStill {
            passed.append(Self.mark)
            return
        }
        held += 1
        guard length >= shortest else { return }
        isStill = length >= long || (length == shortest && isNoPulse)
        if isStill {
            for _ in 0..<held { passed.append(Self.mark) }
            held = 0
        } else {
            release(into: &passed)
        }
    }

    /// Whether no pulse stands still at the latest value.
    private var isNoPulse: Bool {
        let (lowest, highest) = (reach.lowest, reach.highest)
        // Nothing came before: a signal that has not begun.
        guard lowest <= highest else { return true }
        let range = highest - lowest
        let depth = min(last - lowest, highest - last)
        return depth < -Self.outside * range || (depth > Self.within * range && quantum <= Self.finest * range)
    }

    @inline(__always)
    private mutating func release(into passed: inout [Float]) {
        for _ in 0..<held { passed.append(last) }
        if held > 0 { reach.take(last, count: held) }
        held = 0
    }
}

/// The lowest and the highest of the samples of the last three and a half to four seconds.
private struct RecentReach: Sendable {
    private let binLength: Int
    private var lows = SIMD8<Float>(repeating: .infinity)
    private var highs = SIMD8<Float>(repeating: -.infinity)
    /// The bin at hand, and how many samples it has.
    private var bin = 0
    private var count = 0

    init(binLength: Int) { self.binLength = binLength }

    /// Infinite, and above `highest`, where there are no samples yet.
    var lowest: Float { lows.min() }
    var highest: Float { highs.max() }

    mutating func reset() { self = RecentReach(binLength: binLength) }

    /// Takes `count` samples of one value.
    @inline(__always)
    mutating func take(_ value: Float, count: Int) {
        for _ in 0..<count {
            if value < lows[bin] { lows[bin] = value }
            if value > highs[bin] { highs[bin] = value }
            advance(1)
        }
    }

    /// Takes samples that are all there.
    mutating func take(_ samples: Span<Float>) {
        var first = 0
        while first < samples.count {
            let part = samples.extracting(first..<min(first + binLength - count, samples.count))
            var (low, high) = (lows[bin], highs[bin])
            part.withUnsafeBufferPointer { part in
                if let start = part.baseAddress { marey_extend(start, part.count, &low, &high) }
            }
            (lows[bin], highs[bin]) = (low, high)
            advance(part.count)
            first += part.count
        }
    }

    private mutating func advance(_ samples: Int) {
        count += samples
        guard count >= binLength else { return }
        (bin, count) = ((bin + 1) % 8, 0)
        (lows[bin], highs[bin]) = (.infinity, -.infinity)
    }
}
