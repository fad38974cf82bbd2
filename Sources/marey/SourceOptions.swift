public import ArgumentParser
import Foundation
public import Pipeline

/// Which channel of a stream a verb works on. Which streams it may be is each verb's own.
struct SourceOptions: ParsableArguments {
    @Option(help: "The channel: its label or its number from 0. Default: all ECG leads together, else the first.")
    var channel: String?

    @Option(name: .customLong("as"), help: "Take the stream for this: ecg, bvp or ibi. Default: what the file says.")
    var kind: CardiacSource.Kind?

    /// What is meant of `stream`; nil is the one that is taken by default.
    func request(of stream: String?) -> SourceRequest {
        SourceRequest(stream: stream, channel: channel, kind: kind)
    }

    /// What `--stream` means to verbs that work on heart beats.
    static var heartStreamHelp: ArgumentHelp {
        "The stream: its name, its kind (ecg, bvp, ibi) or its number from 0. Default: ECG, else BVP, else IBI."
    }

    /// What `--stream` means to verbs that work on all of a recording.
    static var everyStreamHelp: ArgumentHelp {
        """
        The stream of heart beats that alone is analyzed: its name, its kind (ecg, bvp, ibi) or its number from 0. \
        Default: all streams of all kinds.
        """
    }
}

extension CardiacSource.Kind: ExpressibleByArgument {}
