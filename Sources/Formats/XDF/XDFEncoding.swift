import Signals

/// Builds chunks (XDF 1.0, "Chunks").
enum XDFEncoding {
    /// A whole chunk.
    static func chunk(_ tag: XDFTag, stream: UInt32? = nil, _ content: [UInt8]) -> [UInt8] {
        let length = 2 + (stream == nil ? 0 : 4) + content.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(9 + length)
        append(length: length, to: &bytes)
        append(tag.rawValue, to: &bytes)
        if let stream { append(stream, to: &bytes) }
        bytes += content
        return bytes
    }

    /// A number of variable length.
    static func append(length: Int, to bytes: inout [UInt8]) {
        if length < 256 {
            bytes += [1, UInt8(length)]
        } else if let short = UInt32(exactly: length) {
            bytes.append(4)
            append(short, to: &bytes)
        } else {
            bytes.append(8)
            append(UInt64(length), to: &bytes)
        }
    }

    static func append<T: FixedWidthInteger>(_ number: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    static func append(_ number: Double, to bytes: inout [UInt8]) {
        append(number.bitPattern, to: &bytes)
    }

    static func clockOffset(_ stream: UInt32, time: Seconds, value: Seconds) -> [UInt8] {
        var content: [UInt8] = []
        append(time, to: &content)
        append(value, to: &content)
        return chunk(.clockOffset, stream: stream, content)
    }

    static func xml(_ element: XDFElement) -> [UInt8] {
        Array("<?xml version=\"1.0\"?>".utf8) + Array(element.xml.utf8)
    }
}

/// The samples chunk of one stream while it grows.
struct XDFOpenChunk {
    private(set) var bytes: [UInt8] = []
    private(set) var frameCount = 0

    /// Appends frames of which the first is stamped, and the others where `stamps` gives each its own.
    mutating func append(_ block: SampleBlock, stamp: Seconds, every step: Seconds?) {
        let (frames, channels) = (block.frameCount, block.channelCount)
        let stamped = step == nil ? (frameCount == 0 ? 1 : 0) : frames
        let size = frames * (1 + channels * 4) + stamped * 8
        let start = bytes.count
        bytes.reserveCapacity(max(bytes.capacity, start + size))
        bytes.append(contentsOf: repeatElement(0, count: size))
        let isFirst = frameCount == 0
        block.samples.withUnsafeBufferPointer { samples in
            bytes.withUnsafeMutableBytes { out in
                var place = start
                for frame in 0..<frames {
                    if let step {
                        out[place] = 8
                        let time = stamp + Double(frame) * step
                        out.storeBytes(of: time.bitPattern.littleEndian, toByteOffset: place + 1, as: UInt64.self)
                        place += 9
                    } else if frame == 0, isFirst {
                        out[place] = 8
                        out.storeBytes(of: stamp.bitPattern.littleEndian, toByteOffset: place + 1, as: UInt64.self)
                        place += 9
                    } else {
                        place += 1
                    }
                    for channel in 0..<channels {
                        let bits = samples[channel * frames + frame].bitPattern.littleEndian
                        out.storeBytes(of: bits, toByteOffset: place, as: UInt32.self)
                        place += 4
                    }
                }
            }
        }
        frameCount += frames
    }

    /// Appends frames in double precision, stamped as above: these of `held` that are told channel by channel.
    mutating func append(
        doubles: [Double], frames: Range<Int>, of held: Int, stamp: Seconds, every step: Seconds?
    ) {
        append(frames, of: held, channels: doubles.count / max(1, held), stamp, step) { place, bytes in
            XDFEncoding.append(doubles[place], to: &bytes)
        }
    }

    /// Appends 64-bit integers, channel by channel, stamped as above.
    mutating func append(
        integers: [Int64], frames: Range<Int>, of held: Int, stamp: Seconds, every step: Seconds?
    ) {
        append(frames, of: held, channels: integers.count / max(1, held), stamp, step) { place, bytes in
            XDFEncoding.append(integers[place], to: &bytes)
        }
    }

    private mutating func append(
        _ frames: Range<Int>, of held: Int, channels: Int, _ stamp: Seconds, _ step: Seconds?,
        _ write: (_ place: Int, _ bytes: inout [UInt8]) -> Void
    ) {
        guard held > 0, frames.lowerBound >= 0 else { return }
        for frame in frames {
            if let step {
                bytes.append(8)
                XDFEncoding.append(stamp + Double(frame - frames.lowerBound) * step, to: &bytes)
            } else if frameCount == 0 {
                bytes.append(8)
                XDFEncoding.append(stamp, to: &bytes)
            } else {
                bytes.append(0)
            }
            for channel in 0..<channels { write(channel * held + frame, &bytes) }
            frameCount += 1
        }
    }

    /// Appends a frame of numbers in full precision.
    mutating func append(_ values: [Double], stamp: Seconds) {
        bytes.append(8)
        XDFEncoding.append(stamp, to: &bytes)
        for value in values { XDFEncoding.append(value, to: &bytes) }
        frameCount += 1
    }

    /// Appends rows with a stamp each, whose values `write` adds.
    mutating func append(stamps: [Seconds], _ write: (_ row: Int, _ bytes: inout [UInt8]) -> Void) {
        for (row, stamp) in stamps.enumerated() {
            bytes.append(8)
            XDFEncoding.append(stamp, to: &bytes)
            write(row, &bytes)
        }
        frameCount += stamps.count
    }

    /// Appends a text.
    mutating func append(_ text: String, stamp: Seconds) {
        bytes.append(8)
        XDFEncoding.append(stamp, to: &bytes)
        let utf8 = Array(text.utf8)
        XDFEncoding.append(length: utf8.count, to: &bytes)
        bytes += utf8
        frameCount += 1
    }

    /// Ends the chunk and appends it to a file's bytes; nothing when it is empty.
    mutating func close(stream: UInt32, into file: inout [UInt8]) {
        guard frameCount > 0 else { return }
        XDFEncoding.append(length: 2 + 4 + 5 + bytes.count, to: &file)
        XDFEncoding.append(XDFTag.samples.rawValue, to: &file)
        XDFEncoding.append(stream, to: &file)
        // The form of four bytes, as other recorders write it.
        file.append(4)
        XDFEncoding.append(UInt32(clamping: frameCount), to: &file)
        file += bytes
        bytes.removeAll(keepingCapacity: true)
        frameCount = 0
    }
}
