import Foundation
import Signals

/// An XDF recording of which each stream holds channels of one kind: amplifiers send all that they measure in one stream and
/// declare what each channel is (`desc/channels/channel/type`). Channels of type `TRIG` and the like give markers too, called by
/// their numbers; one that changes all the time gives none. What a marker of the same moment is called by is not told again.
final class XDFKindReader: RecordingReader {
    var header: RecordingHeader {
        var header = base.header
        header.streams = streams
        header.notes += notes
        return header
    }

    private let base: XDFReader
    private let parts: [[XDFStreamPart]]
    private let streams: [StreamHeader]
    private var triggers: [(channel: XDFTrigger, told: ToldMoments)] = []
    private var notes: [String] = []
    private var runs: [Int: (start: SegmentStart, frames: Int)] = [:]
    private var queue: [RecordingEvent] = []
    private var queued = 0

    /// The recording in a file, its streams as they are where each is of one kind.
    /// - Throws: as `XDFReader`.
    static func open(_ url: URL) throws -> any RecordingReader {
        let base = try XDFReader(url)
        let parts = XDFStreamPart.parts(of: base.header.streams, where: base.areForeign)
        let isPlain = zip(parts, base.header.streams).allSatisfy { parts, stream in
            parts.map(\.header.kind) == [stream.kind]
        }
        return isPlain ? base : try XDFKindReader(base, parts, url)
    }

    private init(_ base: XDFReader, _ parts: [[XDFStreamPart]], _ url: URL) throws {
        (self.base, self.parts) = (base, parts)
        streams = parts.flatMap { $0.map(\.header) }
        let channels = parts.enumerated().flatMap { stream, parts in
            parts.filter(\.isTrigger).flatMap { part in
                zip(part.channels, part.header.channels).map {
                    XDFTrigger(stream: stream, channel: $0, name: part.header.name, label: $1.label)
                }
            }
        }
        if !channels.isEmpty { try find(channels, in: url) }
    }

    /// Reads the recording once beforehand: what else tells of events, and which channels are quiet enough to tell of them.
    private func find(_ channels: [XDFTrigger], in url: URL) throws {
        var (seen, markers) = (channels, [Marker]())
        let reader = try XDFReader(url)
        while let event = try reader.next() {
            switch event {
            case .samples(let stream, let block):
                for place in seen.indices where seen[place].stream == stream {
                    for frame in block.range(ofChannel: seen[place].channel) {
                        _ = seen[place].take(Double(block.samples[frame]))
                    }
                }
            case .values(let stream, let list):
                for place in seen.indices where seen[place].stream == stream {
                    for value in list { _ = seen[place].take(value.values[seen[place].channel]) }
                }
            case .marker(let marker): markers.append(marker)
            case .segment: break
            }
        }
        for (channel, seen) in zip(channels, seen) {
            guard seen.isQuiet else {
                notes.append("channel \"\(channel.label)\" changes all the time: its numbers are no markers")
                continue
            }
            let rate = base.header.streams[channel.stream].sampleRate
            triggers.append((channel, ToldMoments(markers, sampleRate: rate)))
        }
    }

    func next() throws -> RecordingEvent? {
        while queued == queue.count {
            queue.removeAll(keepingCapacity: true)
            queued = 0
            guard let event = try base.next() else {
                notes += triggers.compactMap { $0.told.note("channel \"\($0.channel.label)\"") }
                triggers = []
                return nil
            }
            take(event)
        }
        defer { queued += 1 }
        return queue[queued]
    }

    private func take(_ event: RecordingEvent) {
        switch event {
        case .segment(let stream, let start):
            runs[stream] = (start, 0)
            queue += parts[stream].map { .segment(stream: $0.stream, start: start) }
        case .samples(let stream, let block):
            queue += parts[stream].map { .samples(stream: $0.stream, block.channels($0.channels)) }
            guard let run = runs[stream] else { return }
            runs[stream]?.frames += block.frameCount
            tell(stream, block.frameCount) { frame, channel in
                let value = block.samples[channel * block.frameCount + frame]
                return (run.start.onset(ofOffset: run.frames + frame), Double(value))
            }
        case .values(let stream, let list):
            queue += parts[stream].map { part in
                .values(
                    stream: part.stream,
                    list.map { value in
                        TimedValue(onset: value.onset, values: part.channels.map { value.values[$0] })
                    })
            }
            tell(stream, list.count) { (list[$0].onset, list[$0].values[$1]) }
        case .marker: queue.append(event)
        }
    }

    /// Adds the markers of the trigger channels of a stream.
    /// - Parameter sample: when a frame was, and what a channel held then.
    private func tell(
        _ stream: Int, _ frameCount: Int, _ sample: (_ frame: Int, _ channel: Int) -> (onset: Seconds, value: Double)
    ) {
        for place in triggers.indices where triggers[place].channel.stream == stream {
            let channel = triggers[place].channel
            for frame in 0..<frameCount {
                let (onset, value) = sample(frame, channel.channel)
                guard let number = triggers[place].channel.take(value),
                    !triggers[place].told.hold(onset, String(number))
                else { continue }
                let label = triggers.count > 1 ? "\(channel.label) \(number)" : String(number)
                queue.append(.marker(Marker(onset: onset, label: label, stream: channel.name)))
            }
        }
    }
}
