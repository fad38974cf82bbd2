import Foundation
import Signals

/// All of an EDF+ file being written but the samples: header, record starts and annotations.
struct EDFFileContent {
    let headerBytes: [UInt8]
    let format: String
    let recordCount: Int
    let recordDuration: Seconds
    let annotations: EDFAnnotationWriting
    let notes: [String]
    /// When each data record starts, in seconds after the header's start.
    private let starts: RecordStarts

    init(
        _ scan: EDFWriteScan, _ plan: EDFWritePlan, _ channels: EDFWriteChannels, _ header: RecordingHeader,
        as storage: EDFStorage
    ) {
        var notes: [String] = []
        // The first record starts within the first second after the header's start.
        let first = plan.intervals.first?.onset ?? 0
        let moment = header.start.flatMap { Plausible.moment($0.secondsSince1970 + first) }?.secondsSince1970
        if header.start != nil, moment == nil {
            notes.append("the start is no date that a file can say and is left out")
        }
        let second = moment.map { ($0 + 5e-8).rounded(.down) }
        let fraction = (moment ?? 0) - (second ?? 0)
        let starts = RecordStarts(plan: plan, shift: max(0, fraction) - first)
        self.starts = starts
        recordCount = max(1, plan.recordCount)
        recordDuration = plan.streams.isEmpty ? 0 : plan.recordDuration
        format = storage.name + (plan.intervals.count > 1 ? "+D" : "+C")
        let events = Self.events(scan, plan, channels, header, &notes).map {
            (onset: $0.onset + starts.shift, duration: $0.duration, text: $0.text)
        }
        annotations = EDFAnnotationWriting(
            events.sorted { $0.onset < $1.onset }, records: recordCount, multiple: storage.bytesPerSample,
            onset: { starts.onset($0) })
        for (index, count) in scan.irregularValues.enumerated() where count > 0 {
            notes.append(
                "\(header.streams[index].name): irregular values do not fit into \(storage.name) and are left out")
        }
        for (index, stream) in header.streams.enumerated()
        where stream.sampleRate > 0 && !plan.streams.contains(where: { $0.source == index }) {
            notes.append("\(stream.name): has no samples and is left out")
        }
        if header.start == nil, abs(first) > 5e-5 {
            notes.append(
                "\(storage.name) counts times from the first sample where there is no date: they are "
                    + "\(Float(abs(first))) s \(first > 0 ? "less" : "more") than in the recording")
        }
        self.notes = notes
        headerBytes = EDFHeaderWriting.bytes(
            channels: channels.channels.map { ($0, plan.streams[$0.stream].samplesPerRecord) }, format: format,
            storage: storage,
            subject: header.subject, start: second.map(Timestamp.init(secondsSince1970:)), records: recordCount,
            duration: plan.streams.isEmpty ? "0" : plan.durationText, annotationBytes: annotations.byteCount)
    }

    /// The bytes of a data record's annotation signal.
    func annotationBytes(_ record: Int) -> [UInt8] {
        annotations.bytes(ofRecord: record, onset: starts.onset(record))
    }

    private struct RecordStarts {
        let plan: EDFWritePlan
        let shift: Seconds

        func onset(_ record: Int) -> Seconds {
            var low = 0
            var high = plan.intervals.count
            while low + 1 < high {
                let middle = (low + high) / 2
                if plan.intervals[middle].firstRecord <= record { low = middle } else { high = middle }
            }
            guard low < plan.intervals.count else { return max(0, shift) }
            let interval = plan.intervals[low]
            // Whole ticks of 100 ns, so that records follow each other by the stated duration to the last digit.
            let first = ((interval.onset + shift) * 1e7).rounded()
            let step = (plan.recordDuration * 1e7).rounded()
            return (first + Double(record - interval.firstRecord) * step) / 1e7
        }
    }

    // MARK: events

    /// What a marker without a label is called: readers pass over annotations without text.
    private static let nameless = "n/a"

    private typealias Event = (onset: Seconds, duration: Seconds, text: String)

    private static func events(
        _ scan: EDFWriteScan, _ plan: EDFWritePlan, _ channels: EDFWriteChannels, _ header: RecordingHeader,
        _ notes: inout [String]
    ) -> [Event] {
        var events: [Event] = scan.markers.map { marker in
            let place = plan.streams.firstIndex { header.streams[$0.source].name == marker.stream }
            let label = place.flatMap { place in channels.channels.first { $0.stream == place }?.label }
            let text = marker.label.isEmpty ? nameless : marker.label
            return (marker.onset, marker.duration, text + (label.map { "@@" + $0 } ?? ""))
        }
        let count = scan.markers.count { $0.label.isEmpty }
        if count > 0 {
            notes.append(
                "\(count) \(count == 1 ? "marker has" : "markers have") no label and \(count == 1 ? "is" : "are") called "
                    + "\(nameless): the format keeps none without")
        }
        for channel in channels.channels {
            let stream = plan.streams[channel.stream]
            let gaps = missing(stream, plan, scan.streams[stream.source].channels[channel.channel].missing)
            events += gaps.map { ($0.onset, $0.duration, EDFWriter.missingText + channel.label) }
        }
        if scan.missingStretches > EDFWriteScan.mostStretches {
            notes.append(
                "only \(EDFWriteScan.mostStretches) of \(scan.missingStretches) stretches of missing samples have an "
                    + "annotation; all are stored as missing")
        }
        return events
    }

    /// When a channel has data records but no samples.
    private static func missing(
        _ stream: EDFWritePlan.Stream, _ plan: EDFWritePlan, _ inside: [(segment: Int, offsets: Range<Int>)]
    ) -> [(onset: Seconds, duration: Seconds)] {
        var frames: [Range<Int>] = []
        var next = 0
        for interval in plan.intervals {
            let first = interval.firstRecord * stream.samplesPerRecord
            let end = first + interval.records * stream.samplesPerRecord
            var free = first
            while next < stream.pieces.count, stream.pieces[next].frame < end {
                let piece = stream.pieces[next].frames
                if piece.lowerBound > free { frames.append(free..<piece.lowerBound) }
                free = piece.upperBound
                next += 1
            }
            if free < end { frames.append(free..<end) }
        }
        for stretch in inside {
            for piece in stream.pieces where piece.segment == stretch.segment && piece.offsets.overlaps(stretch.offsets)
            {
                let offsets = piece.offsets.clamped(to: stretch.offsets)
                let first = piece.frame + offsets.lowerBound - piece.offsets.lowerBound
                frames.append(first..<first + offsets.count)
            }
        }
        return frames.map { (plan.onset(ofFrame: $0.lowerBound, stream), Double($0.count) / stream.rate) }
    }
}

extension EDFWritePlan {
    /// Seconds from the recording's start to a frame of a stream.
    fileprivate func onset(ofFrame frame: Int, _ stream: Stream) -> Seconds {
        let record = frame / stream.samplesPerRecord
        let interval = intervals.last { $0.firstRecord <= record } ?? intervals[0]
        return interval.onset + Double(frame - interval.firstRecord * stream.samplesPerRecord) / stream.rate
    }
}
