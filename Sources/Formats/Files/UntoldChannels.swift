import Signals

/// What most formats have no place for of what is known of channels: that somebody found them bad, and that they are no EEG though
/// they are called as electrodes are. Whoever reads the file back takes them for good EEG.
enum UntoldChannels {
    /// What is to be said of the channels of sampled streams, which a format cannot tell.
    static func notes(_ streams: [StreamHeader], in format: String) -> [String] {
        var (bad, mistaken) = ([String](), [String]())
        for stream in streams where stream.sampleRate > 0 {
            for channel in stream.channels {
                if let fault = channel.fault {
                    bad.append(fault == "bad" ? channel.label : "\(channel.label) (\(fault))")
                } else if (channel.kind ?? stream.kind) == .other,
                    SignalKind.kind(label: channel.label, transducer: "", unit: channel.unit) == .eeg
                {
                    mistaken.append(channel.label)
                }
            }
        }
        func note(_ what: String, _ labels: [String]) -> [String] {
            labels.isEmpty ? [] : ["\(format) cannot tell \(what): \(labels.joined(separator: ", "))"]
        }
        return note("which channels are bad; read back they count as good", bad)
            + note("that channels called as electrodes are no EEG; read back they are", mistaken)
    }
}
