public import Kernels

/// How an EEG is cleaned.
public struct EEGCleaningParameters: Hashable, Codable, Sendable {
    /// The lowest frequency that passes unchanged, in hertz; the corner, 6 dB down, is at half of it.
    public var lowest: Double = 1
    /// The highest frequency that passes unchanged, in hertz, where the sample rate allows for it; the corner is half
    /// of `lowest` above.
    public var highest: Double = 45
    /// Where the mains' hum may be, in hertz; it is removed where the band that passes holds it.
    public var mains: [Double] = [50, 60]
    /// What the voltages are measured against.
    public var reference: EEGReference = .asRecorded
    /// Whether bursts are rebuilt by artefact subspace reconstruction, before the new reference.
    public var removesBursts = false
    /// How bursts are told and rebuilt.
    public var subspace = SubspaceParameters()

    /// 1 to 45 Hz, as recorded, bursts left as they are.
    public init() {}

    /// Throws the first parameter that is outside its range, whatever the sample rate.
    public func check() throws(BrainError) {
        try EEGFeatureParameters.demand(
            lowest >= 0.05 && lowest.isFinite, "lowest", lowest, "at least 0.05 Hz")
        try EEGFeatureParameters.demand(
            highest > lowest && highest.isFinite, "highest", highest, "above the lowest, \(lowest) Hz")
        for frequency in mains {
            try EEGFeatureParameters.demand(
                (1...1_000).contains(frequency), "mains", frequency, "a list of frequencies from 1 to 1000 Hz")
        }
        do { try subspace.check() } catch {
            switch error {
            case .parameter(let name, let found, let expected):
                throw .parameter("subspace.\(name)", found: found, expected: expected)
            }
        }
    }

    /// The band-pass: a Hamming-windowed sinc whose transitions are as wide as `lowest`, or 2 Hz where that is more
    /// (MNE's design for `l_freq` up to 2 Hz).
    /// - Throws: `FilterDesignError` when the sample rate is too low for the band.
    public func design(sampleRate: Double) throws(FilterDesignError) -> FIRDesign {
        guard lowest.isFinite, lowest >= 0.05 else {
            throw .parameter("lowest frequency", lowest, mustBe: "at least 0.05 Hz")
        }
        guard highest > lowest else {
            throw .parameter("highest frequency", highest, mustBe: "above the lowest, \(lowest) Hz")
        }
        let transition = min(lowest, 2)
        let (low, high) = (lowest - transition / 2, highest + transition / 2)
        let exact = 3.3 * sampleRate / transition
        guard exact.isFinite, exact > 0, exact < 99_999 else {
            throw .parameter("lowest frequency", lowest, mustBe: "high enough for 100 000 taps at \(sampleRate) Hz")
        }
        let taps = Int(exact.rounded(.up)) | 1
        // Beyond what the sample rate can hold everything passes.
        let band: FilterBand = high < sampleRate / 2 ? .bandpass(low, high) : .highpass(low)
        return try .windowed(band, taps: taps, window: .hamming, sampleRate: sampleRate)
    }
}
