import CVectors
import Kernels

/// Computes what a second of EEG shows.
struct SecondMeasures: Sendable {
    /// How many seconds at once are the cheapest.
    let batch: Int
    private let frames: Int
    private let channels: Int
    private let plan: RealFFT<Float>
    private let taper: [Float]
    /// Squared spectrum to mean square, both sides of it.
    private let scale: Double
    private let eeg: Range<Int>
    private let fast: [Range<Int>]
    private let hum: [HumBand]
    /// The usual power of each channel at each frequency of `eeg`, over about the last ten seconds.
    private var usual: [Float]
    private var seen: [Int]
    /// The level of each channel while it was not flat, over about the last ten seconds; nil before.
    private var usualLevels: [Double?]
    private var rows: [Float]
    private var real: [Float]
    private var imaginary: [Float]
    private var ranks = FloatRanks()
    private var steps: [Float]

    /// The bins of one mains frequency and those beside it.
    private struct HumBand: Sendable {
        var tone: ClosedRange<Int>
        var beside: [Int]
    }

    init(frames: Int, channels: Int, sampleRate: Double) {
        self.frames = frames
        self.channels = channels
        plan = RealFFT<Float>(length: frames)
        let hann = Window.hann.periodic(frames)
        taper = hann.map(Float.init)
        scale = 2 / (Double(frames) * hann.reduce(0) { $0 + $1 * $1 })
        let width = sampleRate / Double(frames)
        let bins = plan.bins
        let top = bins - 2
        func bin(_ frequency: Double) -> Int { Int((frequency / width).rounded()) }
        eeg = min(bin(2), top)..<max(min(bin(30), top), min(bin(2), top))
        let highest = min(bin(95), Int(Double(bins) * 0.9))
        let fastBins = (min(bin(35), highest)..<highest).filter { place in
            [50.0, 60, 100, 120].allSatisfy { abs(Double(place) * width - $0) > 2.5 * width }
        }
        fast = fastBins.reduce(into: []) { ranges, place in
            let isNext = ranges.last?.upperBound == place
            let range = (isNext ? ranges.removeLast().lowerBound : place)..<place + 1
            ranges.append(range)
        }
        hum = [50.0, 60].filter { bin($0) + 2 < bins }.map { frequency in
            let centre = bin(frequency)
            let beside = [-5, -4, 4, 5].map { centre + $0 }.filter { $0 < bins }
            return HumBand(tone: centre - 1...centre + 1, beside: beside)
        }
        usual = Array(repeating: 0, count: channels * eeg.count)
        seen = Array(repeating: 0, count: channels)
        usualLevels = Array(repeating: nil, count: channels)
        batch = RowBatches.cheapest(channels)
        rows = Array(repeating: 0, count: batch * channels * frames)
        real = Array(repeating: 0, count: batch * channels * plan.bins)
        imaginary = real
        steps = Array(repeating: 0, count: max(0, frames - 1))
    }

    /// What came before a gap says nothing about what follows.
    mutating func forget() {
        for channel in seen.indices { (seen[channel], usualLevels[channel]) = (0, nil) }
    }

    /// Measures successive complete seconds, up to `batch` of them, in order of time.
    mutating func measure(_ epochs: [Epoch], into seconds: inout [EEGSecond]) {
        let first = seconds.count
        for (number, epoch) in epochs.prefix(batch).enumerated() {
            var second = EEGSecond(onset: epoch.onset, coverage: 1, channels: [], agreement: [])
            second.channels.reserveCapacity(channels)
            for channel in 0..<channels {
                second.channels.append(shape(epoch, channel, row: number * channels + channel))
            }
            seconds.append(second)
        }
        let count = seconds.count - first
        transform(rows: count * channels)
        for number in 0..<count {
            compare(&seconds[first + number], from: number * channels)
        }
    }

    /// Adds what the spectra of a second tell, which begin in row `first`, and what came before it.
    private mutating func compare(_ second: inout EEGSecond, from first: Int) {
        for channel in 0..<channels where second.channels[channel].isMeasured {
            bands(row: first + channel, &second.channels[channel])
            compareLevel(channel, &second.channels[channel])
        }
        whiten(second, from: first)
        second.agreement = agreement(second, from: first)
    }

    /// What needs no spectrum; leaves the channel without its mean in a row of `rows`, zeros where samples are missing.
    private mutating func shape(_ epoch: Epoch, _ channel: Int, row: Int) -> EEGSecond.Channel {
        var found = EEGSecond.Channel()
        let samples = epoch.samples.span.extracting(epoch.range(ofChannel: channel))
        let glance = Scans.look(samples)
        guard glance.largest.isFinite else {
            note(missingIn: samples, &found)
            if found.isMeasured {
                let whole = Self.bridged(samples)
                shape(whole.span, Scans.look(whole.span), row, &found)
            } else {
                for index in row * frames..<(row + 1) * frames { rows[index] = 0 }
            }
            return found
        }
        shape(samples, glance, row, &found)
        return found
    }

    private mutating func shape(
        _ samples: Span<Float>, _ glance: Scans.Glance, _ row: Int, _ found: inout EEGSecond.Channel
    ) {
        found.level = glance.sum / Double(frames)
        let swing = Scans.centre(samples, at: Float(found.level), into: &rows, at: row * frames)
        guard frames > 1 else { return }
        (found.jump, found.peak) = (Double(swing.jump), Double(swing.peak))
        // What is usual is asked only of what may be a pop.
        if found.jump > ChannelLimits.jump { found.usualStep = usualStep(row) }
        if glance.hasThreeEqual { stillness(samples, &found) }
        // A drift that goes on beyond the second would leak into all its frequencies.
        Scans.takeOutLine(moment: swing.moment, of: &rows, row * frames..<(row + 1) * frames)
    }

    /// Straight lines where samples are missing: to judge the others by, never to compute from.
    private static func bridged(_ samples: Span<Float>) -> [Float] {
        var whole = samples.indices.map { samples[$0] }
        var before: Int?
        for index in samples.indices where samples[index].isFinite {
            let (first, value) = (before ?? -1, samples[index])
            let from = before.map { samples[$0] } ?? value
            for hole in first + 1..<index {
                whole[hole] = from + (value - from) * Float(hole - first) / Float(index - first)
            }
            before = index
        }
        if let before { for hole in before + 1..<whole.count { whole[hole] = samples[before] } }
        return whole
    }

    private func note(missingIn samples: Span<Float>, _ found: inout EEGSecond.Channel) {
        var (missing, sum) = (0, 0.0)
        for index in samples.indices {
            if samples[index].isFinite { sum += Double(samples[index]) } else { missing += 1 }
        }
        found.missing = Double(missing) / Double(frames)
        found.level = missing < frames ? sum / Double(frames - missing) : .nan
    }

    /// The middle of all steps in a row, without sign.
    private mutating func usualStep(_ row: Int) -> Double {
        // Others of its own may be changed while one is looked at.
        let rows = rows
        Scans.steps(rows.span.extracting(row * frames..<(row + 1) * frames), into: &steps)
        let steps = steps
        ranks.load(magnitudesOf: steps.span)
        return Double(ranks.value(at: steps.count / 2))
    }

    private func stillness(_ x: Span<Float>, _ found: inout EEGSecond.Channel) {
        let long = max(4, frames / 20)
        var (low, high) = (x[0], x[0])
        for index in x.indices { (low, high) = (min(low, x[index]), max(high, x[index])) }
        var (flat, clipped, begun) = (0, 0, 0)
        for index in 1...x.count where index == x.count || x[index] != x[begun] {
            let length = index - begun
            if length >= long { flat += length }
            if length >= 3, x[begun] == low || x[begun] == high { clipped += length }
            begun = index
        }
        found.flat = Double(flat) / Double(x.count)
        // A small EEG of few steps is at its extremes for a while, too; a flat line is told as such.
        let share = Double(clipped) / Double(x.count)
        let isRail = high - low > 50 || (share > 0.2 && found.flat <= ChannelLimits.flat)
        found.clipped = isRail ? share : 0
    }

    private mutating func transform(rows count: Int) {
        let (plan, taper, frames, input) = (plan, taper, frames, rows)
        var (re, im): ([Float], [Float]) = ([], [])
        swap(&re, &real)
        swap(&im, &imaginary)
        Self.transform(input, plan, taper, frames, count, &re, &im)
        swap(&re, &real)
        swap(&im, &imaginary)
    }

    private static func transform(
        _ rows: [Float], _ plan: RealFFT<Float>, _ taper: [Float], _ frames: Int, _ count: Int,
        _ real: inout [Float], _ imaginary: inout [Float]
    ) {
        var realSpan = real.mutableSpan
        var imaginarySpan = imaginary.mutableSpan
        plan.forward(
            rowsOf: rows.span, count: count, stride: frames, taper: taper, real: &realSpan,
            imaginary: &imaginarySpan)
    }

    private func bands(row: Int, _ found: inout EEGSecond.Channel) {
        let (row, scale, eeg, fast, hum) = (row * plan.bins, scale, eeg, fast, hum)
        func root(_ sum: Double) -> Double { (max(0, sum) * scale).squareRoot() }
        let (eegSum, fastSum, humSum) = real.withUnsafeBufferPointer { real in
            imaginary.withUnsafeBufferPointer { imaginary in
                guard let re = real.baseAddress, let im = imaginary.baseAddress else { return (0.0, 0.0, 0.0) }
                func sum(_ bins: Range<Int>) -> Double {
                    marey_power_sum(re + row + bins.lowerBound, im + row + bins.lowerBound, bins.count)
                }
                var most = 0.0
                for band in hum {
                    let beside = band.beside.reduce(0) { $0 + sum($1..<$1 + 1) } / Double(band.beside.count)
                    most = max(most, sum(Range(band.tone)) - beside * Double(band.tone.count))
                }
                return (sum(eeg), fast.reduce(0) { $0 + sum($1) }, most)
            }
        }
        (found.eeg, found.fast, found.hum) = (root(eegSum), root(fastSum), root(humSum))
    }

    private mutating func compareLevel(_ channel: Int, _ found: inout EEGSecond.Channel) {
        let usual = usualLevels[channel]
        if found.isFlat {
            found.isAtRail = usual.map { abs(found.level - $0) > ChannelLimits.rail } ?? false
        } else {
            usualLevels[channel] = usual.map { $0 + (found.level - $0) / 10 } ?? found.level
        }
    }

    /// Divides the spectra, which begin in row `row`, by the channels' usual ones.
    private mutating func whiten(_ second: EEGSecond, from row: Int) {
        let (eeg, bins) = (eeg, plan.bins)
        for channel in 0..<channels where second.channels[channel].isMeasured {
            seen[channel] = min(seen[channel] + 1, 10)
            let share = 1 / Float(seen[channel])
            let (first, known) = ((row + channel) * bins + eeg.lowerBound, channel * eeg.count)
            usual.withUnsafeMutableBufferPointer { usual in
                real.withUnsafeMutableBufferPointer { real in
                    imaginary.withUnsafeMutableBufferPointer { imaginary in
                        guard let re = real.baseAddress, let im = imaginary.baseAddress, let usual = usual.baseAddress
                        else { return }
                        marey_whiten(re + first, im + first, usual + known, eeg.count, share)
                    }
                }
            }
        }
    }

    private func agreement(_ second: EEGSecond, from row: Int) -> [Float] {
        guard channels > 1, !eeg.isEmpty else { return [] }
        var found = [Float](repeating: 0, count: channels * (channels - 1) / 2)
        let (eeg, bins, channels) = (eeg, plan.bins, channels)
        real.withUnsafeBufferPointer { real in
            imaginary.withUnsafeBufferPointer { imaginary in
                guard let re = real.baseAddress, let im = imaginary.baseAddress else { return }
                func product(_ i: Int, _ j: Int) -> Float {
                    let (a, b) = ((row + i) * bins + eeg.lowerBound, (row + j) * bins + eeg.lowerBound)
                    return marey_cross_sum(re + a, im + a, re + b, im + b, eeg.count)
                }
                withUnsafeTemporaryAllocation(of: Float.self, capacity: channels) { powers in
                    for channel in 0..<channels { powers[channel] = product(channel, channel) }
                    for i in 0..<channels - 1 where second.channels[i].isMeasured {
                        for j in i + 1..<channels where second.channels[j].isMeasured {
                            let size = (powers[i] * powers[j]).squareRoot()
                            if size > 0 { found[EEGSecond.pair(i, j, of: channels)] = product(i, j) / size }
                        }
                    }
                }
            }
        }
        return found
    }
}
