import Formats
import Foundation
import Signals
import Testing

/// A footer repeats a stream's clock offsets; a session of days may not hold all of them in memory for that.
@Suite struct OffsetSummaryTests {
    private static func footer(_ count: Int) -> (offsets: [String], bytes: Int) {
        var encoder = XDFRecordingEncoder(XDFRecordingEncoder.File(start: nil, software: "test"))
        let header = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: "ECG", unit: .millivolts)], sampleRate: 100)
        let stream = encoder.declare(XDFStreamDescription(header, sourceID: "test"))
        for number in 0..<count { encoder.clockOffset(stream, at: Double(number), 0.5) }
        encoder.finish()
        let bytes = encoder.take()
        let text = String(decoding: bytes, as: UTF8.self)
        let times = text.components(separatedBy: "<offset><time>").dropFirst()
        return (times.map { String($0.prefix { $0 != "<" }) }, bytes.count)
    }

    @Test func aShortRecordingsFooterHasThemAll() {
        #expect(Self.footer(1_000).offsets == (0..<1_000).map { "\(Double($0))" })
    }

    @Test(arguments: [1_025, 5_000, 40_000]) func aLongOnesHasSomeFromBeginningToEnd(count: Int) throws {
        let (offsets, bytes) = Self.footer(count)
        #expect((512...1_024).contains(offsets.count))
        let times = try offsets.map { try #require(Double($0)) }
        #expect(times.first == 0 && times.last! >= Double(count) * 0.99)
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }).count == 1)
        // The offsets that readers use are all there: 29 bytes each, beside a footer that does not grow.
        #expect(bytes > count * 24 && bytes < count * 24 + 200_000)
    }
}
