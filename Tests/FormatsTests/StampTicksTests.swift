import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Times that are written more coarsely than samples come.
struct StampTicksTests {
    private func stream(rate: Double, duration: Double, from start: Double, tick: Double) throws -> Signals.Stream {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.csv")
            let rows = (0..<Int(rate * duration)).map { row in
                let time = ((start + Double(row) / rate) / tick + 1e-9).rounded(.down) * tick
                return "\(String(format: "%g", time)),\(Double(row * 7 % 11) / 10)\n"
            }
            try Data(("time [s],ecg [mV]\n" + rows.joined()).utf8).write(to: url)
            return try #require(Recording(reading: RecordingFile.open(url)).streams.first)
        }
    }

    @Test(arguments: [
        (32.0, 60.0, 0.0, 1.0), (32, 60, 0.6, 1), (50, 600, 0.6, 1), (64, 20, 0.2, 1), (4, 300, 0.5, 1),
        (130, 60, 0.3, 0.1), (1_000, 30, 0.02, 0.01),
    ])
    func theRateIsThatOfWholeTicks(rate: Double, duration: Double, start: Double, tick: Double) throws {
        let stream = try stream(rate: rate, duration: duration, from: start, tick: tick)
        #expect(stream.header.sampleRate == rate)
        #expect(stream.segments.count == 1 && stream.segments[0].block.frameCount == Int(rate * duration))
    }

    /// As straps send 73 samples at a time, each packet stamped when it arrived.
    @Test(
        arguments: [(130.0, 73, 30.0), (130, 73, 60), (130, 12, 20), (256, 12, 60), (52, 36, 300)], [0, 0.003, 0.02])
    func `packets that arrive unevenly have the rate of their samples`(
        packet: (rate: Double, size: Int, duration: Double), jitter: Double
    ) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.csv")
            var random = SplitMix64(seed: 3)
            var stamp = 0.0
            let rows = (0..<Int(packet.rate * packet.duration)).map { row in
                if row % packet.size == 0 {
                    stamp = Double(row) / packet.rate + Double.random(in: -1...1, using: &random) * jitter
                }
                return "\(String(format: "%.4f", stamp)),\(Double(row * 7 % 11) / 10)\n"
            }
            try Data(("time [s],ecg [mV]\n" + rows.joined()).utf8).write(to: url)
            let stream = try #require(Recording(reading: RecordingFile.open(url)).streams.first)
            let most = 0.0005 + 2 * jitter / packet.duration
            #expect(abs(stream.header.sampleRate / packet.rate - 1) < most)
            #expect(stream.segments.count == 1)
        }
    }

    @Test func aRateThatIsNoWholeNumberIsNotMadeOne() throws {
        let rate = try stream(rate: 49.3, duration: 600, from: 0.3, tick: 1).header.sampleRate
        #expect(abs(rate - 49.3) < 0.003, "\(rate)")
    }
}
