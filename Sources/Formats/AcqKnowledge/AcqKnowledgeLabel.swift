import Signals

/// What channels of AcqKnowledge are, by what they are called.
enum AcqKnowledgeLabel {
    /// The kind of a channel: amplifiers, such as `ECG100C`, are called by what they measure alone.
    static func kind(_ channel: Channel) -> StreamKind {
        SignalKind.kind(label: channel.label.replacing(#/100[A-Z]\b/#, with: ""), transducer: "", unit: channel.unit)
    }
}
