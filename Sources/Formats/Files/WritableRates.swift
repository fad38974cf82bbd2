import Foundation
import Signals

extension RecordingHeader {
    /// Refuses streams of rates that no file is read with.
    /// - Throws: `FormatError` naming `url` and the stream.
    func checkRates(for url: URL) throws {
        for stream in streams where stream.sampleRate != 0 && !Plausible.sampleRates.contains(stream.sampleRate) {
            throw FormatError(
                url, "the stream \(stream.name) has \(stream.sampleRate) samples a second",
                advice:
                    "rates of \(Plausible.sampleRates.lowerBound) to \(Plausible.sampleRates.upperBound) Hz are written"
            )
        }
    }
}
