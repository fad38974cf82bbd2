import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// How exactly 24 bits keep what a converter gave, and what cannot become EDF.
struct BDFGridTests {
    private static func recording(_ kind: StreamKind, rate: Double, _ samples: [Float]) -> Recording {
        let header = StreamHeader(
            name: "a", kind: kind, channels: [Channel(label: "a", unit: .microsiemens)], sampleRate: rate)
        let stream =
            rate > 0
            ? Signals.Stream(
                header: header,
                segments: [
                    Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: rate), block: SampleBlock(samples))
                ])
            : Signals.Stream(header: header, values: [TimedValue(onset: 1, values: [0.8])])
        return Recording(header: RecordingHeader(format: "test"), streams: [stream], markers: [])
    }

    /// The steps of converters of 12 and 16 bits, as wide as sensors have them, with an offset or without.
    private static let steps: [(step: Double, offset: Double)] = [
        (0.0014652014652014652, 0), (0.010869565217391304, 0), (0.7326007326007326, 0), (0.0439453125, 0),
        (1.525902189669642e-05, 0), (0.0014652014652014652, 412), (0.00072, 101),
    ]

    @Test(arguments: Self.steps)
    func twentyFourBitsKeepAConvertersValuesFarWithinAStep(step: Double, offset: Double) throws {
        var random = SplitMix64(seed: 9)
        let values = (0..<3_000).map { _ in
            Float(offset + step * Double(Int.random(in: -900...1_900, using: &random)))
        }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.bdf")
        try EDFWriter.write(Self.recording(.eda, rate: 100, values), to: file, as: .bdf)
        let back = try Recording(reading: RecordingFile.open(file)).streams[0].segments[0].block.samples
        #expect(back.count == values.count)
        // Single precision itself keeps no more.
        let finest = Double(values.map(\.ulp).max() ?? 0)
        let worst = zip(back, values).map { abs(Double($0) - Double($1)) }.max() ?? 0
        #expect(worst <= max(step / 128, finest), "\(worst / step) steps")
    }

    @Test(arguments: [EDFStorage.edf, .bdf]) func aRecordingWithoutSamplesIsRefused(storage: EDFStorage) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.edf")
        let message = formatError { try EDFWriter.write(Self.recording(.ibi, rate: 0, []), to: file, as: storage) }
        #expect(message?.contains("no sampled stream") == true && folder.names.isEmpty)
    }
}
