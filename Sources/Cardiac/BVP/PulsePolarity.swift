import Foundation

/// Which way up the pulses are, from the steepness of rising and falling flanks.
///
/// The systolic flank is the steeper one by a factor of 1.3…3 in clean pulses. The logarithm of that factor is summed
/// twice a second between bounds, so that passing noise decides nothing and a sensor put on again the other way round
/// is noticed within half a minute. In doubt the pulses are upright.
struct PulsePolarity {
    private let setting: BVPParameters.Polarity
    private var evidence: Float = 0
    private var isDecided = false
    /// 1 for upright pulses, -1 for inverted ones.
    private(set) var sign: Float

    init(_ setting: BVPParameters.Polarity) {
        self.setting = setting
        sign = setting == .inverted ? -1 : 1
    }

    /// Whether there is a choice to make.
    var isAutomatic: Bool { setting == .automatic }

    /// Takes the local scales of rising and falling slopes, every 0.5 s, and the running confidence in the pulses
    /// found so far, 0…1. Upright pulses that are found with confidence stay upright.
    mutating func push(rising: Float, falling: Float, confidence: Float) {
        guard isAutomatic, rising > 0, falling > 0 else { return }
        let prior: Float = confidence > 0.4 ? 0.1 : 0
        evidence = max(-6, min(10, evidence + max(-1, min(1, log(rising / falling) + prior))))
        guard isDecided else { return }
        if sign > 0 && confidence > 0.7 { evidence = max(0, evidence) }
        if sign > 0 && evidence < -1.5 { sign = -1 }
        if sign < 0 && evidence > 1 { sign = 1 }
    }

    /// The first seconds of a recording are in: takes the likelier polarity.
    mutating func settle() {
        guard isAutomatic, !isDecided else { return }
        isDecided = true
        sign = evidence < -0.3 ? -1 : 1
    }
}
