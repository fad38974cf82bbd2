import Signals

/// Collects epochs into windows and gives the connectivity of every pair of channels at each window's end.
struct ConnectivityWindow: Sendable {
    /// Pairs that are measured together: the spectra of their channels are read once, their values do not take much room.
    private static let batch = 1_024

    private let duration: Seconds
    private let channels: Int
    private let bands: [EEGBand]
    private let reach: ClosedRange<Double>
    private let range: ClosedRange<Double>
    private let pairs: [ChannelPair]
    private var spectra: EpochCrossSpectra?
    private var sampleRate = 0.0
    private var start: Seconds?
    private var end: Seconds = 0

    init(duration: Seconds, channels: Int, bands: EEGBands, reach: ClosedRange<Double>) {
        (self.duration, self.channels) = (duration, channels)
        self.reach = reach
        self.bands = ConnectivityMeasure.bands(bands).map(\.band)
        range = (self.bands.map(\.lower).min() ?? 0)...(self.bands.map(\.upper).max() ?? 0)
        pairs = (0..<channels).flatMap { first in
            (first + 1..<max(first + 1, channels)).map { ChannelPair(first: first, second: $0) }
        }
    }

    mutating func push(_ epoch: Epoch, usable: [Bool], into outputs: inout [EEGValues]) {
        guard !pairs.isEmpty, epoch.frameCount >= 8, epoch.sampleRate > 0 else { return }
        if let start, let spectra {
            let isFull = epoch.onset + epoch.duration > start + duration * (1 + 1e-9)
            let differs = spectra.frames != epoch.frameCount || sampleRate != epoch.sampleRate
            if isFull || differs || spectra.epochs == spectra.capacity { close(into: &outputs) }
        }
        if start == nil { open(epoch) }
        spectra?.append(epoch.samples.span, usable: usable)
        end = epoch.onset + epoch.duration
    }

    private mutating func open(_ epoch: Epoch) {
        start = epoch.onset
        if spectra?.frames != epoch.frameCount || sampleRate != epoch.sampleRate {
            sampleRate = epoch.sampleRate
            // Epochs that overlap by three quarters still fit.
            let capacity = min(256, max(1, Int(4 * duration / max(epoch.duration, duration / 64)) + 1))
            spectra = EpochCrossSpectra(
                channels: channels, frames: epoch.frameCount, sampleRate: sampleRate, range: range,
                capacity: capacity)
        }
        spectra?.removeAll()
    }

    /// Ends the open window, if there is one.
    mutating func close(into outputs: inout [EEGValues]) {
        guard let start, let spectra, spectra.epochs > 0 else { return }
        let bins = bands.map { BandBins($0, frequencies: spectra.frequencies, reach: reach).range }
        var values = PairValues(onset: start, duration: end - start, pairs: pairs, epochs: [], values: [])
        var measured: [Double] = []
        for first in stride(from: 0, to: pairs.count, by: Self.batch) {
            let batch = pairs[first..<min(first + Self.batch, pairs.count)]
            spectra.measure(batch, into: &measured)
            for (index, pair) in batch.enumerated() {
                let epochs = spectra.commonEpochs(pair).count
                values.epochs.append(epochs)
                let isEnough = epochs >= ConnectivityMeasure.leastEpochs
                values.values.append(
                    bins.flatMap { range in
                        ConnectivityMeasure.allCases.indices.map { kind in
                            guard let range, isEnough else { return Double.nan }
                            let row = index * spectra.valuesPerPair + kind * spectra.frequencies.count
                            return range.reduce(0) { $0 + measured[row + $1] } / Double(range.count)
                        }
                    })
            }
        }
        outputs.append(.pairs(values))
        self.start = nil
    }
}
