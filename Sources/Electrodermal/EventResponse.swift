public import Signals

/// What skin conductance did after an event.
public struct EventResponse: Hashable, Codable, Sendable {
    /// The event's time in seconds from the recording's start.
    public var onset: Seconds
    /// What happened.
    public var label: String
    /// The name of the stream or the device it belongs to; nil when it concerns the whole recording.
    public var stream: String?
    /// Mean tonic conductance over the 2 s before, µS; nil where artefacts or gaps leave less than half of it.
    public var level: Double?
    /// Seconds from the event to the onset of the first response within the latency; nil without one.
    public var latency: Seconds?
    /// The response's amplitude in µS: 0 where none came, nil where the time in which it could come was not recorded
    /// well enough to tell.
    public var amplitude: Double?
    /// Seconds from the response's onset to its peak; nil without one.
    public var riseTime: Seconds?
    /// Share of the time in which a response could begin and rise that holds samples which are no artefacts, 0…1.
    public var coverage: Double

    /// The responses to `markers`, from samples and responses in order of time.
    /// - Parameter rate: the working rate of the samples in Hz.
    public static func responses(
        to markers: [Marker], _ samples: [ElectrodermalSample], _ responses: [SkinConductanceResponse],
        latency: ClosedRange<Seconds>, rate: Double
    ) -> [EventResponse] {
        markers.map { marker in
            let wanted = marker.onset + latency.lowerBound...marker.onset + latency.upperBound
            let after = good(samples, from: wanted.lowerBound, to: wanted.upperBound + 2)
            let before = good(samples, from: marker.onset - 2, to: marker.onset)
            let coverage = min(1, Double(after.count) / ((latency.upperBound - latency.lowerBound + 2) * rate))
            let levels = before.map { Double($0.tonic) }.filter(\.isFinite)
            let first = responses[lowerBound(responses, wanted.lowerBound, \.onset)...].first
            let found = first.flatMap { $0.onset <= wanted.upperBound ? $0 : nil }
            // Of one that an artefact or a gap cut nobody knows how high it was.
            let response = found.flatMap { $0.isDoubtful ? nil : $0 }
            return EventResponse(
                onset: marker.onset, label: marker.label, stream: marker.stream,
                level: Double(levels.count) >= rate ? levels.reduce(0, +) / Double(levels.count) : nil,
                latency: response.map { $0.onset - marker.onset },
                amplitude: response?.amplitude ?? (found == nil && coverage >= 0.9 ? 0 : nil),
                riseTime: response?.riseTime,
                coverage: coverage)
        }
    }

    private static func good(
        _ samples: [ElectrodermalSample], from start: Seconds, to end: Seconds
    ) -> [ElectrodermalSample] {
        let range = lowerBound(samples, start, \.onset)..<lowerBound(samples, max(start, end), \.onset)
        return samples[range].filter { !$0.isArtefact }
    }

    private static func lowerBound<Element>(
        _ elements: [Element], _ time: Seconds, _ onset: (Element) -> Seconds
    ) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if onset(elements[middle]) < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The columns of `table`.
    public static let columns = [
        Column("onset", unit: .seconds, "Time of the event, from the recording's start"),
        Column("event", "What happened, as the source says it"),
        Column("stream", "The stream it belongs to; n/a when it concerns the whole recording"),
        Column("level", unit: .microsiemens, "Mean tonic conductance over the 2 s before the event"),
        Column("latency", unit: .seconds, "From the event to the onset of the first response in time"),
        Column(
            "amplitude", unit: .microsiemens,
            "Amplitude of that response; 0 where none came, n/a where that cannot be told",
            leastData: "90 % of the time in which a response can begin and rise"),
        Column("riseTime", unit: .seconds, "From the response's onset to its peak"),
        Column(
            "coverage", unit: .dimensionless,
            "Share of the time in which a response can begin and rise with samples that are no artefacts, 0…1"),
    ]

    /// One row per event.
    public static func table(_ responses: [EventResponse]) -> Table {
        Table(
            columns: columns,
            rows: responses.map { response in
                let stream: Cell = response.stream.map(Cell.text) ?? .missing
                let latency: Cell = response.latency.map(Cell.onset) ?? .missing
                let riseTime: Cell = response.riseTime.map(Cell.onset) ?? .missing
                return [
                    .onset(response.onset), .text(response.label), stream, .optional(response.level), latency,
                    .optional(response.amplitude), riseTime, .number(response.coverage),
                ]
            })
    }
}
