import Signals

/// Walks over all stamps of a file to find the streams' times before samples are handed out.
enum XDFPass {
    /// What is found of one stream.
    private struct Finding {
        var cursor: XDFClockSync.Cursor
        var finder: XDFRunFinder?
        var last: Seconds = 0
        var first: Seconds?
        var end: Seconds?
        var frames = 0
        let limit: Int

        init(_ lane: XDFLane) {
            cursor = lane.cursor
            limit = lane.frameLimit
            if case .runs = lane.timing { finder = XDFRunFinder(rate: lane.info.nominalRate) }
        }

        mutating func take(_ stamps: [Seconds]) {
            for stamp in stamps {
                guard frames < limit else { return }
                frames += 1
                let time = cursor.map(stamp)
                finder?.add(time)
                first = min(first ?? time, time)
                end = max(end ?? time, time)
            }
        }
    }

    /// Sets the lanes' times.
    static func findTimes(_ lanes: inout [XDFLane], _ survey: XDFSurvey, _ window: XDFWindow) throws {
        for index in lanes.indices where survey.hasStamps && index != survey.journal {
            var finding = Finding(lanes[index])
            finding.take(survey.streams[index].stamps)
            set(&lanes[index], finding)
        }
        if survey.hasStamps { return }
        var findings = lanes.map(Finding.init)
        var scanner = XDFScanner(window)
        while let chunk = try scanner.next() {
            if survey.rejected.contains(chunk.offset) {
                try scanner.reject(chunk)
            } else if chunk.tag == .samples, !survey.headerless.contains(chunk),
                let place = survey.places[chunk.stream], place != survey.journal
            {
                var last = findings[place].last
                _ = try XDFStamps.walk(chunk, lanes[place].info, window, &last) { findings[place].take($0) }
                findings[place].last = last
            }
        }
        for index in lanes.indices { set(&lanes[index], findings[index]) }
    }

    private static func set(_ lane: inout XDFLane, _ finding: Finding) {
        lane.firstTime = finding.first
        lane.endTime = finding.end
        switch lane.timing {
        case .stamps: break
        case .runs:
            var finder = finding.finder
            let runs = finder?.finish() ?? []
            lane.timing = .runs(runs, frameCount: finding.frames)
            lane.notes += XDFRun.notes(runs, nominal: lane.info.nominalRate, name: lane.header.name)
            lane.firstTime = runs.map(\.onset).min() ?? finding.first
            lane.endTime = runs.map { $0.onset + Double($0.count) / $0.rate }.max()
        case .placed(let segments):
            guard let last = segments.last else { break }
            lane.endTime = last.start.onset(ofOffset: max(0, finding.frames - last.frame))
            lane.firstTime = segments.first?.start.onset
        }
    }
}

/// The stamps of a chunk's frames.
enum XDFStamps {
    /// Hands out the stamps, on the stream's clock, of all frames of a chunk.
    /// - Parameter last: the stamp before; becomes the last one.
    /// - Returns: false when the chunk makes no sense; what was handed out before does not count then.
    static func walk(
        _ chunk: XDFChunk, _ info: XDFStreamInfo, _ window: XDFWindow, _ last: inout Seconds,
        _ take: ([Seconds]) -> Void
    ) throws -> Bool {
        if info.format == .string {
            guard let rows = try XDFTexts.frames(chunk, of: info, in: window, after: &last) else { return false }
            take(rows.map(\.stamp))
            return true
        }
        guard var frames = try XDFFrames(chunk, of: info, in: window) else { return false }
        while frames.remaining > 0 {
            guard try frames.next(atMost: 1 << 13, after: &last) != nil else { return false }
            take(frames.stamps)
        }
        return true
    }
}
