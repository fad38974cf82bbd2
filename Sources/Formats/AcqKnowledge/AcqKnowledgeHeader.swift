import Foundation
import Signals

/// The headers of an AcqKnowledge file: of the graph, of each channel, of foreign data that is passed over, and of each
/// channel's type. Numbers of versions and lengths of headers are those that BIOPAC's Application Note 156 and bioread
/// tell; what is between is passed over by the lengths that the headers state.
struct AcqKnowledgeHeader {
    /// One channel.
    struct Channel {
        /// By which markers call it.
        var number: Int
        var label: String
        var unit: Signals.Unit
        /// Samples.
        var count: Int
        /// Ticks of the graph for each of its samples.
        var divider: Int
        /// `physical = stored * scale + offset`.
        var scale: Double
        var offset: Double
        /// Whether numbers are stored in 8 bytes, as those that were computed are; else they are the converter's, in 2.
        var isComputed: Bool

        var byteCount: Int { isComputed ? 8 : 2 }

        /// How many of its samples come before a tick.
        func samples(before tick: Int) -> Int { min(count, (tick + divider - 1) / divider) }
    }

    /// Versions of files at which something changed.
    enum Version {
        static let usual = 30...999
        static let withSelection = 36
        static let withDividers = 38
        static let withCompression = 41
        static let four = 61
        static let fourPointTwo = 108
        static let withMoreMarkers = 121
        static let withPadding = 124
        static let withDates = 128
    }

    let version: Int
    let fields: AcqKnowledgeFields
    let isCompressed: Bool
    /// Ticks a second.
    let tickRate: Double
    private(set) var channels: [Channel]
    /// Where samples begin, or, in a compressed file, markers.
    let dataStart: Int

    static let mostChannels = 1_024

    /// What can be told from the first 24 bytes: byte order, version, length of the graph's header, channels, and
    /// milliseconds a tick.
    struct Beginning {
        var isBigEndian: Bool
        var version: Int
        var length: Int
        var channelCount: Int
        var milliseconds: Double

        /// nil where neither byte order makes sense of them.
        init?(_ head: [UInt8]) {
            guard head.count >= 24 else { return nil }
            func number(_ place: Int, _ count: Int, _ isBigEndian: Bool) -> UInt64 {
                let bytes = head[place..<place + count]
                return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
            }
            for isBigEndian in [false, true] {
                let version = Int(number(2, 4, isBigEndian))
                let length = Int(number(6, 4, isBigEndian))
                let channelCount = Int(number(10, 2, isBigEndian))
                let milliseconds = Double(bitPattern: number(16, 8, isBigEndian))
                if Version.usual.contains(version), (100...1 << 20).contains(length),
                    (1...mostChannels).contains(channelCount), (1e-3...1e7).contains(milliseconds)
                {
                    (self.isBigEndian, self.version, self.length) = (isBigEndian, version, length)
                    (self.channelCount, self.milliseconds) = (channelCount, milliseconds)
                    return
                }
            }
            return nil
        }
    }

    /// - Throws: `FormatError` naming the byte that cannot be right.
    init(_ input: InputFile) throws {
        guard let begin = Beginning(try input.read(at: 0, count: 24)) else {
            throw FormatError(input.url, at: "byte 0", "does not begin with the header of an AcqKnowledge file")
        }
        version = begin.version
        fields = AcqKnowledgeFields(
            input: input, isBigEndian: begin.isBigEndian, isUnicode: version >= Version.four)
        tickRate = 1_000 / begin.milliseconds
        guard Plausible.sampleRates.contains(tickRate) else {
            throw FormatError(input.url, at: "byte 16", "has a sample every \(begin.milliseconds) ms")
        }
        // Time in seconds or as a clock shows it, frequencies, or anything else.
        guard try fields.int16(12) != 2 else {
            throw FormatError(input.url, at: "byte 12", "is a graph over frequencies, expected one over time")
        }
        isCompressed =
            version >= Version.four
            ? try fields.int32(972) == 1
            : version >= Version.withCompression ? try fields.int32(1_936) == 1 : false
        var place = begin.length
        if version >= Version.withPadding {
            for _ in 0..<min(64, max(0, try fields.int16(2_398))) { place += try Self.length(fields, place) }
        }
        channels = []
        for _ in 0..<begin.channelCount {
            channels.append(try Self.channel(fields, place, version))
            place += try Self.length(fields, place)
        }
        place += version >= Version.four ? try Self.length(fields, place) : max(0, try fields.int16(place))
        dataStart = try Self.findTypes(fields, place, &channels)
    }

    /// The length of the header at `place`, which it begins with.
    private static func length(_ fields: AcqKnowledgeFields, _ place: Int) throws -> Int {
        let length = try fields.int32(place)
        guard length > 0, length <= fields.input.size else {
            throw FormatError(fields.input.url, at: "byte \(place)", "has a header of \(length) bytes")
        }
        return length
    }

    private static func channel(_ fields: AcqKnowledgeFields, _ place: Int, _ version: Int) throws -> Channel {
        let divider =
            version >= Version.four
            ? try fields.int16(place + 152) : version >= Version.withDividers ? try fields.int16(place + 250) : 1
        let count = try fields.int32(place + 88)
        let (scale, offset) = (try fields.double(place + 92), try fields.double(place + 100))
        guard count >= 0, scale.isFinite, offset.isFinite else {
            throw FormatError(
                fields.input.url, at: "byte \(place + 88)",
                "has a channel of \(count) samples with scale \(scale) and offset \(offset)")
        }
        return Channel(
            number: try fields.int16(place + 4), label: try fields.text(place + 6, 40),
            unit: Signals.Unit(try fields.text(place + 68, 20)), count: count, divider: max(1, divider), scale: scale,
            offset: offset, isComputed: false)
    }

    /// The types of all channels stand next to one another, a little after the foreign data.
    private static func findTypes(
        _ fields: AcqKnowledgeFields, _ start: Int, _ channels: inout [Channel]
    ) throws -> Int {
        let bytes = try fields.input.read(at: start, count: 4_096 + 4 * channels.count)
        func int16(_ place: Int) -> Int {
            let (first, second) = (Int(bytes[place]), Int(bytes[place + 1]))
            return fields.isBigEndian ? first << 8 | second : second << 8 | first
        }
        for place in 0..<max(0, bytes.count - 4 * channels.count) {
            let types = channels.indices.map { (size: int16(place + 4 * $0), code: int16(place + 4 * $0 + 2)) }
            guard types.allSatisfy({ $0 == (8, 0) || $0 == (8, 1) || $0 == (2, 2) }) else { continue }
            for index in channels.indices where types[index].size == 8 {
                channels[index].isComputed = true
                // They are in their unit already.
                (channels[index].scale, channels[index].offset) = (1, 0)
            }
            return start + place + 4 * channels.count
        }
        throw FormatError(fields.input.url, at: "byte \(start)", "does not tell the types of its channels")
    }

    /// Ticks until the last sample of the last channel.
    var tickCount: Int { channels.map { $0.count * $0.divider }.max() ?? 0 }

    /// Bytes of all samples before a tick, where they are stored one after the other.
    func bytes(before tick: Int) -> Int { channels.reduce(0) { $0 + $1.samples(before: tick) * $1.byteCount } }

    /// Leaves out the samples that the file ends before; returns whether there are such.
    mutating func cut() -> Bool {
        let available = fields.input.size - dataStart
        let all = tickCount
        guard !isCompressed, bytes(before: all) > available else { return false }
        var (low, high) = (0, all)
        while low < high {
            let middle = (low + high + 1) / 2
            if bytes(before: middle) <= available { low = middle } else { high = middle - 1 }
        }
        for index in channels.indices { channels[index].count = channels[index].samples(before: low) }
        return true
    }
}
