import Foundation

/// An AcqKnowledge file of any version, made up: what the headers have between their known fields is zero.
struct AcqKnowledgeFixture {
    struct Channel {
        var label: String
        var unit = "mV"
        var divider = 1
        var scale = 0.5
        var offset = 0.0
        /// As the converter gave them, or in the channel's unit where they were computed.
        var stored: [Double]
        var isComputed = false
    }

    struct Mark {
        var tick: Int
        var label: String
        var style = "flag"
        /// Milliseconds since 1970.
        var made = 0
    }

    var version = 128
    var isBigEndian = true
    var isCompressed = false
    var milliseconds = 0.5
    var axis = 0
    var channels: [Channel]
    var marks: [Mark] = []

    private func number(_ value: some FixedWidthInteger, swapped: Bool? = nil) -> [UInt8] {
        withUnsafeBytes(of: swapped ?? isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }

    private func double(_ value: Double) -> [UInt8] { number(value.bitPattern) }
    private func text(_ text: String, _ count: Int) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(count - 1))
        return bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }

    var bytes: [UInt8] {
        var bytes = graph
        if version >= 124 { bytes += number(Int32(40)) + [UInt8](repeating: 0, count: 36) }
        for (place, channel) in channels.enumerated() { bytes += header(channel, number: place + 1) }
        // Foreign data, and a byte that nobody has explained before the types.
        bytes += version >= 61 ? number(Int32(8)) + [0, 0, 0, 0] : number(Int16(6)) + [0, 0, 0, 0]
        bytes += [0xFF]
        for channel in channels {
            bytes += number(Int16(channel.isComputed ? 8 : 2)) + number(Int16(channel.isComputed ? 1 : 2))
        }
        return isCompressed ? bytes + markers + compressed : bytes + samples + markers
    }

    private var graph: [UInt8] {
        let length = version >= 61 ? 2_400 : 2_000
        var bytes = [UInt8](repeating: 0, count: length)
        func put(_ value: [UInt8], _ place: Int) { bytes.replaceSubrange(place..<place + value.count, with: value) }
        put(number(Int32(version)), 2)
        put(number(Int32(length)), 6)
        put(number(Int16(channels.count)), 10)
        put(number(Int16(axis)), 12)
        put(double(milliseconds), 16)
        put(number(Int32(isCompressed ? 1 : 0)), version >= 61 ? 972 : 1_936)
        if version >= 124 { put(number(Int16(1)), 2_398) }
        return bytes
    }

    private func header(_ channel: Channel, number place: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: version >= 61 ? 200 : 260)
        func put(_ value: [UInt8], _ place: Int) { bytes.replaceSubrange(place..<place + value.count, with: value) }
        put(number(Int32(bytes.count)), 0)
        put(number(Int16(place)), 4)
        put(text(channel.label, 40), 6)
        put(text(channel.unit, 20), 68)
        put(number(Int32(channel.stored.count)), 88)
        put(double(channel.scale), 92)
        put(double(channel.offset), 100)
        put(number(Int16(channel.divider)), version >= 61 ? 152 : 250)
        return bytes
    }

    private func sample(_ channel: Channel, _ place: Int, swapped: Bool? = nil) -> [UInt8] {
        channel.isComputed
            ? number(channel.stored[place].bitPattern, swapped: swapped)
            : number(Int16(channel.stored[place]), swapped: swapped)
    }

    private var samples: [UInt8] {
        var bytes: [UInt8] = []
        var taken = channels.map { _ in 0 }
        for tick in 0..<(channels.map { $0.stored.count * $0.divider }.max() ?? 0) {
            for (place, channel) in channels.enumerated()
            where tick % channel.divider == 0 && taken[place] < channel.stored.count {
                bytes += sample(channel, taken[place])
                taken[place] += 1
            }
        }
        return bytes
    }

    private var markers: [UInt8] {
        var bytes: [UInt8]
        if version >= 61 {
            bytes = number(Int32(0)) + number(Int32(marks.count + 1)) + number(Int32(0))
            bytes += [UInt8](repeating: 0, count: 13 + (version >= 121 ? 8 : 0) + (version >= 128 ? 8 : 0))
        } else {
            bytes = number(Int32(0)) + number(Int32(marks.count))
        }
        for mark in marks {
            let text = Array(mark.label.utf8) + [0]
            bytes += number(Int32(mark.tick))
            if version >= 61 {
                bytes += [0, 0, 0, 0] + number(Int16(-1)) + Array(mark.style.utf8)
                if version >= 128 { bytes += number(UInt64(mark.made)) }
                bytes += [UInt8](repeating: 0, count: version >= 121 ? 8 : 0) + number(Int16(text.count))
            } else {
                bytes += [0, 0, 0, 0, 0, 0] + number(Int16(text.count - 1))
            }
            bytes += text
        }
        // A journal.
        let journal = Array("seen by nobody".utf8)
        if version > 61 { return bytes + number(Int32(4 + journal.count)) + journal }
        return bytes + [0x44, 0x33, 0x22, 0x11] + number(Int16(0)) + number(Int32(journal.count)) + journal
    }

    private var compressed: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: version > 61 ? 24 : 34)
        bytes += version > 61 ? number(Int32(3)) + number(Int32(2)) : number(Int32(5))
        bytes += [UInt8](repeating: 0, count: version > 61 ? (version >= 108 ? 26 : 20) + 5 : 5)
        for channel in channels {
            let plain = channel.stored.indices.flatMap { sample(channel, $0, swapped: false) }
            let packed = Self.zlib(plain)
            bytes += [UInt8](repeating: 0, count: 44) + number(Int32(channel.label.utf8.count)) + number(Int32(2))
            bytes += number(Int32(plain.count)) + number(Int32(packed.count))
            bytes += Array(channel.label.utf8) + [0x6D, 0x56] + packed
        }
        return bytes
    }

    /// A zlib stream (RFC 1950) of stored blocks.
    static func zlib(_ plain: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        var (a, b) = (1, 0)
        for byte in plain { (a, b) = ((a + Int(byte)) % 65_521, (a + Int(byte) + b) % 65_521) }
        for first in stride(from: 0, to: max(1, plain.count), by: 60_000) {
            let block = plain[min(first, plain.count)..<min(first + 60_000, plain.count)]
            let count = UInt16(block.count)
            bytes += [first + 60_000 >= plain.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
            bytes += [UInt8(~count & 255), UInt8(~count >> 8)] + block
        }
        return bytes + [UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255)]
    }
}
