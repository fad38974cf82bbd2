/// Power spectral density by averaging the spectra of overlapping pieces. Welch 1967; as `scipy.signal.welch` with
/// density scaling, one-sided.
public struct Welch: Sendable {
    /// The length of a piece in samples.
    public let segment: Int
    /// By how much neighbouring pieces overlap, in samples.
    public let overlap: Int
    /// The length of the transform: pieces are continued with zeros up to it.
    public let transform: Int
    /// What is taken out of each piece.
    public let detrend: Detrend
    /// Samples per second.
    public let sampleRate: Double
    private let taper: [Double]
    private let plan: RealFFT<Double>

    /// - Parameters:
    ///   - segment: length of a piece in samples, at least 1.
    ///   - overlap: of neighbouring pieces in samples, below `segment`; half of it when nil.
    ///   - transform: length of the transform, at least `segment`, which it is when nil.
    ///   - window: the taper, in its periodic form.
    ///   - detrend: what is taken out of each piece.
    ///   - sampleRate: in hertz, above 0.
    /// - Precondition: the ranges above.
    public init(
        segment: Int, overlap: Int? = nil, transform: Int? = nil, window: Window = .hann, detrend: Detrend = .constant,
        sampleRate: Double
    ) {
        self.segment = segment
        self.overlap = overlap ?? segment / 2
        self.transform = transform ?? segment
        self.detrend = detrend
        self.sampleRate = sampleRate
        precondition(segment > 0 && (0..<segment).contains(self.overlap), "pieces that move on")
        precondition(self.transform >= segment && sampleRate > 0, "a transform that holds a piece")
        taper = window.periodic(segment)
        plan = RealFFT(length: self.transform)
    }

    /// How many pieces a signal of `count` samples gives.
    public func pieces(_ count: Int) -> Int {
        count < segment ? 0 : (count - segment) / (segment - overlap) + 1
    }

    /// The mean density over all pieces, nil for a signal shorter than one.
    public func spectrum(_ signal: [Double]) -> PowerSpectrum? {
        let pieces = pieces(signal.count)
        guard pieces > 0 else { return nil }
        var sums = [Double](repeating: 0, count: plan.bins)
        let group = min(16, pieces)
        var rows = [Double](repeating: 0, count: group * transform)
        var power = [Double](repeating: 0, count: group * plan.bins)
        for first in stride(from: 0, to: pieces, by: group) {
            let count = min(group, pieces - first)
            for row in 0..<count { prepare(signal, piece: first + row, &rows, at: row * transform) }
            var span = power.mutableSpan
            plan.power(rowsOf: rows.span, count: count, stride: transform, into: &span)
            for row in 0..<count {
                for bin in 0..<plan.bins { sums[bin] += power[row * plan.bins + bin] }
            }
        }
        let scale = 1 / (sampleRate * Statistics.sum(taper.map { $0 * $0 }) * Double(pieces))
        // All but 0 Hz and half the sample rate stand for a negative frequency too.
        let single = transform % 2 == 0 ? [0, plan.bins - 1] : [0]
        let density = sums.enumerated().map { single.contains($0.offset) ? $0.element * scale : $0.element * scale * 2 }
        return PowerSpectrum(frequencies: plan.frequencies(sampleRate: sampleRate), density: density)
    }

    private func prepare(_ signal: [Double], piece: Int, _ rows: inout [Double], at place: Int) {
        let start = piece * (segment - overlap)
        let values = detrend.removed(from: Array(signal[start..<start + segment]))
        for index in 0..<segment { rows[place + index] = values[index] * taper[index] }
    }

    /// The density of a whole signal in one piece, as `scipy.signal.periodogram`. Empty for an empty signal.
    public static func periodogram(
        _ signal: [Double], transform: Int? = nil, window: Window = .rectangular, detrend: Detrend = .constant,
        sampleRate: Double
    ) -> PowerSpectrum {
        guard !signal.isEmpty else { return PowerSpectrum(frequencies: [], density: []) }
        let welch = Welch(
            segment: signal.count, overlap: 0, transform: transform, window: window, detrend: detrend,
            sampleRate: sampleRate)
        return welch.spectrum(signal) ?? PowerSpectrum(frequencies: [], density: [])
    }
}
