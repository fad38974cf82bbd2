public import Foundation
public import Signals

/// Reads an Empatica E4 session: the folder of CSV files of the export, or the zip they come in, which is never
/// unpacked.
///
/// Streams: `acceleration` (x, y, z in g), `bvp`, `eda` (µS), `temperature` (°C), `heartRate` (bpm) and the irregular
/// `ibi` (s). Button presses are markers called `tag`. The recording starts with the earliest file; sample k of a file is
/// k/rate after that file's own start. Missing and empty files are noted and left out; files that end before the others are noted.
///
/// Empatica support articles 201608896 (export) and 360029469772 (HR.csv).
public final class EmpaticaSession: RecordingReader {
    /// What the session holds; notes are added while it is read.
    public private(set) var header: RecordingHeader

    private let origin: Double
    private var lanes: [Lane] = []
    private var markers: ArraySlice<Marker>
    private let blockDuration: Seconds
    private let intervals: IntervalFile?

    /// A file being read.
    private struct Lane {
        let stream: Int
        let signal: EmpaticaSignal
        let rows: EmpaticaRows
        var sample = 0
        var isBegun = false

        /// When its next sample is, seconds since 1970.
        var time: Double { signal.start + Double(sample) / signal.rate }
    }

    private struct IntervalFile {
        let stream: Int
        let rows: EmpaticaRows
        let start: Double
    }
    private var intervalTime: Double?

    /// Opens a session folder or zip.
    /// - Parameter blockDuration: how many seconds to read at a time; does not change what is read.
    /// - Throws: `FormatError` when it holds no E4 session, or a file's first rows are not as they should be; for a zip
    ///   also when it is damaged, or has entries that lead out of it, are links or are too large.
    public init(_ url: URL, blockDuration: Seconds = 60) throws {
        let source = try EmpaticaSource(url)
        self.blockDuration = max(blockDuration, 0.001)
        var notes: [String] = []
        let roles: [EmpaticaSource.Role] = [.acc, .bvp, .eda, .temp, .hr]
        let signals = try roles.compactMap { try EmpaticaSignal($0, source, &notes) }
        let intervalRows = try Self.openIntervals(source, &notes)
        let starts = signals.map(\.start) + (intervalRows.map { [$0.start] } ?? [])
        guard let origin = starts.min() else {
            throw FormatError(url, "is an Empatica E4 session without any data (\(notes.joined(separator: ", ")))")
        }
        self.origin = origin
        var streams = signals.map(\.stream)
        intervals = intervalRows.map { IntervalFile(stream: signals.count, rows: $0.rows, start: $0.start) }
        if intervals != nil {
            let channel = Channel(label: "IBI", unit: .seconds)
            streams.append(StreamHeader(name: "ibi", kind: .ibi, channels: [channel], sampleRate: 0))
        }
        intervalTime = intervals.map(\.start)
        markers = try Self.tags(source, origin, &notes)[...]
        let duration = signals.map { $0.end(after: origin) }.max()
        notes += EmpaticaSignal.earlyEnds(signals, origin: origin)
        header = RecordingHeader(
            start: Timestamp(secondsSince1970: origin), duration: duration, streams: streams, format: "Empatica E4",
            notes: notes)
        for (index, signal) in signals.enumerated() {
            if let rows = try signal.open(source) { lanes.append(Lane(stream: index, signal: signal, rows: rows)) }
        }
    }

    /// The next piece, streams interleaved by time; nil at the end.
    /// - Throws: `FormatError` naming file and line where a row is not as it should be, or the zip is damaged.
    public func next() throws -> RecordingEvent? {
        while true {
            let lane = lanes.indices.min { lanes[$0].time < lanes[$1].time }
            let time = min(lane.map { lanes[$0].time } ?? .infinity, intervalTime ?? .infinity)
            if let marker = markers.first, marker.onset + origin <= time {
                markers.removeFirst()
                return .marker(marker)
            }
            if let intervalTime, intervalTime <= time {
                if let event = try nextIntervals() { return event }
            } else if let lane {
                if let event = try advance(lane) { return event }
            } else {
                return nil
            }
        }
    }

    /// Reads on in one file; nil when it is at its end.
    private func advance(_ index: Int) throws -> RecordingEvent? {
        let signal = lanes[index].signal
        if !lanes[index].isBegun {
            lanes[index].isBegun = true
            guard signal.count > 0 else {
                lanes.remove(at: index)
                return nil
            }
            let start = SegmentStart(
                onset: Self.seconds(from: origin, to: signal.start), sample: 0, sampleRate: signal.rate)
            return .segment(stream: lanes[index].stream, start: start)
        }
        let columns = EmpaticaSignal.columns(signal.role)
        let wanted = Int(min(max(1.0, blockDuration * signal.rate), 262_144))
        var values: [Double] = []
        values.reserveCapacity(wanted * columns)
        let rows = lanes[index].rows
        let count = try rows.take(wanted, columns: columns, into: &values)
        guard count > 0 else {
            if rows.endsWithinRow { header.notes.append("\(rows.name) ends within a row, which is not read") }
            lanes.remove(at: index)
            return nil
        }
        let stream = lanes[index].stream
        lanes[index].sample += count
        return .samples(stream: stream, Self.block(values, columns, signal.scale))
    }

    private static func block(_ values: [Double], _ columns: Int, _ scale: Double) -> SampleBlock {
        let frames = values.count / columns
        let samples = [Float](unsafeUninitializedCapacity: values.count) { out, filled in
            values.withUnsafeBufferPointer { values in
                guard let from = values.baseAddress, let to = out.baseAddress else { return }
                for column in 0..<columns {
                    let (from, to) = (from + column, to + column * frames)
                    for frame in 0..<frames { to[frame] = Float(from[frame * columns] * scale) }
                }
            }
            filled = values.count
        }
        return SampleBlock(channelCount: columns, samples: samples)
    }

    // MARK: intervals

    private static func openIntervals(
        _ source: EmpaticaSource, _ notes: inout [String]
    ) throws -> (rows: EmpaticaRows, start: Double)? {
        guard let rows = try source.rows(.ibi) else {
            notes.append("IBI.csv is missing")
            return nil
        }
        guard let first = try rows.textLine(), !first.allSatisfy(\.isWhitespace) else {
            notes.append("IBI.csv is empty")
            return nil
        }
        // "start, IBI"
        let start = first.prefix { $0 != "," }
        let moment = try EmpaticaSignal.header(String(start), 1, rows, "the start in seconds since 1970 and 'IBI'") {
            $0 > 0 && $0 < 4_102_444_800
        }
        return (rows, moment)
    }

    private static func take(
        _ count: Int, _ rows: EmpaticaRows, _ last: inout Double
    ) throws -> [(offset: Double, interval: Double)] {
        var values: [Double] = []
        let first = rows.line + 1
        let found = try rows.take(count, columns: 2, into: &values)
        var intervals: [(Double, Double)] = []
        intervals.reserveCapacity(found)
        for row in 0..<found {
            let (offset, interval) = (values[2 * row], values[2 * row + 1])
            guard offset.isPlaceable, offset >= last, interval > 0, interval.isPlaceable else {
                throw FormatError(
                    rows.name, at: "line \(first + row)",
                    "found '\(offset),\(interval)', expected seconds not before \(last) and an interval above 0, both less than 1e12"
                )
            }
            last = offset
            intervals.append((offset, interval))
        }
        return intervals
    }

    private var lastOffset = -Double.infinity

    private func nextIntervals() throws -> RecordingEvent? {
        guard let intervals else { return nil }
        let found = try Self.take(256, intervals.rows, &lastOffset)
        guard !found.isEmpty else {
            intervalTime = nil
            return nil
        }
        intervalTime = intervals.start + lastOffset
        let shift = Self.seconds(from: origin, to: intervals.start)
        let values = found.map { TimedValue(onset: $0.offset + shift, values: [$0.interval]) }
        return .values(stream: intervals.stream, values)
    }

    // MARK: tags

    /// The difference of two times of the export, which have at most 6 decimals, freed of what `Double` cannot hold of
    /// seconds since 1970.
    static func seconds(from earlier: Double, to later: Double) -> Seconds {
        ((later - earlier) * 1e6).rounded() / 1e6
    }

    private static func tags(_ source: EmpaticaSource, _ origin: Double, _ notes: inout [String]) throws -> [Marker] {
        guard let rows = try source.rows(.tags) else { return [] }
        var times: [Double] = []
        while try rows.take(4_096, columns: 1, into: &times) > 0 {
            guard times.count <= 1_000_000 else {
                throw FormatError(rows.name, "has more than a million tags", advice: "is this the right file?")
            }
        }
        let moments = times.filter { Plausible.moment($0) != nil }
        if moments.count < times.count {
            notes.append("\(times.count - moments.count) tags are at times that cannot be and are not read")
        }
        return moments.sorted().map { Marker(onset: Self.seconds(from: origin, to: $0), label: "tag") }
    }
}
