import Foundation

/// The evidence for the polarity of a pulse wave: the mean shapes of its steepest rises and of its steepest falls.
///
/// Working samples of any rate are brought to one band (Gaussian of 30 ms, less one of 300 ms), as they are and after a
/// high-pass filter of second order and 1.5 Hz, so that sample rate and AC coupling matter little. Slopes that are the
/// steepest of 0.3 s either way and reach half of the local scale are averaged, each divided by its own height, over
/// about the last 16. What they have in common, and only that, is evidence.
struct PulseShapes {
    /// The mean of shapes, and the mean of their squares.
    private struct Mean {
        var shape = [Float](repeating: 0, count: PulseShapeModel.points)
        var power: Float = 0
        var count = 0

        /// The share of the mean square that all shapes have in common, 0…1.
        var consistency: Float {
            guard power > 0 else { return 0 }
            return shape.reduce(0) { $0 + $1 * $1 } / Float(shape.count) / power
        }

        mutating func take(_ latest: [Float]) {
            count = Swift.min(count + 1, PulseShapes.memory)
            let weight = 1 / Float(count)
            var square: Float = 0
            for k in shape.indices {
                shape[k] += weight * (latest[k] - shape[k])
                square += latest[k] * latest[k]
            }
            power += weight * (square / Float(shape.count) - power)
        }
    }

    /// One of the two filtered waves.
    private struct Band {
        var filter: SlopeFilter
        var slopes: [Float] = []
        var rising = PulseScale()
        var falling = PulseScale()
        var rises = Mean()
        var falls = Mean()
    }

    /// How many shapes the means rest on.
    private static let memory = 16
    /// Cut-off frequency of the high-pass filter in Hz.
    private static let cutOff = 1.5
    /// How many shapes of each kind make evidence.
    private static let minimum = 3

    private let rate: Double
    /// Working samples in a bin of 0.5 s.
    let binLength: Int
    private let neighbours: Int
    private let before: Int
    private let after: Int
    private let leak: Float
    private var bands: [Band]
    private var bin: [Float]
    private var filtered: [Float]
    private var binMissing: Float = 0
    private var filled = 0
    /// The high-pass filter's last input and outputs.
    private var held: (input: Float, first: Float, second: Float) = (0, 0, 0)
    private var isFresh = true
    /// The working sample that `slopes` begin with, and the first whose slope was not looked at.
    private var origin = 0
    private var next = 0
    private var latest = [Float](repeating: 0, count: PulseShapeModel.points)
    /// How many shapes were taken, of both kinds and in both bands.
    private(set) var learned = 0

    /// Shapes of a wave of `rate` working samples a second.
    init(rate: Double) {
        self.rate = rate
        binLength = max(1, Int((0.5 * rate).rounded()))
        neighbours = Int(0.3 * rate + 0.5)
        before = Int(0.4 * rate) + 1
        after = Int((0.66 * rate).rounded(.up)) + 1
        leak = Float(exp(-2 * Double.pi * Self.cutOff / rate))
        let filter = SlopeFilter(rate: rate, batch: binLength, deviation: 0.03)
        bands = [Band(filter: filter), Band(filter: filter)]
        bin = [Float](repeating: 0, count: binLength)
        filtered = bin
    }

    /// Begins a run; the means stay.
    mutating func beginRun() {
        for k in bands.indices {
            bands[k].slopes.removeAll(keepingCapacity: true)
            bands[k].rising.reset()
            bands[k].falling.reset()
        }
        (filled, binMissing, isFresh, origin, next) = (0, 0, true, 0, before)
    }

    /// Forgets all shapes.
    mutating func forget() {
        for k in bands.indices { (bands[k].rises, bands[k].falls) = (Mean(), Mean()) }
    }

    /// How many working samples the present bin still takes.
    var room: Int { binLength - filled }

    /// Takes `count` working samples, at most `room`, of each of which the share `missing` is filled in.
    /// - Parameter isMoving: whether the sensor moved around a working sample of the run; what it saw then is no evidence.
    /// - Returns: whether a bin was completed.
    mutating func take(
        _ samples: [Float], count: Int, missing: Float, isMoving: (Double) -> Bool
    ) -> Bool {
        for k in 0..<count { bin[filled + k] = samples[k] }
        filled += count
        binMissing += missing * Float(count)
        guard filled == binLength else { return false }
        endBin(isMoving)
        (filled, binMissing) = (0, 0)
        return true
    }

    private mutating func endBin(_ isMoving: (Double) -> Bool) {
        if isFresh {
            held = (bin[0], 0, 0)
            origin = -bands[0].filter.delay
        }
        let gain = 0.5 * (1 + leak)
        for k in 0..<binLength {
            let first = leak * held.first + gain * (bin[k] - held.input)
            filtered[k] = leak * held.second + gain * (first - held.first)
            held = (bin[k], first, filtered[k])
        }
        let isReady = [take(bin, in: 0), take(filtered, in: 1)].allSatisfy(\.self)
        isFresh = false
        let newest = origin + bands[0].slopes.count - 1
        if isReady {
            let end = newest - after
            for band in bands.indices {
                learn(band, sign: 1, to: end, isMoving)
                learn(band, sign: -1, to: end, isMoving)
            }
            next = max(next, end + 1)
        }
        forgetSlopes()
    }

    /// Appends the slopes of a bin; says whether their scale is known.
    private mutating func take(_ samples: [Float], in band: Int) -> Bool {
        if isFresh { bands[band].filter.reset(to: samples[0]) }
        bands[band].filter.push(samples, count: binLength)
        var (rise, fall) = (Float(0), Float(0))
        for k in 0..<binLength {
            let slope = bands[band].filter.band[k]
            bands[band].slopes.append(slope)
            (rise, fall) = (max(rise, slope), max(fall, -slope))
        }
        // More than half of it filled in says nothing about pulses.
        guard binMissing < 0.5 * Float(binLength) else { return false }
        let isKnown = bands[band].rising.endBin(rise)
        return bands[band].falling.endBin(fall) && isKnown
    }

    /// Adds the shapes of the steepest slopes up to the working sample `end` to their mean.
    private mutating func learn(_ band: Int, sign: Float, to end: Int, _ isMoving: (Double) -> Bool) {
        let scale = sign > 0 ? bands[band].rising.value : bands[band].falling.value
        guard scale > 0, next <= end else { return }
        for place in next...end {
            let index = place - origin
            guard let height = peak(of: bands[band].slopes, at: index, sign, above: 0.5 * scale) else { continue }
            shape(of: bands[band].slopes, at: index, sign / height)
            guard !isMoving(Double(place)) else { continue }
            learned += 1
            if sign > 0 { bands[band].rises.take(latest) } else { bands[band].falls.take(latest) }
        }
    }

    /// The slope at `index` where it is the steepest of its neighbourhood and above `floor`; nil elsewhere.
    private func peak(of slopes: [Float], at index: Int, _ sign: Float, above floor: Float) -> Float? {
        let height = sign * slopes[index]
        guard height >= floor, index - before >= 0, index + after < slopes.count else { return nil }
        for k in index - neighbours...index + neighbours where sign * slopes[k] > height { return nil }
        return height
    }

    /// Puts the slopes around the refined maximum at `index`, times `factor`, into `latest`.
    private mutating func shape(of slopes: [Float], at index: Int, _ factor: Float) {
        let (left, middle, right) = (slopes[index - 1], slopes[index], slopes[index + 1])
        let bend = left - 2 * middle + right
        let center = Double(index) + (bend == 0 ? 0 : Double(0.5 * (left - right) / bend))
        for k in latest.indices {
            let position = center + Double(k - PulseShapeModel.anchor) * PulseShapeModel.spacing * rate
            let whole = Int(position.rounded(.down))
            let part = Float(position - Double(whole))
            let slope = slopes[whole] + (slopes[whole + 1] - slopes[whole]) * part
            latest[k] = max(-4, min(4, slope * factor))
        }
    }

    private mutating func forgetSlopes() {
        let spare = next - before - 1 - origin
        guard spare > 0 else { return }
        for band in bands.indices { bands[band].slopes.removeFirst(min(spare, bands[band].slopes.count)) }
        origin += spare
    }

    /// The log-odds that the wave is upright by its shapes alone; nil before there are enough.
    var logOdds: Float? {
        let (plain, filtered) = (bands[0], bands[1])
        let means = [plain.rises, plain.falls, filtered.rises, filtered.falls]
        guard means.allSatisfy({ $0.count >= Self.minimum }) else { return nil }
        let common = means.reduce(0) { $0 + $1.consistency } / Float(means.count)
        let upright = PulseShapeModel.score(plain.rises.shape, filtered.rises.shape)
        let inverted = PulseShapeModel.score(plain.falls.shape, filtered.falls.shape)
        return common * (upright - inverted)
    }

}
