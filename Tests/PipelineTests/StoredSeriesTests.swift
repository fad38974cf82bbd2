import Brain
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// Pairs of 128 channels: 8,128 a window, of which no more than some ten windows are held in memory.
private func pairs(seconds: Int) throws -> BrainPairs {
    let (channels, rate) = (128, 100)
    var random = SplitMix64(seed: 8)
    var samples: [Float] = []
    for _ in 0..<channels {
        // Of a shorter recording the same beginning.
        let whole = (0..<60 * rate).map { _ in Float.random(in: -20...20, using: &random) }
        samples += whole.prefix(seconds * rate)
    }
    let header = StreamHeader(
        name: "eeg", kind: .eeg, channels: (0..<channels).map { Channel(label: "E\($0 + 1)", unit: .microvolts) },
        sampleRate: Double(rate))
    let recording = Recording(
        header: RecordingHeader(duration: Double(seconds), format: "test"),
        streams: [
            Signals.Stream(
                header: header,
                segments: [
                    Segment(
                        start: SegmentStart(onset: 0, sample: 0, sampleRate: Double(rate)),
                        block: SampleBlock(channelCount: channels, samples: samples))
                ])
        ])
    var parameters = Parameters()
    parameters.eeg.features.connectivityWindow = 4
    let source = try BrainSource.meant(by: nil, in: recording.header, file: "test")
    var track = try BrainTrack(source, in: recording.header, parameters: parameters, computing: .connectivity)
    let events = RecordedEvents(recording, blockDuration: 5)
    while let event = events.next() { track.take(event) }
    track.finish()
    return track.result.pairs
}

private func bits(_ row: PairValues.Row) -> [UInt64] { ([row.onset, row.duration] + row.values).map(\.bitPattern) }

@Test("The connectivity of many channels is the same after it has been put aside, and in order")
func pairsAreTheSameAfterTheyWerePutAside() throws {
    let (long, short) = try (pairs(seconds: 60), pairs(seconds: 16))
    let perWindow = 128 * 127 / 2
    #expect(long.count % perWindow == 0 && long.count / perWindow >= 14)
    #expect(
        long.count * (5 + long[0].values.count) > 2_000_000 && short.count * (5 + short[0].values.count) < 2_000_000)
    for place in 0..<2 * perWindow {
        try #require(bits(long[place]) == bits(short[place]) && long[place].epochs == short[place].epochs)
    }
    var last = -1.0
    for (place, row) in long.enumerated() {
        if place % perWindow == 0 {
            try #require(row.onset > last)
            last = row.onset
        }
        try #require(row.onset == last && row.pair == short[place % perWindow].pair)
    }
}
