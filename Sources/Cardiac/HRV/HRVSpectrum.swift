/// A power spectrum of NN intervals, for looking at.
public struct HRVSpectrum: Sendable {
    /// How it was estimated.
    public let method: SpectralMethod
    /// Frequencies in Hz, evenly spaced from 0.
    public let frequencies: [Double]
    /// One-sided power density in ms²/Hz, a value per frequency.
    public let density: [Double]
}

extension HRV {
    /// The spectra of all NN intervals of a recording, by the methods that `parameters` asks for; a method that does not
    /// have the data it needs is left out.
    public static func spectra(of intervals: [NN], parameters: HRVParameters = HRVParameters()) -> [HRVSpectrum] {
        guard let first = intervals.first, let last = intervals.last else { return [] }
        let onset = first.onset - first.duration
        let series = HRVSeries(
            onset: onset, duration: last.onset - onset, intervals: intervals, parameters: parameters,
            plan: SpectralPlan(parameters, span: last.onset - onset))
        return parameters.spectralMethods.compactMap { method in
            series.spectrum(method).map { spectrum in
                HRVSpectrum(
                    method: method,
                    frequencies: spectrum.density.indices.map { Double($0) * spectrum.spacing },
                    density: spectrum.density)
            }
        }
    }
}
