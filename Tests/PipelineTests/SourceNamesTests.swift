import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// What the files made from a recording's sources are called.
struct SourceNamesTests {
    private func stream(_ label: String, _ name: String = "eda", rate: Double) -> Signals.Stream {
        let header = StreamHeader(
            name: name, kind: .eda, channels: [Channel(label: label, unit: .microsiemens)], sampleRate: rate)
        let samples = (0..<Int(90 * rate)).map { 3 + 0.2 * Float(sin(Double($0) / rate)) }
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: rate)
        return Signals.Stream(
            header: header, segments: [Segment(start: start, block: SampleBlock(channelCount: 1, samples: samples))])
    }

    private func names(_ streams: [Signals.Stream]) throws -> Set<String> {
        let recording = Recording(
            header: RecordingHeader(streams: streams.map(\.header), format: "test"), streams: streams)
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        return try withTemporaryFolder { folder in
            Set(
                try ResultFolder(folder, stem: "sub-1").write(analysis).compactMap { file in
                    file.split(separator: "_").first { $0.hasPrefix("recording-") }.map { String($0.dropFirst(10)) }
                })
        }
    }

    @Test(arguments: [false, true])
    func `two sensors of one kind are told apart by their channels, in whatever order they come`(isReversed: Bool)
        throws
    {
        let streams = [stream("GSR left", rate: 4), stream("GSR right", rate: 8)]
        #expect(try names(isReversed ? streams.reversed() : streams) == ["edaGSRleft", "edaGSRright"])
    }

    @Test func `the number that a reader gives to the second stream of a kind tells nothing`() throws {
        let streams = [stream("GSR left", rate: 4), stream("GSR right", "eda2", rate: 8)]
        #expect(try names(streams) == ["edaGSRleft", "edaGSRright"])
        #expect(
            try names([stream("GSR", "wrist 1", rate: 4), stream("GSR", "wrist 2", rate: 4)]) == ["wrist1", "wrist2"])
    }

    @Test func `one sensor has the name of its stream, and those whose channels are alike have numbers`() throws {
        #expect(try names([stream("GSR right", rate: 8)]) == ["eda"])
        #expect(try names([stream("GSR", rate: 4), stream("GSR", rate: 8)]) == ["eda", "eda2"])
        #expect(try names([stream("", rate: 4), stream("GSR", rate: 8)]) == ["eda", "eda2"])
    }
}
