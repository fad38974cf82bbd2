public import Foundation
public import Signals

/// A copy of a recording's markers as `…_events.tsv` next to it, for people and other programs.
///
/// The sidecar of the table says that it is a copy. Readers of the recording pass over an unedited copy: the recording has the same
/// markers, to the bit. An edited copy applies as any other table of events does.
extension BIDSEvents {
    /// The key of the sidecar that holds the fingerprint of the table.
    private static let copyKey = "CopyOfRecording"

    /// The path of the copy next to a recording of one file.
    public static func copy(of recording: URL) -> URL {
        let name = recording.lastPathComponent.prefix { $0 != "." }
        return recording.deletingLastPathComponent().appendingPathComponent(name + "_events.tsv", isDirectory: false)
    }

    /// Writes a table of markers and its sidecar, which is marked as a copy of a recording.
    /// - Parameter isCode: as in `table(_:isCode:)`.
    /// - Throws: `FormatError` when the files cannot be written, or another table has that path.
    public static func writeCopy(_ markers: [Marker], isCode: (Marker) -> Bool, to url: URL) throws {
        if FileManager.default.fileExists(atPath: url.path), !isCopy(url) {
            throw FormatError(
                url, "exists already and is not replaced",
                advice: "move it away; the recording itself holds the session's events")
        }
        let table = table(markers, isCode: isCode)
        let bytes = TSV.encode(table)
        var sidecar =
            (try? JSONSerialization.jsonObject(with: Data(TableJSON.sidecar(table.columns)))) as? [String: Any] ?? [:]
        sidecar[copyKey] = ["Fingerprint": fingerprint(bytes)]
        let json = try JSONSerialization.data(
            withJSONObject: sidecar, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
        try writeAtomically(bytes, to: url, isPrivate: true)
        try writeAtomically(Array(json) + [0x0A], to: url.jsonSidecar, isPrivate: true)
    }

    /// True for an unedited copy of a recording's markers.
    static func isCopy(_ table: URL) -> Bool {
        guard let data = FileManager.default.contents(atPath: table.jsonSidecar.path),
            let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let copy = fields[copyKey] as? [String: Any], let known = copy["Fingerprint"] as? String,
            let bytes = FileManager.default.contents(atPath: table.path)
        else { return false }
        return fingerprint(Array(bytes)) == known
    }

    /// FNV-1a of 64 bits, in hexadecimal digits.
    private static func fingerprint(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}
