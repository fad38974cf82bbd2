import Decoding
import Foundation
import Kernels
import Testing

/// Decisions of control models on simulated features.
@Suite struct ControlDecisionTests {
    /// A calibration whose features hold an artifact of this strength, measured with some noise of its own.
    /// - Parameter confounds: whether the high state alone has the artifact.
    private func calibration(
        _ source: ArtifactSource, confounds: Bool, effect: Double, seed: UInt64
    ) throws -> (blocks: [CalibrationBlock], layout: FeatureLayout) {
        var person = SimulatedParticipant(dimensions: 6, effect: effect, seed: seed)
        var random = RandomSource(seed: seed, "artifact")
        var blocks = person.calibration(blocks: 7, epochs: 16, neutral: 0)
        for block in blocks.indices {
            let level = confounds ? (blocks[block].state == .high ? 1.5 : 0) : 0.75
            for epoch in blocks[block].epochs.indices {
                let artifact = level + random.gaussian()
                for place in [0, 2, 3] { blocks[block].epochs[epoch].features?[place] += artifact }
                for other in ArtifactSource.allCases {
                    let measured = other == source ? artifact : 0
                    blocks[block].epochs[epoch].controls.artifacts[other] = [
                        measured + 0.1 * random.gaussian(), random.gaussian(),
                    ]
                }
            }
        }
        return (blocks, try person.layout)
    }

    @Test("an artifact of one state is refused with its source", arguments: ArtifactSource.allCases)
    func confounded(source: ArtifactSource) throws {
        for seed in 0..<5 as Range<UInt64> {
            let (blocks, layout) = try calibration(source, confounds: true, effect: 0, seed: seed)
            let fitted = try ModelFitting().fit(blocks, prediction: "enjoyment", layout: layout)
            guard case .refused(_, let reason) = fitted.verdict else {
                Issue.record("accepted")
                continue
            }
            #expect(reason.rawValue == source.rawValue)
        }
    }

    @Test("an artifact that both states have alike is no reason against a model", arguments: ArtifactSource.allCases)
    func alike(source: ArtifactSource) throws {
        for seed in 0..<5 as Range<UInt64> {
            let (blocks, layout) = try calibration(source, confounds: false, effect: 3, seed: seed)
            #expect(try ModelFitting().fit(blocks, prediction: "enjoyment", layout: layout).verdict == .accepted)
        }
    }

    @Test("what is known of some epochs only, never differs or is not a number decides nothing")
    func unknown() throws {
        var (blocks, layout) = try calibration(.motion, confounds: false, effect: 3, seed: 3)
        for block in blocks.indices {
            for epoch in blocks[block].epochs.indices {
                blocks[block].epochs[epoch].controls.artifacts[.eyes] = [1, .nan]
                if epoch > 2 { blocks[block].epochs[epoch].controls.artifacts[.motion] = nil }
            }
        }
        let fitted = try ModelFitting().fit(blocks, prediction: "enjoyment", layout: layout)
        #expect(fitted.verdict == .accepted)
        #expect(fitted.report.controls.map { Set($0.artifacts.keys) } == [.muscle])
    }

    @Test("heart rate and key presses that separate the states are reported and refuse nothing")
    func reported() throws {
        var (blocks, layout) = try calibration(.muscle, confounds: false, effect: 3, seed: 4)
        for block in blocks.indices {
            for epoch in blocks[block].epochs.indices {
                let isHigh = blocks[block].state == .high
                blocks[block].epochs[epoch].controls.heartRate = (isHigh ? 80 : 65) + Double(epoch % 3)
                blocks[block].epochs[epoch].controls.responses = isHigh ? Double(epoch % 2) : 0
            }
        }
        let fitted = try ModelFitting().fit(blocks, prediction: "enjoyment", layout: layout)
        #expect(fitted.verdict == .accepted)
        let controls = try #require(fitted.report.controls)
        #expect(controls.reported[.heartRate]?.observed == 1)
        #expect(controls.reported[.behavior].map { $0.observed > 0.6 } == true)
    }
}
