import Brain
import Signals

/// Keeps watch over the unit, from the first run on.
struct UnitWatch {
    private var check: EEGUnitCheck?

    mutating func start(channels: [Channel], sampleRate: Double) {
        guard check == nil else { return }
        check = EEGUnitCheck(units: channels.map(\.unit), sampleRate: sampleRate)
    }

    mutating func push(_ block: SampleBlock) { check?.push(block) }

    func verdict(isEnd: Bool) -> EEGUnitCheck.Verdict {
        (isEnd ? check?.verdictSoFar : check?.verdict) ?? .undecided
    }
}
