import Foundation
import Pipeline
import Signals
import Simulation

extension SimulationParameters {
    /// The parameters in a JSON file, as `marey simulate` leaves it beside a recording.
    /// - Throws: `PipelineError` when it cannot be read, or naming what in it is not known or makes no sense.
    init(reading path: String) throws {
        let data = Data(try WrittenFile.bytes(of: URL(fileURLWithPath: path)))
        guard let tree = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw PipelineError(
                "\(path): expected a JSON object of simulation parameters",
                advice: "marey simulate writes one beside each recording, <name>_simulation.json")
        }
        self = try WrittenSettings.decoded(tree, like: Self.complete, choices: Self.choices, file: path) {
            try JSONDecoder().decode(SimulationParameters.self, from: data)
        }
        do { try validate() } catch { throw PipelineError("\(path): \(error)") }
        let there = [(StreamKind.ecg, ecg != nil), (.bvp, bvp != nil)].filter(\.1).map(\.0)
        for stream in faults.map(\.stream) + randomFaults.map(\.stream) where !there.contains(stream) {
            throw PipelineError(
                "\(path): a fault is on the stream \(stream.rawValue), which is not simulated",
                advice: "the streams are \(there.map(\.rawValue).joined(separator: ", "))")
        }
    }

    /// Parameters with every key that there is.
    private static var complete: SimulationParameters {
        var complete = SimulationParameters()
        complete.rhythm.episodes = [RhythmEpisode(onset: 0, duration: 1, kind: .asystole)]
        complete.ecgNoise = [NoiseLevel(.white, snr: 0)]
        complete.bvpNoise = complete.ecgNoise
        complete.faults = [Fault(.gap, stream: .ecg, onset: 0, duration: 1)]
        complete.randomFaults = [RandomFaults(.gap, stream: .ecg, perHour: 1, duration: 1)]
        complete.start = Timestamp(secondsSince1970: 0)
        return complete
    }

    private static let choices: [String: [String]] = {
        let (faults, noises) = (Fault.Kind.allCases.map(\.rawValue), NoiseKind.allCases.map(\.rawValue))
        let streams = StreamKind.allCases.map(\.rawValue)
        return [
            "faults.kind": faults, "randomFaults.kind": faults, "faults.stream": streams,
            "randomFaults.stream": streams,
            "ecgNoise.kind": noises, "bvpNoise.kind": noises,
            "rhythm.episodes.kind": RhythmEpisode.Kind.allCases.map(\.rawValue),
            "rhythm.variability.shape": HeartRateVariability.Shape.allCases.map(\.rawValue),
        ]
    }()
}
