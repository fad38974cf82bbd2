public import Signals

/// The spectra of a whole recording in bounded memory: the usual density of each channel, and how that of all channels
/// together changes over time.
///
/// Densities are averaged as logarithms, so that a burst counts no more than any other epoch.
public struct SpectrumOverview: Sendable {
    /// A stretch of time of the spectrogram.
    public struct Slice: Sendable {
        /// Seconds from the recording's start.
        public var onset: Seconds
        /// log10 of the density in µV²/Hz at each of `frequencies`, the mean over usable channels and epochs.
        public var density: [Float]
    }

    /// The most stretches a spectrogram has; twice as many are joined in pairs.
    public static let mostSlices = 800
    /// The highest frequency that is kept, in hertz.
    public static let highest = 60.0

    /// The frequencies of the densities in hertz; empty before the first usable epoch.
    public private(set) var frequencies: [Double] = []
    /// Usable epochs of each channel.
    public private(set) var epochs: [Int]
    /// Seconds of a stretch of the spectrogram.
    public private(set) var sliceLength: Seconds = 2
    private var sums: [[Double]]
    private var slices: [Sum] = []

    private struct Sum: Sendable {
        var count = 0
        var values: [Float] = []

        mutating func add(_ other: Sum) {
            guard other.count > 0 else { return }
            guard count > 0 else {
                self = other
                return
            }
            count += other.count
            for place in values.indices { values[place] += other.values[place] }
        }
    }

    init(channels: Int) {
        epochs = Array(repeating: 0, count: channels)
        sums = Array(repeating: [], count: channels)
    }

    /// log10 of the usual density of a channel in µV²/Hz at each of `frequencies`; nil where it was never usable.
    public func density(ofChannel channel: Int) -> [Double]? {
        guard epochs.indices.contains(channel), epochs[channel] > 0 else { return nil }
        return sums[channel].map { $0 / Double(epochs[channel]) }
    }

    /// The 1/f fit of each channel's usual density; nil where it has none.
    public func aperiodicFits(_ parameters: AperiodicParameters) -> [AperiodicFit?] {
        guard let model = AperiodicModel(parameters, frequencies: frequencies) else {
            return Array(repeating: nil, count: epochs.count)
        }
        return epochs.indices.map { channel in
            guard let logs = density(ofChannel: channel) else { return nil }
            let linear = logs.map { exponential($0 * 2.302585092994046) }
            return model.fit(linear.span)
        }
    }

    /// The stretches of `sliceLength` seconds that have usable epochs, in order of time.
    public var spectrogram: [Slice] {
        slices.indices.filter { slices[$0].count > 0 }.map { place in
            let sum = slices[place]
            return Slice(onset: Double(place) * sliceLength, density: sum.values.map { $0 / Float(sum.count) })
        }
    }

    /// Takes the densities of an epoch's channels into account.
    mutating func add(_ density: [Double], frequencies all: [Double], usable: [Bool], onset: Seconds) {
        guard all.count > 1, onset >= 0, onset < 1e8, usable.count == epochs.count else { return }
        if frequencies.isEmpty { frequencies = Array(all.prefix { $0 <= Self.highest }) }
        // Another rate has other bins.
        guard all.count >= frequencies.count, abs(all[1] - frequencies[1]) < 0.01 * frequencies[1] else { return }
        var slice = Sum(count: 0, values: Array(repeating: 0, count: frequencies.count))
        for channel in usable.indices where usable[channel] {
            add(density, from: channel * all.count, channel, to: &slice)
        }
        guard slice.count > 0 else { return }
        var place = Int(onset / sliceLength)
        while place >= 2 * Self.mostSlices {
            join()
            place = Int(onset / sliceLength)
        }
        while slices.count <= place { slices.append(Sum()) }
        slices[place].add(slice)
    }

    private mutating func add(_ density: [Double], from base: Int, _ channel: Int, to slice: inout Sum) {
        let logs = frequencies.indices.map { logarithm10(max(density[base + $0], 1e-12)) }
        guard logs.allSatisfy(\.isFinite) else { return }
        if sums[channel].isEmpty { sums[channel] = Array(repeating: 0, count: logs.count) }
        for bin in logs.indices {
            sums[channel][bin] += logs[bin]
            slice.values[bin] += Float(logs[bin])
        }
        epochs[channel] += 1
        slice.count += 1
    }

    private mutating func join() {
        sliceLength *= 2
        slices = stride(from: 0, to: slices.count, by: 2).map { place in
            var sum = slices[place]
            if place + 1 < slices.count { sum.add(slices[place + 1]) }
            return sum
        }
    }
}
