/// How the power spectral density of an epoch is estimated.
public enum SpectralEstimator: Hashable, Codable, Sendable {
    /// The weighted mean over Slepian tapers with a main lobe of `bandwidth` hertz (Thomson 1982), weights the tapers'
    /// concentrations, tapers below 0.9 left out; as `mne.time_frequency.psd_array_multitaper(normalization="full")`.
    case multitaper(bandwidth: Double)
    /// The mean over Hann-windowed pieces of `segment` seconds overlapping by `overlap`, a share below 1 (Welch 1967); as
    /// `scipy.signal.welch`. A piece longer than the epoch is the epoch.
    case welch(segment: Double, overlap: Double)

    /// What it is, in words a methods section can use.
    public var description: String {
        switch self {
        case .multitaper(let bandwidth): "multitaper, Slepian tapers, bandwidth \(bandwidth) Hz"
        case .welch(let segment, let overlap):
            "Welch, Hann, pieces of \(segment) s, overlap \((overlap * 1000).rounded() / 10) %"
        }
    }
}
