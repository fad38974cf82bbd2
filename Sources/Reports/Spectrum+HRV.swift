import Cardiac
import Signals

extension Spectrum {
    /// The spectra of a recording. Lomb-Scargle is left to short recordings: its resolution grows with the length, and
    /// hours of it are noise.
    static func spectra(of nn: [NN], parameters: HRVParameters) -> [Spectrum] {
        var parameters = parameters
        let duration = (nn.last?.onset ?? 0) - (nn.first?.onset ?? 0)
        if duration > 1_800 { parameters.spectralMethods.removeAll { $0 == .lomb } }
        return HRV.spectra(of: nn, parameters: parameters).map { Spectrum($0, parameters) }
    }

    private init(_ spectrum: HRVSpectrum, _ parameters: HRVParameters) {
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
                return Band(
                    name: name, lower: band.lower, upper: band.upper, power: inside.reduce(0) { $0 + $1.1 } * spacing)
            })
    }
}
