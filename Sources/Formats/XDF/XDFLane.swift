import Signals

/// One stream while its file is read.
struct XDFLane {
    let info: XDFStreamInfo
    /// The stream's place among the recording's events; nil for text and other markers.
    let event: Int?
    let header: StreamHeader
    var timing: XDFTiming
    var cursor: XDFClockSync.Cursor
    let frameLimit: Int
    /// Time on the recorder's clock that is the recording's start.
    var zero: Seconds = 0
    var firstTime: Seconds?
    var endTime: Seconds?
    var notes: [String] = []
    /// Whether its text is the journal of our own recording.
    let isJournal: Bool
    /// Whether its text is the markers of our own recording.
    let isOwnMarkers: Bool

    private var last: Seconds = 0
    private var frame = 0
    private var run = -1
    private var end: Seconds = -.infinity
    private var placer: XDFPlacer?
    private var precision: XDFPrecision?
    /// What is to be said of its values once they were read.
    var precisionNote: String? { precision?.note(header) }
    var missing: Int { placer?.missing ?? 0 }

    /// The streams of a file, with names made unique.
    static func lanes(_ survey: XDFSurvey, _ clock: XDFReader.Clock) -> [XDFLane] {
        var names = DistinctNames<String>()
        var event = 0
        return survey.streams.enumerated().map { place, stream in
            let isMarkers = stream.info.isMarkers
            let base = stream.info.name.isEmpty ? "stream\(stream.info.id)" : stream.info.name
            let name = isMarkers ? base : names.next(base, separator: " ")
            let lane = XDFLane(survey, place, name: name, event: isMarkers ? nil : event, clock)
            if !isMarkers { event += 1 }
            return lane
        }
    }

    private init(_ survey: XDFSurvey, _ place: Int, name: String, event: Int?, _ clock: XDFReader.Clock) {
        let stream = survey.streams[place]
        info = stream.info
        self.event = event
        frameLimit = stream.frameLimit
        isJournal = place == survey.journal
        let isOwn = survey.journal != nil && stream.info.marey != nil
        isOwnMarkers = isOwn && stream.info.name == XDFJournalLine.markersName
        let sync = XDFClockSync(times: stream.clockTimes, values: stream.clockValues)
        cursor = XDFClockSync.Cursor(sync)
        let isExact = stream.info.canDropSamples && stream.info.marey == nil && event != nil
        var header = stream.info.header(
            name: name,
            frameCount: stream.frameCount
                - stream.segments.reduce(0) { min($0 + ($1.filled ?? 0), stream.frameCount) })
        if isExact, stream.info.nominalRate > 0 {
            header.sampleRate = 0
            header.frameCount = nil
            notes.append(
                "\(name): may have dropped samples (can_drop_samples), so its frames keep their own times")
        }
        self.header = header
        if header.sampleRate > 0 { precision = XDFPrecision(info) }
        if isOwn, stream.info.nominalRate > 0, !stream.segments.isEmpty {
            let segments = Self.placed(stream, clock, sync)
            timing = .placed(segments)
            placer = XDFPlacer(segments)
        } else if stream.info.nominalRate > 0, !isExact {
            timing = .runs([], frameCount: 0)
        } else {
            timing = .stamps
        }
    }

    private static func placed(
        _ stream: XDFSurvey.Stream, _ clock: XDFReader.Clock, _ sync: XDFClockSync
    ) -> [XDFPlacedSegment] {
        var cursor = XDFClockSync.Cursor(sync)
        var end = -Double.infinity
        return stream.segments.indices.map { index in
            let line = stream.segments[index]
            let frame = line.frame ?? 0
            let start = line.start ?? SegmentStart(onset: 0, sample: 0, sampleRate: stream.info.nominalRate)
            var segment = XDFPlacedSegment(
                frame: frame, filled: line.filled ?? 0, clock: line.clock ?? 0, start: start,
                stampRate: start.sampleRate)
            guard clock == .host else { return segment }
            let next = index + 1 < stream.segments.count ? stream.segments[index + 1] : nil
            let stop = next.map { ($0.frame ?? 0) - ($0.filled ?? 0) } ?? stream.frameCount
            let span = Double(max(1, stop - frame)) / start.sampleRate
            let first = max(cursor.map(segment.clock), end)
            let after = max(cursor.map(segment.clock + span), first)
            let length = after - first
            segment.start.onset = first
            let measured = span * start.sampleRate / length
            segment.start.sampleRate = Plausible.sampleRates.contains(measured) ? measured : start.sampleRate
            if segment.start.gap != nil, end > -.infinity {
                segment.start.gap?.onset = end
                segment.start.gap?.duration = first - end
            }
            end = first + Double(max(1, stop - frame)) / segment.start.sampleRate
            return segment
        }
    }

    // MARK: reading

    mutating func readFrames(_ chunk: XDFChunk, _ window: XDFWindow, into events: inout [RecordingEvent]) throws {
        guard let event, var frames = try XDFFrames(chunk, of: info, in: window) else { return }
        while frames.remaining > 0 {
            guard let bytes = try frames.next(atMost: Self.mostFrames(info), after: &last) else { return }
            let count = min(frames.places.count, max(0, frameLimit - frame))
            precision?.take(bytes, frames.places[..<count], info.format)
            switch timing {
            case .runs(let runs, _): emitRuns(runs, frames, bytes, count, event, into: &events)
            case .placed: emitPlaced(frames, bytes, count, event, into: &events)
            case .stamps:
                let values = (0..<count).map { index in
                    TimedValue(
                        onset: cursor.map(frames.stamps[index]) - zero,
                        values: XDFNumbers.values(
                            bytes, frames.places[index], channels: info.channelCount, info.format))
                }
                if !values.isEmpty { events.append(.values(stream: event, values)) }
            }
            frame += count
        }
    }

    /// About a megabyte of samples.
    private static func mostFrames(_ info: XDFStreamInfo) -> Int { max(1, (1 << 18) / info.channelCount) }

    private func block(_ frames: XDFFrames, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> SampleBlock {
        XDFNumbers.block(bytes, frames.places[range], channels: info.channelCount, info.format)
    }

    private mutating func emitRuns(
        _ runs: [XDFRun], _ frames: XDFFrames, _ bytes: UnsafeRawBufferPointer, _ count: Int, _ event: Int,
        into events: inout [RecordingEvent]
    ) {
        var done = 0
        while done < count {
            if run < 0 || frame + done >= runs[run].frame + runs[run].count {
                guard run + 1 < runs.count else { return }
                run += 1
                events.append(.segment(stream: event, start: start(runs)))
            }
            let piece = min(count - done, runs[run].frame + runs[run].count - frame - done)
            guard piece > 0 else { return }
            events.append(.samples(stream: event, block(frames, bytes, done..<done + piece)))
            done += piece
        }
    }

    private mutating func start(_ runs: [XDFRun]) -> SegmentStart {
        let found = runs[run]
        let stated = found.onset - zero
        let onset = max(stated, end)
        var gap: Gap?
        if run > 0 {
            gap = Gap(onset: end, duration: onset - end, reason: stated < end ? .clockReset : .fileGap)
        }
        end = onset + Double(found.count) / found.rate
        return SegmentStart(onset: onset, sample: found.frame, sampleRate: found.rate, gap: gap)
    }

    private mutating func emitPlaced(
        _ frames: XDFFrames, _ bytes: UnsafeRawBufferPointer, _ count: Int, _ event: Int,
        into events: inout [RecordingEvent]
    ) {
        guard count > 0, let pieces = placer?.place(stamp: frames.stamps[0], count: count) else { return }
        for piece in pieces {
            if let start = piece.start { events.append(.segment(stream: event, start: start)) }
            events.append(.samples(stream: event, block(frames, bytes, piece.range)))
        }
    }

    mutating func readMarkers(
        _ chunk: XDFChunk, _ window: XDFWindow, _ lines: [Int: XDFJournalLine], _ count: inout Int,
        into events: inout [RecordingEvent]
    ) throws {
        guard info.format == .string else { return try readNumbers(chunk, window, into: &events) }
        guard !isJournal, let rows = try XDFTexts.frames(chunk, of: info, in: window, after: &last) else { return }
        for row in rows.prefix(max(0, frameLimit - frame)) {
            let onset = time(row.stamp) - zero
            let label = row.texts.count == 1 ? row.texts[0] : row.texts.joined(separator: "\t")
            var marker = Marker(onset: onset, label: label, stream: isOwnMarkers ? nil : info.name)
            if isOwnMarkers {
                if let line = lines[count] {
                    marker.duration = line.duration ?? 0
                    marker.stream = line.stream
                }
                count += 1
            }
            events.append(.marker(marker))
            frame += 1
        }
    }

    /// Markers that are numbers, such as a parallel port's codes.
    private mutating func readNumbers(
        _ chunk: XDFChunk, _ window: XDFWindow, into events: inout [RecordingEvent]
    ) throws {
        guard var frames = try XDFFrames(chunk, of: info, in: window) else { return }
        while frames.remaining > 0, let bytes = try frames.next(atMost: Self.mostFrames(info), after: &last) {
            for index in 0..<min(frames.places.count, max(0, frameLimit - frame)) {
                let numbers = XDFNumbers.values(
                    bytes, frames.places[index], channels: info.channelCount, info.format)
                let label = numbers.map(Self.code).joined(separator: "\t")
                events.append(
                    .marker(Marker(onset: cursor.map(frames.stamps[index]) - zero, label: label, stream: info.name)))
                frame += 1
            }
        }
    }

    private static func code(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? NumberFormatting.text(number)
    }

    /// When the next row of text was.
    private mutating func time(_ stamp: Seconds) -> Seconds {
        guard case .runs(let runs, _) = timing else { return cursor.map(stamp) }
        while run < 0 || run + 1 < runs.count && frame >= runs[run].frame + runs[run].count { run += 1 }
        guard run < runs.count else { return stamp }
        return runs[run].onset + Double(frame - runs[run].frame) / runs[run].rate
    }
}
