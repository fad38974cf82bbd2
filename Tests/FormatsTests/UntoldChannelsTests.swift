import Formats
import Foundation
import Signals
import Testing

/// What formats without a place for it lose of what is known of channels.
struct UntoldChannelsTests {
    private static func stream(_ name: String, _ kind: StreamKind, _ channels: [Channel]) -> Signals.Stream {
        let samples = channels.indices.flatMap { channel in (0..<200).map { Float(($0 + channel) % 50) } }
        return Stream(
            header: StreamHeader(name: name, kind: kind, channels: channels, sampleRate: 100),
            segments: [
                Segment(
                    start: SegmentStart(onset: 0, sample: 0, sampleRate: 100),
                    block: SampleBlock(channelCount: channels.count, samples: samples))
            ])
    }

    private static let others = stream(
        "other", .other,
        [
            Channel(label: "F3", unit: .microvolts, fault: "dried out"),
            Channel(label: "F4", unit: .microvolts, fault: "bad"), Channel(label: "A2-A1", unit: .microvolts),
            Channel(label: "EMG chin", unit: .microvolts),
        ])

    private static func recording(_ streams: [Signals.Stream]) -> Recording {
        Recording(header: RecordingHeader(format: "test"), streams: streams)
    }

    @Test func badChannelsAndThoseThatAreNoEEGAreNamed() throws {
        let folder = try TemporaryFolder()
        let whole = Self.recording([
            Self.stream("eeg", .eeg, [Channel(label: "Cz", unit: .microvolts)]), Self.others,
        ])
        func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }
        let notes = [
            try EDFWriter.write(whole, to: place("a.edf")).notes,
            try EDFWriter.write(whole, to: place("a.bdf"), as: .bdf).notes,
            try WFDBWriter.write(RecordedEvents(whole), to: place("a.hea")),
            try CSVExport.write(RecordedEvents(Self.recording([Self.others])), to: place("a.csv"), separator: ","),
        ]
        for (notes, format) in zip(notes, ["EDF", "BDF", "WFDB", "text in columns"]) {
            let told = notes.filter { $0.hasPrefix("\(format) cannot tell ") }
            #expect(told.count == 2, "\(notes)")
            #expect(told.first?.hasSuffix("bad; read back they count as good: F3 (dried out), F4") == true, "\(told)")
            #expect(told.last?.hasSuffix("are no EEG; read back they are: A2-A1") == true, "\(told)")
        }
    }

    @Test func whereNothingIsLostNothingIsSaid() throws {
        let folder = try TemporaryFolder()
        let plain = Self.recording([Self.stream("eeg", .eeg, [Channel(label: "Cz", unit: .microvolts)])])
        let notes = try EDFWriter.write(plain, to: folder.url.appendingPathComponent("a.edf")).notes
        #expect(!notes.contains { $0.contains("cannot tell") })
    }
}
