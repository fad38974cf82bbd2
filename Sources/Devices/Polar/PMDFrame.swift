public import Signals

/// A notification of the data characteristic: samples of one measurement.
public struct PMDFrame: Hashable, Sendable {
    /// What was measured.
    public var type: PMDType
    /// Nanoseconds since 2000-01-01T00:00:00Z on the device's clock, at the last sample; 0 in some pulse interval
    /// frames, which then have no time.
    public var timestamp: UInt64
    /// Whether the samples are differences.
    public var isCompressed: Bool
    /// The layout's number.
    public var frameType: UInt8
    /// The samples' bytes.
    public var content: [UInt8]

    /// Bytes before the samples.
    public static let headerLength = 10

    /// A frame.
    public init(
        type: PMDType, timestamp: UInt64, isCompressed: Bool = false, frameType: UInt8 = 0, content: [UInt8]
    ) {
        self.type = type
        self.timestamp = timestamp
        self.isCompressed = isCompressed
        self.frameType = frameType
        self.content = content
    }

    /// Reads a notification.
    /// - Throws: `PMDError.malformed`.
    public init(_ bytes: [UInt8]) throws(PMDError) {
        var reader = ByteReader(bytes)
        guard let type = reader.u8(), let timestamp = reader.u64le(), let frameType = reader.u8() else {
            throw .malformed("a frame of \(bytes.count) bytes; its header has 10")
        }
        guard let type = PMDType(masked: type) else { throw .malformed("measurement type \(type & 0x3F)") }
        self.init(
            type: type, timestamp: timestamp, isCompressed: frameType & 0x80 != 0, frameType: frameType & 0x7F,
            content: Array(bytes[Self.headerLength...]))
    }

    /// The notification's bytes.
    public var bytes: [UInt8] {
        var bytes = [type.rawValue]
        for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: timestamp >> UInt64(8 * index))) }
        bytes.append(frameType | (isCompressed ? 0x80 : 0))
        return bytes + content
    }

    /// The samples of a regular measurement, channel by channel, in the units of `PolarStream`.
    ///
    /// `factor` is the conversion factor from the answer to the start command, 1 when it had none.
    /// - Throws: `PMDError`.
    public func samples(factor: Double = 1) throws(PMDError) -> SampleBlock {
        let layout = try layout(factor: factor)
        let frames = try isCompressed ? deltas(layout) : raw(layout)
        return Self.block(frames, channels: layout.channels, scale: layout.scale)
    }

    /// How samples lie in a frame.
    private struct Layout {
        var channels: Int
        /// Bytes of a sample, of a reference in compressed frames.
        var size: Int
        var scale: Double
    }

    private func layout(factor: Double) throws(PMDError) -> Layout {
        switch (type, frameType, isCompressed) {
        case (.ecg, 0, false): return Layout(channels: 1, size: 3, scale: 1)
        case (.acceleration, 0, false): return Layout(channels: 3, size: 1, scale: 1)
        case (.acceleration, 1, false): return Layout(channels: 3, size: 2, scale: 1)
        case (.acceleration, 2, false): return Layout(channels: 3, size: 3, scale: 1)
        // This layout's factor gives g, that of the next one milli-g.
        case (.acceleration, 0, true): return Layout(channels: 3, size: 2, scale: factor * 1_000)
        case (.acceleration, 1, true): return Layout(channels: 3, size: 2, scale: factor)
        case (.ppg, 0, _): return Layout(channels: 4, size: 3, scale: 1)
        case (.gyroscope, 0, _), (.magnetometer, 0, true): return Layout(channels: 3, size: 2, scale: factor)
        default: throw .unsupportedFrame(type: type.rawValue, frameType: frameType | (isCompressed ? 0x80 : 0))
        }
    }

    private func raw(_ layout: Layout) throws(PMDError) -> [Int32] {
        let width = layout.channels * layout.size
        guard !content.isEmpty, content.count.isMultiple(of: width) else {
            throw .malformed("\(content.count) bytes of samples that take \(width) bytes each")
        }
        var reader = ByteReader(content)
        var frames: [Int32] = []
        frames.reserveCapacity(content.count / layout.size)
        while let value = reader.signed(layout.size) { frames.append(Int32(value)) }
        return frames
    }

    private func deltas(_ layout: Layout) throws(PMDError) -> [Int32] {
        try PMDDeltas.decode(content, channels: layout.channels, referenceBytes: layout.size)
    }

    private static func block(_ frames: [Int32], channels: Int, scale: Double) -> SampleBlock {
        let count = frames.count / channels
        var samples: [Float] = []
        samples.reserveCapacity(frames.count)
        for channel in 0..<channels {
            for frame in 0..<count {
                let raw = frames[frame * channels + channel]
                samples.append(scale == 1 ? Float(raw) : Float(Double(raw) * scale))
            }
        }
        return SampleBlock(channelCount: channels, samples: samples)
    }
}

/// A pulse-to-pulse interval of an optical sensor.
public struct PMDPulseInterval: Hashable, Sendable {
    /// Heart rate in beats per minute; 0 for none.
    public var heartRate: Int
    /// The interval in ms.
    public var interval: Int
    /// Its estimated error in ms.
    public var error: Int
    /// The sensor moved: the interval is not to be used.
    public var isBlocked: Bool
    /// Skin contact; nil: the sensor can't tell.
    public var contact: Bool?

    /// Reads the samples of a frame of type 0.
    /// - Throws: `PMDError`.
    public static func list(_ frame: PMDFrame) throws(PMDError) -> [PMDPulseInterval] {
        guard frame.frameType == 0, !frame.isCompressed else {
            throw .unsupportedFrame(type: frame.type.rawValue, frameType: frame.bytes[9])
        }
        guard !frame.content.isEmpty, frame.content.count.isMultiple(of: 6) else {
            throw .malformed("\(frame.content.count) bytes of intervals that take 6 bytes each")
        }
        var reader = ByteReader(frame.content)
        var list: [PMDPulseInterval] = []
        while let rate = reader.u8(), let interval = reader.u16le(), let error = reader.u16le(),
            let flags = reader.u8()
        {
            list.append(
                PMDPulseInterval(
                    heartRate: Int(rate), interval: Int(interval), error: Int(error), isBlocked: flags & 1 != 0,
                    contact: flags & 4 != 0 ? flags & 2 != 0 : nil))
        }
        return list
    }
}
