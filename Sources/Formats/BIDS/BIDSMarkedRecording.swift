import Foundation
import Signals

/// A recording with the events of the table `…_events.tsv` that applies to it among its markers. What it tells of the same
/// moment by the same name or number is not told twice; the table has the say.
final class BIDSMarkedRecording: RecordingReader {
    private(set) var header: RecordingHeader
    private let base: any RecordingReader
    private let table: String
    private var events: [Marker]
    private var told: ToldMoments
    /// What is to be said beside the notes of the recording.
    private var notes: [String]
    private var isDone = false

    /// What begins to read a recording with its events as `open` does without; the recording itself where no table tells of
    /// any. A table that cannot be read is told in a note; one that was not fetched is an error, as nobody wants to do
    /// without it.
    static func opening(
        _ open: @escaping @Sendable (URL) throws -> any RecordingReader
    ) -> @Sendable (URL) throws -> any RecordingReader {
        { url in
            let base = try open(url)
            guard let table = BIDSEvents.file(for: url) else { return base }
            if let unfetched = UnfetchedFile.error(at: table) { throw unfetched }
            do {
                return BIDSMarkedRecording(base, try BIDSEvents(reading: table), named: table.lastPathComponent)
            } catch {
                return BIDSMarkedRecording(
                    base, notes: ["markers were not read: \(BIDSMarkedRecording.words(error, of: table))"])
            }
        }
    }

    /// What is wrong with a table, told by its name alone: what is said of a recording does not differ by where it lies.
    private static func words(_ error: any Error, of table: URL) -> String {
        guard var error = error as? FormatError else { return "\(error)" }
        error.file = table.lastPathComponent
        return error.description
    }

    /// The tables that tell of a recording's channels and of what happened.
    @Sendable static func tables(for url: URL) -> [URL] {
        [BIDSChannels.file(for: url), BIDSEvents.file(for: url)].compactMap(\.self)
    }

    private init(_ base: any RecordingReader, _ events: BIDSEvents, named table: String) {
        let clock =
            (base as? any FrameCounted).map { BIDSEventClock(events, in: $0.frames, named: table) }
            ?? BIDSEventClock(runStart: base.header.sourceOrigin ?? 0)
        let placed = events.events.map { event in (marker: clock.placed(event.marker), names: event.names) }
        self.base = base
        self.table = table
        self.events = placed.map(\.marker).reversed()
        told = ToldMoments(
            placed.map { ($0.marker.onset, $0.names) },
            sampleRate: base.header.streams.map(\.sampleRate).max() ?? 0)
        notes = events.notes + (clock.note.map { [$0] } ?? [])
        header = base.header
        header.notes += notes
    }

    private init(_ base: any RecordingReader, notes: [String]) {
        (self.base, table, events) = (base, "", [])
        told = ToldMoments([Marker](), sampleRate: 0)
        self.notes = notes
        header = base.header
        header.notes += notes
    }

    /// Its frames, where all streams share them.
    var frames: FrameRecording? { (base as? any FrameCounted)?.frames }

    var wantsMarkers: Bool {
        get { base.wantsMarkers }
        set { base.wantsMarkers = newValue }
    }

    func next() throws -> RecordingEvent? {
        if let event = events.popLast() { return .marker(event) }
        defer { tell() }
        while let event = try base.next() {
            guard case .marker(let marker) = event, told.hold(marker.onset, marker.label) else { return event }
        }
        if told.count > 0, !isDone {
            let markers =
                told.count == 1 ? "1 marker of the recording stands" : "\(told.count) markers of the recording stand"
            notes.append("\(markers) in \(table) too, and \(told.count == 1 ? "is" : "are") told once")
        }
        isDone = true
        return nil
    }

    /// Takes over what the recording has had to say since.
    private func tell() {
        let known = base.header.notes
        guard header.notes.count != known.count + notes.count else { return }
        header.notes = known + notes
    }
}
