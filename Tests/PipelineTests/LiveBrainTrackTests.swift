import Formats
import Pipeline
import Quality
import Signals
import TestSupport
import Testing

@Test("Live, the same is told as becomes known")
func liveTellsTheSame() throws {
    let recording = headband()
    var live = try LiveAnalysis(parameters: Parameters())
    live.declare(recording.header)
    var updates: [LiveUpdate] = []
    let events = RecordedEvents(recording, blockDuration: 0.25)
    while let event = events.next() { live.take(event, into: &updates) }
    live.finish(into: &updates)
    let offline = try brainResult(recording, blocks: 1)
    let eeg = recording.header.streams.firstIndex { $0.kind == .eeg }
    let windows = updates.compactMap { update -> QualityWindow? in
        if case .quality(let stream, let window) = update, stream == eeg { window } else { nil }
    }
    let eyes = updates.compactMap { if case .eyes(_, let event) = $0 { event } else { nil } }
    let epochs = updates.count { if case .eeg = $0 { true } else { false } }
    #expect(windows == offline.quality)
    #expect(eyes == offline.eyes)
    #expect(epochs == offline.epochs.count)
}

/// The ends of the pieces of a recording by which the live analysis said that a headband was off the head.
private func offHead(_ recording: Recording, blocks: Seconds = 0.25) throws -> [Seconds] {
    var live = try LiveAnalysis(parameters: Parameters())
    live.declare(recording.header)
    var (updates, frames, told): ([LiveUpdate], Int, [Seconds]) = ([], 0, [])
    let eeg = try #require(recording.header.streams.firstIndex { $0.kind == .eeg })
    let events = RecordedEvents(recording, blockDuration: blocks)
    while let event = events.next() {
        live.take(event, into: &updates)
        if case .samples(eeg, let block) = event { frames += block.frameCount }
        if live.takeOffHead() == [eeg] { told.append(Double(frames) / recording.header.streams[eeg].sampleRate) }
    }
    return told
}

@Test("A headband off the head is told within three seconds, however long windows of quality are")
func offHeadIsToldSoon() throws {
    let told = try offHead(headband(showing: 800, in: 20..<30))
    #expect(told.first.map { $0 > 20 && $0 <= 23 } == true && told.last.map { $0 <= 30.5 } == true && told.count == 9)
    #expect(try offHead(headband(showing: 800, in: 0..<60)).first == 2)
    #expect(try offHead(headband()).isEmpty)
}

@Test(
    "A worn headband is off the head where its windows say so, too, and nowhere else",
    .enabled(if: RealData.has("muse_lsl/visual_N170_subject1_session1_data_2017-09-13-15.30.01.csv.gz")),
    arguments: [
        "visual_N170_subject1_session1_data_2017-09-13-15.30.01",
        "visual_P300_subject1_session1_data_2017-02-04-15_45_13",
    ])
func wornHeadbandIsOnTheHead(name: String) throws {
    let recording = try Recording(reading: RecordingFile.open(RealData.url("muse_lsl/\(name).csv.gz")))
    let told = try offHead(recording, blocks: 1)
    let windows = try brainResult(recording, blocks: 60).quality.filter { $0.reasons.contains(.headbandOffHead) }
    #expect(told.allSatisfy { moment in windows.contains { $0.onset < moment && moment <= $0.onset + $0.duration } })
}
