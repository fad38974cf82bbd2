import Cardiac
import Signals

extension Spectrum {
    /// The spectra of a recording, with the powers of `indices` where these tell of them.
    static func spectra(of nn: [NN], parameters: HRVParameters, indices: [IndexValue]) -> [Spectrum] {
        var drawn = parameters
        drawn.spectralMethods = methods(of: nn, parameters)
        return HRV.spectra(of: nn, parameters: drawn).map { Spectrum($0, drawn, indices) }
    }

    /// The estimators whose spectrum of these intervals is drawn: those asked for, where the frequency domain is.
    /// Lomb-Scargle is left to short recordings: its resolution grows with the length, and hours of it are noise.
    static func methods(of nn: [NN], _ parameters: HRVParameters) -> [SpectralMethod] {
        guard parameters.domains.contains(.frequency), let first = nn.first, let last = nn.last else { return [] }
        return parameters.spectralMethods.filter { $0 != .lomb || last.onset - first.onset <= 1_800 }
    }

    private init(_ spectrum: HRVSpectrum, _ parameters: HRVParameters, _ indices: [IndexValue]) {
        let name =
            switch spectrum.method {
            case .welch: "Welch, Hann segments of up to \(Int(parameters.welchSegment)) s, 50 % overlap"
            case .lomb: "Lomb-Scargle"
            case .autoregressive: "Autoregressive (Burg), order \(parameters.autoregressiveOrder)"
            }
        let shown = spectrum.frequencies.indices.filter { spectrum.frequencies[$0] <= 0.5 }
        let frequencies = shown.map { spectrum.frequencies[$0] }
        let density = shown.map { spectrum.density[$0] }
        let spacing = frequencies.count > 1 ? frequencies[1] - frequencies[0] : 0
        let bands = [("VLF", parameters.bands.vlf), ("LF", parameters.bands.lf), ("HF", parameters.bands.hf)]
        self.init(
            method: name, frequencies: frequencies, density: density,
            bands: bands.map { name, band in
                let inside = zip(frequencies, density).filter { $0.0 >= band.lower && $0.0 < band.upper }
                // What the table does not tell the figure does not either.
                let told = indices.first { $0.column.name == name.lowercased() + spectrum.method.suffix }
                let power = told.map(\.value) ?? inside.reduce(0) { $0 + $1.1 } * spacing
                return Band(name: name, lower: band.lower, upper: band.upper, power: power)
            })
    }
}
