import Foundation
import Pipeline
import Signals
import Simulation

/// The electrodes of the headband.
let headbandLabels = ["TP9", "AF7", "AF8", "TP10"]

/// Forty seconds of a headband's EEG and acceleration; the head nods from 20 s to 24 s, and between 30 s and 33 s
/// nothing was recorded.
func headband(scale: Double = 1, unit: Signals.Unit = .microvolts) -> Recording {
    var signal = EEGSignal(EEGParameters(), seed: 3)
    let rendered = signal.render(0..<256 * 40)
    let eeg = SampleBlock(channelCount: 4, samples: rendered.flatMap { $0.map { Float($0 * scale) } })
    let frames = 52 * 40
    var nodding = [Float](repeating: 0, count: frames)
    for frame in 52 * 20..<52 * 24 { nodding[frame] = 0.5 * Float(sin(Double(frame) / 5)) }
    let still = [Float](repeating: 0, count: frames)
    let upright = [Float](repeating: 1, count: frames)
    let motion = SampleBlock(channelCount: 3, samples: nodding + still + upright)
    func stream(_ name: String, _ kind: StreamKind, _ channels: [Channel], _ rate: Double, _ block: SampleBlock)
        -> Signals.Stream
    {
        let cuts = [0..<Int(30 * rate), Int(33 * rate)..<block.frameCount]
        return Signals.Stream(
            header: StreamHeader(name: name, kind: kind, channels: channels, sampleRate: rate),
            segments: cuts.enumerated().map { index, frames in
                let onset = Double(frames.lowerBound) / rate
                let gap = index > 0 ? Gap(onset: 30, duration: 3, reason: .deviceLost) : nil
                return Segment(
                    start: SegmentStart(onset: onset, sample: frames.lowerBound, sampleRate: rate, gap: gap),
                    block: block.frames(frames))
            })
    }
    let channels = headbandLabels.map { Channel(label: $0, unit: unit) }
    return Recording(
        header: RecordingHeader(duration: 40, format: "test"),
        streams: [
            stream("muse-eeg", .eeg, channels, 256, eeg),
            stream("muse-acc", .acceleration, ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, 52, motion),
        ])
}

/// What the track of an EEG makes of a recording that comes in blocks of so many seconds.
func brainResult(
    _ recording: Recording, blocks: Double, parameters: Parameters = Parameters(),
    computing outputs: BrainTrack.Outputs = .all
) throws -> BrainResult {
    let source = try BrainSource.meant(by: nil, in: recording.header, file: "test")
    var track = try BrainTrack(source, in: recording.header, parameters: parameters, computing: outputs)
    let events = RecordedEvents(recording, blockDuration: blocks)
    while let event = events.next() { track.take(event) }
    track.finish()
    return track.result
}

/// A minute of the headband's EEG whose electrodes show `value` alone in these seconds.
func headband(showing value: Float, in seconds: Range<Int>) -> Recording {
    var signal = EEGSignal(EEGParameters(), seed: 3)
    let channels = signal.render(0..<256 * 60).map { samples in
        samples.enumerated().map { seconds.contains($0 / 256) ? value : Float($1) }
    }
    let header = StreamHeader(
        name: "muse-eeg", kind: .eeg, channels: headbandLabels.map { Channel(label: $0, unit: .microvolts) },
        sampleRate: 256)
    let block = SampleBlock(channelCount: 4, samples: channels.flatMap { $0 })
    let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
    return Recording(
        header: RecordingHeader(duration: 60, streams: [header], format: "test"),
        streams: [Signals.Stream(header: header, segments: [Segment(start: start, block: block)])])
}
