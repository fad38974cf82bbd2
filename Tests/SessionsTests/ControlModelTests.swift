import Decoding
import Foundation
import Kernels
import Pipeline
import Signals
import Simulation
import Testing

/// Calibrations in which muscles or eyes differ between the states.
@Suite struct ControlModelTests {
    /// An artifact that one state has and the other has not, or that both have alike.
    enum Artifact: Hashable, Sendable {
        /// Noise of the temporal muscles, 20 to 100 Hz, of this root mean square in µV; half of it at the forehead.
        case muscle(Double)
        /// Eyes that jump from side to side, of this height in µV.
        case gaze(Double)
        /// Blinks per minute in the high and in the low state.
        case blinks(Double, Double)

        var reason: RefusalReason { if case .muscle = self { .muscle } else { .eyes } }
    }

    /// A calibration of 12 alternating blocks.
    /// - Parameter inBoth: whether both states have the artifact alike.
    private func recording(
        _ artifact: Artifact?, seed: UInt64, inBoth: Bool = false, load: Double = 0
    ) -> Recording {
        var parameters = EEGParameters()
        parameters.blinksPerMinute = 0
        if case nil = artifact { parameters.blinksPerMinute = 12 }
        let rate = parameters.sampleRate
        var signal = EEGSignal(parameters, seed: seed)
        var random = RandomSource(seed: seed, "artifact")
        var (channels, markers) = ([[Float]](repeating: [], count: 4), [Marker]())
        let seconds = 16.0
        var (gaze, left) = (1.0, 0)
        for block in 0..<12 {
            let isHigh = block % 2 == 1
            signal.load = isHigh ? load : 0
            let first = block * Int(seconds * rate)
            var rows = signal.render(first..<first + Int(seconds * rate))
            let frames = rows[0].count
            switch artifact {
            case .muscle(let size) where isHigh || inBoth:
                for channel in rows.indices {
                    let noise = muscle(frames, &random)
                    let scale = size * ([0, 3].contains(channel) ? 1 : 0.5)
                    for frame in noise.indices { rows[channel][frame] += scale * noise[frame] }
                }
            case .gaze(let size) where isHigh || inBoth:
                for frame in 0..<frames {
                    if left == 0 {
                        gaze = 2 * random.uniform() - 1
                        left = Int(rate * (0.3 + 0.4 * random.uniform()))
                    }
                    left -= 1
                    for (channel, share) in [0.15, 1, -1, -0.15].enumerated() {
                        rows[channel][frame] += share * size * gaze
                    }
                }
            case .blinks(let high, let low):
                let mean = 60 / (isHigh && !inBoth ? high : low)
                var moment = 0.4 + random.exponential(mean: mean)
                while moment < seconds - 0.4 {
                    let peak = Int(moment * rate)
                    for offset in -38...38 {
                        let height = 60 * (1 + cos(.pi * Double(offset) / 38))
                        for (channel, share) in [0.1, 1, 1, 0.1].enumerated() {
                            rows[channel][peak + offset] += share * height
                        }
                    }
                    moment += 0.4 + random.exponential(mean: max(0.1, mean - 0.4))
                }
            default: break
            }
            for channel in rows.indices { channels[channel] += rows[channel].map(Float.init) }
            let words = "task=visualAttention block=\(block + 1)"
            let onset = Double(block) * seconds
            markers.append(
                Marker(onset: onset, label: "\(words) event=blockBegin condition=\(isHigh ? "attend" : "watch")"))
            markers.append(Marker(onset: onset + seconds, label: "\(words) event=blockEnd"))
        }
        let stream = Signals.Stream(
            header: StreamHeader(
                name: "muse-eeg", kind: .eeg,
                channels: parameters.labels.map { Channel(label: $0, unit: .microvolts) }, sampleRate: rate),
            segments: [
                Segment(
                    start: SegmentStart(onset: 0, sample: 0, sampleRate: rate),
                    block: SampleBlock(channelCount: 4, samples: channels.flatMap { $0 }))
            ])
        return Recording(
            header: RecordingHeader(
                start: Timestamp(secondsSince1970: 1_700_000_000), duration: 12 * seconds, format: "test"),
            streams: [stream], markers: markers)
    }

    /// Noise of muscles with a root mean square of 1: white noise without what is slow.
    private func muscle(_ count: Int, _ random: inout RandomSource) -> [Double] {
        let white: [Double] = (0..<count + 14).map { _ in random.gaussian() }
        var fast: [Double] = []
        for place in 0...count {
            let mean: Double = white[place..<place + 13].reduce(0, +) / 13
            fast.append(white[place + 6] - mean)
        }
        let smooth: [Double] = (0..<count).map { (fast[$0] + fast[$0 + 1]) / 2 }
        let power: Double = smooth.reduce(0) { $0 + $1 * $1 } / Double(count)
        let size = power.squareRoot()
        return smooth.map { $0 / size }
    }

    private func fit(_ recording: Recording) throws -> FittedModel {
        let read = try CalibratedHeadband.epochs(recording)
        let spans = TaskSpans(recording.markers, prediction: "visualAttention").spans
        return try ModelFitting().fit(
            CalibrationBlock.blocks(read.epochs, spans: spans), prediction: "visualAttention", layout: read.layout)
    }

    @Test(
        "a state that only an artifact shows gives no model, and the refusal names its source",
        arguments: [.muscle(4), .muscle(2), .gaze(40), .gaze(8), .gaze(4), .blinks(6, 30)] as [Artifact])
    func confounded(artifact: Artifact) throws {
        let participants = 20
        var (accepted, named) = (0, 0)
        for seed in 0..<UInt64(participants) {
            switch try fit(recording(artifact, seed: 100 + seed)).verdict {
            case .accepted: accepted += 1
            case .refused(_, let reason): if reason == artifact.reason { named += 1 }
            }
        }
        #expect(accepted <= 1, "\(accepted) of \(participants) accepted")
        #expect(named >= participants - accepted - 1, "\(named) of \(participants) refusals name the source")
    }

    @Test(
        "an artifact that both states have alike keeps no effect of the brain from giving a model",
        arguments: [nil, .muscle(3), .gaze(30), .blinks(18, 18)] as [Artifact?])
    func alike(artifact: Artifact?) throws {
        let participants = 6
        let accepted = try (0..<UInt64(participants)).count { seed in
            try fit(recording(artifact, seed: 200 + seed, inBoth: true, load: 0.6)).verdict == .accepted
        }
        #expect(accepted >= participants - 1, "\(accepted) of \(participants) accepted")
    }

    @Test("the card's page shows the scores with and without regression, and those of all controls")
    func page() throws {
        let fitted = try fit(recording(.muscle(4), seed: 7))
        let controls = try #require(fitted.report.controls)
        #expect(controls.artifacts.keys.sorted { $0.rawValue < $1.rawValue } == [.eyes, .muscle])
        #expect(try #require(controls.artifacts[.muscle]).observed > 0.9)
        #expect(fitted.report.permutation.observed > controls.regressed.observed)
        #expect(fitted.isConsistent)
    }
}
