import Formats
import Foundation
import Signals
import Simulation

/// Small WFDB sets of simulated recordings whose beats are known, with annotations that a test can spoil on purpose.
enum AnnotatedSet {
    /// A clean recording with ECG, and BVP where wanted.
    static func session(
        duration: Double, seed: UInt64 = 1, leads: [ECGLead] = [.ii], hasBVP: Bool = false
    ) -> SimulatedSession {
        var parameters = SimulationParameters()
        parameters.duration = duration
        parameters.seed = seed
        parameters.ecg?.leads = leads
        parameters.ecgNoise = [NoiseLevel(.muscle, snr: 25)]
        if hasBVP { parameters.bvp?.sampleRate = 125 } else { parameters.bvp = nil }
        return SimulatedSession(parameters)
    }

    /// The true beats of the ECG as annotations.
    static func beats(_ session: SimulatedSession) -> [WFDBAnnotation] {
        (session.truth().beats["ecg"] ?? []).compactMap { WFDBAnnotation(sample: $0.sample, symbol: "N") }
    }

    /// Writes the record `name` and its annotations.
    static func write(
        _ session: SimulatedSession, as name: String, in folder: URL, comments: [String] = [],
        annotations: [String: [WFDBAnnotation]]
    ) throws {
        let header = folder.appendingPathComponent(name).appendingPathExtension("hea")
        try FileManager.default.createDirectory(
            at: header.deletingLastPathComponent(), withIntermediateDirectories: true)
        _ = try WFDBWriter.write(session.reader(), to: header)
        if !comments.isEmpty {
            let text = try String(contentsOf: header, encoding: .utf8)
            try Data((text + comments.map { "# \($0)\n" }.joined()).utf8).write(to: header)
        }
        for (annotator, list) in annotations {
            try WFDBAnnotations(list.sorted { $0.sample < $1.sample }, timeResolution: 250)
                .write(to: header.deletingPathExtension().appendingPathExtension(annotator))
        }
    }
}
