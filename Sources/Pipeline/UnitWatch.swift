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

    /// Takes the next piece of a recording; other streams than the source's are passed over.
    mutating func take(_ event: RecordingEvent, of source: BrainSource) {
        switch event {
        case .segment(source.stream, let start):
            self.start(channels: source.channels, sampleRate: start.sampleRate)
        case .samples(source.stream, let block): push(block.channels(source.places))
        default: break
        }
    }

    func verdict(isEnd: Bool) -> EEGUnitCheck.Verdict {
        (isEnd ? check?.verdictSoFar : check?.verdict) ?? .undecided
    }
}
