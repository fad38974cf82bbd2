import Foundation
import Kernels
public import Signals

/// What sleep is told from, of 30 s of EEG.
public struct SleepMeasure: Hashable, Codable, Sendable {
    /// Seconds from the recording's start, a multiple of 30.
    public var onset: Seconds
    /// Decimal logarithm of the power from 16 to 30 Hz over that from 1 to 4 Hz: high in wake, low in non-REM sleep.
    public var fastToSlow: Double?
    /// Slope of the spectrum from 30 to 45 Hz on doubly logarithmic axes: about −2 in wake, −3.5 in deep sleep and
    /// steeper in REM sleep (Lendner et al. 2020).
    public var slope: Double?
    /// Why neither is known; nil where they are.
    public var reason: SleepEpoch.Reason?

    /// The state of arousal: what speaks for wake, in powers of ten.
    ///
    /// REM sleep is near wake in the first measure and far from it in the second.
    public var arousal: Double? {
        guard let fastToSlow, let slope else { return nil }
        return fastToSlow + slope / 2
    }

    /// What was measured from `onset` on.
    public init(onset: Seconds, fastToSlow: Double, slope: Double) {
        (self.onset, self.fastToSlow, self.slope) = (onset, fastToSlow, slope)
    }

    /// Nothing could be measured from `onset` on.
    public init(onset: Seconds, reason: SleepEpoch.Reason) {
        (self.onset, self.reason) = (onset, reason)
    }
}

/// Measures 30-s stretches of a cleaned EEG for `EEGSleep`, of one channel or as the middle one of several.
///
/// Of every channel the lower quartile of the slow power over the epochs counts, so that blinks, which are slow and
/// large, do not look like sleep. Muscle and motion belong to waking and are measured with the rest; a channel that is
/// bad for any other reason is left out, and 30 s of which less than half is left are not measured.
public struct SleepMeasures: Stage, Sendable {
    /// The bands in hertz.
    static let slow = EEGBand(1, 4)
    static let fast = EEGBand(16, 30)
    static let steep = EEGBand(30, 45)
    /// The least power, in µV², of fast rhythms and the amplifier's noise together: below it there is no head.
    private static let leastFast = 0.05
    /// What belongs to waking and speaks against no measure.
    private static let waking: Set<EpochReason> = [.muscle, .motion]

    /// What a channel's epochs gave since the stretch began.
    private struct Channel: Sendable {
        var slow: [Double] = []
        var fast: [Double] = []
        /// Sum of the densities' logarithms, a bin from 30 to 45 Hz each.
        var logarithms: [Double] = []
    }

    /// By how many powers of ten the density at 42 Hz may lie below that at 32 Hz. An EEG's is less than one: more is a
    /// filter's doing, and the slope in between says nothing.
    private static let steepest = 1.2

    private let needed: Int
    private let holdsSlow: Bool
    private let isBrain: [Bool]
    private let length: Seconds
    private var number: Int?
    private var channels: [Channel]
    private var wasComplete = true
    private var spectra: EpochSpectra?
    private var bins: (slow: BandBins, fast: BandBins, steep: BandBins)?
    private var density: [Double] = []

    /// A stage for epochs of channels with these labels; those of eyes, muscles and the heart do not count.
    /// - Parameter lowest: the lowest frequency, in hertz, that cleaning left unchanged.
    public init(labels: [String], parameters: EpochParameters = EpochParameters(), lowest: Double = 1) {
        self.init(
            channels: labels.count, isBrain: Self.isBrain(labels),
            holdsSlow: lowest <= Self.slow.lower, parameters)
    }

    /// Which channels tell of sleep: those of eyes and muscles do not, and behind the ears slow waves are small, so that
    /// what was measured there is left out where there is anything else.
    private static func isBrain(_ labels: [String]) -> [Bool] {
        let isBrain = BodyElectrode.all(of: labels, among: labels).map { $0 == nil }
        let isEar = labels.map { label in
            ElectrodeName(label: label).map { ["A", "M"].contains($0.region) } ?? false
        }
        let isHead = zip(isBrain, isEar).map { $0 && !$1 }
        return isHead.contains(true) ? isHead : isBrain
    }

    /// A stage for epochs of `channels` channels, all of the brain, that are cut by `parameters`.
    public init(channels: Int, parameters: EpochParameters = EpochParameters()) {
        self.init(channels: channels, isBrain: Array(repeating: true, count: channels), holdsSlow: true, parameters)
    }

    private init(channels: Int, isBrain: [Bool], holdsSlow: Bool, _ parameters: EpochParameters) {
        (self.isBrain, self.holdsSlow) = (isBrain, holdsSlow)
        needed = max(1, Int(SleepEpoch.length / 2 / parameters.usedStep))
        length = parameters.usedLength
        self.channels = Array(repeating: Channel(), count: channels)
    }

    /// Seconds of signal between an epoch and the measure that depends on it.
    public var lookAhead: Seconds { SleepEpoch.length + length }

    /// A stretch of 30 s belongs to the clock and not to a run: gaps lie within.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [SleepMeasure]) {}

    /// The next epochs, in order of time.
    public mutating func push(_ chunk: Span<Epoch>, into outputs: inout [SleepMeasure]) {
        for index in chunk.indices { take(chunk[index], into: &outputs) }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [SleepMeasure]) {
        close(into: &outputs)
        number = nil
    }

    private mutating func take(_ epoch: Epoch, into outputs: inout [SleepMeasure]) {
        let place = Int((epoch.onset / SleepEpoch.length).rounded(.down))
        if place != number {
            close(into: &outputs)
            number = place
        }
        guard epoch.frameCount >= 8, epoch.channelCount == channels.count else {
            wasComplete = false
            return
        }
        if spectra?.frames != epoch.frameCount { plan(epoch) }
        guard var spectra, let bins else { return }
        self.spectra = nil
        var density: [Double] = []
        swap(&density, &self.density)
        spectra.densities(of: epoch.samples.span, channels: channels.count, into: &density)
        for channel in channels.indices where isBrain[channel] && Self.counts(epoch.channels[channel]) {
            add(density.span.extracting(channel * spectra.bins..<(channel + 1) * spectra.bins), bins, to: channel)
        }
        swap(&density, &self.density)
        self.spectra = spectra
    }

    private static func counts(_ state: Epoch.ChannelState) -> Bool { state.reasons.allSatisfy(waking.contains) }

    private mutating func plan(_ epoch: Epoch) {
        let spectra = EpochSpectra(
            .welch(segment: 2, overlap: 0.5), frames: epoch.frameCount, sampleRate: epoch.sampleRate)
        func bins(_ band: EEGBand) -> BandBins { BandBins(band, frequencies: spectra.frequencies) }
        self.bins = (bins(Self.slow), bins(Self.fast), bins(Self.steep))
        self.spectra = spectra
    }

    private mutating func add(
        _ density: Span<Double>, _ bins: (slow: BandBins, fast: BandBins, steep: BandBins), to channel: Int
    ) {
        guard let range = bins.steep.range else { return }
        let (slow, fast) = (bins.slow.power(density), bins.fast.power(density))
        let logarithms = range.map { log10(density[$0]) }
        guard slow > 0, fast >= Self.leastFast, slow.isFinite, fast.isFinite, logarithms.allSatisfy(\.isFinite) else {
            return
        }
        channels[channel].slow.append(slow)
        channels[channel].fast.append(fast)
        if channels[channel].logarithms.count != logarithms.count {
            channels[channel].logarithms = logarithms
        } else {
            for index in logarithms.indices { channels[channel].logarithms[index] += logarithms[index] }
        }
    }

    private mutating func close(into outputs: inout [SleepMeasure]) {
        guard let number else { return }
        let onset = Double(number) * SleepEpoch.length
        let enough = channels.filter { $0.slow.count >= needed }
        if enough.isEmpty {
            outputs.append(SleepMeasure(onset: onset, reason: wasComplete ? .badSignal : .gap))
        } else if !holdsSlow || Statistics.median(enough.map(fall)) > Self.steepest {
            outputs.append(SleepMeasure(onset: onset, reason: .filtered))
        } else {
            outputs.append(
                SleepMeasure(
                    onset: onset, fastToSlow: Statistics.median(enough.map(Self.fastToSlow)),
                    slope: Statistics.median(enough.map(slope))))
        }
        for channel in channels.indices { channels[channel] = Channel() }
        wasComplete = true
    }

    private static func fastToSlow(_ channel: Channel) -> Double {
        log10(Statistics.median(channel.fast) / Statistics.quantile(channel.slow, 0.25))
    }

    /// By how many powers of ten the density falls from 30…34 to 40…45 Hz.
    private func fall(_ channel: Channel) -> Double {
        guard let spectra, let range = bins?.steep.range else { return .nan }
        func mean(_ band: ClosedRange<Double>) -> Double {
            let values = zip(range, channel.logarithms).filter { band.contains(spectra.frequencies[$0.0]) }.map(\.1)
            return Statistics.mean(values) / Double(channel.slow.count)
        }
        return mean(30...34) - mean(40...45)
    }

    private func slope(_ channel: Channel) -> Double {
        guard let spectra, let range = bins?.steep.range else { return .nan }
        let places = range.map { log10(spectra.frequencies[$0]) }
        let count = Double(channel.slow.count)
        return Statistics.linearFit(x: places, y: channel.logarithms.map { $0 / count }).slope
    }
}
