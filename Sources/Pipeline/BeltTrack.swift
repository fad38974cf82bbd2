public import Cardiac
public import Signals

/// A channel of a recording that breathing moves: a belt, chest impedance or airflow volume.
public struct BeltSource: Hashable, Codable, Sendable {
    /// The stream's place in the recording.
    public var stream: Int
    /// The stream's name.
    public var name: String
    /// The channel's place in the stream.
    public var channel: Int
    /// The channel's label and unit.
    public var label: Channel
    /// The stream's nominal sample rate in Hz.
    public var sampleRate: Double

    /// The channels of the respiration streams of a recording that are sampled fast enough.
    public static func all(in header: RecordingHeader) -> [BeltSource] {
        header.streams.indices.flatMap { index -> [BeltSource] in
            let stream = header.streams[index]
            guard stream.kind == .respiration, BreathDetector.sampleRates.contains(stream.sampleRate) else { return [] }
            return stream.channels.enumerated().map { place, label in
                BeltSource(
                    stream: index, name: stream.name, channel: place, label: label, sampleRate: stream.sampleRate)
            }
        }
    }

    /// What messages and files call it.
    public var title: String { name == label.label ? name : "\(name) \(label.label)" }
}

/// What was computed from one respiration channel.
public struct BeltResult: Sendable {
    /// Where it comes from.
    public let source: BeltSource
    /// Windows of respiration, in order of time.
    public internal(set) var windows: [RespirationWindow] = []
}

/// The stages for one respiration channel. Live or from a file, in whatever pieces the samples come, the results are
/// the same to the bit.
public struct BeltTrack {
    /// What was computed so far.
    public internal(set) var result: BeltResult
    private var stage: BeltRespirationStage

    /// A track for `source`.
    /// - Throws: `InvalidParameter` for the first parameter that has no meaning.
    public init(_ source: BeltSource, parameters: Parameters) throws(InvalidParameter) {
        result = BeltResult(source: source)
        stage = try BeltRespirationStage(sampleRate: source.sampleRate, parameters: parameters.respiration)
    }

    /// Takes the next piece of the recording; pieces of other streams are passed over.
    public mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(let stream, let start) where stream == result.source.stream:
            stage.begin(start, into: &result.windows)
        case .samples(let stream, let block) where stream == result.source.stream:
            let samples = block.samples.span.extracting(block.range(ofChannel: result.source.channel))
            stage.push(samples, into: &result.windows)
        default: break
        }
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish() {
        stage.finish(into: &result.windows)
    }
}
