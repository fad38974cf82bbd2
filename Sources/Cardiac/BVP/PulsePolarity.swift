import Foundation

/// Which way up the pulses are, from the steepness of rising and falling flanks and from what stands out of the wave.
///
/// The systolic flank is the steeper one by a factor of 1.3…3 in clean pulses. The logarithm of that factor is summed
/// twice a second between bounds, so that passing noise decides nothing and a sensor put on again the other way round
/// is noticed within half a minute. Pulses that are narrow peaks have steep flanks on both sides; there the skewness of the
/// wave decides, where it stays for a minute: movement has some, too. In doubt the pulses are upright.
struct PulsePolarity {
    /// Wrists and most fingers have pulses of a skewness between this and its negative, either way up.
    private static let usualSkewness: Float = 1.1
    /// In how many half seconds one after another narrow pulses decide, and in how many they hold on. A wristband that was
    /// just switched on, and movement, have their skewness as well.
    private static let (long, short) = (120, 4)
    /// Flanks of which one is not steeper than the other by more than this, as a logarithm, tell no polarity.
    private static let equal: Float = 0.15
    private let setting: BVPParameters.Polarity
    private var evidence: Float = 0
    private var isDecided = false
    /// For how many half seconds the wave has stood out upwards, or downwards (below 0).
    private var narrow = 0
    /// The running mean of how much steeper the rising flanks are, as a logarithm.
    private var lean: Float = 0
    /// 1 for upright pulses, -1 for inverted ones.
    private(set) var sign: Float

    init(_ setting: BVPParameters.Polarity) {
        self.setting = setting
        sign = setting == .inverted ? -1 : 1
    }

    /// Whether there is a choice to make.
    var isAutomatic: Bool { setting == .automatic }

    /// Takes the local scales of rising and falling slopes and the skewness of the wave, every 0.5 s, and the running
    /// confidence in the pulses found so far, 0…1. Upright pulses that are found with confidence stay upright.
    mutating func push(rising: Float, falling: Float, skewness: Float, confidence: Float) {
        guard isAutomatic, rising > 0, falling > 0 else { return }
        let prior: Float = confidence > 0.4 ? 0.1 : 0
        let steepness = log(rising / falling)
        evidence = max(-6, min(10, evidence + max(-1, min(1, steepness + prior))))
        lean += (steepness - lean) / Float(Self.long)
        follow(skewness)
        guard isDecided else { return }
        if narrow.magnitude >= Self.long, Float(narrow.signum()) != sign, sign * lean < Self.equal {
            (sign, evidence) = (-sign, 0)
        }
        if sign > 0 && confidence > 0.7 { evidence = max(0, evidence) }
        // Narrow pulses stay as they stand out.
        if sign > 0 && evidence < -1.5 && narrow < Self.short { sign = -1 }
        if sign < 0 && evidence > 1 && narrow > -Self.short { sign = 1 }
    }

    /// The first seconds of a recording are in: takes the likelier polarity.
    mutating func settle() {
        guard isAutomatic, !isDecided else { return }
        isDecided = true
        sign = evidence < -0.3 ? -1 : 1
    }

    private mutating func follow(_ skewness: Float) {
        let way = skewness < 0 ? -1 : 1
        guard skewness.magnitude > Self.usualSkewness else { return narrow = 0 }
        narrow = narrow.signum() == way ? narrow + way : way
    }
}
