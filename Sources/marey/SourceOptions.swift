public import ArgumentParser
import Foundation
public import Pipeline

/// Which channel of a file a verb works on.
struct SourceOptions: ParsableArguments {
    @Option(
        help: """
            The stream: its name, its kind (ecg, bvp, ibi; with quality also eeg, eda, temperature, acceleration) or its \
            number from 0. Default: ECG, else BVP, else IBI; analyze and report take all there are.
            """)
    var stream: String?

    @Option(help: "The channel: its label or its number from 0. Default: all ECG leads together, else the first.")
    var channel: String?

    @Option(name: .customLong("as"), help: "Take the stream for this: ecg, bvp or ibi. Default: what the file says.")
    var kind: CardiacSource.Kind?

    var request: SourceRequest { SourceRequest(stream: stream, channel: channel, kind: kind) }
}

extension CardiacSource.Kind: ExpressibleByArgument {}
