import ArgumentParser
import Foundation
import Pipeline
import Signals

/// Which channel of a stream a verb works on. Which streams it may be is each verb's own.
struct SourceOptions: ParsableArguments {
    @Option(help: "The channel: its label or its number from 0. Default: all ECG leads together, else the first.")
    var channel: String?

    @Option(
        name: .customLong("as"),
        help: """
            Take the stream for this: ecg, bvp or ibi. beats: the numbers of a text file are times of beats, or their \
            sample numbers at --text-rate. Default: what the file says.
            """)
    var kind: SourceKind?

    /// What is meant of `stream`; nil is the one that is taken by default.
    func request(of stream: String?) -> SourceRequest {
        SourceRequest(stream: stream, channel: channel, kind: kind?.cardiac)
    }

    /// The function that opens recordings with `input`.
    func opening(_ input: InputOptions) -> (URL) throws -> any RecordingReader {
        { url in try kind == .beats ? input.openBeats(url) : input.open(url) }
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

/// The kind of signal that a stream is read as.
enum SourceKind: String, CaseIterable, ExpressibleByArgument {
    case ecg, bvp, ibi
    /// Text whose numbers are those of beats, between which lie the intervals.
    case beats

    /// Which way to the intervals.
    var cardiac: CardiacSource.Kind {
        switch self {
        case .ecg: .ecg
        case .bvp: .bvp
        case .ibi, .beats: .ibi
        }
    }
}
