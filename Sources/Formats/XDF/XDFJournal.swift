import Foundation
public import Signals

/// One line of the stream `marey-events` of our own recordings: what XDF itself has no place for, as JSON.
///
/// A `segment` line says how the frames of a regular stream from `frame` on (counted in the file) were placed when they
/// were recorded, exactly; a `marker` line adds to a row of the stream `markers` how long it lasts and which stream it
/// concerns. Lines of other types tell what happened and are not needed for reading.
public struct XDFJournalLine: Codable, Hashable, Sendable {
    /// `segment`, `marker`, or another word for what happened.
    public var type: String
    /// Name of the stream it concerns.
    public var stream: String?
    /// Index in the file of the segment's first frame; of a marker, its index among the markers.
    public var frame: Int?
    /// How many frames before `frame` only fill a gap and were never measured.
    public var filled: Int?
    /// Time of the segment's first frame on the stream's clock, as the file stamps it.
    public var clock: Seconds?
    /// Where the segment begins: time from the recording's start, stream sample, rate, gap before it.
    public var start: SegmentStart?
    /// Seconds a marker lasts.
    public var duration: Seconds?
    /// What happened, for people.
    public var text: String?
    /// More about it, by names of its type.
    public var details: [String: String]?

    /// A line of a type.
    public init(type: String, stream: String? = nil, text: String? = nil, details: [String: String]? = nil) {
        self.type = type
        self.stream = stream
        self.text = text
        self.details = details
    }

    /// A segment's line.
    init(stream: String, frame: Int, filled: Int, clock: Seconds, start: SegmentStart) {
        self.init(type: "segment", stream: stream)
        self.frame = frame
        self.filled = filled
        self.clock = clock
        self.start = start
    }

    /// The JSON text.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Whether `json` may be a line that reading needs, told without taking it apart.
    static func isPlacing(_ json: String) -> Bool {
        json.contains("\"segment\"") || json.contains("\"marker\"")
    }

    /// The line that `json` holds; nil when it is none.
    init?(json: String) {
        guard let line = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = line
    }

    /// Whether its numbers can be times, rates and places of frames.
    var isPlausible: Bool {
        let lengths = [duration, start?.gap?.duration].compactMap(\.self)
        let times = [clock, start?.onset, start?.gap?.onset].compactMap(\.self) + lengths
        let numbers = [frame, filled, start?.sample].compactMap(\.self)
        return times.allSatisfy(\.isPlaceable) && lengths.allSatisfy { $0 >= 0 }
            && numbers.allSatisfy(Plausible.sampleNumbers.contains) && filled ?? 0 <= frame ?? 0
            && Plausible.sampleRates.contains(start?.sampleRate ?? 1)
    }

    /// The stream's name.
    static let streamName = "marey-events"
    /// The name of the stream of markers in our own recordings.
    static let markersName = "markers"
}
