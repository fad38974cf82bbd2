import Foundation
import Signals

/// Which signals of a record make up which stream: those of one kind and rate go together.
struct WFDBLayout {
    /// One stream.
    struct Stream {
        var header: StreamHeader
        let samplesPerFrame: Int
        /// Places of its channels in the layout's list of signals.
        var signals: [Int]
    }

    let signals: [WFDBSignal]
    private(set) var streams: [Stream] = []

    /// The streams of `signals`, at `sampleRate` frames per second, `frameCount` of them, gaps left out.
    init(_ signals: [WFDBSignal], sampleRate: Double, frameCount: Int?) {
        self.signals = signals
        var places: [Key: Int] = [:]
        var numbers: [StreamKind: Int] = [:]
        for (index, signal) in signals.enumerated() {
            let key = Key(kind: signal.kind, samplesPerFrame: signal.samplesPerFrame)
            let place = places[key] ?? streams.count
            if place == streams.count {
                places[key] = place
                let number = numbers[key.kind, default: 0] + 1
                numbers[key.kind] = number
                let (count, overflows) = (frameCount ?? 0).multipliedReportingOverflow(by: key.samplesPerFrame)
                streams.append(
                    Stream(
                        header: StreamHeader(
                            name: key.kind.rawValue + (number > 1 ? "\(number)" : ""), kind: key.kind, channels: [],
                            sampleRate: sampleRate * Double(key.samplesPerFrame),
                            frameCount: frameCount == nil || overflows ? nil : count),
                        samplesPerFrame: key.samplesPerFrame, signals: []))
            }
            let label = signal.description.isEmpty ? "signal \(index)" : signal.description
            streams[place].header.channels.append(Channel(label: label, unit: signal.unit))
            streams[place].signals.append(index)
        }
    }

    private struct Key: Hashable {
        var kind: StreamKind
        var samplesPerFrame: Int
    }

    /// For each signal of the layout its place in a segment's header; nil where the segment does not have it.
    ///
    /// A record with a layout segment names its signals by description; in others all segments have the same signals
    /// in the same order.
    func places(in segment: WFDBHeader, byDescription: Bool, file: URL) throws -> [Int?] {
        let places: [Int?]
        if byDescription {
            var left = Array(segment.signals.indices)
            places = signals.map { wanted in
                guard let at = left.firstIndex(where: { segment.signals[$0].description == wanted.description })
                else { return nil }
                return left.remove(at: at)
            }
        } else {
            guard segment.signals.count == signals.count else {
                throw FormatError(
                    file, "has \(segment.signals.count) signals, the record's first segment has \(signals.count)")
            }
            places = Array(signals.indices)
        }
        for (wanted, place) in zip(signals, places) {
            guard let place, segment.signals[place].file != nil else { continue }
            let found = segment.signals[place]
            guard found.samplesPerFrame == wanted.samplesPerFrame else {
                throw FormatError(
                    file, at: "signal \(found.description)",
                    "has \(found.samplesPerFrame) samples per frame, elsewhere in the record \(wanted.samplesPerFrame)")
            }
            guard found.unit.factor(to: wanted.unit) != nil else {
                throw FormatError(
                    file, at: "signal \(found.description)",
                    "is in \(found.unit), elsewhere in the record \(wanted.unit)")
            }
        }
        return places.map { place in place.flatMap { segment.signals[$0].file == nil ? nil : $0 } }
    }
}
