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
        bytes.append(frameTypeByte)
        return bytes + content
    }

    /// The layout's number as it is on the wire, with the bit of compressed frames.
    public var frameTypeByte: UInt8 { frameType | (isCompressed ? 0x80 : 0) }

    /// The samples of a regular measurement, channel by channel, in the units of `PolarStream`.
    ///
    /// `factor` is the conversion factor from the answer to the start command, 1 when it had none.
    /// - Throws: `PMDError`.
    public func samples(factor: Double = 1) throws(PMDError) -> SampleBlock {
        let layout = try PMDLayout(self, factor: factor)
        return layout.block(try values(layout))
    }

    /// The values as they lie in the frame, samples one after the other.
    func values(_ layout: PMDLayout) throws(PMDError) -> [Int32] {
        guard !isCompressed else {
            return try PMDDeltas.decode(content, channels: layout.channels, referenceBytes: layout.size)
        }
        let width = layout.channels * layout.size
        guard !content.isEmpty, content.count.isMultiple(of: width) else {
            throw .malformed("\(content.count) bytes of samples that take \(width) bytes each")
        }
        var reader = ByteReader(content)
        var values: [Int32] = []
        values.reserveCapacity(content.count / layout.size)
        while let value = reader.signed(layout.size) { values.append(Int32(value)) }
        return values
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
            throw .unsupportedFrame(type: frame.type, frameType: frame.frameTypeByte)
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
