import Kernels

/// The power spectral densities of all channels of epochs of one length: a plan, made once, and the room it works in.
public struct EpochSpectra: Sendable {
    /// How the densities are estimated.
    public let estimator: SpectralEstimator
    /// Samples of an epoch and channel.
    public let frames: Int
    /// The frequencies of the bins in hertz, from 0 to half the sample rate.
    public let frequencies: [Double]
    /// Scaled so that the squared transforms of all tapers and pieces add up to the one-sided density.
    private let tapers: [Double]
    private let pieces: Int
    private let hop: Int
    private let plan: RealFFT<Double>
    private var power: [Double] = []
    private var work: [Double] = []

    /// The plan for epochs of `frames` samples per channel.
    /// - Precondition: at least 8 samples, a sample rate above 0.
    public init(_ estimator: SpectralEstimator, frames: Int, sampleRate: Double) {
        precondition(frames >= 8 && sampleRate > 0, "an epoch has samples")
        self.estimator = estimator
        self.frames = frames
        switch estimator {
        case .multitaper(let bandwidth):
            let product = bandwidth * Double(frames) / (2 * sampleRate)
            let slepian = SlepianTapers(
                length: frames, halfBandwidth: min(max(0.5, product), Double(frames) / 2 - 1))
            let scale = 2 / (sampleRate * Statistics.sum(slepian.concentrations))
            tapers = zip(slepian.tapers, slepian.concentrations).flatMap { taper, share in
                taper.map { $0 * (share * scale).squareRoot() }
            }
            (pieces, hop) = (1, frames)
            plan = RealFFT(length: frames)
        case .welch(let seconds, let overlap):
            let segment = max(8, Int(min(seconds * sampleRate, Double(frames)).rounded()))
            hop = max(1, segment - Int((min(max(0, overlap), 1) * Double(segment)).rounded()))
            pieces = (frames - segment) / hop + 1
            let taper = Window.hann.periodic(segment)
            let energy = Statistics.sum(taper.map { $0 * $0 })
            let scale = (2 / (sampleRate * energy * Double(pieces))).squareRoot()
            tapers = taper.map { $0 * scale }
            plan = RealFFT(length: segment)
        }
        frequencies = plan.frequencies(sampleRate: sampleRate)
    }

    /// How many values the density of a channel has.
    public var bins: Int { plan.bins }
    /// Hertz between two bins.
    public var resolution: Double { frequencies[1] }

    /// The densities, in squared units per hertz, of an epoch's channels, the mean of each piece taken out.
    ///
    /// A channel with a value that is not a number has a density that is not a number.
    /// - Parameters:
    ///   - samples: channel-major, `channels` times `frames`.
    ///   - density: set to `channels` rows of `bins` values.
    /// - Precondition: as many samples as said.
    public mutating func densities(of samples: Span<Float>, channels: Int, into density: inout [Double]) {
        precondition(samples.count == channels * frames, "whole epochs")
        densities(of: samples, from: 0, channels: channels, stride: frames, into: &density)
    }

    /// As above, of an epoch within longer channels.
    /// - Parameters:
    ///   - samples: channel-major, `stride` values of each channel.
    ///   - first: where the epoch begins in each.
    /// - Precondition: all of the epoch lies within.
    public mutating func densities(
        of samples: Span<Float>, from first: Int, channels: Int, stride: Int, into density: inout [Double]
    ) {
        precondition(first >= 0 && first + frames <= stride && channels * stride <= samples.count, "whole epochs")
        let places = RowPlaces(first: first, channels: channels, stride: stride, pieces: pieces, hop: hop)
        if density.count != channels * bins { density = Array(repeating: 0, count: channels * bins) }
        if pieces == 1 {
            Self.power(plan, samples, places, tapers, &density, &work)
        } else {
            if power.count != places.count * bins { power = Array(repeating: 0, count: places.count * bins) }
            Self.power(plan, samples, places, tapers, &power, &work)
            addPieces(to: &density)
        }
        halveEnds(&density, channels)
    }

    private static func power(
        _ plan: RealFFT<Double>, _ samples: Span<Float>, _ places: RowPlaces, _ tapers: [Double],
        _ power: inout [Double], _ work: inout [Double]
    ) {
        var span = power.mutableSpan
        plan.power(centredRowsOf: samples, at: places, tapers: tapers, into: &span, work: &work)
    }

    private func addPieces(to density: inout [Double]) {
        let (bins, pieces) = (bins, pieces)
        for index in density.indices { density[index] = 0 }
        for row in 0..<power.count / bins {
            let (from, to) = (row * bins, row / pieces * bins)
            for bin in 0..<bins { density[to + bin] += power[from + bin] }
        }
    }

    /// All but 0 Hz and half the sample rate stand for a negative frequency too.
    private func halveEnds(_ density: inout [Double], _ channels: Int) {
        for channel in 0..<channels {
            density[channel * bins] /= 2
            if plan.length % 2 == 0 { density[channel * bins + bins - 1] /= 2 }
        }
    }
}
