import Foundation
import Kernels
public import Signals

/// The tone of a muscle in 30 s.
public struct MuscleTone: Hashable, Sendable {
    /// Seconds from the recording's start, a multiple of 30.
    public var onset: Seconds
    /// Decimal logarithm of the power from 10 to 100 Hz, in squared units of the signal; nil where it is not known.
    public var level: Double?

    /// The tone from `onset` on.
    public init(onset: Seconds, level: Double?) {
        (self.onset, self.level) = (onset, level)
    }
}

/// Measures the tone of a muscle in an electromyogram, by 30 s.
///
/// The power from 10 to 100 Hz, or as far as the sample rate goes, without two hertz on either side of 50, 60 and 100 Hz,
/// by Welch's method in stretches of two seconds, of which the middle one counts: a twitch is no tone. 30 s of which
/// less than half is known have none.
public struct MuscleTones: BlockStage, Sendable {
    /// The lowest sample rate in hertz.
    public static let lowestSampleRate = 64.0
    /// Seconds of a spectrum.
    private static let piece = 2.0
    private static let band = 10.0...100
    private static let mains = [50.0, 60, 100]

    private var epocher: Epocher
    private var pending: [Epoch] = []
    private var spectra: EpochSpectra?
    private var bins: [Int] = []
    private var number: Int?
    private var powers: [Double] = []

    /// A stage for one channel at `sampleRate` Hz.
    public init(sampleRate: Double) {
        epocher = Epocher(
            channels: 1, sampleRate: sampleRate, parameters: EpochParameters(length: Self.piece, step: Self.piece))
    }

    /// Seconds of signal between a sample and the tone that depends on it.
    public var lookAhead: Seconds { SleepEpoch.length + Self.piece }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [MuscleTone]) {
        epocher.begin(segment, into: &pending)
        take(into: &outputs)
    }

    /// The next samples of the channel.
    public mutating func push(_ block: SampleBlock, into outputs: inout [MuscleTone]) {
        epocher.push(block, into: &pending)
        take(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [MuscleTone]) {
        epocher.finish(into: &pending)
        take(into: &outputs)
        close(into: &outputs)
        number = nil
    }

    private mutating func take(into outputs: inout [MuscleTone]) {
        for epoch in pending {
            let place = Int((epoch.onset / SleepEpoch.length).rounded(.down))
            if place != number {
                close(into: &outputs)
                number = place
            }
            if let power = power(of: epoch) { powers.append(power) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func close(into outputs: inout [MuscleTone]) {
        guard let number else { return }
        let isKnown = Double(powers.count) * Self.piece >= SleepEpoch.length / 2
        outputs.append(
            MuscleTone(
                onset: Double(number) * SleepEpoch.length, level: isKnown ? log10(Statistics.median(powers)) : nil))
        powers.removeAll(keepingCapacity: true)
    }

    private mutating func power(of epoch: Epoch) -> Double? {
        guard epoch.frameCount >= 8 else { return nil }
        if spectra?.frames != epoch.frameCount { plan(epoch) }
        var density: [Double] = []
        spectra?.densities(of: epoch.samples.span, channels: 1, into: &density)
        let power = bins.reduce(0.0) { $0 + density[$1] }
        return power > 0 && power.isFinite ? power : nil
    }

    private mutating func plan(_ epoch: Epoch) {
        let spectra = EpochSpectra(
            .welch(segment: 1, overlap: 0.5), frames: epoch.frameCount, sampleRate: epoch.sampleRate)
        // The last bins below half the rate are the amplifier's filter.
        let top = min(Self.band.upperBound, 0.45 * epoch.sampleRate)
        bins = spectra.frequencies.indices.filter { bin in
            let frequency = spectra.frequencies[bin]
            return (Self.band.lowerBound...top).contains(frequency)
                && Self.mains.allSatisfy { abs(frequency - $0) > 2 }
        }
        self.spectra = spectra
    }
}
