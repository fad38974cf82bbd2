import Cardiac
public import Formats
public import Foundation
public import Signals

/// Runs the stages for one source of a file.
public enum CardiacReading {
    /// What `marey beats`, `hrv`, `quality`, `rhythm` and `respiration` compute: one source of one file, read from end to end.
    /// - Parameters:
    ///   - url: a recording of any readable format, or a beats table.
    ///   - edits: what a person changed in the beats.
    ///   - open: begins reading a recording; told from its content unless said otherwise.
    ///   - progress: called with the share of the recording that has been read, 0…1.
    /// - Throws: `FormatError`, `PipelineError` or `InvalidParameter`.
    public static func result(
        of url: URL, _ request: SourceRequest = SourceRequest(), parameters: Parameters = Parameters(),
        computing outputs: CardiacTrack.Outputs = .all, edits: BeatEdits? = nil,
        opening open: (URL) throws -> any RecordingReader = RecordingFile.open,
        progress: (Double) -> Void = { _ in }
    ) throws -> CardiacResult {
        if BeatsTable.recognizes(url) {
            return try result(ofTable: url, parameters: parameters, computing: outputs, edits: edits)
        }
        let file = try open(url)
        file.wantsMarkers = false
        let source = try request.source(in: file.header, file: url.relativePath)
        let reader = file.ordered(source.stream, beside: source.beside)
        var track = try CardiacTrack(
            source, parameters: parameters, computing: outputs,
            edits: edits?.edits(for: source, in: reader.header) ?? [])
        if source.kind != .ibi, let duration = reader.header.duration { track.expect(duration) }
        var clock = ReadingClock(reader.header)
        while let event = try reader.next() {
            track.take(event)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
        track.finish()
        try edits?.demandMade(track.result.edits)
        var result = track.result
        result.notes = reader.header.notes + request.leftOut(of: reader.header, using: source)
        if result.intervals.isEmpty, result.beats.isEmpty {
            let advice = source.kind == .ibi ? "" : ": \(CardiacResult.otherHeartRates)"
            result.notes.append("no beat was found in \(source.name)\(advice)")
        }
        result.notes += [result.polarityRemark, result.rateRemark].compactMap(\.self)
        result.notes += result.remarks
        return result
    }

    private static func result(
        ofTable url: URL, parameters: Parameters, computing outputs: CardiacTrack.Outputs, edits: BeatEdits?
    ) throws -> CardiacResult {
        var (beats, intervals) = try BeatsTable.read(url)
        let extent = BeatsTable.extent(url, holding: beats)
        var made: [BeatEditResult] = []
        if let edits, !edits.list.isEmpty { (beats, intervals, made) = try edited(beats, edits) }
        let source = CardiacSource(
            kind: .ibi, stream: 0, name: "beats", channel: 0, label: Channel(label: "beats", unit: .seconds),
            sampleRate: 0)
        var result = try CardiacTrack.result(
            of: intervals, beats: beats, within: extent, source: source, parameters: parameters, computing: outputs)
        result.edits = made
        // Beats say nothing about the quality of the signal that they were found in.
        result.signalQuality = []
        result.notes += result.remarks
        return result
    }
}

extension CardiacReading {
    /// The beats of a table after a person's edits, and the times between them.
    private static func edited(
        _ beats: [Beat], _ edits: BeatEdits
    ) throws -> (beats: [Beat], intervals: [IBI], made: [BeatEditResult]) {
        var stage = BeatEditStage(edits.list.map(\.edit))
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 1)
        var edited: [Beat] = []
        stage.begin(start, into: &edited)
        stage.push(beats.span, into: &edited)
        stage.finish(into: &edited)
        try edits.demandMade(stage.results)
        var intervals = IBIStage()
        return (edited, intervals.run(edited, from: start), stage.results)
    }
}

/// How far a recording has been read.
public struct ReadingClock {
    private let header: RecordingHeader
    private var onsets: [Seconds]

    /// Nothing read yet.
    public init(_ header: RecordingHeader) {
        self.header = header
        onsets = Array(repeating: 0, count: header.streams.count)
    }

    /// The share that has been read with `event`, 0…1; nil when the event does not tell.
    public mutating func fraction(after event: RecordingEvent) -> Double? {
        guard let duration = header.duration, duration > 0 else { return nil }
        switch event {
        case .segment(let stream, let start):
            onsets[stream] = start.onset
            return start.onset / duration
        case .samples(let stream, let block) where header.streams[stream].sampleRate > 0:
            onsets[stream] += Double(block.frameCount) / header.streams[stream].sampleRate
            return onsets[stream] / duration
        default: return nil
        }
    }
}
