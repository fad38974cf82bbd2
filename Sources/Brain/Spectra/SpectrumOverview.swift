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
    public var epochs: [Int] { sums.map { $0?.count ?? 0 } }
    /// Seconds of a stretch of the spectrogram.
    public private(set) var sliceLength: Seconds = 2
    private var sums: [LogarithmicSum?]
    private var slices: [Sum] = []
    /// The stretch that is growing, and which one it is.
    private var growing: (place: Int, sum: LogarithmicSum)?

    private struct Sum: Sendable {
        var count = 0
        var values: [Float] = []

        init() {}

        init(_ sum: LogarithmicSum) {
            count = sum.count
            values = sum.sums.map { Float($0) }
        }

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
        sums = Array(repeating: nil, count: channels)
    }

    /// log10 of the usual density of a channel in µV²/Hz at each of `frequencies`; nil where it was never usable.
    public func density(ofChannel channel: Int) -> [Double]? {
        guard sums.indices.contains(channel), let sum = sums[channel] else { return nil }
        return sum.sums.map { $0 / Double(sum.count) }
    }

    /// The 1/f fit of each channel's usual density; nil where it has none.
    public func aperiodicFits(_ parameters: AperiodicParameters) -> [AperiodicFit?] {
        guard let model = AperiodicModel(parameters, frequencies: frequencies) else {
            return Array(repeating: nil, count: sums.count)
        }
        return sums.indices.map { channel in
            guard let logs = density(ofChannel: channel) else { return nil }
            let linear = logs.map { exponential($0 * 2.302585092994046) }
            return model.fit(linear.span)
        }
    }

    /// The stretches of `sliceLength` seconds that have usable epochs, in order of time.
    public var spectrogram: [Slice] {
        var all = self
        all.closeSlice()
        let slices = all.slices
        return slices.indices.filter { slices[$0].count > 0 }.map { place in
            let sum = slices[place]
            return Slice(onset: Double(place) * sliceLength, density: sum.values.map { $0 / Float(sum.count) })
        }
    }

    /// Takes the densities of an epoch's channels into account.
    mutating func add(_ density: [Double], frequencies all: [Double], usable: [Bool], onset: Seconds) {
        guard all.count > 1, onset >= 0, onset.isPlaceable, usable.count == sums.count else { return }
        if frequencies.isEmpty { frequencies = Array(all.prefix { $0 <= Self.highest }) }
        // Another rate has other bins.
        guard all.count >= frequencies.count, abs(all[1] - frequencies[1]) < 0.01 * frequencies[1] else { return }
        open(at: onset)
        for channel in usable.indices where usable[channel] {
            let row = density.span.extracting(channel * all.count..<channel * all.count + frequencies.count)
            var sum = sums[channel] ?? LogarithmicSum(places: frequencies.count)
            sums[channel] = nil
            if growing?.sum.add(row) == true { _ = sum.add(row) }
            sums[channel] = sum.count > 0 ? sum : nil
        }
    }

    /// Sees to it that the stretch that `onset` lies in is the one that grows.
    private mutating func open(at onset: Seconds) {
        var place = Int(onset / sliceLength)
        guard growing?.place != place else { return }
        closeSlice()
        while place >= 2 * Self.mostSlices {
            join()
            place = Int(onset / sliceLength)
        }
        growing = (place, LogarithmicSum(places: frequencies.count))
    }

    private mutating func closeSlice() {
        guard let (place, sum) = growing, sum.count > 0 else { return }
        while slices.count <= place { slices.append(Sum()) }
        slices[place].add(Sum(sum))
        growing = nil
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
