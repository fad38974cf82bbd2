import Foundation
import Signals

/// Walks over the frames of one chunk of numbers, as many at a time as are in memory (XDF 1.0, "[Samples] chunk").
struct XDFFrames {
    private let window: XDFWindow
    private let valueBytes: Int
    private let interval: Seconds
    private let end: Int
    private var position: Int
    private(set) var remaining: Int

    /// Stamps of the frames of the last batch, on the stream's clock.
    private(set) var stamps: [Seconds] = []
    /// Where in the last batch's bytes each frame's values begin.
    private(set) var places: [Int] = []

    /// nil when the chunk cannot hold as many frames as it says.
    init?(_ chunk: XDFChunk, of info: XDFStreamInfo, in window: XDFWindow) throws {
        guard let head = try window.bytes(at: chunk.content.lowerBound, 1), chunk.content.count > 1,
            let bytes = try window.bytes(at: chunk.content.lowerBound, min(chunk.content.count, 1 + Int(head[0]))),
            let count = XDFScanner.length(bytes, 0)
        else { return nil }
        position = chunk.content.lowerBound + count.digits
        end = chunk.content.upperBound
        valueBytes = info.valueBytes
        interval = info.interval
        remaining = count.value
        self.window = window
        guard position <= end, remaining <= (end - position) / (1 + valueBytes) else { return nil }
    }

    /// Reads on.
    /// - Parameter last: the stamp before; becomes the last one read. A frame without a stamp follows it by an interval.
    /// - Returns: the bytes that `places` refer to, valid until the next read; nil when the chunk makes no sense.
    mutating func next(atMost most: Int, after last: inout Seconds) throws -> UnsafeRawBufferPointer? {
        stamps.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        let expected = min(most, remaining)
        stamps.reserveCapacity(min(expected, 1 << 13))
        places.reserveCapacity(min(expected, 1 << 13))
        let wanted = min(end - position, 9 + valueBytes)
        guard let held = try window.bytes(at: position, wanted) else { return nil }
        let available = min(held.count, end - position)
        var offset = 0
        while places.count < most, remaining > 0, offset < available {
            let flag = held[offset]
            guard flag == 0 || flag == 8 else { return nil }
            let size = 1 + Int(flag) + valueBytes
            guard offset + size <= available else { break }
            let stated = flag == 8 ? held.double(offset + 1) : last + interval
            last = stated.isPlaceable ? stated : last + interval
            stamps.append(last)
            places.append(offset + 1 + Int(flag))
            offset += size
            remaining -= 1
        }
        guard !places.isEmpty else { return nil }
        position += offset
        guard remaining > 0 || position == end else { return nil }
        return held
    }
}

/// Numbers of a file as samples and values.
enum XDFNumbers {
    /// The samples of some frames, channel-major.
    static func block(
        _ bytes: UnsafeRawBufferPointer, _ places: ArraySlice<Int>, channels: Int, _ format: XDFValueFormat
    ) -> SampleBlock {
        let samples: [Float]
        switch format {
        case .float32:
            samples = gather(bytes, places, channels, 4) { Float(bitPattern: UInt32(littleEndian: load($0))) }
        case .double:
            samples = gather(bytes, places, channels, 8) {
                Float(Double(bitPattern: UInt64(littleEndian: load($0))))
            }
        case .int8: samples = gather(bytes, places, channels, 1) { Float(load($0) as Int8) }
        case .int16: samples = gather(bytes, places, channels, 2) { Float(Int16(littleEndian: load($0))) }
        case .int32: samples = gather(bytes, places, channels, 4) { Float(Int32(littleEndian: load($0))) }
        case .int64: samples = gather(bytes, places, channels, 8) { Float(Int64(littleEndian: load($0))) }
        case .string: samples = []
        }
        return SampleBlock(channelCount: channels, samples: samples)
    }

    /// One frame's values in full precision.
    static func values(
        _ bytes: UnsafeRawBufferPointer, _ place: Int, channels: Int, _ format: XDFValueFormat
    ) -> [Double] {
        guard let base = bytes.baseAddress else { return [] }
        return (0..<channels).map { channel in
            let at = base + place + channel * format.byteCount
            return switch format {
            case .float32: Double(Float(bitPattern: UInt32(littleEndian: load(at))))
            case .double: Double(bitPattern: UInt64(littleEndian: load(at)))
            case .int8: Double(load(at) as Int8)
            case .int16: Double(Int16(littleEndian: load(at)))
            case .int32: Double(Int32(littleEndian: load(at)))
            case .int64: Double(Int64(littleEndian: load(at)))
            case .string: .nan
            }
        }
    }

    @inline(__always)
    private static func load<T: BitwiseCopyable>(_ place: UnsafeRawPointer) -> T {
        place.loadUnaligned(as: T.self)
    }

    @inline(__always)
    private static func gather(
        _ bytes: UnsafeRawBufferPointer, _ places: ArraySlice<Int>, _ channels: Int, _ size: Int,
        _ number: (UnsafeRawPointer) -> Float
    ) -> [Float] {
        let frames = places.count
        return [Float](unsafeUninitializedCapacity: frames * channels) { out, filled in
            guard let base = bytes.baseAddress, let target = out.baseAddress else { return }
            for (frame, place) in places.enumerated() {
                var source = base + place
                var sample = target + frame
                for _ in 0..<channels {
                    sample.initialize(to: number(source))
                    source += size
                    sample += frames
                }
            }
            filled = frames * channels
        }
    }
}

/// Reads the frames of a chunk of text.
enum XDFTexts {
    /// One frame: its stamp on the stream's clock and a text per channel.
    struct Frame: Hashable {
        var stamp: Seconds
        var texts: [String]
    }

    /// The frames of a chunk; nil when it makes no sense.
    /// - Parameter last: the stamp before; becomes the last one read.
    static func frames(
        _ chunk: XDFChunk, of info: XDFStreamInfo, in window: XDFWindow, after last: inout Seconds
    ) throws -> [Frame]? {
        guard chunk.content.count <= longest,
            let held = try window.bytes(at: chunk.content.lowerBound, chunk.content.count)
        else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: held[..<chunk.content.count])
        guard let count = XDFScanner.length(bytes, 0), count.value <= bytes.count / (1 + 2 * info.channelCount) else {
            return nil
        }
        var offset = count.digits
        var frames: [Frame] = []
        for _ in 0..<count.value {
            guard offset < bytes.count, bytes[offset] == 0 || bytes[offset] == 8 else { return nil }
            let flag = Int(bytes[offset])
            guard offset + 1 + flag <= bytes.count else { return nil }
            let stated = flag == 8 ? bytes.double(offset + 1) : last + info.interval
            last = stated.isPlaceable ? stated : last + info.interval
            offset += 1 + flag
            var texts: [String] = []
            for _ in 0..<info.channelCount {
                guard let length = XDFScanner.length(bytes, offset),
                    length.value <= bytes.count - offset - length.digits
                else { return nil }
                offset += length.digits
                texts.append(String(decoding: bytes[offset..<offset + length.value], as: UTF8.self))
                offset += length.value
            }
            frames.append(Frame(stamp: last, texts: texts))
        }
        return offset == bytes.count ? frames : nil
    }

    /// The longest chunk of text that is read, in bytes.
    private static let longest = 256 << 20
}
