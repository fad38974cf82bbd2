import Brain
import Testing

/// Frequencies that no EEG has.
struct FarFrequencyTests {
    private static let far = [1e15, 9.3e18, 1e19, 1e300, -1e19, -1e300]

    @Test(arguments: far)
    func `a band that far is told as it is`(edge: Double) {
        #expect(EEGBand(8, edge).description.contains("\(edge)"))
        #expect(EEGBand(8, 13).description == "8 to below 13 Hz")
    }

    @Test(arguments: far)
    func `a band that far is refused`(edge: Double) {
        var bands = EEGFeatureParameters()
        bands.bands.alpha = EEGBand(8, edge)
        #expect(throws: BrainError.self) { try refuse(bands) }
        var background = EEGFeatureParameters()
        background.aperiodic.range = EEGBand(2, edge)
        #expect(throws: BrainError.self) { try refuse(background) }
        var widths = EEGFeatureParameters()
        widths.aperiodic.peakWidths = EEGBand(abs(edge), 12)
        #expect(throws: BrainError.self) { try widths.check() }
    }

    /// What is asked of features before they are computed.
    private func refuse(_ features: EEGFeatureParameters) throws {
        try features.check()
        _ = try features.within(1...45)
    }

    @Test func `a segment that is longer than any epoch is one of an epoch's length`() {
        let spectra = EpochSpectra(.welch(segment: 1e300, overlap: 0.5), frames: 64, sampleRate: 32)
        #expect(spectra.bins == 33)
    }
}
