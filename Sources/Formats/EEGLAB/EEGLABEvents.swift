import Foundation
import Signals

/// The events of an EEGLAB data set. Their latency counts frames over all epochs, from 1; some, called `boundary` (or -99 where
/// events are numbers), are where samples were cut out.
struct EEGLABEvents {
    /// One that happened.
    struct Event {
        /// Frames from the first one on, 0-based; between two where the set was resampled.
        var frame: Double
        var label: String
        /// In frames; 0 for a moment.
        var duration: Double
    }

    /// Where samples are missing.
    struct Cut {
        /// The first frame after it, 0-based.
        var frame: Int
        /// How many frames are missing; nil where that is not known.
        var missing: Double?
    }

    private(set) var events: [Event] = []
    /// In order.
    private(set) var cuts: [Cut] = []
    private(set) var notes: [String] = []

    init(_ set: EEGLABSet) {
        guard case .structs(let count, let fields)? = set.fields["event"] else {
            if let value = set.fields["event"], !value.isEmpty {
                notes.append("its events are \(value.words), expected structs; they are not read")
            }
            return
        }
        let (latencies, types, durations) = (fields["latency"] ?? [], fields["type"] ?? [], fields["duration"] ?? [])
        var lost = 0
        for place in 0..<count {
            let latency = place < latencies.count ? latencies[place].number ?? .nan : .nan
            let duration = place < durations.count ? durations[place].number ?? .nan : .nan
            // Rounded by resampling, an event may lie a little before the first frame or after the last.
            guard latency >= 0, latency < Double(set.frameCount) + 2 else {
                lost += 1
                continue
            }
            let type = place < types.count ? Self.label(types[place]) : nil
            if let type, Self.isBoundary(type) {
                // It lies half-way between two frames, or on the one after it but for rounding.
                let isKnown = duration >= 1 && duration <= Double(Plausible.missingSamples)
                cuts.append(Cut(frame: max(0, Int((latency - 1.0001).rounded(.up))), missing: isKnown ? duration : nil))
            } else {
                events.append(
                    Event(
                        frame: max(0, latency - 1), label: type ?? "event",
                        duration: duration > 1 && duration < 1e15 ? duration : 0))
            }
        }
        cuts.sort { $0.frame < $1.frame }
        if lost > 0 {
            notes.append(
                "\(lost) \(lost == 1 ? "event has" : "events have") no latency within the samples and "
                    + "\(lost == 1 ? "is" : "are") not read")
        }
    }

    private static func label(_ value: MatlabValue) -> String? {
        value.text ?? value.number.flatMap { $0.isFinite ? NumberFormatting.text($0) : nil }
    }

    /// As EEGLAB tells them: by what the type begins with.
    private static func isBoundary(_ type: String) -> Bool {
        type.lowercased().hasPrefix("boundary") || type == "-99"
    }
}
