public import Signals

/// Something the eyes did, as an EEG shows it.
public struct EyeEvent: Hashable, Codable, Sendable {
    /// What they did.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// The lids closed and opened.
        case blink
        /// The eyes jumped to the left.
        case saccadeLeft
        /// The eyes jumped to the right.
        case saccadeRight
    }

    /// What they did.
    public var kind: Kind
    /// Seconds from the recording's start: a blink's peak, the steepest moment of a saccade.
    public var onset: Seconds
    /// Seconds a blink stands above the middle between its top and the lowest place beside it; how long a saccade's step takes, at least.
    public var duration: Seconds
    /// Height in µV between the front and the back of the head (blink), or of the step between the temples (saccade).
    public var amplitude: Double

    /// An event of the eyes.
    public init(kind: Kind, onset: Seconds, duration: Seconds, amplitude: Double) {
        self.kind = kind
        self.onset = onset
        self.duration = duration
        self.amplitude = amplitude
    }
}

extension EyeEvent {
    /// The columns of a table of events.
    public static let columns = [
        Column("onset", unit: .seconds, "A blink's peak, or a saccade's steepest moment, from the recording's start"),
        Column(
            "duration", unit: .seconds,
            "Width of a blink midway between its top and the lowest places beside it, or of a saccade's step"),
        Column("kind", "blink, saccadeLeft or saccadeRight"),
        Column(
            "amplitude", unit: .microvolts,
            "Height of a blink between front and back of the head, or of a saccade's step between the temples"),
    ]

    /// A row per event.
    public static func table(_ events: [EyeEvent]) -> Table {
        Table(
            columns: columns,
            rows: events.map {
                [.onset($0.onset), .onset($0.duration), .text($0.kind.rawValue), .number($0.amplitude)]
            })
    }

    /// The seconds, counted from the recording's start, in which an eye blinked.
    public static func secondsOfBlinks(_ events: [EyeEvent]) -> Set<Int> {
        Set(events.lazy.filter { $0.kind == .blink && $0.onset.isPlaceable }.map { Int($0.onset.rounded(.down)) })
    }
}
