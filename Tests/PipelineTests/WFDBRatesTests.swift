import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// Records keep times where a stream's clock runs faster or slower than it declares.
@Suite struct WFDBRatesTests {
    private static func recording(_ random: inout SplitMix64, streams: Int) -> (Recording, frequency: Double) {
        let frequency = Double.random(in: 0.7...1.4, using: &random)
        let made = (0..<streams).map { index in
            let declared = Double([250, 128, 52][index])
            let rate = declared * (1 + Double.random(in: -0.01...0.01, using: &random))
            let header = StreamHeader(
                name: "s\(index)", kind: [.ecg, .bvp, .acceleration][index],
                channels: [Channel(label: ["II", "PLETH", "x"][index], unit: .millivolts)], sampleRate: declared)
            let samples = (0..<Int(rate * 120)).map { Float(sin(2 * .pi * frequency * Double($0) / rate)) }
            let start = SegmentStart(onset: 0, sample: 0, sampleRate: rate)
            return Signals.Stream(header: header, segments: [Segment(start: start, block: SampleBlock(samples))])
        }
        let markers = [Marker(onset: 0, label: "begin"), Marker(onset: 119, label: "end")]
        return (Recording(header: RecordingHeader(format: "test"), streams: made, markers: markers), frequency)
    }

    @Test(arguments: 0..<16)
    func samplesAndMarkers_ofAClockThatIsOff_keepTheirTimes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (recording, frequency) = Self.recording(&random, streams: 1 + Int(seed % 3))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.hea")
        _ = try WFDBWriter.write(
            to: file, resampling: { ResampledRecording($0, rates: $1) }, reading: { RecordedEvents(recording) })
        let back = try Recording(reading: RecordingFile.open(file))
        #expect(back.streams.count == recording.streams.count)
        for stream in back.streams {
            let segment = try #require(stream.segments.first)
            // The last frame is filled with missing samples.
            let last = segment.block.samples.lastIndex { $0.isFinite } ?? 0
            #expect(abs(segment.start.onset(ofOffset: last + 1) - 120) < 0.05)
            for index in stride(from: 20, to: segment.block.frameCount - 20, by: 7) {
                let value = Double(segment.block.samples[index])
                let time = segment.start.onset(ofOffset: index)
                guard value.isFinite else { continue }
                // Half a sample at the lowest rate.
                #expect(abs(value - sin(2 * .pi * frequency * time)) < 2 * .pi * frequency * 0.5 / 250 + 0.01)
            }
        }
        // A marker at 0 is written a tick of 0.1 ms later.
        #expect(back.markers.map(\.label) == ["begin", "end"])
        for (own, known) in zip(back.markers, recording.markers) { #expect(abs(own.onset - known.onset) <= 1.5e-4) }
    }

    @Test func recordsAtTheDeclaredRate_keepTheirSamplesToTheBit() throws {
        let samples = (0..<2_500).map { Float(Double($0 % 331) / 200) }
        let header = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: "II", unit: .millivolts)], sampleRate: 250)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 250)
        let recording = Recording(
            header: RecordingHeader(format: "test"),
            streams: [Signals.Stream(header: header, segments: [Segment(start: start, block: SampleBlock(samples))])],
            markers: [])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.hea")
        let notes = try WFDBWriter.write(
            to: file, resampling: { ResampledRecording($0, rates: $1) }, reading: { RecordedEvents(recording) })
        #expect(!notes.contains { $0.contains("resampled") })
        #expect(try Recording(reading: RecordingFile.open(file)).streams[0].segments.map(\.block.samples) == [samples])
    }
}
