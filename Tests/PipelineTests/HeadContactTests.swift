import Brain
import Foundation
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// What a headband says of its contact reaches features, connectivity and blinks.
struct HeadContactTests {
    private static let labels = ["TP9", "AF7", "AF8", "TP10"]

    /// Eighty seconds of a headband's EEG; from 20 s to 30 s AF7 has no contact, and from 50 s on it is off the head.
    private static func recording() -> Recording {
        var signal = EEGSignal(EEGParameters(), seed: 3)
        let eeg = SampleBlock(
            channelCount: 4, samples: signal.render(0..<256 * 80).flatMap { $0.map(Float.init) })
        let told = labels.map { label in
            (0..<800).map { Float(label == "AF7" && (200..<300).contains($0) ? 4 : 1) }
        }
        let on = (0..<800).map { Float($0 < 500 ? 1 : 0) }
        func stream(_ kind: StreamKind, _ labels: [String], _ unit: Signals.Unit, _ rate: Double, _ block: SampleBlock)
            -> Signals.Stream
        {
            let channels = labels.map { Channel(label: $0, unit: unit) }
            let start = SegmentStart(onset: 0, sample: 0, sampleRate: rate)
            return Signals.Stream(
                header: StreamHeader(name: kind.rawValue, kind: kind, channels: channels, sampleRate: rate),
                segments: [Segment(start: start, block: block)])
        }
        let contact = SampleBlock(channelCount: 5, samples: (told + [on]).flatMap { $0 })
        return Recording(
            header: RecordingHeader(duration: 80, format: "test"),
            streams: [
                stream(.eeg, labels, .microvolts, 256, eeg),
                stream(.other, labels.map { "HSI_\($0)" } + ["HeadBandOn"], .dimensionless, 10, contact),
            ])
    }

    /// What is computed when contact comes `lag` seconds after the EEG it belongs to.
    private static func result(
        blocks: Seconds, lag: Seconds = 0, reference: EEGReference = .asRecorded, connectivityWindow: Seconds = 30,
        computing outputs: BrainTrack.Outputs = .all
    ) throws -> BrainResult {
        let recording = recording()
        var parameters = Parameters()
        parameters.eeg.cleaning.reference = reference
        parameters.eeg.features.connectivityWindow = connectivityWindow
        let source = try BrainSource.meant(by: nil, in: recording.header, file: "test")
        var track = try BrainTrack(source, in: recording.header, parameters: parameters, computing: outputs)
        let reader = RecordedEvents(recording, blockDuration: blocks)
        var (events, moments): ([(at: Seconds, RecordingEvent)], [Seconds]) = ([], [0, 0])
        while let event = reader.next() {
            switch event {
            case .segment(let stream, _): events.append((moments[stream], event))
            case .samples(let stream, let block):
                moments[stream] += Double(block.frameCount) / recording.streams[stream].header.sampleRate
                events.append((moments[stream] + (stream == 1 ? lag : 0), event))
            default: break
            }
        }
        // Of pieces that are there at one moment the one that was recorded first comes first.
        let order = events.indices.sorted { (events[$0].at, $0) < (events[$1].at, $1) }
        for place in order { track.take(events[place].1) }
        track.finish()
        return track.result
    }

    private static func tables(_ result: BrainResult) throws -> [Table] {
        let parameters = BrainParameters()
        return [
            Table(try BrainTables.epochs(result, parameters: parameters)),
            Table(try BrainTables.pairs(result, parameters: parameters)), BrainTables.blinks(result),
        ]
    }

    @Test func `epochs of an electrode without contact and of a headband off the head have no features`() throws {
        let epochs = Array(try Self.result(blocks: 1).epochs)
        #expect(epochs.count > 70)
        for epoch in epochs where epoch.channels[0].coverage == 1 {
            let end = epoch.onset + epoch.duration
            let (isLoose, isOff) = (epoch.onset < 30 && end > 20, end > 50)
            for channel in epoch.channels.indices {
                let isTold = isOff || (isLoose && channel == 1)
                let state = epoch.channels[channel]
                #expect(state.reasons.contains(.offBody) == isTold, "\(epoch.onset) \(channel)")
                #expect(epoch.values[channel, 0].isFinite == state.isUsable)
            }
        }
        #expect(epochs.count { $0.channels.allSatisfy(\.isUsable) } > 30)
    }

    @Test func `a difference is off the body where one of its electrodes is`() throws {
        let pairs = [("TP9", "AF7"), ("TP10", "AF8")].map { EEGReference.Pair($0.0, $0.1) }
        let result = try Self.result(blocks: 1, reference: .bipolar(pairs), computing: .features)
        let epoch = try #require(Array(result.epochs).first { $0.onset == 24 })
        #expect(epoch.channels.map { $0.reasons.contains(.offBody) } == [true, false])
    }

    @Test func `connectivity is of epochs in which no channel of the pair is off the body`() throws {
        let result = try Self.result(blocks: 1, connectivityWindow: 12)
        let (epochs, rows) = (Array(result.epochs), Array(result.pairs))
        for row in rows {
            let usable = epochs.filter { epoch in
                epoch.onset >= row.onset && epoch.onset + epoch.duration <= row.onset + row.duration
                    && [row.pair.first, row.pair.second].allSatisfy { epoch.channels[$0].isUsable }
            }
            #expect(row.epochs == usable.count, "\(row.onset) \(row.pair)")
            let isOff = row.onset >= 50 || (row.onset == 22 && (row.pair.first == 1 || row.pair.second == 1))
            if isOff { #expect(row.epochs < 4 && row.values.allSatisfy { !$0.isFinite }) }
        }
        let known = rows.filter { $0.values.allSatisfy(\.isFinite) }
        #expect(known.contains { $0.onset == 22 && $0.pair == ChannelPair(first: 0, second: 2) })
        #expect(rows.contains { $0.onset >= 50 } && known.allSatisfy { $0.onset < 50 })
    }

    @Test(arguments: [BrainTrack.Outputs.all, .eyes])
    func `no blinks are told of a headband off the head`(outputs: BrainTrack.Outputs) throws {
        let rows = BrainTables.blinks(try Self.result(blocks: 1, computing: outputs)).rows
        #expect(rows.count == 80 && rows[50...].allSatisfy { $0[1] == .missing })
        #expect(rows[..<45].allSatisfy { $0[1] != .missing } && rows[..<45].contains { $0[1] == .integer(1) })
    }

    @Test(arguments: [(0.1, 0.0), (0.37, 0), (7.3, 0), (20, 0), (1, 4.5), (0.5, 20)])
    func `the same is told in whatever pieces and however late within patience contact comes`(
        blocks: Seconds, lag: Seconds
    ) throws {
        let (expected, found) = (try Self.result(blocks: 1), try Self.result(blocks: blocks, lag: lag))
        #expect(try Self.tables(found) == Self.tables(expected))
        #expect(found.quality == expected.quality && found.epochs.count == expected.epochs.count)
        let alone = try Self.result(blocks: blocks, lag: lag, computing: .features)
        #expect(try Self.tables(alone)[0] == Self.tables(expected)[0])
    }
}
