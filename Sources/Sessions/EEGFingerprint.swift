import Decoding
import Pipeline

/// A hash of the EEG that a calibration was fitted to: the same for a copy under another name or in another format that keeps the
/// samples.
enum EEGFingerprint {
    /// The hash of the epochs' features, and that with the blocks' hash behind it, both in hexadecimal.
    static func of(_ epochs: [DecodableEpoch], _ spans: [CalibrationSpan]) -> (eeg: String, all: String) {
        var bytes: [UInt8] = []
        for values in epochs.lazy.compactMap(\.features) { values.withUnsafeBytes { bytes += $0 } }
        let blocks = spans.map { "\($0.state.rawValue) \($0.time.lowerBound) \($0.time.upperBound)" }
        let eeg = InputHash.sha256(of: bytes)
        return (eeg, eeg + "-" + InputHash.sha256(of: Array(blocks.joined(separator: ";").utf8)).prefix(16))
    }
}
