import Devices
import Formats
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

/// A strap whose messages are held up by the radio, from its bytes to the recording.
@Suite struct StalledStrapTests {
    private struct Session {
        /// When the beats after the first really were.
        var truth: [Seconds] = []
        var live: Recording
        var bytes: [UInt8] = []

        /// - Parameter arrival: when a message sent at a moment arrives; nil: never.
        init(_ duration: Seconds, arrival: (Seconds) -> Seconds?) {
            var random = SplitMix64(seed: 11)
            var assembler = RecordingAssembler(
                .init(start: Timestamp(secondsSince1970: 1_790_000_000), software: "test 1"))
            var (conversation, events, due): (HeartRateConversation, [RecordingEvent], Seconds?) = (.init(), [], nil)
            var written: [UInt8] = []
            func perform(at moment: Seconds, _ say: (inout HeartRateConversation, inout [ConversationAction]) -> Void) {
                var actions: [ConversationAction] = []
                say(&conversation, &actions)
                for action in actions {
                    switch action {
                    case .emit(let event): assembler.take(event, from: "strap", at: moment, into: &events)
                    case .wake(let moment): due = moment
                    default: break
                    }
                }
                written += assembler.bytes(at: moment)
            }
            perform(at: 0) { $0.open(at: 0, into: &$1) }
            var (last, next, latest) = (0.4, 1.3, 0.0)
            for second in 1..<Int(duration) {
                let sent = Double(second) + 0.37
                var measurement = HeartRateMeasurement(heartRate: 70)
                measurement.hasIntervals = true
                var beats: [Seconds] = []
                while next <= sent {
                    measurement.intervals.append(Int(next * 1_024) - Int(last * 1_024))
                    beats.append(next)
                    (last, next) = (next, next + Double.random(in: 0.6...1.2, using: &random))
                }
                guard let arrives = arrival(sent) else { continue }
                truth += beats
                let moment = max(latest + 0.002, arrives + Double.random(in: 0...0.03, using: &random))
                latest = moment
                while let wake = due, wake <= moment {
                    due = nil
                    perform(at: wake) { $0.wake(at: wake, into: &$1) }
                }
                perform(at: moment) {
                    $0.receive(
                        measurement.bytes, from: .characteristic(HeartRateMeasurement.characteristic), at: moment,
                        into: &$1)
                }
            }
            perform(at: duration + 1) { $0.close(at: duration + 1, into: &$1) }
            bytes = written + assembler.finish()
            var iterator = events.makeIterator()
            let collected = Recording.collect(assembler.header.streams) { iterator.next() }
            live = Recording(header: assembler.header, streams: collected.streams, markers: collected.markers)
        }

        var beats: [TimedValue] { live.streams.first { $0.header.kind == .ibi }?.values ?? [] }

        func expectTheFileToGiveWhatWasShown() throws {
            try withTemporaryFolder { folder in
                let url = folder.appendingPathComponent("a.xdf")
                try Data(bytes).write(to: url)
                expectSame(live, try Recording(reading: XDFReader(url)))
            }
        }
    }

    @Test(arguments: [3, 5, 10] as [Seconds]) func beatsOfAStallLieWhereTheyWere(stall: Seconds) throws {
        let session = Session(500) { (400..<400 + stall).contains($0) ? 400 + stall : $0 }
        let beats = session.beats
        #expect(beats.count == session.truth.count)
        for (place, (beat, truth)) in zip(beats, session.truth).enumerated() where truth > 300 {
            #expect(abs(beat.onset - truth) < 0.08)
            // What follows takes beats for successive that are not further apart than this from their interval.
            #expect(abs(beat.onset - beats[place - 1].onset - beat.values[0]) < 0.0045)
        }
        try session.expectTheFileToGiveWhatWasShown()
    }

    @Test(arguments: [5, 10] as [Seconds]) func whatIsLostInAStallIsAGapAndTheRestLiesWhereItWas(stall: Seconds) throws
    {
        let session = Session(500) { sent in
            if (400..<400 + stall / 2).contains(sent) { return nil }
            return (400..<400 + stall).contains(sent) ? 400 + stall : sent
        }
        let beats = session.beats
        #expect(beats.count == session.truth.count)
        for (place, (beat, truth)) in zip(beats, session.truth).enumerated() where truth > 300 {
            #expect(abs(beat.onset - truth) < 1.3, "\(truth)")
            #expect(beat.onset >= beats[place - 1].onset)
            let isAfterLoss = truth - session.truth[place - 1] > 1.3
            if isAfterLoss { #expect(abs(beat.onset - beats[place - 1].onset - beat.values[0]) > 0.04) }
        }
        try session.expectTheFileToGiveWhatWasShown()
    }
}
