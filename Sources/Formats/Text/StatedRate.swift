import Foundation
import Signals

/// A sample rate that is written above the samples.
enum StatedRate {
    /// The rate that a line above the samples states, in Hz: `Sampling Rate (Hz):= 1000.00`, `Sample rate;2 kHz`.
    static func hertz(_ line: Substring) -> Double? {
        let line = line.lowercased()
        guard let key = keys.lazy.compactMap({ line.range(of: $0) }).first else { return nil }
        let rest = line[key.upperBound...]
        let between = rest.prefix { !$0.isNumber }
        guard between.count <= 12, !between.contains(where: \.isLetter) || between.contains("hz"), between.last != "-"
        else { return nil }
        let number = rest.dropFirst(between.count).prefix { $0.isNumber || ".e+-".contains($0) }
        let after = rest[number.endIndex...]
        // `1,000` may be one or a thousand.
        guard after.first != "," || after.dropFirst().first?.isNumber != true else { return nil }
        let unit = after.drop { !$0.isLetter }
        let isThousands = unit.hasPrefix("khz") || between.contains("khz")
        guard let value = NumberParsing.double(number) else { return nil }
        let rate = isThousands ? 1_000 * value : value
        return Plausible.sampleRates.contains(rate) ? rate : nil
    }

    private static let keys = ["sampling rate", "sample rate", "sampling frequency", "sample frequency"]
}
