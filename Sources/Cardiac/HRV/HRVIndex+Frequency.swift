import Signals

import func Foundation.log

private let taskForce = "Task Force 1996, Circulation 93:1043-1065, table 2"

/// A band as the columns name it.
private struct NamedBand {
    var name: String
    var title: String
    var leastData: @Sendable (HRVBands) -> Seconds
    var range: @Sendable (HRVBands) -> FrequencyBand

    /// A band that needs a stretch of `leastData` seconds where its `edge` lies at `usual` Hz, and the more the lower it
    /// lies. A band that is narrow needs what resolves it: the main lobe of a Hann window of T seconds is 4 / T Hz wide.
    init(
        _ name: String, leastData: Seconds, usual: Double, edge: @escaping @Sendable (FrequencyBand) -> Double,
        range: @escaping @Sendable (HRVBands) -> FrequencyBand
    ) {
        self.name = name
        title = "\(name.uppercased()) ({\(name)})"
        self.range = range
        self.leastData = { bands in
            let band = range(bands)
            // From 0 Hz on the upper edge is what can be counted in periods.
            let place = edge(band) > 0 ? edge(band) : band.upper
            let least = max(leastData * (usual / place), 4 / (band.upper - band.lower))
            return min(1e9, (least - 1e-6).rounded(.up))
        }
    }
}

/// The least stretch of signal is about ten periods of a band's lower edge where one can have it (Task Force 1996), in
/// VLF as much as a 5 min window gives; in ULF ten periods of the upper edge.
private let namedBands = [
    NamedBand("ulf", leastData: 3_000, usual: 0.0033, edge: \.upper) { $0.ulf },
    NamedBand("vlf", leastData: 240, usual: 0.0033, edge: \.lower) { $0.vlf },
    NamedBand("lf", leastData: 120, usual: 0.04, edge: \.lower) { $0.lf },
    NamedBand("hf", leastData: 60, usual: 0.15, edge: \.lower) { $0.hf },
    NamedBand("vhf", leastData: 60, usual: 0.4, edge: \.lower) { $0.vhf },
]

extension HRVParameters {
    /// The least stretch of each band, in seconds, from ULF to VHF.
    var leastDurations: [Seconds] { namedBands.map { $0.leastData(bands) } }
}

extension HRVBands {
    /// The least stretch, in seconds, for what compares LF and HF.
    fileprivate var leastOfLFAndHF: Seconds { max(namedBands[2].leastData(self), namedBands[3].leastData(self)) }
}

extension SpectralMethod {
    /// What the names of its columns end in.
    public var suffix: String {
        switch self {
        case .welch: ""
        case .lomb: "Lomb"
        case .autoregressive: "AR"
        }
    }

    fileprivate var title: String {
        switch self {
        case .welch:
            "Welch's method: natural cubic spline through the intervals, estimated ones as an autoregressive model of the measured ones has them, at {rate} Hz, Hann segments of at most {segment} s {segmentTrend}, half overlapping, the last flush with the end of its run, padded with zeros to {transform} samples, none across a gap; of runs that last at least half a segment and as long as the bands need that a segment resolves"
        case .lomb:
            "Lomb-Scargle periodogram of the measured intervals without their {detrending} at the times of their later beats, scaled so that its integral is their variance (sum of squares over n)"
        case .autoregressive:
            "Burg's autoregressive model of order {order} of the natural cubic spline through the intervals, estimated ones as an autoregressive model of the measured ones has them, at {rate} Hz without its {detrending}, none across a gap; one model of all runs that last as long as the bands above ULF need that the longest run resolves"
        }
    }

    /// What a sum over frequencies from 0 Hz on holds.
    fileprivate var reach: String {
        switch self {
        case .welch:
            ", of segments alone: where hrv.welchSegment, {segment} s, is shorter than the window, what is slower than a segment, ULF above all, is not in it"
        case .lomb, .autoregressive: ""
        }
    }

    fileprivate var reference: String {
        switch self {
        case .welch: "Welch 1967, IEEE Trans Audio Electroacoust 15:70-73"
        case .lomb: "Lomb 1976, Astrophys Space Sci 39:447-462; Scargle 1982, Astrophys J 263:835-853"
        case .autoregressive: "Burg 1975, Maximum entropy spectral analysis, Stanford"
        }
    }
}

extension HRVIndex {
    /// Band powers by each spectral estimator.
    static let frequencyDomain: [HRVIndex] = SpectralMethod.allCases.flatMap(spectralIndexes)

    private static func spectralIndexes(_ method: SpectralMethod) -> [HRVIndex] {
        namedBands.flatMap { bandIndexes($0, method) } + ratioIndexes(method)
    }

    private static func spectral(
        _ name: String, _ unit: Unit, _ definition: String, _ method: SpectralMethod,
        leastData: @escaping @Sendable (HRVBands) -> Seconds,
        _ compute: @escaping @Sendable (IntervalSpectrum, HRVBands) -> Double?
    ) -> HRVIndex {
        HRVIndex(
            name + method.suffix, unit, .frequency, "\(definition). \(method.title)",
            reference: "\(taskForce); \(method.reference)", method: method,
            needs: { parameters in
                let duration = leastData(parameters.bands)
                let isOutOfReach = method == .welch && parameters.welchSegment < duration
                let stretch = HRVRequirement.spectrum(method, duration)
                return isOutOfReach ? [.welchSegment(duration), stretch] : [stretch]
            }
        ) { series in
            series.spectrum(method).flatMap { compute($0, series.parameters.bands) }
        }
    }

    private static func bandIndexes(_ band: NamedBand, _ method: SpectralMethod) -> [HRVIndex] {
        let upper = band.name.uppercased()
        let range = band.range
        return [
            spectral(band.name, Unit("ms^2"), "Power in the \(band.title) band", method, leastData: band.leastData) {
                $0.power(in: range($1))
            },
            spectral(
                "ln\(upper)", Unit("ln(ms^2)"), "Natural logarithm of the power in the \(band.title) band in ms^2",
                method, leastData: band.leastData
            ) { logarithm($0.power(in: range($1))) },
            spectral(
                "\(band.name)Rel", .percent,
                "Power in the \(band.title) band in percent of the total power\(method.reach)", method,
                leastData: band.leastData
            ) { $0.power(in: range($1)) / $0.power(in: $1.total) * 100 },
            spectral(
                "\(band.name)Peak", .hertz, "Frequency of the highest density in the \(band.title) band", method,
                leastData: band.leastData
            ) { $0.peak(in: range($1)) },
        ]
    }

    private static func ratioIndexes(_ method: SpectralMethod) -> [HRVIndex] {
        [
            spectral(
                "totalPower", Unit("ms^2"), "Power from 0 Hz to the upper edge of HF\(method.reach)", method,
                leastData: \.leastOfLFAndHF
            ) { $0.power(in: $1.total) },
            spectral("lfHf", .dimensionless, "Power in LF over power in HF", method, leastData: \.leastOfLFAndHF) {
                $0.power(in: $1.lf) / $0.power(in: $1.hf)
            },
            spectral(
                "lfNu", .percent, "Power in LF in normalised units: percent of LF and HF together", method,
                leastData: \.leastOfLFAndHF
            ) { share($0.power(in: $1.lf), $0.power(in: $1.hf)) },
            spectral(
                "hfNu", .percent, "Power in HF in normalised units: percent of LF and HF together", method,
                leastData: \.leastOfLFAndHF
            ) { share($0.power(in: $1.hf), $0.power(in: $1.lf)) },
        ]
    }

    private static func share(_ part: Double, _ rest: Double) -> Double { part / (part + rest) * 100 }

    private static func logarithm(_ power: Double) -> Double? { power > 0 ? log(power) : nil }
}

extension HRVBands {
    /// From the lower edge of ULF to the upper edge of HF.
    var total: FrequencyBand { FrequencyBand(ulf.lower, hf.upper) }
}
