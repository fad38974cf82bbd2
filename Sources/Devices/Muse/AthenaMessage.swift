/// A notification of a Muse S Athena: packets of several sensors, each a header and a chain of entries.
///
/// A packet is its length (u8), its counter (u8), the headband's clock in 1/256,000 s (u32le) and three bytes of
/// unknown meaning; then entries, each a tag (u8), a counter of its own tag (u8), three unknown bytes and samples. The
/// layout is OpenMuse's reading of the captures (Makowski, MIT licence), but that the first entry has the same five
/// bytes in front as the others: its counter fits theirs without a break.
public struct AthenaMessage: Hashable, Sendable {
    /// Samples of one sensor.
    public struct Entry: Hashable, Sendable {
        /// What they are.
        public var tag: AthenaTag
        /// Counts the entries of this tag, 0…255.
        public var counter: UInt8
        /// The packet's time on the headband's clock, in 1/256,000 s, wrapping; entries of one packet share it.
        public var ticks: UInt32
        /// The samples' bytes.
        public var content: [UInt8]

        /// Samples of one sensor.
        public init(tag: AthenaTag, counter: UInt8, ticks: UInt32, content: [UInt8]) {
            self.tag = tag
            self.counter = counter
            self.ticks = ticks
            self.content = content
        }
    }

    /// All entries, in order.
    public var entries: [Entry] = []
    /// What could not be read.
    public var problems: [String] = []

    /// Ticks of the headband's clock per second.
    public static let ticksPerSecond = 256_000.0
    static let headerLength = 9

    /// Reads a notification.
    public init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        while reader.left > 0 {
            let start = reader.position
            guard let length = reader.u8(), Int(length) > Self.headerLength, Int(length) - 1 <= reader.left else {
                problems.append("a packet's length is \(bytes[start]), but \(bytes.count - start) bytes are left")
                return
            }
            _ = reader.u8()
            let ticks = reader.u32le() ?? 0
            _ = reader.take(3)
            readEntries(&reader, until: start + Int(length), ticks: ticks)
            _ = reader.take(start + Int(length) - reader.position)
        }
    }

    private mutating func readEntries(_ reader: inout ByteReader, until end: Int, ticks: UInt32) {
        while reader.position < end {
            guard let code = reader.u8(), let tag = AthenaTag(rawValue: code) else {
                problems.append("an entry of unknown kind")
                return
            }
            let length = tag.fillsPacket ? end - reader.position - 4 : tag.length
            guard length >= tag.length, end - reader.position >= 4 + length, let counter = reader.u8(),
                reader.take(3) != nil, let content = reader.take(length)
            else {
                problems.append("an entry runs past its packet")
                return
            }
            entries.append(Entry(tag: tag, counter: counter, ticks: ticks, content: Array(content)))
        }
    }

    /// The bytes of a packet with these entries (at most 255 bytes in all), which share the first one's ticks.
    public static func packet(counter: UInt8, _ entries: [Entry]) -> [UInt8] {
        var bytes: [UInt8] = [0, counter]
        bytes.append(littleEndian: Int(entries.first?.ticks ?? 0), count: 4)
        bytes += [0, 0, 0]
        for entry in entries { bytes += [entry.tag.rawValue, entry.counter, 0, 0, 0] + entry.content }
        bytes[0] = UInt8(clamping: bytes.count)
        return bytes
    }
}

/// Kinds of entry.
public enum AthenaTag: UInt8, CaseIterable, Sendable {
    case eeg4 = 0x11
    case eeg8 = 0x12
    case optics4 = 0x34
    case optics8 = 0x35
    case optics16 = 0x36
    case motion = 0x47
    /// Of unknown meaning.
    case other = 0x53
    case battery = 0x98
    /// The battery as firmware of 2026 sends it: its charge, then some two hundred bytes of unknown meaning.
    case report = 0x88

    /// Whether an entry reaches to the end of its packet, however long.
    var fillsPacket: Bool { self == .report }

    /// Bytes of the samples; the least there are in a `report`.
    public var length: Int {
        switch self {
        case .eeg4, .eeg8: 28
        case .optics4: 30
        case .optics8, .optics16: 40
        case .motion: 36
        case .other: 24
        case .battery: 20
        case .report: 2
        }
    }

    /// Channels sampled together.
    public var channelCount: Int {
        switch self {
        case .eeg4, .optics4: 4
        case .eeg8, .optics8: 8
        case .optics16: 16
        case .motion: 6
        case .other: 0
        case .battery, .report: 1
        }
    }

    /// Sampling moments per entry.
    public var frameCount: Int {
        switch self {
        case .eeg4: 4
        case .eeg8, .optics8: 2
        case .optics4, .motion: 3
        case .optics16, .battery, .report: 1
        case .other: 0
        }
    }

    /// Samples per second and channel.
    var sampleRate: Double {
        switch self {
        case .eeg4, .eeg8: 256
        case .optics4, .optics8, .optics16: 64
        default: 52
        }
    }

    /// The electrodes, or the optical channels: left or right, outer or inner, and their light.
    var labels: [String] {
        switch self {
        case .eeg4, .eeg8: Array(Self.electrodes.prefix(channelCount))
        case .optics4: Array(Self.optics[4..<8])
        case .optics8, .optics16: Array(Self.optics.prefix(channelCount))
        default: []
        }
    }

    private static let electrodes = ["TP9", "AF7", "AF8", "TP10", "AUX1", "AUX2", "AUX3", "AUX4"]
    private static let optics = [
        "LO NIR", "RO NIR", "LO IR", "RO IR", "LI NIR", "RI NIR", "LI IR", "RI IR", "LO RED", "RO RED", "LO AMB",
        "RO AMB", "LI RED", "RI RED", "LI AMB", "RI AMB",
    ]

    /// Bits per sample.
    var bits: Int {
        switch self {
        case .eeg4, .eeg8: 14
        case .optics4, .optics8, .optics16: 20
        default: 16
        }
    }
}

extension AthenaMessage.Entry {
    /// Microvolts per step of the EEG; all values are positive, 0 and 1450 µV are the rails.
    static let microvolts: Float = 1450 / 16383
    /// Units per step of the optical channels.
    static let optics: Float = 1 / 32768

    /// The samples, channel by channel: µV, arbitrary units of light, g and deg/s, or per cent of charge.
    public var samples: [Float] {
        let raw = unpacked
        let (channels, frames) = (tag.channelCount, tag.frameCount)
        var samples: [Float] = []
        samples.reserveCapacity(raw.count)
        for channel in 0..<channels {
            for frame in 0..<frames {
                let value = raw[frame * channels + channel]
                switch tag {
                case .eeg4, .eeg8: samples.append(Float(value) * Self.microvolts)
                case .optics4, .optics8, .optics16: samples.append(Float(value) * Self.optics)
                case .motion:
                    let signed = Int(Int16(truncatingIfNeeded: value))
                    // The gyroscope's axes point the other way than in earlier headbands.
                    samples.append(Float(Double(signed) * (channel < 3 ? Muse.g : -Muse.degreesPerSecond)))
                case .battery, .report: samples.append(Float(value) / 256)
                case .other: break
                }
            }
        }
        return samples
    }

    /// The bytes that hold `numbers`, channels interleaved, each cut to its tag's bits; zeros fill the rest.
    static func packed(_ numbers: [Int], _ tag: AthenaTag) -> [UInt8] {
        var content: [UInt8] = []
        var bits: UInt64 = 0
        var held = 0
        for number in numbers {
            bits |= (UInt64(truncatingIfNeeded: number) & ((1 << UInt64(tag.bits)) - 1)) << UInt64(held)
            held += tag.bits
            while held >= 8 {
                content.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                held -= 8
            }
        }
        if held > 0 { content.append(UInt8(truncatingIfNeeded: bits)) }
        return content + [UInt8](repeating: 0, count: Swift.max(0, tag.length - content.count))
    }

    /// The numbers as sent, channels interleaved: bits from the least significant on.
    private var unpacked: [UInt32] {
        let count = tag.channelCount * tag.frameCount
        var values: [UInt32] = []
        values.reserveCapacity(count)
        var bits: UInt64 = 0
        var held = 0
        for byte in content where values.count < count {
            bits |= UInt64(byte) << UInt64(held)
            held += 8
            while held >= tag.bits, values.count < count {
                values.append(UInt32(bits & ((1 << UInt64(tag.bits)) - 1)))
                bits >>= UInt64(tag.bits)
                held -= tag.bits
            }
        }
        return values
    }
}
