public import Formats
public import Signals

/// What a device says, decoded: the only thing the rooms above see of it.
public enum DeviceEvent: Hashable, Sendable {
    /// A stream exists; comes once per stream, before anything of it.
    case stream(DeviceStream)
    /// Frames of a regular stream.
    case samples(DeviceSamples)
    /// Rows of an irregular stream (IBI, heart rate, battery, metric values).
    case values(stream: String, [DeviceValue])
    /// A sender's stream, of which everything is also kept as it was received; comes before anything of it.
    case receives(LSLStreamInfo)
    /// Samples of it, as they were received.
    case received(ReceivedRows)
    /// Something that happened at one moment: a button, a tag, a loop of a script. `deviceTime` as in `DeviceSamples`, or on
    /// this host's monotonic clock.
    case marker(label: String, deviceTime: Seconds?, isHostTime: Bool = false)
    /// A state the device reports of itself or its wearer.
    case status(DeviceStatus)
    /// Who the device says it is, or more of that: what is left out stays as it was told before.
    case identity(DeviceIdentity)
    /// A line for the person at the screen: a script's text, a server's remark.
    case log(String)
    /// A line that a running script printed, for its log and its table; measured values are also in the streams.
    case script(MethodSCRIPTOutput)
    /// Bytes that break the protocol: dropped, counted, kept in the raw log.
    case malformed(MalformedMessage)
    /// Hand-shake done: streams flow from here.
    case ready
    /// The device refused or gave up, in words and with its own code; the connection stays until `closed`.
    case failed(DeviceFailure)
    /// The conversation ended as the protocol foresees (script finished, session complete).
    case finished
}

/// A stream of a device.
public struct DeviceStream: Hashable, Sendable {
    /// Stable within the device, in lower camel case, such as `ecg` or `acceleration`.
    public var id: String
    /// Kind, channels with units, nominal rate in Hz (0 for irregular).
    public var header: StreamHeader
    /// What its times rest on.
    public var clock: DeviceClock
    /// Whether its samples come in double precision too, which is then what is recorded. Only of regular streams: the
    /// values of others are double anyway.
    public var isDouble: Bool
    /// True if its samples also come as 64-bit integers, which are recorded. Regular streams only.
    public var isInteger = false
    /// The sender's whole description, an XML `<info>` element; nil without one.
    public var description: String?
    /// About how many values a second an irregular stream brings for as long as its device is there; nil where that is
    /// not known, or only at times.
    public var pace: Double?

    /// A stream `id` as the header describes, stamped by `clock`.
    public init(
        id: String, header: StreamHeader, clock: DeviceClock = .arrival, isDouble: Bool = false, pace: Double? = nil
    ) {
        self.id = id
        self.header = header
        self.clock = clock
        self.isDouble = isDouble
        self.pace = pace
    }
}

/// What a stream's times rest on.
public enum DeviceClock: String, Hashable, Sendable, Codable {
    /// The device stamps its messages with its own clock.
    case deviceTime
    /// The device only counts samples or packets; time is index over rate.
    case counter
    /// Neither: the only time is that of arrival.
    case arrival
    /// Beats whose times are running sums of the intervals between them (`DeviceValue.deviceTime`, the interval in the
    /// first channel). They come in messages about once a second; when within that second is not told.
    case beats
    /// The times are on this host's monotonic clock already (Lab Streaming Layer, whose library measures the offset).
    case host
}

/// Consecutive frames of a regular stream.
public struct DeviceSamples: Hashable, Sendable {
    /// The stream's id.
    public var stream: String
    /// Index of the first frame since the stream began, counting frames that were lost on the way. It never
    /// decreases by itself; it starts anew at 0 after `restarted`.
    public var index: Int
    /// The samples, channel by channel, in the units of the stream's header; NaN where the device marks one invalid.
    public var block: SampleBlock
    /// The same in double precision, channel by channel, where the stream has it.
    public var doubles: [Double]?
    /// The same as 64-bit integers, channel by channel, where the stream has them.
    public var integers: [Int64]?
    /// Time of the first frame on the device's own clock in seconds, nil when the device has none.
    public var deviceTime: Seconds?
    /// Frames a second as the device's stamps count them, where that is known better than by the stream's header.
    public var rate: Double?
    /// When the first message with these frames arrived, on the host's monotonic clock, where several bring them, or when
    /// the last of them was sampled, where that is known better; nil: with the message that completed them.
    public var arrival: Seconds?
    /// The device's counter or clock started anew before this frame: no distance to earlier frames is known.
    public var restarted: Bool

    /// Frames of `stream` from `index` on.
    public init(
        stream: String, index: Int, block: SampleBlock, doubles: [Double]? = nil, deviceTime: Seconds? = nil,
        arrival: Seconds? = nil, restarted: Bool = false
    ) {
        self.doubles = doubles
        self.stream = stream
        self.index = index
        self.block = block
        self.deviceTime = deviceTime
        self.arrival = arrival
        self.restarted = restarted
    }
}

/// One row of an irregular stream.
public struct DeviceValue: Hashable, Sendable {
    /// Time on the device's clock in seconds; nil: the moment of arrival.
    public var deviceTime: Seconds?
    /// Seconds before it is told at which the row holds, when only that is known: beats within a message, or of messages
    /// that were held.
    public var age: Seconds
    /// One value per channel; NaN for missing.
    public var values: [Double]

    /// Values at a device time, or `age` seconds before their arrival.
    public init(_ values: [Double], deviceTime: Seconds? = nil, age: Seconds = 0) {
        self.values = values
        self.deviceTime = deviceTime
        self.age = age
    }
}

/// A state of the device or its wearer.
public enum DeviceStatus: Hashable, Sendable {
    /// Charge left, 0…1.
    case battery(Double)
    /// Plugged in or in its charger: most devices measure badly or not at all then.
    case charging(Bool)
    /// Skin contact of a strap, band or electrode set; nil: the device can't tell.
    case contact(Bool?)
    /// Fit of each electrode by channel label, 0 (perfect) … 1 (no signal).
    case electrodes([String: Double])
    /// The device's own judgement of the signal, as the headband codes have it.
    case quality(HeadbandQuality)
    /// The link between a relay and the device behind it: a server may be reachable while its band is not.
    case deviceBehindServer(connected: Bool)
    /// The state of that link in steps, where the server tells them.
    case servedDevice(ServedDeviceStatus)
    /// Whether the server can look for devices, and does.
    case radio(RadioStatus)
    /// The devices a server offers; comes after each search, empty when there are none.
    case found([FoundDevice])
    /// A sensor's connection as the phone it is paired with reports it.
    case connection(previous: ConnectionState, current: ConnectionState)
    /// The device stops sending by itself or on request (`pause`), without ending the connection.
    case paused(Bool)
    /// The device's clock, as a stream's stamps show it, went by this many seconds more than time did.
    case clockJump(stream: String, by: Seconds)
}

/// The wire codes of headband quality checks.
public enum HeadbandQuality: Int, Hashable, Sendable, CaseIterable {
    case passed = 0
    case headbandOffHead = 1
    case motionTooHigh = 2
    case eegFailure = 3
}

/// Who a device says it is; empty where it does not say.
public struct DeviceIdentity: Hashable, Sendable, Codable {
    /// The advertised or configured name.
    public var name = ""
    /// Who made it.
    public var manufacturer = ""
    /// The model.
    public var model = ""
    /// The serial number.
    public var serialNumber = ""
    /// The firmware's version.
    public var firmware = ""
    /// The hardware's revision.
    public var hardware = ""
    /// Anything else it says of itself, by its own keys (sensor location, protocol version).
    public var details: [String: String] = [:]

    /// Nothing known yet.
    public init() {}

    /// Where the sensor is worn, in the words of the Heart Rate service (“chest”); nil where it does not say.
    public var location: String? { details["sensorLocation"] }

    /// The Bluetooth address the device was reached at; nil of other devices.
    public var address: String? { details["address"] }

    /// Takes what the device said of itself later: that replaces what it said before, and what was left out stays.
    public mutating func add(_ later: DeviceIdentity) {
        let texts: [WritableKeyPath<DeviceIdentity, String>] = [
            \.name, \.manufacturer, \.model, \.serialNumber, \.firmware, \.hardware,
        ]
        for text in texts where !later[keyPath: text].isEmpty { self[keyPath: text] = later[keyPath: text] }
        details.merge(later.details.filter { !$0.value.isEmpty }) { $1 }
    }
}

/// Bytes that break the protocol.
public struct MalformedMessage: Error, Hashable, Sendable {
    /// Which part of the protocol: a characteristic, a line, a frame type.
    public var place: String
    /// What was expected and what came.
    public var problem: String
    /// The offending bytes, at most 64.
    public var bytes: [UInt8]

    /// A message at `place` that fails because of `problem`.
    public init(place: String, problem: String, bytes: some Collection<UInt8>) {
        self.place = place
        self.problem = problem
        self.bytes = Array(bytes.prefix(64))
    }
}

/// A refusal or failure the device reports.
public struct DeviceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The device's own code, when it has one, as it writes it.
    public var code: String
    /// What it means and what to do.
    public var description: String

    /// A failure with the device's code and a sentence for the user.
    public init(code: String = "", description: String) {
        self.code = code
        self.description = description
    }

    /// A device that is connected and sent nothing in time.
    public static func silent(_ description: String) -> DeviceFailure {
        DeviceFailure(code: silence, description: description)
    }

    /// True for a device that is connected and sent nothing in time.
    public var isSilence: Bool { code == Self.silence }
    private static let silence = "silent"
}
