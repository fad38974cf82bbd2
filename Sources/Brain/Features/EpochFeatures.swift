public import Signals

/// Computes the features of epochs, per channel, and connectivity, per pair of channels over a window of epochs.
///
/// A stage over epochs: `begin` at the start of each contiguous run, so that no window of connectivity spans a gap.
public struct EpochFeatures: Stage, Sendable {
    /// What is computed.
    public struct Outputs: OptionSet, Sendable {
        /// One bit per output.
        public let rawValue: Int
        /// The outputs of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The features of channels.
        public static let channels = Outputs(rawValue: 1)
        /// The connectivity of pairs of channels.
        public static let pairs = Outputs(rawValue: 2)
        /// The spectra of channels over all epochs, where their features are computed.
        public static let overview = Outputs(rawValue: 4)
        /// All of these.
        public static let all: Outputs = [.channels, .pairs, .overview]
    }

    /// What it computes, and how.
    public let parameters: EEGFeatureParameters
    /// The channels' labels.
    public let labels: [String]
    /// The features of a channel, in the order of `ChannelValues.values`.
    public let features: [EEGFeature]
    /// The columns of the table of channels: a row per epoch and channel.
    public var channelColumns: [Column] { Self.channelColumns(features, parameters) }
    /// The columns of the table of pairs: a row per window of epochs and pair of channels.
    public var pairColumns: [Column] { Self.pairColumns(parameters) }
    /// The spectra of all epochs so far, if they are computed.
    public private(set) var overview: SpectrumOverview
    /// What reads each of `features` off the measures.
    private let readings: [Reading]
    /// A closure in a structure is called as it is; one in an array by itself, through another.
    private struct Reading: Sendable {
        let value: @Sendable (ChannelMeasures) -> Double?
    }

    private let counterparts: [Int?]
    private let reach: ClosedRange<Double>
    private let computing: Outputs
    private var measurement: EpochMeasurement?
    private var connectivity: ConnectivityWindow?

    /// Features of channels called `labels`.
    /// - Parameter reach: the frequencies that passed the filters unchanged, in hertz: powers of bands outside are not
    ///   numbers.
    /// - Throws: the first parameter that is outside its range, whether or not what it is for is computed.
    public init(
        labels: [String], parameters: EEGFeatureParameters = EEGFeatureParameters(), computing outputs: Outputs = .all,
        reach: ClosedRange<Double> = EEGBands.everything
    ) throws(BrainError) {
        try parameters.check()
        self.parameters = parameters
        (computing, self.reach) = (outputs, reach)
        self.labels = labels
        features = EEGFeature.list(parameters)
        readings = features.map { Reading(value: $0.value) }
        overview = SpectrumOverview(channels: labels.count)
        counterparts = ElectrodeName.leftCounterparts(labels)
        if outputs.contains(.pairs) {
            connectivity = parameters.connectivityWindow.map {
                ConnectivityWindow(duration: $0, channels: labels.count, bands: parameters.bands, reach: reach)
            }
        }
    }

    /// For each channel whether it has an `alphaAsymmetry`: frontal electrodes on the right with a counterpart on the left.
    public var hasAsymmetry: [Bool] { counterparts.map { $0 != nil } }

    /// The power in each of `bands` of the epoch that was pushed last, in µV², a row per channel; not a number where the
    /// spectrum does not reach. Empty before an epoch had a spectrum; the rows of channels that are not usable mean nothing.
    public func powers(in bands: [EEGBand]) -> [[Double]] {
        guard let measurement, !measurement.density.isEmpty else { return [] }
        let frequencies = measurement.frequencies
        let bins = bands.map { BandBins($0, frequencies: frequencies, reach: reach) }
        return labels.indices.map { channel in
            let row = measurement.density.span.extracting(
                channel * frequencies.count..<(channel + 1) * frequencies.count)
            return bins.map { $0.power(row) }
        }
    }

    /// Values belong to epochs that are complete when they come: those of pairs wait for their window's end.
    public var lookAhead: Seconds { computing.contains(.pairs) ? parameters.connectivityWindow ?? 0 : 0 }

    /// A contiguous run begins: a window of connectivity that is open ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [EEGValues]) {
        endWindow(into: &outputs)
    }

    /// The next epochs of the current run, in order of time, with a channel per label.
    public mutating func push(_ chunk: Span<Epoch>, into outputs: inout [EEGValues]) {
        for index in chunk.indices { process(chunk[index], into: &outputs) }
    }

    /// Ends the open window of connectivity.
    public mutating func finish(into outputs: inout [EEGValues]) {
        endWindow(into: &outputs)
    }

    private mutating func process(_ epoch: Epoch, into outputs: inout [EEGValues]) {
        precondition(epoch.channelCount == labels.count, "a channel per label")
        let usable = epoch.channels.map(\.isUsable)
        if computing.contains(.channels) { outputs.append(.channels(channelValues(epoch, usable))) }
        connectivity?.push(epoch, usable: usable, into: &outputs)
    }

    private mutating func endWindow(into outputs: inout [EEGValues]) {
        connectivity?.close(into: &outputs)
    }

    private mutating func channelValues(_ epoch: Epoch, _ usable: [Bool]) -> ChannelValues {
        var measures: [ChannelMeasures] = []
        if epoch.frameCount >= 8, epoch.sampleRate > 0, usable.contains(true) {
            if measurement?.frames != epoch.frameCount || measurement?.sampleRate != epoch.sampleRate {
                measurement = EpochMeasurement(
                    parameters, frames: epoch.frameCount, sampleRate: epoch.sampleRate, reach: reach)
            }
            measures = measurement?.measure(epoch.samples.span, usable: usable) ?? []
            if computing.contains(.overview) { addToOverview(epoch, usable) }
        }
        Self.addAsymmetry(counterparts, &measures, usable)
        return ChannelValues(
            onset: epoch.onset, duration: epoch.duration, channels: epoch.channels,
            values: Self.values(readings, measures, usable))
    }

    /// What is read off the measures of the usable channels; all else is not a number.
    private static func values(
        _ readings: [Reading], _ measures: [ChannelMeasures], _ usable: [Bool]
    ) -> FeatureRows {
        let count = readings.count
        var values = Array(repeating: Double.nan, count: count * usable.count)
        for channel in measures.indices where usable[channel] {
            // One copy for all readings rather than one for each.
            let own = measures[channel]
            for index in 0..<count {
                guard let value = readings[index].value(own), value.isFinite else { continue }
                values[channel * count + index] = value
            }
        }
        return FeatureRows(values, channels: usable.count)
    }

    private mutating func addToOverview(_ epoch: Epoch, _ usable: [Bool]) {
        guard let measurement, !measurement.density.isEmpty else { return }
        overview.add(
            measurement.density, frequencies: measurement.frequencies, usable: usable, onset: epoch.onset)
    }

    private static func addAsymmetry(
        _ counterparts: [Int?], _ measures: inout [ChannelMeasures], _ usable: [Bool]
    ) {
        guard !measures.isEmpty else { return }
        for (right, left) in counterparts.enumerated() {
            guard let left, usable[right], usable[left] else { continue }
            let (here, there) = (measures[right].powers.alpha, measures[left].powers.alpha)
            if here > 0, there > 0 { measures[right].alphaAsymmetry = logarithm(here) - logarithm(there) }
        }
    }
}
