import Cardiac
import Signals

/// The heart rate of windows from the pulse waves of a source and the acceleration of the same device, live or from a file.
struct PulseRateTrack {
    private let source: CardiacSource
    private let channels: [Int]
    private var stage: PulseRateStage

    /// A track for `source`; nil where it is no pulse wave.
    /// - Parameter patience: the timeout in seconds for the acceleration of a window.
    /// - Throws: `InvalidParameter` for the first parameter that has no meaning.
    init?(_ source: CardiacSource, _ parameters: PulseRateParameters, patience: Seconds) throws(InvalidParameter) {
        guard source.kind == .bvp else { return nil }
        self.source = source
        channels = source.pulses ?? [source.channel]
        stage = try PulseRateStage(
            channels: channels.count, listens: source.acceleration != nil, parameters: parameters, patience: patience)
    }

    mutating func take(_ event: RecordingEvent, into windows: inout [PulseRateWindow]) {
        switch event {
        case .segment(let stream, let start) where stream == source.stream: stage.begin(start, into: &windows)
        case .samples(let stream, let block) where stream == source.stream:
            stage.push(block, channels: channels, into: &windows)
        case .segment(let stream, let start) where stream == source.acceleration?.stream:
            stage.beginAcceleration(start, into: &windows)
        case .samples(let stream, let block) where stream == source.acceleration?.stream:
            stage.pushAcceleration(block, factor: source.acceleration?.factor, into: &windows)
        default: break
        }
    }

    mutating func finish(into windows: inout [PulseRateWindow]) { stage.finish(into: &windows) }
}
