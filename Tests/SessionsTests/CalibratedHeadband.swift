import Decoding
import Foundation
import Pipeline
import Signals
import Simulation

/// A simulated headband whose wearer's mind is loaded in every other block.
enum CalibratedHeadband {
    static let labels = ["TP9", "AF7", "AF8", "TP10"]

    /// Blocks of the calibration task as the page marks them, and the EEG of somebody who does it.
    /// - Parameter effect: how much of the load shows.
    static func recording(
        blocks: Int = 12, seconds: Double = 12, seed: UInt64 = 5, effect: Double = 1, task: String = "visualAttention",
        conditions: [String] = ["watch", "attend"]
    ) -> Recording {
        var signal = EEGSignal(EEGParameters(), seed: seed)
        var channels = [[Float]](repeating: [], count: labels.count)
        var markers = [Marker(onset: 0, label: "task=\(task) event=taskBegin seed=1")]
        for block in 0..<blocks {
            signal.load = block % 2 == 0 ? 0 : effect
            let first = Int(Double(block) * seconds * 256)
            for (channel, values) in signal.render(first..<first + Int(seconds * 256)).enumerated() {
                channels[channel] += values.map(Float.init)
            }
            let onset = Double(block) * seconds
            let words = "task=\(task) block=\(block + 1)"
            markers.append(
                Marker(onset: onset, label: "\(words) event=blockBegin condition=\(conditions[block % 2])"))
            markers.append(Marker(onset: onset + seconds, label: "\(words) event=blockEnd targets=3"))
        }
        let duration = Double(blocks) * seconds
        markers.append(Marker(onset: duration, label: "task=\(task) event=taskEnd"))
        let block = SampleBlock(channelCount: labels.count, samples: channels.flatMap { $0 })
        let stream = Signals.Stream(
            header: StreamHeader(
                name: "muse-eeg", kind: .eeg, channels: labels.map { Channel(label: $0, unit: .microvolts) },
                sampleRate: 256),
            segments: [Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: 256), block: block)])
        return Recording(
            header: RecordingHeader(
                start: Timestamp(secondsSince1970: 1_700_000_000), duration: duration, format: "test"),
            streams: [stream], markers: markers)
    }

    /// A recording's epochs as models see them, cut into blocks of so many seconds on the way.
    static func epochs(
        _ recording: Recording, blocks: Double = 1
    ) throws -> (layout: FeatureLayout, epochs: [DecodableEpoch]) {
        let source = try BrainSource.meant(by: nil, in: recording.header, file: "test")
        var track = try DecodableTrack(source, in: recording.header, parameters: Parameters())
        var epochs: [DecodableEpoch] = []
        let events = RecordedEvents(recording, blockDuration: blocks)
        while let event = events.next() { track.take(event, into: &epochs) }
        track.finish(into: &epochs)
        return (track.layout, epochs)
    }

    /// The model fitted to such a calibration.
    static func model(_ prediction: Prediction = .visualAttention, seed: UInt64 = 5) throws -> DecodingModel {
        let recording = recording(seed: seed, task: prediction.name)
        let read = try epochs(recording)
        let spans = TaskSpans(recording.markers, prediction: prediction.name).spans
        return try ModelFitting().fit(
            CalibrationBlock.blocks(read.epochs, spans: spans), prediction: prediction.name, layout: read.layout
        ).model
    }

    /// The values of a prediction, as bits.
    static func bits(_ values: [PredictionValue], of name: String) -> [[UInt64]] {
        values.filter { $0.prediction == name }.map { [$0.time.bitPattern, $0.value.bitPattern] }
    }
}
