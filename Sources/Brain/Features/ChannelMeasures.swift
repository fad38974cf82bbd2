import Kernels

/// All that was measured of one channel of an epoch; features are read off it.
struct ChannelMeasures {
    var powers = BandPowers()
    /// ln of α power less that of the homologous channel on the left; not a number for channels without one.
    var alphaAsymmetry = Double.nan
    var shape = SpectralShape()
    var hjorth: Hjorth?
    var aperiodic: AperiodicFit?
    var permutationEntropy = Double.nan
    var sampleEntropy = Double.nan
    var higuchi = Double.nan

    /// The periodic peak with the most power.
    var highestPeak: PeriodicPeak? { aperiodic?.peaks.max { $0.power < $1.power } }
}

/// The families that some features are of. A set of them would hash their names for every channel of every epoch.
private struct AskedFamilies {
    let power, shape, hjorth, aperiodic, complexity: Bool

    init(_ features: [EEGFeature]) {
        let families = Set(features.map(\.family))
        (power, shape, hjorth) = (families.contains(.power), families.contains(.shape), families.contains(.hjorth))
        (aperiodic, complexity) = (families.contains(.aperiodic), families.contains(.complexity))
    }
}

/// Measures the channels of epochs of one length and rate: plans, made once, and the room they work in.
struct EpochMeasurement: Sendable {
    let frames: Int
    let sampleRate: Double
    private let parameters: EEGFeatureParameters
    private let asked: AskedFamilies
    private var spectra: EpochSpectra
    private let bands: BandIntegration
    private let shapes: SpectralShapePlan
    private let aperiodic: AperiodicModel?
    /// The densities of the epoch measured last, a row per channel; empty where no family asks for them.
    private(set) var density: [Double] = []
    private var centred: [Double]

    /// - Precondition: at least 8 frames, a sample rate above 0, parameters that passed their check.
    init(_ parameters: EEGFeatureParameters, frames: Int, sampleRate: Double, reach: ClosedRange<Double>) {
        (self.parameters, self.frames, self.sampleRate) = (parameters, frames, sampleRate)
        asked = AskedFamilies(EEGFeature.list(parameters))
        spectra = EpochSpectra(parameters.estimator, frames: frames, sampleRate: sampleRate)
        bands = BandIntegration(parameters.bands, frequencies: spectra.frequencies, reach: reach)
        shapes = SpectralShapePlan(
            parameters.bands, edge: parameters.spectralEdge, frequencies: spectra.frequencies, reach: reach)
        aperiodic = AperiodicModel(parameters.aperiodic, frequencies: spectra.frequencies)
        centred = Array(repeating: 0, count: frames)
    }

    /// The frequencies of `density` in hertz.
    var frequencies: [Double] { spectra.frequencies }

    /// The measures of each of `channels` rows of samples; those not usable have none.
    mutating func measure(_ samples: Span<Float>, usable: [Bool]) -> [ChannelMeasures] {
        if asked.power || asked.shape || asked.aperiodic {
            spectra.densities(of: samples, channels: usable.count, into: &density)
        }
        var measures = Array(repeating: ChannelMeasures(), count: usable.count)
        for channel in usable.indices where usable[channel] {
            measureSpectrum(channel, &measures[channel])
            measureTimeCourse(samples.extracting(channel * frames..<(channel + 1) * frames), &measures[channel])
        }
        return measures
    }

    private func measureSpectrum(_ channel: Int, _ measures: inout ChannelMeasures) {
        guard !density.isEmpty else { return }
        let row = density.span.extracting(channel * spectra.bins..<(channel + 1) * spectra.bins)
        if asked.power { measures.powers = bands.powers(row) }
        if asked.shape { measures.shape = shapes.shape(row) }
        if asked.aperiodic { measures.aperiodic = aperiodic?.fit(row) }
    }

    private mutating func measureTimeCourse(_ samples: Span<Float>, _ measures: inout ChannelMeasures) {
        guard asked.hjorth || asked.complexity else { return }
        Centred.copy(samples, from: 0, count: frames, into: &centred, at: 0)
        let hjorth = Hjorth(centred.span, sampleRate: sampleRate)
        if asked.hjorth { measures.hjorth = hjorth }
        guard asked.complexity, hjorth.activity > 0 else { return }
        measures.permutationEntropy = PermutationEntropy.of(centred.span, order: parameters.permutationOrder)
        measures.sampleEntropy = SampleEntropy.of(
            samples, deviation: hjorth.activity.squareRoot(), dimension: parameters.entropyDimension,
            tolerance: parameters.entropyTolerance)
        measures.higuchi = HiguchiDimension.of(samples, longest: parameters.higuchiLag)
    }
}
