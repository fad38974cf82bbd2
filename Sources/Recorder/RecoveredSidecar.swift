import Formats
public import Foundation
public import Signals

/// Mends the JSON file beside a recording that was cut off: it still says `recording`.
public enum RecoveredSidecar {
    /// Rewrites the sidecar of `original` for `recovered`, which may be the same file: its state becomes `recovered`, its
    /// duration what can be read. What else it holds stays as it was last written. Without a sidecar nothing is done.
    /// - Parameter wasDamaged: whether the recording was not whole, though its sidecar may call it finished.
    /// - Returns: the file that was written; nil when there was nothing to do.
    /// - Throws: `FormatError` when the file cannot be written.
    public static func mend(
        of original: URL, for recovered: URL, duration: Seconds, wasDamaged: Bool
    ) throws -> URL? {
        let source = original.jsonSidecar
        let target = recovered.jsonSidecar
        guard let data = FileManager.default.contents(atPath: source.path),
            var fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let state = fields["RecordingState"] as? String
        else { return nil }
        let isOpen = state == RecordingSidecar.State.recording.rawValue
        guard isOpen || wasDamaged || target != source else { return nil }
        fields["RecordingState"] = RecordingSidecar.State.recovered.rawValue
        if duration.isFinite { fields["RecordingDuration"] = duration }
        let json = try JSONSerialization.data(
            withJSONObject: fields, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
        try writeAtomically(Array(json) + [0x0A], to: target, isPrivate: true)
        return target
    }
}
