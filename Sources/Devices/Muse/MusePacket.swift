/// Identifiers of the Muse headbands' service. Their maker publishes no specification; the formats are those that the
/// open clients muse-lsl, muse-js and BrainFlow agree on.
public enum Muse {
    /// The advertised service.
    public static let service = BluetoothUUID(0xFE8D)

    /// The characteristic 273eXXXX-4c4d-454d-96be-f03bac821358 of this number.
    public static func characteristic(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0x273E_0000_4C4D_454D | UInt64(number) << 32, low: 0x96BE_F03B_AC82_1358)
    }

    /// Commands out, JSON in.
    public static let control = characteristic(0x0001)
    /// Battery and temperature.
    public static let telemetry = characteristic(0x000B)
    /// Angular velocity.
    public static let gyroscope = characteristic(0x0009)
    /// Acceleration.
    public static let acceleration = characteristic(0x000A)
    /// EEG electrodes in the order of the stream's channels; the last is the auxiliary electrode.
    public static let electrodes: [(label: String, characteristic: BluetoothUUID)] = [
        ("TP9", characteristic(0x0003)), ("AF7", characteristic(0x0004)), ("AF8", characteristic(0x0005)),
        ("TP10", characteristic(0x0006)), ("AUX", characteristic(0x0007)),
    ]
    /// Optical channels in the order of the stream's channels.
    public static let optics: [(label: String, characteristic: BluetoothUUID)] = [
        ("ambient", characteristic(0x000F)), ("infrared", characteristic(0x0010)), ("red", characteristic(0x0011)),
    ]

    /// Microvolts per step of the EEG, whose middle is 2048.
    public static let microvolts: Float = 125 / 256
    /// g per step of the acceleration.
    public static let g = 0.000_061_035_2
    /// Degrees per second per step of the angular velocity.
    public static let degreesPerSecond = 0.007_476_8

    /// A command as it is written: its length, the text, a line feed.
    public static func command(_ text: String) -> [UInt8] {
        let text = Array(text.utf8.prefix(18))
        return [UInt8(text.count + 1)] + text + [0x0A]
    }
}

/// A packet of samples: a counter and up to 18 bytes.
public struct MusePacket: Hashable, Sendable {
    /// Counts the packets of its group of channels, 0…65535.
    public var counter: UInt16
    /// What follows.
    public var content: [UInt8]

    /// Bytes of every packet.
    public static let length = 20

    /// A packet.
    public init(counter: UInt16, content: [UInt8]) {
        self.counter = counter
        self.content = content
    }

    /// Reads a notification; nil unless it has 20 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        counter = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        content = Array(bytes[2...])
    }

    /// The notification's bytes.
    public var bytes: [UInt8] { [UInt8(counter >> 8), UInt8(counter & 0xFF)] + content }

    /// Twelve numbers of 12 bits, most significant bit first.
    public var twelveBit: [Int] {
        var values: [Int] = []
        values.reserveCapacity(12)
        for place in stride(from: 0, to: content.count - content.count % 3, by: 3) {
            let (a, b, c) = (Int(content[place]), Int(content[place + 1]), Int(content[place + 2]))
            values.append(a << 4 | b >> 4)
            values.append((b & 0xF) << 8 | c)
        }
        return values
    }

    /// Six numbers of 24 bits, most significant byte first.
    public var twentyFourBit: [Int] {
        stride(from: 0, to: content.count - content.count % 3, by: 3).map { place in
            Int(content[place]) << 16 | Int(content[place + 1]) << 8 | Int(content[place + 2])
        }
    }

    /// Nine signed numbers of 16 bits, most significant byte first.
    public var signed16: [Int] {
        var reader = ByteReader(content)
        var values: [Int] = []
        while let value = reader.i16be() { values.append(Int(value)) }
        return values
    }

    /// The EEG samples in microvolts.
    public var microvolts: [Float] { twelveBit.map { Float($0 - 2_048) * Muse.microvolts } }

    /// A packet of EEG: twelve numbers of 0…4095.
    public static func eeg(counter: UInt16, _ values: [Int]) -> MusePacket {
        var content: [UInt8] = []
        for place in stride(from: 0, to: values.count - values.count % 2, by: 2) {
            let (first, second) = (values[place] & 0xFFF, values[place + 1] & 0xFFF)
            content += [
                UInt8(first >> 4), UInt8((first & 0xF) << 4 | second >> 8), UInt8(second & 0xFF),
            ]
        }
        return MusePacket(counter: counter, content: content)
    }

    /// A packet of optical counts: six numbers of 0…2²⁴ − 1.
    public static func ppg(counter: UInt16, _ values: [Int]) -> MusePacket {
        var content: [UInt8] = []
        for value in values { content.append(bigEndian: value, count: 3) }
        return MusePacket(counter: counter, content: content)
    }

    /// A packet of acceleration or angular velocity: three samples of three axes.
    public static func motion(counter: UInt16, _ values: [Int]) -> MusePacket {
        var content: [UInt8] = []
        for value in values { content.append(bigEndian: value, count: 2) }
        return MusePacket(counter: counter, content: content)
    }
}

/// What a headband reports of itself every ten seconds or so.
public struct MuseTelemetry: Hashable, Sendable {
    /// Counts the reports.
    public var counter: UInt16
    /// Charge in per cent.
    public var battery: Double
    /// The fuel gauge's voltage in mV.
    public var fuelGauge: Double
    /// A second voltage in mV, of uncertain meaning.
    public var voltage: Int
    /// A temperature, about °C.
    public var temperature: Int

    /// Reads a packet; nil when it is too short.
    public init?(_ packet: MusePacket) {
        var reader = ByteReader(packet.content)
        guard let battery = reader.u16be(), let gauge = reader.u16be(), let voltage = reader.u16be(),
            let temperature = reader.u16be()
        else { return nil }
        counter = packet.counter
        self.battery = Double(battery) / 512
        fuelGauge = Double(gauge) * 2.2
        self.voltage = Int(voltage)
        self.temperature = Int(temperature)
    }
}
