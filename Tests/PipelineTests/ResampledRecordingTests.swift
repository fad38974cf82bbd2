import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

@Suite struct ResampledRecordingTests {
    /// A recording whose streams have rates that share no data record.
    private static func recording(_ random: inout SplitMix64) -> Recording {
        let streams = (0..<3).map { index in
            let rate = Double.random(in: 20...300, using: &random)
            let header = StreamHeader(
                name: "s\(index)", kind: [.ecg, .eda, .acceleration][index],
                channels: [Channel(label: "c\(index)", unit: .microvolts)], sampleRate: rate)
            let segments = [0.0, 40].enumerated().map { place, onset in
                let count = Int(rate * 30)
                let samples = (0..<count).map { Float(sin(2 * .pi * 1.3 * (onset + Double($0) / rate))) }
                let gap = place == 0 ? nil : Gap(onset: 30, duration: 10, reason: .deviceLost)
                return Segment(
                    start: SegmentStart(onset: onset, sample: place * count, sampleRate: rate, gap: gap),
                    block: SampleBlock(samples))
            }
            return Signals.Stream(header: header, segments: segments)
        }
        return Recording(header: RecordingHeader(format: "test"), streams: streams, markers: [])
    }

    @Test(arguments: 0..<12)
    func streamsWithoutACommonRecord_areWrittenToOneEDFFile(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let recording = Self.recording(&random)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.edf")
        let report = try EDFWriter.write(
            to: file, resampling: { ResampledRecording($0, rates: $1) }, reading: { RecordedEvents(recording) })
        #expect(report.notes.contains { $0.contains("resampled to") })
        let back = try Recording(reading: EDFReader(file))
        #expect(back.streams.count == 3)
        // The stream with the most values keeps its samples.
        let fastest = recording.streams.indices.max {
            recording.streams[$0].header.sampleRate < recording.streams[$1].header.sampleRate
        }!
        for (index, stream) in back.streams.enumerated() {
            let known = recording.streams[index]
            for (own, other) in zip(stream.segments, known.segments) {
                #expect(abs(own.start.onset - other.start.onset) <= 0.51 / own.start.sampleRate)
                #expect(abs(Double(own.block.frameCount) / own.start.sampleRate - 30) < 2.1 / own.start.sampleRate)
                if index == fastest { #expect(own.block.frameCount == other.block.frameCount) }
                // Each value lies at its time: a sine of 1.3 Hz keeps its phase to the end of the recording.
                let shift = own.start.onset - other.start.onset
                for (offset, value) in own.block.samples.enumerated().dropFirst(20).dropLast(20) {
                    let time = own.start.onset(ofOffset: offset) - shift
                    #expect(abs(Double(value) - sin(2 * .pi * 1.3 * time)) < 4e-3)
                }
            }
        }
    }
}
