import Devices
import Formats
import Recorder
import Signals
import Testing

/// What a device that is paused leaves out.
struct PausedStreamTests {
    @Test("a pause is a gap of its own kind, also where something sent before it arrives after it is told")
    func pause() throws {
        let feed = Feed()
        var assembler = RecordingAssembler(XDFRecordingEncoder.File(start: nil, software: "test"))
        var events: [RecordingEvent] = []
        assembler.take(.stream(feed.stream), from: "band", at: 0, into: &events)
        var told = [(moment: 10.0, isPaused: true), (moment: 14.0, isPaused: false)]
        for packet in feed.packets(20) where !(10.2..<14).contains(packet.arrival) {
            while let next = told.first, next.moment <= packet.arrival {
                assembler.take(.status(.paused(next.isPaused)), from: "band", at: next.moment, into: &events)
                told.removeFirst()
            }
            assembler.take(.samples(packet.samples), from: "band", at: packet.arrival, into: &events)
        }
        let gaps = events.compactMap { if case .segment(_, let start) = $0 { start.gap } else { nil } }
        #expect(gaps.map(\.reason) == [.fileGap])
        #expect(abs(try #require(gaps.first).duration - 3.8) < 0.1)
    }
}
