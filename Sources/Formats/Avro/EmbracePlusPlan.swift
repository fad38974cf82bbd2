import Foundation
import Signals

/// Which run of which stream the samples of each file of an EmbracePlus session belong to.
struct EmbracePlusPlan {
    struct File {
        var url: URL
        var first: Double
        /// For each series in the file its stream, and the run that begins with it, if one does.
        var places: [(stream: Int, start: SegmentStart?)] = []
    }

    private struct Piece {
        var file: Int
        var place: Int
        var start: Double
        var end: Double
        var rate: Double
        var frames: Int
    }

    private(set) var files: [File] = []
    private(set) var header: RecordingHeader
    /// Seconds since 1970 at time 0.
    private(set) var origin = 0.0
    private(set) var peaksStream: Int?

    /// How far a file may reach into the next: the device's clock is set while it records.
    private static let mostOverlap: Seconds = 2

    /// - Throws: `FormatError` when a file cannot be read, none holds samples, or they are no files of one session: of two
    ///   participants, or of the same time.
    init(_ urls: [URL], at url: URL) throws {
        header = RecordingHeader(format: "Empatica EmbracePlus")
        var pieces: [[Piece]] = []
        var ends: [Double] = []
        var hasPeaks = false
        var found: [(file: File, content: [EmbracePlusContent.Series])] = []
        for url in urls {
            var content = try EmbracePlusContent(reading: url)
            let starts = content.series.map(\.start) + content.tags + content.peaks
            hasPeaks = hasPeaks || !content.peaks.isEmpty
            if let participant = content.participant {
                if let other = header.subject, other != participant {
                    throw FormatError(
                        url, "is of the participant \(participant), those before it of \(other)",
                        advice: "give each participant a folder of their own")
                }
                header.subject = participant
            }
            if let zone = content.timeZone, header.notes.isEmpty {
                header.utcOffset = Double(zone)
                header.notes.append("the wearer's clock was \(zone) s ahead of UTC")
            }
            ends += content.series.map(\.end) + content.tags + content.peaks
            content.dropSamples()
            found.append((File(url: url, first: starts.min() ?? .infinity), content.series))
        }
        found.sort { $0.file.first < $1.file.first }
        guard let first = found.first?.file.first, first.isFinite else {
            throw FormatError(url, "has no samples of an Empatica EmbracePlus")
        }
        origin = first
        header.start = Timestamp(secondsSince1970: first)
        header.duration = (ends.max() ?? first) - first
        for (index, one) in found.enumerated() {
            files.append(one.file)
            for (place, series) in one.content.enumerated() {
                let stream = streamIndex(series)
                if stream == pieces.count { pieces.append([]) }
                files[index].places.append((stream, nil))
                pieces[stream].append(
                    Piece(
                        file: index, place: place, start: series.start - origin, end: series.end - origin,
                        rate: series.sampleRate, frames: series.count))
            }
        }
        for list in pieces { try addRuns(list) }
        if hasPeaks {
            peaksStream = header.streams.count
            header.streams.append(
                StreamHeader(
                    name: "systolicPeaks", kind: .other, channels: [Channel(label: "interval", unit: .seconds)],
                    sampleRate: 0))
        }
    }

    private mutating func streamIndex(_ series: EmbracePlusContent.Series) -> Int {
        if let place = header.streams.firstIndex(where: { $0.name == series.name }) {
            header.streams[place].frameCount = (header.streams[place].frameCount ?? 0) + series.count
            return place
        }
        header.streams.append(
            StreamHeader(
                name: series.name, kind: series.kind, channels: series.channels, sampleRate: series.sampleRate,
                frameCount: series.count))
        return header.streams.count - 1
    }

    /// Gathers the pieces of one stream into runs.
    private mutating func addRuns(_ pieces: [Piece]) throws {
        for (earlier, later) in zip(pieces, pieces.dropFirst()) where later.start < earlier.end - Self.mostOverlap {
            throw FormatError(
                files[later.file].url,
                "tells of the same time as \(files[earlier.file].url.lastPathComponent), by "
                    + "\(NumberFormatting.text(earlier.end - later.start)) s",
                advice: "is one of them a copy? leave one in the folder")
        }
        var sample = 0
        var before: Double?
        var index = 0
        while index < pieces.count {
            var last = index
            while last + 1 < pieces.count, abs(pieces[last + 1].start - pieces[last].end) <= 1.5 / pieces[last].rate {
                last += 1
            }
            let run = pieces[index...last]
            let frames = run.reduce(0) { $0 + $1.frames }
            // Pieces that reach a little into the run before them begin where it ends.
            let onset = max(pieces[index].start, before ?? -.infinity)
            let mean = Double(frames) / (pieces[last].end - pieces[index].start)
            let rate = index < last && Plausible.sampleRates.contains(mean) ? mean : pieces[index].rate
            let gap = before.map { Gap(onset: $0, duration: onset - $0, reason: .deviceLost) }
            files[pieces[index].file].places[pieces[index].place].start = SegmentStart(
                onset: onset, sample: sample, sampleRate: rate, gap: gap)
            before = onset + Double(frames) / rate
            sample += frames
            index = last + 1
        }
    }
}
