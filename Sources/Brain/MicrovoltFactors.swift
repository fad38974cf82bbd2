import Signals

extension [Signals.Channel] {
    /// What turns each channel's samples into µV; 1 where its unit is none of voltage.
    var microvoltFactors: [Float] { map { Float($0.unit.factor(to: .microvolts) ?? 1) } }
}
