import Foundation
import Signals

/// How a recording is laid out in data records: their length, their starts, and where each run of samples goes.
struct EDFWritePlan {
    /// Samples of a source segment and the frame they begin at, counted over all data records.
    struct Piece {
        var segment: Int
        var offsets: Range<Int>
        var frame: Int

        var frames: Range<Int> { frame..<frame + offsets.count }
    }

    struct Stream {
        /// The stream's place in the recording.
        var source: Int
        var rate: Double
        var samplesPerRecord: Int
        var pieces: [Piece] = []
    }

    /// Data records that follow each other.
    struct Interval {
        var onset: Seconds
        var firstRecord: Int
        var records: Int
    }

    private(set) var recordDuration: Seconds = 1
    private(set) var durationText = "1"
    private(set) var streams: [Stream] = []
    /// Bytes of samples in a data record.
    private let recordBytes: Int
    private(set) var intervals: [Interval] = []
    private(set) var notes: [String] = []

    var recordCount: Int { intervals.last.map { $0.firstRecord + $0.records } ?? 0 }

    /// Gaps shorter than this are closed up: a reader would not see them.
    private static let closeness = 0.0011

    /// - Throws: `FormatError` when the sample rates have no record length in common.
    init(_ scan: EDFWriteScan, _ header: RecordingHeader, as storage: EDFStorage, for url: URL) throws {
        for (index, stream) in scan.streams.enumerated() where !stream.runs.isEmpty {
            guard let rate = stream.rate(nominal: header.streams[index].sampleRate) else {
                throw FormatError(
                    url, "stream '\(header.streams[index].name)' has no sample rate and cannot be written")
            }
            if !rate.isExact(at: rate.hertz) {
                notes.append(
                    "\(header.streams[index].name): segments of different rates (\(Float(rate.range.lowerBound))-"
                        + "\(Float(rate.range.upperBound)) Hz) are written at \(Float(rate.hertz)) Hz; times within a "
                        + "segment move by up to \(Float(rate.drift(at: rate.hertz))) s")
            }
            streams.append(Stream(source: index, rate: rate.hertz, samplesPerRecord: 0))
        }
        guard !streams.isEmpty else {
            recordBytes = 0
            return
        }
        let channels = streams.map { header.streams[$0.source].channels.count }
        var spans: [(onset: Seconds, end: Seconds)] = []
        for stream in streams {
            spans += scan.streams[stream.source].runs.map {
                (onset: $0.onset, end: $0.onset + Double($0.offsets.count) / stream.rate)
            }
        }
        guard
            let length = EDFRecordLength.best(rates: streams.map(\.rate), channels: channels, spans: spans)
        else {
            let rates = streams.map { "\(Float($0.rate))" }.joined(separator: ", ")
            throw FormatError(
                url, "no data record holds whole numbers of samples at all the rates (\(rates) Hz)",
                advice: "write the streams to files of their own")
        }
        recordDuration = length.duration
        durationText = length.text
        recordBytes = zip(length.samples, channels).reduce(0) { $0 + $1.0 * $1.1 } * storage.bytesPerSample
        for index in streams.indices { streams[index].samplesPerRecord = length.samples[index] }
        makeIntervals(spans.sorted { $0.onset < $1.onset })
        for index in streams.indices { place(scan.streams[streams[index].source].runs, index, header) }
    }

    private mutating func makeIntervals(_ spans: [(onset: Seconds, end: Seconds)]) {
        var current: (onset: Seconds, end: Seconds)?
        func records(_ span: (onset: Seconds, end: Seconds)) -> Int {
            max(1, Int(((span.end - span.onset) / recordDuration - 1e-6).rounded(.up)))
        }
        func close(_ span: (onset: Seconds, end: Seconds)) {
            intervals.append(Interval(onset: span.onset, firstRecord: recordCount, records: records(span)))
        }
        for span in spans {
            if let open = current {
                let paddedEnd = open.onset + Double(records(open)) * recordDuration
                if span.onset <= paddedEnd + Self.closeness {
                    current = (open.onset, max(open.end, span.end))
                    continue
                }
                close(open)
            }
            current = span
        }
        if let open = current { close(open) }
        fillGaps()
    }

    /// Bytes that missing samples may take in gaps; a recording with more stays discontinuous.
    private static let maxGapBytes = 2_000_000_000

    /// Joins all intervals to one, with records of missing samples in between: EDFlib and the programs built on it open
    /// no discontinuous file.
    private mutating func fillGaps() {
        guard intervals.count > 1, let first = intervals.first, let last = intervals.last else { return }
        let end = last.onset + Double(last.records) * recordDuration
        let records = ((end - first.onset) / recordDuration - 1e-6).rounded(.up)
        let added = records - Double(recordCount)
        guard records < 1e8, added * Double(recordBytes) <= Double(Self.maxGapBytes) else {
            notes.append(
                "the recording has gaps too long to be filled with missing samples; the file is discontinuous, which "
                    + "EDFlib, pyedflib and EDFbrowser do not open")
            return
        }
        intervals = [Interval(onset: first.onset, firstRecord: 0, records: Int(records))]
    }

    /// Puts the runs of a stream on the frames of the data records.
    private mutating func place(_ runs: [EDFWriteScan.Run], _ index: Int, _ header: RecordingHeader) {
        let stream = streams[index]
        var worst = 0.0
        var free = 0
        var interval = 0
        for run in runs.sorted(by: { $0.onset < $1.onset }) {
            while interval + 1 < intervals.count, intervals[interval + 1].onset <= run.onset { interval += 1 }
            let first = intervals[interval].firstRecord * stream.samplesPerRecord
            let end = first + intervals[interval].records * stream.samplesPerRecord
            let exact = (run.onset - intervals[interval].onset) * stream.rate
            var frame = first + Int(exact.rounded())
            frame = max(min(frame, end - run.offsets.count), free)
            worst = max(worst, abs(Double(frame - first) - exact))
            // Overlapping runs may not fit; what does not is left out and said.
            let count = min(run.offsets.count, end - frame)
            if count < run.offsets.count {
                notes.append(
                    "\(header.streams[stream.source].name): \(run.offsets.count - max(0, count)) samples overlap others"
                )
            }
            guard count > 0 else { continue }
            let offsets = run.offsets.lowerBound..<run.offsets.lowerBound + count
            streams[index].pieces.append(Piece(segment: run.segment, offsets: offsets, frame: frame))
            free = frame + count
        }
        if worst > 0.01 {
            notes.append(
                "\(header.streams[stream.source].name): samples are moved by up to \(Float(worst / stream.rate)) s onto the "
                    + "common sampling moments of the data records")
        }
    }
}

/// Finds how long data records should be.
enum EDFRecordLength {
    typealias Length = (duration: Seconds, text: String, samples: [Int])

    /// A duration, as the header writes it, that holds whole numbers of samples at all rates; if possible one that the recording's runs fill
    /// without a rest. Nil when there is none.
    static func best(rates: [Double], channels: [Int], spans: [(onset: Seconds, end: Seconds)]) -> Length? {
        let usual: [Double] = [1, 2, 0.5, 4, 5, 10, 0.25, 0.2, 0.1, 3, 8, 15, 16, 20, 30, 32, 60, 64]
        let slowest = rates.min() ?? 1
        let multiples = (1...4_000).lazy.map { Double($0) / slowest }.filter { $0 <= 120 }
        for tolerance in [1e-12, 1e-7] {
            let fitting = usual.compactMap { length($0, rates, channels, tolerance) }
            if let full = fitting.first(where: { isFilled($0.duration, spans) }) { return full }
            if let first = fitting.first { return first }
            let others = multiples.compactMap { length($0, rates, channels, tolerance) }
            // Near a second, so that records are neither tiny nor unwieldy.
            if let best = others.min(by: { abs(log($0.duration)) < abs(log($1.duration)) }) { return best }
        }
        return nil
    }

    private static func isFilled(_ duration: Seconds, _ spans: [(onset: Seconds, end: Seconds)]) -> Bool {
        spans.allSatisfy {
            let records = ($0.end - $0.onset) / duration
            return abs(records - records.rounded()) < 1e-6
        }
    }

    private static func length(_ duration: Double, _ rates: [Double], _ channels: [Int], _ tolerance: Double) -> Length?
    {
        guard let text = text(duration), let written = Double(text), abs(written / duration - 1) <= tolerance
        else { return nil }
        var samples: [Int] = []
        var size = 0.0
        for (rate, channels) in zip(rates, channels) {
            let count = rate * written
            let whole = count.rounded()
            guard whole >= 1, whole < 1e7, abs(whole / count - 1) <= max(1e-9, tolerance) else { return nil }
            samples.append(Int(whole))
            size += whole * 2 * Double(channels)
        }
        return size <= 8e6 ? (written, text, samples) : nil
    }

    private static func text(_ duration: Double) -> String? {
        guard duration < 1e6, duration >= 1e-4 else { return nil }
        var text = String(format: "%.\(duration < 10 ? 6 : duration < 100 ? 5 : 3)f", duration)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
