import Cardiac
import Formats
import Foundation
import Simulation

/// Beats as WFDB annotations.
enum BeatAnnotations {
    /// Writes detected beats.
    static func write(_ beats: [Beat], sampleRate: Double, to url: URL) throws {
        let list = beats.compactMap { WFDBAnnotation(sample: $0.sample, symbol: symbol($0.kind)) }
        try WFDBAnnotations(list, timeResolution: sampleRate).write(to: url)
    }

    private static func symbol(_ kind: BeatKind) -> String {
        switch kind {
        case .beat, .normal: "N"
        case .supraventricular: "S"
        case .ventricular: "V"
        case .fusion: "F"
        case .paced: "/"
        }
    }
}

/// The true beats of a simulated ECG as WFDB annotations.
enum TrueAnnotations {
    /// Writes `<record>.atr` beside the header of a record.
    static func write(_ truth: Truth, sampleRate: Double, beside header: URL) throws {
        let beats = (truth.beats["ecg"] ?? []).filter(\.isVisible)
        let list = beats.compactMap { WFDBAnnotation(sample: $0.sample, symbol: symbol($0.kind)) }
        try WFDBAnnotations(list, timeResolution: sampleRate).write(to: file(beside: header))
    }

    /// `<record>.atr`.
    static func file(beside header: URL) -> URL { header.deletingPathExtension().appendingPathExtension("atr") }

    private static func symbol(_ kind: SimulatedBeat.Kind) -> String {
        switch kind {
        case .normal: "N"
        case .supraventricular: "S"
        case .ventricular: "V"
        }
    }
}
