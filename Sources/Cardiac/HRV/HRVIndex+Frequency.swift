import Signals

import func Foundation.log

private let taskForce = "Task Force 1996, Circulation 93:1043-1065, table 2"

/// A band as the columns name it.
private struct NamedBand {
    var name: String
    var title: String
    var leastData: Seconds
    var range: @Sendable (HRVBands) -> FrequencyBand
}

/// The least stretch of signal is about ten periods of a band's lower edge where one can have it (Task Force 1996), in
/// VLF as much as a 5 min window gives.
private let namedBands = [
    NamedBand(name: "ulf", title: "ULF ({ulf})", leastData: 3_000) { $0.ulf },
    NamedBand(name: "vlf", title: "VLF ({vlf})", leastData: 240) { $0.vlf },
    NamedBand(name: "lf", title: "LF ({lf})", leastData: 120) { $0.lf },
    NamedBand(name: "hf", title: "HF ({hf})", leastData: 60) { $0.hf },
    NamedBand(name: "vhf", title: "VHF ({vhf})", leastData: 60) { $0.vhf },
]

extension HRVIndex {
    /// The least stretch of each band, in seconds.
    static let bandDurations = namedBands.map(\.leastData)
}

extension SpectralMethod {
    /// What its columns end in.
    var suffix: String {
        switch self {
        case .welch: ""
        case .lomb: "Lomb"
        case .autoregressive: "AR"
        }
    }

    fileprivate var title: String {
        switch self {
        case .welch:
            "Welch's method: natural cubic spline at {rate} Hz, Hann segments of at most {segment} s {segmentTrend}, half overlapping, the last flush with the end of its run, none across a gap"
        case .lomb:
            "Lomb-Scargle periodogram of the measured intervals without their {detrending} at the times of their later beats, scaled so that its integral is their variance (sum of squares over n)"
        case .autoregressive:
            "Burg's autoregressive model of order {order} of the natural cubic spline at {rate} Hz without its {detrending}, none across a gap"
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
        _ name: String, _ unit: Unit, _ definition: String, _ method: SpectralMethod, leastData: Seconds,
        _ compute: @escaping @Sendable (IntervalSpectrum, HRVBands) -> Double?
    ) -> HRVIndex {
        HRVIndex(
            name + method.suffix, unit, .frequency, "\(definition). \(method.title)",
            reference: "\(taskForce); \(method.reference)", needs: [.spectrum(method, leastData)], method: method
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
                "ln\(upper)", .dimensionless, "Natural logarithm of the power in the \(band.title) band in ms^2",
                method, leastData: band.leastData
            ) { logarithm($0.power(in: range($1))) },
            spectral(
                "\(band.name)Rel", .percent, "Power in the \(band.title) band in percent of the total power", method,
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
                "totalPower", Unit("ms^2"), "Power from 0 Hz to the upper edge of HF", method, leastData: 120
            ) { $0.power(in: $1.total) },
            spectral("lfHf", .dimensionless, "Power in LF over power in HF", method, leastData: 120) {
                $0.power(in: $1.lf) / $0.power(in: $1.hf)
            },
            spectral(
                "lfNu", .percent, "Power in LF in normalised units: percent of LF and HF together", method,
                leastData: 120
            ) { share($0.power(in: $1.lf), $0.power(in: $1.hf)) },
            spectral(
                "hfNu", .percent, "Power in HF in normalised units: percent of LF and HF together", method,
                leastData: 120
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
