import Brain
import Signals

/// A channel of a recording that tells the tone of a muscle beside an EEG, the chin's where there is one.
public struct MuscleSource: Hashable, Codable, Sendable {
    /// The stream's place in the recording.
    public var stream: Int
    /// The channel's place in the stream.
    public var channel: Int
    /// The channel's label.
    public var label: String
    /// The stream's nominal sample rate in Hz.
    public var sampleRate: Double

    /// The first channel of the chin, else of a muscle that is not named; nil where there is none that is sampled fast
    /// enough. A limb's tone says nothing of sleep.
    init?(in header: RecordingHeader) {
        for wanted in [BodyElectrode.chin, .muscle] {
            for (index, stream) in header.streams.enumerated()
            where [.eeg, .other].contains(stream.kind) && stream.sampleRate >= MuscleTones.lowestSampleRate {
                let isOnly = stream.kind == .other && stream.channels.count == 1
                for (channel, form) in stream.channels.enumerated() {
                    // A stream of one channel may be named, and its channel not.
                    let names = isOnly ? [form.label, stream.name] : [form.label]
                    guard names.contains(where: { BodyElectrode(label: $0) == wanted }) else { continue }
                    self.stream = index
                    (self.channel, label, sampleRate) = (channel, form.label, stream.sampleRate)
                    return
                }
            }
        }
        return nil
    }
}
