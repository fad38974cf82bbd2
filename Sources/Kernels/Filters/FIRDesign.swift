import Foundation

/// A linear-phase filter without feedback, symmetric taps designed by the window method.
public struct FIRDesign: Sendable, Hashable {
    /// The coefficients, from that of the newest sample on.
    public let taps: [Double]

    /// The filter with given taps.
    public init(taps: [Double]) {
        self.taps = taps
    }

    /// An ideal filter cut short by a window (`scipy.signal.firwin`), scaled to gain 1 in the pass band: at 0 Hz, half
    /// the sample rate or the band's centre.
    ///
    /// - Parameters:
    ///   - band: what passes, corners (6 dB down) in hertz.
    ///   - taps: how many coefficients, 1…100 000; odd where half the sample rate passes.
    ///   - window: the taper.
    ///   - sampleRate: in hertz.
    public static func windowed(
        _ band: FilterBand, taps count: Int, window: Window = .hamming, sampleRate: Double
    ) throws(FilterDesignError) -> FIRDesign {
        try band.check(sampleRate: sampleRate)
        guard (1...100_000).contains(count) else { throw .order(count, allowed: 1...100_000) }
        if count % 2 == 0, band.passesNyquist {
            throw .parameter("an even number of taps,", Double(count), mustBe: "odd for a \(band) filter")
        }
        let question = WindowedFIR(band: band, taps: count, window: window, sampleRate: sampleRate)
        return keptFIRDesigns.design(for: question, length: count) {
            FIRDesign(taps: ideal(band, window: window.symmetric(count), sampleRate: sampleRate))
        }
    }

    /// The ideal filter's impulse response times `window`, scaled to gain 1 in the pass band.
    static func ideal(_ band: FilterBand, window: [Double], sampleRate: Double) -> [Double] {
        let corners = band.corners.map { 2 * $0 / sampleRate }
        let passing: [(Double, Double)]
        switch band {
        case .lowpass: passing = [(0, corners[0])]
        case .highpass: passing = [(corners[0], 1)]
        case .bandpass: passing = [(corners[0], corners[1])]
        case .bandstop: passing = [(0, corners[0]), (corners[1], 1)]
        }
        let middle = Double(window.count - 1) / 2
        let taps = window.enumerated().map { index, weight in
            let m = Double(index) - middle
            return weight * passing.reduce(0) { $0 + $1.1 * sinc($1.1 * m) - $1.0 * sinc($1.0 * m) }
        }
        let (low, high) = passing[0]
        let reference = low == 0 ? 0 : high == 1 ? 1 : (low + high) / 2
        let gain = taps.enumerated().reduce(0) { sum, tap in
            sum + tap.element * cos(Double.pi * (Double(tap.offset) - middle) * reference)
        }
        return taps.map { $0 / gain }
    }

    /// A Kaiser-windowed filter with at least the attenuation asked for. Kaiser 1974.
    ///
    /// - Parameters:
    ///   - band: what passes, corners (6 dB down) in hertz.
    ///   - attenuation: of the stop band, and of the pass band's ripple, in decibels, 8…200.
    ///   - transition: width of the way from pass to stop band in hertz.
    ///   - sampleRate: in hertz.
    public static func kaiser(
        _ band: FilterBand, attenuation: Double, transition: Double, sampleRate: Double
    ) throws(FilterDesignError) -> FIRDesign {
        try band.check(sampleRate: sampleRate)
        guard attenuation >= 8, attenuation <= 200 else {
            throw .parameter("attenuation", attenuation, mustBe: "8 to 200 dB")
        }
        guard transition > 0, transition < sampleRate / 2 else {
            throw .parameter("transition width", transition, mustBe: "above 0 and below \(sampleRate / 2) Hz")
        }
        let exact = (attenuation - 7.95) / 2.285 / (2 * Double.pi * transition / sampleRate) + 1
        guard exact < 100_000 else {
            throw .parameter("transition width", transition, mustBe: "wide enough for 100 000 taps")
        }
        // Odd: every band is possible and the delay is whole samples.
        let count = Int(exact.rounded(.up)) | 1
        let window = Window.kaiser(beta: Window.kaiserBeta(attenuation: attenuation))
        return try windowed(band, taps: count, window: window, sampleRate: sampleRate)
    }

    /// The delay of symmetric taps, in samples: half a sample beside a whole number when the count is even.
    public var groupDelay: Double { Double(taps.count - 1) / 2 }

    /// The frequency response.
    /// - Parameters:
    ///   - frequency: in hertz.
    ///   - sampleRate: in hertz.
    public func response(at frequency: Double, sampleRate: Double) -> Complex {
        let angle = 2 * Double.pi * frequency / sampleRate
        return taps.enumerated().reduce(Complex(0)) { $0 + Complex.unit(-angle * Double($1.offset)) * $1.element }
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x)
    }
}

/// What a filter by the window method is designed for.
private struct WindowedFIR: Hashable {
    let band: FilterBand
    let taps: Int
    let window: Window
    let sampleRate: Double
}

private let keptFIRDesigns = KeptDesigns<WindowedFIR, FIRDesign>()
