import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// RR intervals for other programs.
struct RRTextWriterTests {
    private static func recording(_ kind: StreamKind = .ibi) -> Recording {
        let header = StreamHeader(
            name: "ibi", kind: kind, channels: [Channel(label: "RR", unit: .seconds)], sampleRate: 0)
        var onset = 10.0
        let values = (0..<300).map { index -> TimedValue in
            let interval = 0.8 + Double(index % 17) / 1_024
            onset += interval + (index == 150 ? 20 : 0)
            return TimedValue(onset: onset, values: [index == 40 ? .nan : interval])
        }
        return Recording(
            header: RecordingHeader(format: "test"), streams: [Signals.Stream(header: header, values: values)])
    }

    @Test func intervalsComeBackWithTheirPauses() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.rr")
        let notes = try RRTextWriter.write(RecordedEvents(Self.recording()), to: url)
        #expect(notes.count == 2 && notes[0].hasPrefix("1 missing") && notes[1].hasPrefix("2 pauses"))
        let series = try RRText.read(url)
        let original = Self.recording().streams[0].values.filter { $0.values[0].isFinite }
        #expect(series.intervals == original.map { $0.values[0] })
        #expect(zip(series.onsets, original).allSatisfy { abs($0 - $1.onset) < 1e-6 })
        #expect(series.followsBreak.count { $0 } == 3)
    }

    @Test(arguments: [Signals.Unit.milliseconds, .unknown, .dimensionless])
    func millisecondsBecomeSeconds(unit: Signals.Unit) throws {
        var recording = Self.recording()
        recording.header.streams[0].channels[0].unit = unit
        recording.streams[0].header.channels[0].unit = unit
        for index in recording.streams[0].values.indices { recording.streams[0].values[index].values[0] *= 1_000 }
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.rr")
        let notes = try RRTextWriter.write(RecordedEvents(recording), to: url)
        #expect(notes.count == 2 && notes[1].hasPrefix("2 pauses"))
        let original = Self.recording().streams[0].values.compactMap { $0.values[0].isFinite ? $0.values[0] : nil }
        #expect(zip(try RRText.read(url).intervals, original).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test func theStartThatHasNoPlaceIsTold() throws {
        var recording = Self.recording()
        recording.header.start = Timestamp(year: 2026, month: 3, day: 1, hour: 12)
        let folder = try TemporaryFolder()
        let notes = try RRTextWriter.write(RecordedEvents(recording), to: folder.url.appendingPathComponent("a.rr"))
        #expect(notes.count == 3 && notes[0].contains("2026-03-01T12:00:00.000Z"))
    }

    @Test func aRecordingWithoutIntervalsIsRefused() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.rr")
        let error = formatError { try RRTextWriter.write(RecordedEvents(Self.recording(.other)), to: url) }
        #expect(error?.contains("marey beats") == true && folder.names.isEmpty)
    }
}
