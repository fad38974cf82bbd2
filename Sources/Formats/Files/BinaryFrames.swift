import Foundation
import Signals

/// Samples of several channels in a binary file: all channels of one moment after those of the moment before
/// (multiplexed), or all moments of one channel after those of the channel before (vectorized).
struct BinaryFrames {
    /// How a number is stored.
    enum Number {
        case int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64

        var byteCount: Int {
            switch self {
            case .int8, .uint8: 1
            case .int16, .uint16: 2
            case .int32, .uint32, .float32: 4
            case .int64, .uint64, .float64: 8
            }
        }

        /// The number that begins at `place`.
        func value(_ raw: [UInt8], at place: Int, isBigEndian: Bool) -> Double {
            var bits: UInt64 = 0
            for index in 0..<byteCount {
                bits = bits << 8 | UInt64(raw[place + (isBigEndian ? index : byteCount - 1 - index)])
            }
            return switch self {
            case .int8: Double(Int8(truncatingIfNeeded: bits))
            case .int16: Double(Int16(truncatingIfNeeded: bits))
            case .int32: Double(Int32(truncatingIfNeeded: bits))
            case .int64: Double(Int64(bitPattern: bits))
            case .uint8, .uint16, .uint32, .uint64: Double(bits)
            case .float32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            case .float64: Double(bitPattern: bits)
            }
        }
    }

    /// A channel to be read: its place in the file, and `physical = stored * gain`.
    struct Channel {
        var place: Int
        var gain: Double
    }

    let input: any PlacedBytes
    /// Where the samples begin, in bytes.
    let offset: Int
    let channelCount: Int
    /// Moments in the file.
    let frameCount: Int
    var number = Number.int16
    var isBigEndian = false
    var isVectorized = false

    /// How many moments are read at once: a piece that stays in the cache.
    var framesPerBlock: Int { max(1, min(1 << 16, (1 << 18) / (channelCount * number.byteCount))) }

    /// The samples of these moments, for each group of channels.
    /// - Throws: `FormatError` when the file became shorter.
    func blocks(_ frames: Range<Int>, _ groups: [[Channel]]) throws -> [SampleBlock] {
        if isVectorized { return try groups.map { try vectorized(frames, $0) } }
        let width = channelCount * number.byteCount
        let bytes = try read(at: offset + frames.lowerBound * width, count: frames.count * width)
        return groups.map { group in
            block(frames.count, group) { channel, out in
                bytes.withUnsafeBytes { raw in
                    guard let base = raw.baseAddress else { return }
                    convert(base + channel.place * number.byteCount, width, frames.count, channel.gain, out)
                }
            }
        }
    }

    private func vectorized(_ frames: Range<Int>, _ group: [Channel]) throws -> SampleBlock {
        let size = number.byteCount
        let columns = try group.map { channel in
            try read(at: offset + (channel.place * frameCount + frames.lowerBound) * size, count: frames.count * size)
        }
        var next = columns.makeIterator()
        return block(frames.count, group) { channel, out in
            next.next()?.withUnsafeBytes { raw in
                guard let base = raw.baseAddress else { return }
                convert(base, size, frames.count, channel.gain, out)
            }
        }
    }

    private func read(at place: Int, count: Int) throws -> [UInt8] {
        let bytes = try input.read(at: place, count: count)
        guard bytes.count == count else {
            throw FormatError(input.url, at: "byte \(place)", "became shorter while it was read")
        }
        return bytes
    }

    private func block(
        _ frames: Int, _ group: [Channel], _ fill: (Channel, UnsafeMutablePointer<Float>) -> Void
    ) -> SampleBlock {
        let samples = [Float](unsafeUninitializedCapacity: frames * group.count) { out, count in
            count = frames * group.count
            guard let base = out.baseAddress else { return }
            for (index, channel) in group.enumerated() { fill(channel, base + index * frames) }
        }
        return SampleBlock(channelCount: group.count, samples: samples)
    }

    /// Converts `count` numbers that lie `stride` bytes apart.
    private func convert(
        _ source: UnsafeRawPointer, _ stride: Int, _ count: Int, _ gain: Double, _ out: UnsafeMutablePointer<Float>
    ) {
        @inline(__always)
        func integers<Stored: FixedWidthInteger>(_ type: Stored.Type) {
            for index in 0..<count {
                let stored = source.loadUnaligned(fromByteOffset: index &* stride, as: Stored.self)
                let value = isBigEndian ? Stored(bigEndian: stored) : Stored(littleEndian: stored)
                out[index] = Float(Double(value) * gain)
            }
        }
        switch number {
        case .int16: integers(Int16.self)
        case .uint16: integers(UInt16.self)
        case .int32: integers(Int32.self)
        case .int8: integers(Int8.self)
        case .uint8: integers(UInt8.self)
        case .uint32: integers(UInt32.self)
        case .int64: integers(Int64.self)
        case .uint64: integers(UInt64.self)
        case .float32:
            for index in 0..<count {
                let bits = source.loadUnaligned(fromByteOffset: index &* stride, as: UInt32.self)
                let value = Float(bitPattern: isBigEndian ? UInt32(bigEndian: bits) : UInt32(littleEndian: bits))
                out[index] = Self.finite(Double(value) * gain)
            }
        case .float64:
            for index in 0..<count {
                let bits = source.loadUnaligned(fromByteOffset: index &* stride, as: UInt64.self)
                let value = Double(bitPattern: isBigEndian ? UInt64(bigEndian: bits) : UInt64(littleEndian: bits))
                out[index] = Self.finite(value * gain)
            }
        }
    }

    /// What is beyond all numbers was not measured.
    @inline(__always)
    private static func finite(_ value: Double) -> Float {
        let value = Float(value)
        return value.isFinite ? value : .nan
    }
}
