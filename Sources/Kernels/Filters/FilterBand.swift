/// Which frequencies a filter lets through. Corner frequencies in hertz, between 0 and half the sample rate, both
/// exclusive.
public enum FilterBand: Sendable, Hashable, CustomStringConvertible {
    /// Everything below the corner.
    case lowpass(Double)
    /// Everything above the corner.
    case highpass(Double)
    /// Everything between the two corners.
    case bandpass(Double, Double)
    /// Everything but what lies between the two corners.
    case bandstop(Double, Double)

    /// The corners, rising.
    public var corners: [Double] {
        switch self {
        case .lowpass(let f), .highpass(let f): [f]
        case .bandpass(let low, let high), .bandstop(let low, let high): [low, high]
        }
    }

    /// As a person would say it.
    public var description: String {
        switch self {
        case .lowpass(let f): "low-pass \(f) Hz"
        case .highpass(let f): "high-pass \(f) Hz"
        case .bandpass(let low, let high): "band-pass \(low)–\(high) Hz"
        case .bandstop(let low, let high): "band-stop \(low)–\(high) Hz"
        }
    }

    /// Whether half the sample rate passes.
    var passesNyquist: Bool {
        switch self {
        case .highpass, .bandstop: true
        case .lowpass, .bandpass: false
        }
    }

    func check(sampleRate: Double) throws(FilterDesignError) {
        guard sampleRate.isFinite, sampleRate > 0 else { throw .sampleRate(sampleRate) }
        guard corners.allSatisfy({ $0 > 0 && $0 < sampleRate / 2 }) else {
            throw .corners(self, sampleRate: sampleRate)
        }
        if corners.count == 2, corners[0] >= corners[1] { throw .corners(self, sampleRate: sampleRate) }
    }
}

/// Why a filter cannot be designed.
public enum FilterDesignError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sample rate is not a positive finite number of hertz.
    case sampleRate(Double)
    /// A corner is not inside 0…half the sample rate, or two corners do not rise.
    case corners(FilterBand, sampleRate: Double)
    /// The order is outside the range given.
    case order(Int, allowed: ClosedRange<Int>)
    /// A parameter is outside its range: its name, its value, what it must be.
    case parameter(String, Double, mustBe: String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .sampleRate(let rate): "cannot design a filter for a sample rate of \(rate) Hz: it must be above 0"
        case .corners(let band, let rate):
            "cannot design a \(band) filter for a sample rate of \(rate) Hz: corners must rise and lie between 0 and "
                + "\(rate / 2) Hz; take other corners or resample the signal"
        case .order(let order, let allowed):
            "cannot design a filter of order \(order): take \(allowed.lowerBound) to \(allowed.upperBound)"
        case .parameter(let name, let value, let mustBe):
            "cannot design a filter with \(name) \(value): it must be \(mustBe)"
        }
    }
}
