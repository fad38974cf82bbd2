import Brain
import Pipeline
import Signals
import Simulation
import Testing

/// What an analysis says of channels of an EEG that no epoch could use.
struct UnusableChannelsTests {
    private static let rate = 256

    /// A headband's EEG whose samples `change` turns into others, by channel.
    private static func analysis(
        seconds: Int = 30, outputs: [AnalysisOutput] = AnalysisOutput.allCases,
        _ change: (_ channel: Int, _ value: Float) -> Float
    ) throws -> RecordingAnalysis {
        var signal = EEGSignal(EEGParameters(), seed: 3)
        let samples = signal.render(0..<rate * seconds).enumerated().flatMap { channel, values in
            values.map { change(channel, Float($0)) }
        }
        let header = StreamHeader(
            name: "eeg", kind: .eeg, channels: EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) },
            sampleRate: Double(rate))
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: Double(rate))
        let block = SampleBlock(channelCount: EEGParameters().labels.count, samples: samples)
        let recording = Recording(
            header: RecordingHeader(duration: Double(seconds), format: "test"),
            streams: [Signals.Stream(header: header, segments: [Segment(start: start, block: block)])])
        var parameters = Parameters()
        parameters.outputs = outputs
        return try RecordingAnalysis(RecordedEvents(recording), parameters: parameters, file: "test")
    }

    private static func told(_ analysis: RecordingAnalysis) -> [String] {
        analysis.notComputed.map { "\($0.what): \($0.why)" }
    }

    @Test func aChannelThatIsFlatThroughoutIsNamedWithTheReason() throws {
        let analysis = try Self.analysis { channel, value in channel == 1 ? 0 : value }
        #expect(Self.told(analysis) == ["channel AF7 of eeg: flat line in all epochs"])
        let brain = try #require(analysis.brains.first)
        #expect(analysis.whyNoEpoch(of: brain) == nil)
    }

    @Test func channelsWithTheSameReasonShareARow() throws {
        let analysis = try Self.analysis { channel, value in channel > 1 ? 0 : value }
        #expect(Self.told(analysis) == ["channels AF8, TP10 of eeg: flat line in all epochs"])
    }

    @Test func whereAllChannelsAreBadTheReasonIsToldOnce() throws {
        let analysis = try Self.analysis { _, _ in 0 }
        #expect(Self.told(analysis) == ["EEG of eeg: no epoch was usable: flat line in all epochs"])
        let brain = try #require(analysis.brains.first)
        #expect(analysis.whyNoEpoch(of: brain) == "flat line in all epochs")
    }

    @Test func aRecordingShorterThanAnEpochIsSaidToBeSo() throws {
        let analysis = try Self.analysis(seconds: 1) { _, value in value }
        #expect(Self.told(analysis) == ["EEG of eeg: no epoch was usable: it is shorter than an epoch of 2 s"])
        let brain = try #require(analysis.brains.first)
        #expect(brain.summary.hasPrefix("eeg: 4 channels, 1 epoch,"))
    }

    @Test func nothingIsSaidOfEpochsThatWereNotAskedFor() throws {
        let analysis = try Self.analysis(outputs: [.quality]) { channel, value in channel == 1 ? 0 : value }
        #expect(Self.told(analysis).allSatisfy { !$0.contains("epoch") })
    }

    @Test func anEEGWithoutFaultsHasNoRow() throws {
        let analysis = try Self.analysis { _, value in value }
        #expect(Self.told(analysis).isEmpty)
    }
}
