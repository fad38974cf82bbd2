import Signals

/// The samples of all channels, a stretch of ticks at a time: one after the other as they came, or compressed for each
/// channel.
final class AcqKnowledgeSamples {
    private let header: AcqKnowledgeHeader
    /// Of each channel, where it is compressed.
    private let streams: [ZlibStream]
    private var place: Int
    private var tick = 0
    private let ticksPerPiece: Int

    /// - Throws: `FormatError` where the headers of compressed channels cannot be right.
    init(_ header: AcqKnowledgeHeader, compressedStart: Int?) throws {
        self.header = header
        place = header.dataStart
        let width = header.channels.reduce(0.0) { $0 + Double($1.byteCount) / Double($1.divider) }
        ticksPerPiece = max(256, min(1 << 16, Int(Double(1 << 20) / max(width, 1))))
        guard var next = compressedStart else {
            streams = []
            return
        }
        let fields = header.fields
        streams = try header.channels.map { channel in
            let texts = max(0, try fields.int32(next + 44)) + max(0, try fields.int32(next + 48))
            let (unpacked, packed) = (try fields.int32(next + 52), try fields.int32(next + 56))
            let first = next + 60 + texts
            guard unpacked == channel.count * channel.byteCount, packed > 0, first + packed <= fields.input.size else {
                throw FormatError(
                    fields.input.url, at: "byte \(next + 52)",
                    "has \(packed) bytes that unpack to \(unpacked), expected \(channel.count * channel.byteCount) of "
                        + "channel \(channel.label)")
            }
            next = first + packed
            return try ZlibStream(fields.input, at: first, count: packed)
        }
    }

    /// The next ticks and each channel's samples in them; nil at the end.
    /// - Throws: `FormatError` where they cannot be read or unpacked.
    func next() throws -> (ticks: Range<Int>, samples: [[Float]])? {
        let all = header.tickCount
        guard tick < all else { return nil }
        let ticks = tick..<min(tick + ticksPerPiece, all)
        tick = ticks.upperBound
        return (ticks, try streams.isEmpty ? interleaved(ticks) : unpacked(ticks))
    }

    private func unpacked(_ ticks: Range<Int>) throws -> [[Float]] {
        try zip(header.channels, streams).map { channel, stream in
            let count = channel.samples(before: ticks.upperBound) - channel.samples(before: ticks.lowerBound)
            let bytes = try stream.read(count * channel.byteCount)
            return bytes.withUnsafeBytes { raw in
                // Compressed numbers are little-endian whatever the rest is.
                (0..<count).map { Self.value(raw, $0 * channel.byteCount, channel, isBigEndian: false) }
            }
        }
    }

    private func interleaved(_ ticks: Range<Int>) throws -> [[Float]] {
        let count = header.bytes(before: ticks.upperBound) - header.bytes(before: ticks.lowerBound)
        let bytes = try header.fields.input.read(at: place, count: count)
        guard bytes.count == count else {
            throw FormatError(header.fields.input.url, at: "byte \(place)", "became shorter while it was read")
        }
        place += count
        let channels = header.channels
        let isBigEndian = header.fields.isBigEndian
        var samples = channels.map { channel in
            var list: [Float] = []
            list.reserveCapacity(channel.samples(before: ticks.upperBound) - channel.samples(before: ticks.lowerBound))
            return list
        }
        // Ticks until each channel's next sample, and how many it has left.
        var waits = channels.map { ($0.divider - ticks.lowerBound % $0.divider) % $0.divider }
        var left = channels.map { $0.count - $0.samples(before: ticks.lowerBound) }
        bytes.withUnsafeBytes { raw in
            var offset = 0
            for _ in ticks {
                for index in channels.indices {
                    guard waits[index] == 0 else {
                        waits[index] -= 1
                        continue
                    }
                    waits[index] = channels[index].divider - 1
                    guard left[index] > 0 else { continue }
                    left[index] -= 1
                    samples[index].append(Self.value(raw, offset, channels[index], isBigEndian: isBigEndian))
                    offset += channels[index].byteCount
                }
            }
        }
        return samples
    }

    @inline(__always)
    private static func value(
        _ raw: UnsafeRawBufferPointer, _ offset: Int, _ channel: AcqKnowledgeHeader.Channel, isBigEndian: Bool
    ) -> Float {
        if channel.isComputed {
            let bits = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let value = Float(Double(bitPattern: isBigEndian ? UInt64(bigEndian: bits) : UInt64(littleEndian: bits)))
            // What is beyond all numbers was not measured.
            return value.isFinite ? value : .nan
        }
        let bits = raw.loadUnaligned(fromByteOffset: offset, as: Int16.self)
        let stored = isBigEndian ? Int16(bigEndian: bits) : Int16(littleEndian: bits)
        return Float(Double(stored) * channel.scale + channel.offset)
    }
}
